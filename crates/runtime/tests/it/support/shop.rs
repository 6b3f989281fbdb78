//! The table of the shop, made anew from its entities, without the runtime.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use super::world::shop;

/// Entities with their attributes, by name and id.
pub(crate) type Entities = BTreeMap<(String, String), Attributes>;
pub(crate) type Table = BTreeMap<String, Attributes>;

pub(crate) const KINDS: [(&str, &str); 5] =
    [("Author", "authorId"), ("Shelf", "shelfId"), ("Book", "bookId"), ("Note", "noteId"), ("Loan", "loanId")];

fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

pub(crate) fn get<'a>(attributes: &'a Attributes, name: &str) -> &'a str {
    attributes.get(name).and_then(AttributeValue::as_str).unwrap_or_default()
}

/// The entities that lie in a table.
pub(crate) fn entities_of(design: &Design, table: &Table) -> Entities {
    let mut entities = Entities::new();
    for item in table.values() {
        let Some(id) = design.recognize(item) else { continue };
        let entity = &design[id];
        let Some((kind, id)) = KINDS.iter().find(|(kind, _)| *kind == entity.name) else { continue };
        let known = |name: &str| entity.attribute(name).is_some();
        let attributes: Attributes =
            item.iter().filter(|(name, _)| known(name)).map(|(name, value)| (name.clone(), value.clone())).collect();
        entities.insert(((*kind).to_owned(), get(item, id).to_owned()), attributes);
    }
    entities
}

fn count(entities: &Entities, kind: &str, attribute: &str, id: &str) -> AttributeValue {
    let refer =
        |((other, _), attributes): &(&(String, String), &Attributes)| other == kind && get(attributes, attribute) == id;
    AttributeValue::N(Number::parse(&entities.iter().filter(refer).count().to_string()).unwrap())
}

/// Every item that the entities need, and no other.
pub(crate) fn rebuild(entities: &Entities) -> Table {
    let design = shop();
    let mut table = Table::new();
    for ((kind, id), attributes) in entities {
        let mut item = attributes.clone();
        let (partition, sort) = match kind.as_str() {
            "Note" => (format!("BOOK#{}", get(attributes, "bookId")), format!("NOTE#{id}")),
            kind => (format!("{}#{id}", kind.to_uppercase()), "METADATA".to_owned()),
        };
        match kind.as_str() {
            "Author" => {
                item.insert("GSI1PK".to_owned(), text("AUTHORS"));
                item.insert("GSI1SK".to_owned(), text(format!("{}#{id}", get(attributes, "name"))));
                item.insert("bookCount".to_owned(), count(entities, "Book", "authorId", id));
            }
            "Shelf" => drop(item.insert("bookCount".to_owned(), count(entities, "Book", "shelfId", id))),
            "Book" => book(&mut table, &mut item, attributes, id, entities),
            "Loan" => {
                item.insert("GSI2PK".to_owned(), text(format!("BOOK#{}#LOANS", get(attributes, "bookId"))));
                item.insert("GSI2SK".to_owned(), text(format!("LOAN#{id}")));
            }
            "Note" => note(&mut item, attributes, id),
            _ => {}
        }
        add(&mut table, partition, sort, item);
        let entity = design.entity_named(kind).unwrap();
        for unique in entity.uniques.iter().filter(|unique| unique.generated) {
            if unique.name == "pin" && attributes.get("pinned") != Some(&AttributeValue::Bool(true)) {
                continue;
            }
            let mut lookup = unique.layout.compute(|name| attributes.get(name)).unwrap();
            for name in &unique.carries {
                lookup.extend(attributes.get(name).map(|value| (name.clone(), value.clone())));
            }
            if let (Some(partition), Some(sort)) = (lookup.remove("PK"), lookup.remove("SK")) {
                let text = |value: &AttributeValue| value.as_str().unwrap().to_owned();
                add(&mut table, text(&partition), text(&sort), lookup);
            }
        }
    }
    table
}

