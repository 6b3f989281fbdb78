//! Which items the key range of a pattern can hold.

use keyfold_dynamo::table::KeyType;

use crate::model::access::KeyValue;
use crate::model::{IndexId, IndexKey, KeyPart, Layout, SortRange};
use crate::template::{
    Binding, Bound, Overlap, Template, Texts, can_be_within, can_begin_with, can_meet, overlap, unify,
};

/// The keys that a pattern reads, with arguments of any value.
pub(in crate::build) struct KeyRange<'a> {
    /// `None` is the table itself.
    pub index: Option<IndexId>,
    /// What the partition key, and leading attributes of a sort key of several, equal.
    pub equal: Vec<(&'a str, &'a Template)>,
    /// The condition on the sort key.
    pub sort: Option<(&'a str, SortRange<KeyValue>)>,
}

/// The parts of a layout's keys in the table or an index; `None` if its items are never there.
pub(in crate::build) fn key_parts(layout: &Layout, index: Option<IndexId>) -> Option<Vec<&KeyPart>> {
    Some(match index {
        None => std::iter::once(&layout.partition).chain(&layout.sort).collect(),
        Some(index) => layout.index_key(index).map(IndexKey::parts)?.collect(),
    })
}

impl KeyRange<'_> {
    /// Whether an item with this layout can be in the range; `false` is proven.
    pub(in crate::build) fn can_hold(&self, layout: &Layout) -> bool {
        let Some(parts) = key_parts(layout, self.index) else { return false };
        let template = |name: &str| parts.iter().find(|part| part.key.name == name).map(|part| &part.template);
        // The partition key settles most pairs of a large design.
        let can_have = |(name, wanted): &(&str, &Template)| template(name).is_some_and(|own| can_equal(own, wanted));
        self.equal.iter().all(can_have)
            && self.sort.as_ref().is_none_or(|(name, range)| template(name).is_some_and(|own| can_fall(own, range)))
    }
}

/// Whether a key can equal a condition.
fn can_equal(own: &Template, wanted: &Template) -> bool {
    if own.key_type != KeyType::S {
        return match (own.constant(), wanted.constant()) {
            (Some(own), Some(wanted)) => own == wanted,
            _ => true,
        };
    }
    can_meet(own, wanted)
        && overlap(own, wanted) != Overlap::Never
        && !own.rivals().iter().any(|rival| produces_all(rival, wanted))
}

/// Whether every text of a condition is one of the template's: keys that belong to it are no other template's.
fn produces_all(template: &Template, condition: &Template) -> bool {
    let Some(fit) = unify(condition, template, false) else { return false };
    let condition: Vec<_> = condition.placeholders().collect();
    let own: Vec<_> = template.placeholders().collect();
    fit.bindings.iter().all(|binding| match binding {
        Binding::Parameter { parameter, placeholder } => {
            let pair = condition.get(*parameter).zip(own.get(*placeholder));
            pair.is_some_and(|(wanted, own)| wanted.kind == own.kind && wanted.formats == own.formats)
        }
        Binding::Literal { text, placeholder } => {
            own.get(*placeholder).is_some_and(|own| own.formats.is_empty() && own.kind.admits(text))
        }
        Binding::LiteralPrefix { .. } | Binding::ParameterIsLiteral { .. } => false,
    })
}

/// Whether a sort key can be in a range. The order of numbers and bytes is not that of their texts.
fn can_fall(own: &Template, range: &SortRange<KeyValue>) -> bool {
    if own.key_type != KeyType::S {
        return true;
    }
    let bound = |value: &KeyValue, is_included| texts(value).map(|texts| Bound { texts, is_included });
    let within = |low: Option<Bound>, high: Option<Bound>| can_be_within(own, low.as_ref(), high.as_ref());
    match range {
        SortRange::Equal(value) => within(bound(value, true), bound(value, true)),
        SortRange::BeginsWith(value) => texts(value).is_none_or(|prefix| can_begin_with(own, &prefix)),
        SortRange::Less(value) => within(None, bound(value, false)),
        SortRange::LessOrEqual(value) => within(None, bound(value, true)),
        SortRange::Greater(value) => within(bound(value, false), None),
        SortRange::GreaterOrEqual(value) => within(bound(value, true), None),
        SortRange::Between(low, high) => within(bound(low, true), bound(high, true)),
    }
}

