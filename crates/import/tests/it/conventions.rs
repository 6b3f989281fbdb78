//! Tables as other tools and books lay them out.

use crate::sound;

use std::collections::BTreeMap;

use keyfold_design::model::{Index, KeyAttribute};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_import::{Draft, ImportedTable, Sample, draft_from_items};

use self::sound::assert_sound;

fn key(name: &str) -> KeyAttribute {
    KeyAttribute::new(name, KeyType::S)
}

fn table(partition: &str, sort: Option<&str>, indexes: &[(&str, &str, &str)]) -> ImportedTable {
    let mut facts = ImportedTable::new("things", key(partition), sort.map(key));
    for (name, partition, sort) in indexes {
        facts.indexes.push(Index::new(facts.indexes.len(), *name, vec![key(partition)], vec![key(sort)]));
    }
    facts
}

/// Attributes from pairs; whole numbers are numbers where the name says so.
fn item(pairs: &[(&str, String)]) -> Attributes {
    pairs
        .iter()
        .map(|(name, text)| {
            let value = match name.strip_suffix(":n") {
                Some(_) => AttributeValue::N(Number::parse(text).unwrap()),
                None => AttributeValue::S(text.clone()),
            };
            (name.trim_end_matches(":n").to_owned(), value)
        })
        .collect()
}

fn import(facts: &ImportedTable, items: &[Attributes]) -> Draft {
    let sample = Sample { items: items.to_vec(), is_whole: true };
    let draft = draft_from_items(facts, &sample, "a table").unwrap();
    assert_eq!(assert_sound(facts, &draft.design, items), items.len(), "{}", draft.text);
    assert_eq!(draft.text.matches("# removed:").count(), 0, "{}", draft.text);
    draft
}

/// Entities with the templates of all their keys.
fn templates(draft: &Draft) -> BTreeMap<String, Vec<String>> {
    draft
        .design
        .entities
        .iter()
        .map(|entity| {
            let base = std::iter::once(&entity.layout.partition).chain(&entity.layout.sort);
            let index = entity.layout.index_keys.iter().flat_map(|key| key.parts());
            let mut keys: Vec<String> = Vec::new();
            for part in base.chain(index) {
                let line = format!("{}: {}", part.key.name, part.template.source);
                if !keys.contains(&line) {
                    keys.push(line);
                }
            }
            (entity.name.clone(), keys)
        })
        .collect()
}

fn are(draft: &Draft, expected: &[(&str, &[&str])]) {
    let expected: BTreeMap<String, Vec<String>> = expected
        .iter()
        .map(|(name, keys)| ((*name).to_owned(), keys.iter().map(|key| (*key).to_owned()).collect()))
        .collect();
    assert_eq!(templates(draft), expected, "{}", draft.text);
}

#[test]
fn one_letter_prefixes_in_lower_case() {
    let facts = table("pk", Some("sk"), &[("gsi1", "gsi1pk", "gsi1sk")]);
    let mut items = Vec::new();
    for customer in 0..4 {
        let id = format!("c{customer}00");
        items.push(item(&[
            ("pk", format!("c#{id}")),
            ("sk", format!("c#{id}")),
            ("customerId", id.clone()),
            ("name", format!("Customer {customer}")),
        ]));
        for order in 0..3 {
            let number = format!("{}", 1000 + customer * 10 + order);
            let status = ["open", "shipped", "paid"][order].to_owned();
            let day = format!("2026-0{}-1{}", order + 1, customer);
            items.push(item(&[
                ("pk", format!("c#{id}")),
                ("sk", format!("o#{number}")),
                ("gsi1pk", format!("o#{status}")),
                ("gsi1sk", format!("{day}#{number}")),
                ("customerId", id.clone()),
                ("orderNumber", number),
                ("status", status),
                ("placedOn", day),
            ]));
        }
    }
    let draft = import(&facts, &items);
    are(
        &draft,
        &[
            ("Customer", &["pk: c#<customerId>", "sk: c#<customerId>"]),
            (
                "Order",
                &[
                    "pk: c#<customerId>",
                    "sk: o#<orderNumber>",
                    "gsi1pk: o#<status>",
                    "gsi1sk: <placedOn>#<orderNumber>",
                ],
            ),
        ],
    );
}

