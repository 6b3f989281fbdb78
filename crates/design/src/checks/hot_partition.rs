//! KF031: a partition that holds every item of an entity.

use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::capacity::WRITE_UNIT_BYTES;

use crate::build::{BROKEN, Draft};
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{AttributeType, Entity, KeyPart, Unit};
use crate::template::{Template, ValueKind};

pub(super) static CODE: Code = Code {
    id: "KF031",
    title: "hot partition",
    severity: Severity::Warning,
    explanation: "A partition supports about 1,000 write units per second, and an item costs one unit per started \
                  kilobyte. A partition key without a placeholder, or with only a status in it, puts all items of an \
                  entity into one or a few partitions: `ENTITY#USER` holds every user. Every write of an item is also \
                  a write to that partition. Beyond the limit, DynamoDB throttles the index and then the table.",
    fix: "Spread the partition over shards, which are merged when read:\n\n    GSI1PK: ENTITY#USER#<userId:shard(8)>\n\n\
          or accept it, with the reason why the writes stay below the limit:\n\n    accept:\n      KF031 ENTITY#USER: a few thousand users at most",
};

/// DynamoDB's limit of one partition.
const WRITE_UNITS_PER_SECOND: u64 = 1_000;
/// So many partitions are few.
const FEW: u64 = 100;

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in draft.design.entities.iter().filter(|entity| !entity.is_singleton()) {
        report(entity, "the table", std::slice::from_ref(&entity.layout.partition), findings);
        for index_key in &entity.layout.index_keys {
            let index = &draft.design[index_key.index];
            report(entity, &format!("`{}`", index.name), &index_key.partition, findings);
        }
    }
}

fn report(entity: &Entity, place: &str, partition: &[KeyPart], findings: &mut Findings) {
    let counts: Option<Vec<u64>> = partition.iter().map(|part| partitions(&part.template, entity)).collect();
    let Some(count) = counts.map(|counts| counts.into_iter().product::<u64>()).filter(|count| *count <= FEW) else {
        return;
    };
    let Some(first) = partition.first().filter(|part| !part.template.source.starts_with(BROKEN)) else { return };
    let source = partition.iter().map(|part| part.template.source.as_str()).collect::<Vec<_>>().join(", ");
    let units = item_bytes(entity).div_ceil(WRITE_UNIT_BYTES as u64).max(1);
    let rate = WRITE_UNITS_PER_SECOND / units;
    let holds = if count == 1 { "one partition".to_owned() } else { format!("{count} partitions") };
    let throttles = if count == 1 { "which throttles" } else { "each of which throttles" };
    let message = format!(
        "`{source}` puts every `{}` of {place} into {holds}, {throttles} at about {rate} writes a second",
        entity.name
    );
    let id = entity.identity.last().map_or("id", String::as_str);
    let spread = spread(entity, first, id);
    let help = format!("{spread}, or accept it: `KF031 {source}: REASON`");
    findings.push(Diagnostic::new(&CODE, first.template.span, message).help(help).about(source));
}

/// How to spread a partition over shards. A key that is an attribute itself cannot hold a shard as well.
fn spread(entity: &Entity, part: &KeyPart, id: &str) -> String {
    let Template { source, delimiter, .. } = &part.template;
    let key = &part.key.name;
    if entity.attribute(key).is_none() {
        return format!("spread it with a shard (`{source}{delimiter}<{id}:shard(8)>`)");
    }
    format!(
        "spread it with a shard: make the partition key another attribute, such as `{key}Shard`, with the template \
         `{key}Shard: <{key}>{delimiter}<{id}:shard(8)>`, and read it with `{key}Shard = <{key}>{delimiter}<shard>`"
    )
}

/// In how many partitions a template puts items, where that can be counted and is few.
fn partitions(template: &Template, entity: &Entity) -> Option<u64> {
    template
        .placeholders()
        .try_fold(1u64, |count, placeholder| {
            let own = match &placeholder.kind {
                ValueKind::Enumeration(values) => values.len() as u64,
                ValueKind::Boolean => 2,
                ValueKind::Integer => small_range(entity, &placeholder.attribute)?,
                _ => return None,
            };
            Some(count * (own + u64::from(placeholder.fallback.is_some())))
        })
        .filter(|_| template.shards().is_none())
}

/// The size of a bounded range of integers.
fn small_range(entity: &Entity, attribute: &str) -> Option<u64> {
    let (least, most) = entity.integer_range(attribute)?;
    u64::try_from(most.checked_sub(least)?.checked_add(1)?).ok().filter(|size| *size <= FEW)
}