/// The entries of a note in the indexes whose condition it meets.
fn note(item: &mut Attributes, attributes: &Attributes, id: &str) {
    let stars = attributes.get("stars").and_then(AttributeValue::as_number).and_then(Number::to_i64);
    let book = get(attributes, "bookId");
    if stars.is_some_and(|stars| stars >= 3) {
        item.insert("GSI1PK".to_owned(), text(format!("PRAISE#{book}")));
        item.insert("GSI1SK".to_owned(), text(format!("NOTE#{id}")));
    }
    if attributes.get("pinned") == Some(&AttributeValue::Bool(true)) && stars != Some(4) {
        item.insert("GSI2PK".to_owned(), text("FEATURED"));
        item.insert("GSI2SK".to_owned(), text(format!("{book}#{id}")));
    }
}

fn book(table: &mut Table, item: &mut Attributes, attributes: &Attributes, id: &str, entities: &Entities) {
    item.insert("kind".to_owned(), text("BOOK"));
    item.insert("loanCount".to_owned(), count(entities, "Loan", "bookId", id));
    item.insert("GSI1PK".to_owned(), text(format!("AUTHOR#{}#BOOKS", get(attributes, "authorId"))));
    item.insert("GSI1SK".to_owned(), text(format!("{}#{id}", get(attributes, "title"))));
    if attributes.contains_key("dueDate") {
        item.insert("GSI2PK".to_owned(), text(format!("DUE#{}", get(attributes, "status"))));
        item.insert("GSI2SK".to_owned(), text(format!("{}#{id}", get(attributes, "dueDate"))));
    }
    let title = Attributes::from([("title".to_owned(), text(get(attributes, "title")))]);
    if attributes.contains_key("isbn") {
        let lookup = Attributes::from([("bookId".to_owned(), text(id))]);
        add(table, format!("LOOKUP#ISBN#{}", get(attributes, "isbn").to_lowercase()), "LOOKUP".to_owned(), lookup);
    }
    if attributes.contains_key("shelfId") {
        add(table, format!("SHELF#{}", get(attributes, "shelfId")), format!("BOOK#{id}"), title.clone());
    }
    if let Some(AttributeValue::L(tags)) = attributes.get("tags") {
        let tags: BTreeSet<&str> = tags.iter().filter_map(AttributeValue::as_str).collect();
        for tag in tags {
            add(table, format!("TAG#{tag}"), format!("BOOK#{id}"), title.clone());
        }
    }
    for word in get(attributes, "title").split(' ') {
        let word = format!("WORD#{word}");
        let item = table.entry(format!("{word} | WORD")).or_insert_with(|| {
            Attributes::from([("PK".to_owned(), text(word.clone())), ("SK".to_owned(), text("WORD"))])
        });
        match item.get_mut("bookIds") {
            Some(AttributeValue::Ss(ids)) => drop(ids.insert(id.to_owned())),
            _ => drop(item.insert("bookIds".to_owned(), AttributeValue::Ss(BTreeSet::from([id.to_owned()])))),
        }
    }
}

fn add(table: &mut Table, partition: String, sort: String, mut item: Attributes) {
    let key = format!("{partition} | {sort}");
    item.insert("PK".to_owned(), text(partition));
    item.insert("SK".to_owned(), text(sort));
    assert_eq!(table.insert(key.clone(), item), None, "two items at {key}");
}

/// Asserts that a table is what its entities need.
pub(crate) fn assert_in_step(stored: Table, story: &dyn Fn() -> String) {
    let rebuilt = rebuild(&entities_of(&shop(), &stored));
    for (key, item) in &stored {
        match rebuilt.get(key) {
            None => panic!("a stale item at {key}: {item:?}\n{}", story()),
            Some(wanted) => assert_eq!(item, wanted, "at {key}\n{}", story()),
        }
    }
    for key in rebuilt.keys() {
        assert!(stored.contains_key(key), "no item at {key}\n{}", story());
    }
}