/// ElectroDB composes keys of service, entity, version and named parts, and stores every part.
#[test]
fn electrodb() {
    let facts = table("pk", Some("sk"), &[("gsi1pk-gsi1sk-index", "gsi1pk", "gsi1sk")]);
    let mut items = Vec::new();
    for at in 0..6 {
        let (team, task, employee) = (format!("team{}", at % 2), format!("task{at}"), format!("emp{}", at % 3));
        items.push(item(&[
            ("pk", format!("$taskapp#team_{team}")),
            ("sk", format!("$task_1#task_{task}")),
            ("gsi1pk", format!("$taskapp#employee_{employee}")),
            ("gsi1sk", format!("$task_1#task_{task}")),
            ("team", team.clone()),
            ("task", task),
            ("employee", employee.clone()),
            ("__edb_e__", "task".to_owned()),
            ("__edb_v__", "1".to_owned()),
        ]));
        items.push(item(&[
            ("pk", format!("$taskapp#team_{team}")),
            ("sk", format!("$employee_1#employee_e{at}")),
            ("team", team),
            ("employee", format!("e{at}")),
            ("__edb_e__", "employee".to_owned()),
            ("__edb_v__", "1".to_owned()),
        ]));
    }
    let draft = import(&facts, &items);
    are(
        &draft,
        &[
            ("Employee", &["pk: $taskapp#team_<team>", "sk: $employee_1#employee_<employee>"]),
            (
                "Task",
                &[
                    "pk: $taskapp#team_<team>",
                    "sk: $task_1#task_<task>",
                    "gsi1pk: $taskapp#employee_<employee>",
                    "gsi1sk: $task_1#task_<task>",
                ],
            ),
        ],
    );
}

/// One table per type, keyed by an id, with a type name and epochs.
#[test]
fn amplify() {
    let facts = table("id", None, &[("byOwner", "owner", "createdAt")]);
    let items: Vec<Attributes> = (0..5)
        .map(|at| {
            item(&[
                ("id", format!("019a5c00-0000-7000-8000-00000000000{at}")),
                ("__typename", "Todo".to_owned()),
                ("owner", format!("user{}", at % 2)),
                ("createdAt", format!("2026-01-0{}T08:00:00.000Z", at + 1)),
                ("updatedAt", format!("2026-02-0{}T08:00:00.000Z", at + 1)),
                ("_version:n", "1".to_owned()),
                ("_lastChangedAt:n", format!("176722560000{at}")),
            ])
        })
        .collect();
    let draft = import(&facts, &items);
    are(&draft, &[("Todo", &["id: <id>", "owner: <owner>", "createdAt: <createdAt>"])]);
}

/// `Type:value` with colons, as OneTable's examples have it.
#[test]
fn colons() {
    let facts = table("pk", Some("sk"), &[("gs1", "gs1pk", "gs1sk")]);
    let mut items = Vec::new();
    for account in 0..3 {
        let id = format!("01K9ZV000000000000000000A{account}");
        items.push(item(&[
            ("pk", format!("account:{id}")),
            ("sk", "account:".to_owned()),
            ("id", id.clone()),
            ("_type", "Account".to_owned()),
        ]));
        for user in 0..3 {
            let user_id = format!("01K9ZV00000000000000000B{account}{user}");
            items.push(item(&[
                ("pk", format!("account:{id}")),
                ("sk", format!("user:{user_id}")),
                ("gs1pk", "user:".to_owned()),
                ("gs1sk", format!("user:u{user}@a{account}.example")),
                ("accountId", id.clone()),
                ("id", user_id),
                ("email", format!("u{user}@a{account}.example")),
                ("_type", "User".to_owned()),
            ]));
        }
    }
    let draft = import(&facts, &items);
    are(
        &draft,
        &[
            ("Account", &["pk: account:<id>", "sk: account:"]),
            ("User", &["pk: account:<accountId>", "sk: user:<id>", "gs1pk: user:", "gs1sk: user:<email>"]),
        ],
    );
}