/// The texts of a bound; `None` where any text is possible.
fn texts(value: &KeyValue) -> Option<Texts> {
    Some(match value {
        KeyValue::Template(template) => Texts::of_template(template),
        KeyValue::AboveComponent { component, separator } => {
            let above = crate::model::access::above_separator(*separator);
            Texts::of_template(component).followed_by(above.encode_utf8(&mut [0; 4]))
        }
        KeyValue::Prefix(prefix) => Texts::literal(prefix),
        KeyValue::EndOfPrefix(prefix) => Texts::literal(&crate::model::access::end_of_prefix(prefix)),
        KeyValue::Partition => return None,
    })
}

#[cfg(test)]
mod tests {
    use keyfold_dynamo::{AttributeValue, Attributes, Number};
    use proptest::prelude::*;

    use super::*;
    use crate::model::access::{KeyArguments, RenderedSort};
    use crate::syntax::Located;
    use crate::template::{ValueKind, parse};

    const PIECES: &[&str] = &[
        "A",
        "B#",
        "#",
        "a#",
        "9",
        "é",
        "Z",
        "~",
        "<t>",
        "<t:lower>",
        "<t:upper>",
        "<t:first(2)>",
        "<t:url>",
        "<t:shard(11)>",
        "<t or M>",
        "<v>",
        "<v>#",
        "<i>",
        "<i:width(3)>",
        "<d>",
        "<d:year>",
        "<d:month>",
        "<s>",
        "<s:date>",
        "<e>",
        "<e:lower>",
        "<e:upper>",
        "<u>",
        "<u:first(3):lower>",
        "<b>",
    ];

    fn kind(name: &str) -> ValueKind {
        match name {
            "i" => ValueKind::Integer,
            "d" => ValueKind::Date,
            "s" => ValueKind::DateTime(crate::template::TimestampFormat::default()),
            "e" => ValueKind::Enumeration(["Active".to_owned(), "été".to_owned(), "b#c".to_owned()].into()),
            "u" => ValueKind::Ulid,
            "b" => ValueKind::Boolean,
            _ => ValueKind::Text,
        }
    }

    fn template(text: &str) -> Template {
        let mut template = parse(Located::verbatim(text, 0), '#').expect("a template");
        template.placeholders_mut().for_each(|own| own.kind = kind(&own.attribute));
        template
    }

    fn pieces(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
        prop::collection::vec(prop::sample::select(PIECES), 1..=most)
    }

    fn values() -> impl Strategy<Value = Attributes> {
        let text = || prop::option::of("[#a-cA-C9é~ ß]{1,3}");
        let days = "20[0-9]{2}-0[1-9]-[12][0-9]";
        let enumeration = prop::sample::select(&["Active", "été", "b#c"][..]);
        (text(), "[#a-cA-C9é~ ]{1,3}", -20..1200_i64, days, days, enumeration, "[0-7][0-9A-H]{25}", any::<bool>())
            .prop_map(|(t, v, i, d, s, e, u, b)| {
                let text = |value: &str| AttributeValue::S(value.to_owned());
                let mut values: Attributes = [
                    ("v", text(&v)),
                    ("i", AttributeValue::N(Number::from(i))),
                    ("d", text(&d)),
                    ("s", text(&format!("{s}T08:00:00.000Z"))),
                    ("e", text(e)),
                    ("u", text(&u)),
                    ("b", AttributeValue::Bool(b)),
                ]
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect();
                values.extend(t.map(|t| ("t".to_owned(), text(&t))));
                values
            })
    }

    fn range(kind: u8, low: &str, high: &str) -> SortRange<KeyValue> {
        let at = |text: &str| KeyValue::Template(template(text));
        let above = |text: &str| KeyValue::AboveComponent { component: template(text), separator: '#' };
        match kind {
            0 => SortRange::Equal(at(low)),
            1 => SortRange::BeginsWith(at(low)),
            2 => SortRange::Less(at(low)),
            3 => SortRange::LessOrEqual(at(low)),
            4 => SortRange::Greater(at(low)),
            5 => SortRange::GreaterOrEqual(at(low)),
            6 => SortRange::Between(at(low), at(high)),
            7 => SortRange::Between(at(low), above(high)),
            8 => SortRange::Less(above(low)),
            9 => SortRange::Between(KeyValue::Prefix("A".to_owned()), above(high)),
            _ => SortRange::Between(at(low), KeyValue::EndOfPrefix("a#".to_owned())),
        }
    }