/// The size of an ordinary item: texts count as half of their bound, and as 40 bytes without one.
fn item_bytes(entity: &Entity) -> u64 {
    let attributes: u64 = entity
        .attributes
        .iter()
        .filter(|attribute| attribute.is_stored())
        .map(|attribute| {
            let value = match &attribute.value_type {
                AttributeType::Date => 10,
                AttributeType::DateTime(_) | AttributeType::Stamp(_) => 24,
                AttributeType::Ulid => 26,
                AttributeType::Uuid => 36,
                AttributeType::Boolean => 1,
                AttributeType::Integer
                | AttributeType::Number
                | AttributeType::Sequence(_)
                | AttributeType::Expiry(_) => 8,
                AttributeType::Enumeration(values) => {
                    values.iter().map(|value| AttributeValue::S(value.clone()).size() as u64).max().unwrap_or(0)
                }
                AttributeType::List(_)
                | AttributeType::Map
                | AttributeType::Any
                | AttributeType::StringSet
                | AttributeType::NumberSet => 200,
                _ => attribute
                    .most(Unit::Characters)
                    .and_then(|most| most.to_i64())
                    .map_or(40, |most| u64::try_from(most / 2).unwrap_or(40)),
            };
            attribute.name.len() as u64 + value
        })
        .sum();
    let computed: u64 = entity
        .layout
        .computed
        .iter()
        .map(|computed| (computed.name.len() + computed.template.source.len() + 16) as u64)
        .sum();
    attributes + computed
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, all, assert_says, one, patched};

    #[test]
    fn an_index_partition_without_placeholder_is_hot() {
        let text = patched(PLATFORM, &[("  KF031 ENTITY#USER: a few thousand users at most\n", "")]);
        assert_says(
            &text,
            &one(&text, "KF031"),
            "`ENTITY#USER` puts every `User` of `GSI1` into one partition, which throttles at about 1000 writes a second",
            "ENTITY#USER",
            "spread it with a shard (`ENTITY#USER#<userId:shard(8)>`), or accept it: `KF031 ENTITY#USER: REASON`",
        );
    }

    #[test]
    fn a_status_alone_makes_few_partitions_and_large_items_lower_the_rate() {
        let text = patched(PLATFORM, &[("  KF031 LICENSE#STATUS#<status>: a few licenses a second at most\n", "")]);
        let found = one(&text, "KF031");
        assert_eq!(
            found.message,
            "`LICENSE#STATUS#<status>` puts every `License` of `GSI3` into 2 partitions, each of which throttles at about \
             500 writes a second"
        );
    }

    const RATINGS: &str = "\
design: ratings
table: {name: ratings, delimiter: '|'}
indexes:
  byStars: {partition: stars number, sort: at, purpose: by stars}
entities:
  Rating:
    PK: RATING|<id>
    SK: RATING
    attributes: {id: ulid, stars: 'integer, at least 1, at most 5', at: datetime}
patterns:
  rated: stars = <stars>
allow:
  - signed in: everything
";

    #[test]
    fn an_attribute_as_partition_is_spread_through_a_key_of_its_own() {
        assert_says(
            RATINGS,
            &one(RATINGS, "KF031"),
            "`<stars>` puts every `Rating` of `byStars` into 5 partitions, each of which throttles at about 1000 writes \
             a second",
            "stars",
            "spread it with a shard: make the partition key another attribute, such as `starsShard`, with the template \
             `starsShard: <stars>|<id:shard(8)>`, and read it with `starsShard = <stars>|<shard>`, or accept it: `KF031 \
             <stars>: REASON`",
        );
        let followed = patched(
            RATINGS,
            &[
                ("partition: stars number", "partition: starsShard"),
                ("    SK: RATING\n", "    SK: RATING\n    starsShard: <stars>|<id:shard(8)>\n"),
                ("rated: stars = <stars>", "rated: starsShard = <stars>|<shard>"),
            ],
        );
        assert_eq!(all(&followed), []);
    }

    #[test]
    fn shards_spread_a_partition() {
        let text = patched(
            PLATFORM,
            &[
                ("  KF031 ENTITY#USER: a few thousand users at most\n", ""),
                ("GSI1PK: ENTITY#USER\n", "GSI1PK: ENTITY#USER#<userId:shard(8)>\n"),
                ("all users: GSI1PK = ENTITY#USER,", "all users: GSI1PK = ENTITY#USER#<shard>,"),
            ],
        );
        assert_eq!(all(&text), []);
    }
}