/// Time series: a partition per device and day, ids without words.
#[test]
fn measurements() {
    let facts = table("device", Some("at"), &[]);
    let items: Vec<Attributes> = (0..20)
        .map(|at| {
            item(&[
                ("device", format!("sensor-{}#2026-01-0{}", at % 2, at / 10 + 1)),
                ("at", format!("2026-01-0{}T08:{:02}:00.000Z", at / 10 + 1, at)),
                ("deviceId", format!("sensor-{}", at % 2)),
                ("celsius:n", format!("{}.5", at)),
                ("expires:n", format!("17672256{at:02}")),
            ])
        })
        .collect();
    let draft = import(&facts, &items);
    are(&draft, &[("Thing", &["device: <deviceId>#<at:date>", "at: <at>"])]);
}

/// A chat: messages by conversation and time, unread counters, a lookup of names.
#[test]
fn chat() {
    let facts = table("PK", Some("SK"), &[("GSI1", "GSI1PK", "GSI1SK")]);
    let mut items = Vec::new();
    for room in 0..3 {
        let id = format!("r{room}");
        items.push(item(&[
            ("PK", format!("ROOM#{id}")),
            ("SK", "#META".to_owned()),
            ("roomId", id.clone()),
            ("title", format!("Room {room}")),
        ]));
        for at in 0..4 {
            let sent = format!("2026-01-0{}T0{room}:00:00.000Z", at + 1);
            let user = format!("user{}", at % 2);
            items.push(item(&[
                ("PK", format!("ROOM#{id}")),
                ("SK", format!("MSG#{sent}#{user}")),
                ("GSI1PK", format!("USER#{user}")),
                ("GSI1SK", format!("MSG#{sent}")),
                ("roomId", id.clone()),
                ("author", user),
                ("sentAt", sent),
                ("text", format!("hello {at}")),
            ]));
        }
    }
    for user in 0..2 {
        items.push(item(&[
            ("PK", format!("USER#user{user}")),
            ("SK", "PROFILE".to_owned()),
            ("userId", format!("user{user}")),
            ("displayName", format!("User {user}")),
        ]));
        items.push(item(&[
            ("PK", format!("HANDLE#at{user}")),
            ("SK", format!("HANDLE#at{user}")),
            ("userId", format!("user{user}")),
        ]));
    }
    let draft = import(&facts, &items);
    are(
        &draft,
        &[
            ("Handle", &["PK: HANDLE#<handle>", "SK: HANDLE#<handle>"]),
            (
                "Msg",
                &["PK: ROOM#<roomId>", "SK: MSG#<sentAt>#<author>", "GSI1PK: USER#<author>", "GSI1SK: MSG#<sentAt>"],
            ),
            ("Profile", &["PK: USER#<userId>", "SK: PROFILE"]),
            ("Room", &["PK: ROOM#<roomId>", "SK: #META"]),
        ],
    );
}

/// The table's time to live is an `expiry`; epochs of other names are numbers with a remark.
#[test]
fn expiring_sessions() {
    let mut facts = table("PK", Some("SK"), &[]);
    facts.table.ttl = Some("expires".to_owned());
    let items: Vec<Attributes> = (0..4)
        .map(|at| {
            let mut pairs = vec![
                ("PK", format!("SESSION#s{at}")),
                ("SK", "METADATA".to_owned()),
                ("sessionId", format!("s{at}")),
                ("seen:n", format!("176722560{at}")),
            ];
            if at > 0 {
                pairs.push(("expires:n", format!("176723560{at}")));
            }
            item(&pairs)
        })
        .collect();
    let draft = import(&facts, &items);
    are(&draft, &[("Session", &["PK: SESSION#<sessionId>", "SK: METADATA"])]);
    assert_eq!(draft.design.table.ttl.as_deref(), Some("expires"));
    for line in [
        "  ttl: expires\n",
        "      expires: expiry, optional  # in 3 of 4 items\n",
        "      seen: integer  # seconds since the epoch?\n",
    ] {
        assert!(draft.text.contains(line), "{line}\n{}", draft.text);
    }
}