    fn contains(range: &RenderedSort, key: &AttributeValue) -> bool {
        let text = |value: &AttributeValue| value.as_str().unwrap_or_default().to_owned();
        let key = text(key);
        match range {
            SortRange::Equal(value) => key == text(value),
            SortRange::BeginsWith(value) => key.starts_with(&text(value)),
            SortRange::Less(value) => key < text(value),
            SortRange::LessOrEqual(value) => key <= text(value),
            SortRange::Greater(value) => key > text(value),
            SortRange::GreaterOrEqual(value) => key >= text(value),
            SortRange::Between(low, high) => (text(low)..=text(high)).contains(&key),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn a_key_that_is_in_a_range_is_never_ruled_out(
            own in pieces(4), kept in 0..5_usize, low in pieces(2), high in pieces(2), sort in 0..11_u8,
            item in values(), given in values(), is_same in any::<bool>(),
        ) {
            let given = if is_same { &item } else { &given };
            // Bounds that begin as the key does are the interesting ones.
            let beginning: String = own.iter().take(kept).copied().collect();
            let (low, high) = (beginning.clone() + &low.concat(), beginning + &high.concat());
            let own = template(&own.concat());
            let Ok(Some(key)) = own.render(|name| item.get(name)) else { return Ok(()) };
            let range = range(sort, &low, &high);
            if let Ok(Some(rendered)) = range.render(KeyArguments::new(given)) && contains(&rendered, &key) {
                prop_assert!(can_fall(&own, &range), "{} can be {key:?}, which is in {rendered:?}", own.source);
            }
            let wanted = template(&low);
            if let Ok(Some(rendered)) = wanted.render(|name| given.get(name)) && rendered == key {
                prop_assert!(can_equal(&own, &wanted), "{} and {} can be {key:?}", own.source, wanted.source);
            }
        }
    }

    fn may_be(own: &str, range: SortRange<&str>) -> bool {
        let Ok(range) = range.try_map(|bound| Ok::<_, ()>(KeyValue::Template(template(bound)))) else { return true };
        can_fall(&template(own), &range)
    }

    #[test]
    fn keys_outside_of_a_range_are_proven_to_be() {
        let newest = || SortRange::LessOrEqual("REPO#<v>#<t>");
        assert!(may_be("ISSUE#<i:width(10)>", newest()) && may_be("REPO#<t>#<v>", newest()));
        assert!(!may_be("STAR#<t>", newest()) && !may_be("REPP", newest()));
        let between = || SortRange::Between("ISSUE#", "REPO#<v>");
        assert!(
            may_be("ISSUE#<i:width(10)>", between()) && may_be("MEMBER#<t>", between()) && may_be("<t>", between())
        );
        assert!(!may_be("FORK#<t>", between()) && !may_be("STAR#<t>", between()));
        // A date is below every capital letter, and a number in a key has a sign at most.
        assert!(
            !may_be("METADATA", SortRange::LessOrEqual("<d>")) && may_be("METADATA", SortRange::GreaterOrEqual("<d>"))
        );
        assert!(!may_be("<i>", SortRange::Greater("A")) && may_be("<i>", SortRange::Less("A")));
        assert!(
            !may_be("LICENSE", SortRange::BeginsWith("LICENSE#"))
                && may_be("<t>", SortRange::BeginsWith("LICENSE#<v>"))
        );
        // Both bounds at once: one alternative is below the range, the other above it.
        let mut either = template("A#<t>");
        either.otherwise = Some(Box::new(template("Z#<v>")));
        let within = SortRange::Between(KeyValue::Prefix("B".to_owned()), KeyValue::Prefix("C".to_owned()));
        assert!(!can_fall(&either, &within));
    }
}