/// A sample as large as the default.
#[test]
fn many_items() {
    let facts = table("PK", Some("SK"), &[("GSI1", "GSI1PK", "GSI1SK")]);
    let items: Vec<Attributes> = (0..2_000)
        .map(|at| {
            let (kind, id) = (["ORDER", "INVOICE", "PAYMENT"][at % 3], format!("{at:08}"));
            let tenant = format!("t{}", at % 50);
            let mut pairs = vec![
                ("PK", format!("TENANT#{tenant}")),
                ("SK", format!("{kind}#{id}")),
                ("GSI1PK", format!("{kind}#DAY#2026-01-{:02}", at % 28 + 1)),
                ("GSI1SK", id.clone()),
                ("tenantId", tenant),
                ("id", id),
                ("day", format!("2026-01-{:02}", at % 28 + 1)),
            ];
            let more: Vec<String> = (0..20).map(|number| format!("field{number}")).collect();
            pairs.extend(more.iter().map(|name| (name.as_str(), format!("{name} of {at}"))));
            item(&pairs)
        })
        .collect();
    let draft = import(&facts, &items);
    are(
        &draft,
        &[
            ("Invoice", &["PK: TENANT#<tenantId>", "SK: INVOICE#<id>", "GSI1PK: INVOICE#DAY#<day>", "GSI1SK: <id>"]),
            ("Order", &["PK: TENANT#<tenantId>", "SK: ORDER#<id>", "GSI1PK: ORDER#DAY#<day>", "GSI1SK: <id>"]),
            ("Payment", &["PK: TENANT#<tenantId>", "SK: PAYMENT#<id>", "GSI1PK: PAYMENT#DAY#<day>", "GSI1SK: <id>"]),
        ],
    );
    assert_eq!(draft.design.tenant.unwrap().attribute, "tenantId");
}

/// A local index, two global ones with the same partition key, and one with several attributes in its key.
#[test]
fn indexes_that_share_keys() {
    let mut facts = table("PK", Some("SK"), &[("byDay", "status", "day"), ("byName", "status", "name")]);
    let mut local = facts.indexes[0].clone();
    local.name = "byTitle".to_owned();
    local.local = true;
    local.partition = vec![key("PK")];
    local.sort = vec![key("title")];
    let mut several = facts.indexes[0].clone();
    several.name = "byBoth".to_owned();
    several.partition = vec![key("tenantId"), key("status")];
    several.sort = vec![key("day"), KeyAttribute::new("amount", KeyType::N)];
    facts.indexes.extend([local, several]);
    let items: Vec<Attributes> = (0..8)
        .map(|at| {
            let (tenant, id) = (format!("t{}", at % 2), format!("n{at}"));
            item(&[
                ("PK", format!("TENANT#{tenant}")),
                ("SK", format!("NOTE#{id}")),
                ("tenantId", tenant),
                ("noteId", id),
                ("title", format!("Title {at}")),
                ("name", format!("Name {at}")),
                ("status", ["open", "done"][at / 4].to_owned()),
                ("day", format!("2026-01-0{}", at + 1)),
                ("amount:n", (at * 3).to_string()),
            ])
        })
        .collect();
    let draft = import(&facts, &items);
    let patterns: Vec<(&str, &str)> =
        draft.design.patterns.iter().map(|pattern| (pattern.name.as_str(), pattern.source.as_str())).collect();
    assert_eq!(
        patterns,
        [
            ("notes by tenant", "PK = TENANT#<tenantId> -> Note"),
            ("notes by status", "status = <status>, using byDay -> Note"),
            ("notes by status in order of name", "status = <status>, using byName -> Note"),
            ("notes by tenant in order of title", "PK = TENANT#<tenantId>, using byTitle -> Note"),
            ("notes by tenant and status", "tenantId = <tenantId> and status = <status> -> Note"),
        ]
    );
    let note = draft.design.entity_named("Note").unwrap();
    assert_eq!(note.layout.index_keys.len(), 4);
}
