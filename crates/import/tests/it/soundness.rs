//! Random tables: whatever their keys are composed of, the draft checks, and its templates give the keys of every item
//! that it recognizes.

use crate::sound;

use keyfold_design::model::{Index, KeyAttribute};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_import::{ImportedTable, Sample, draft_from_items};
use proptest::prelude::*;

use self::sound::assert_sound;

fn key(name: &str, key_type: KeyType) -> KeyAttribute {
    KeyAttribute::new(name, key_type)
}

fn table() -> ImportedTable {
    let mut facts = ImportedTable::new("things", key("PK", KeyType::S), Some(key("SK", KeyType::S)));
    let index = |position: usize, name: &str, partition: KeyAttribute, sort: KeyAttribute| {
        Index::new(position, name, vec![partition], vec![sort])
    };
    facts.indexes = vec![
        index(0, "GSI1", key("GSI1PK", KeyType::S), key("GSI1SK", KeyType::S)),
        index(1, "byColour", key("colour", KeyType::S), key("amount", KeyType::N)),
        index(2, "bySort", key("SK", KeyType::S), key("GSI1SK", KeyType::S)),
    ];
    facts
}

/// One part of a key.
#[derive(Debug, Clone)]
enum Part {
    Word(&'static str),
    Attribute(&'static str),
    Lower(&'static str),
    First(&'static str, usize),
    Padded(usize),
    OrElse(&'static str, &'static str),
    Noise,
}

const WORDS: &[&str] = &["USER", "ORDER", "METADATA", "item", "A", "", "LOOKUP", "x y", "<odd>", "1"];
const NAMES: &[&str] = &["id", "name", "colour", "day", "parentId"];

fn part() -> impl Strategy<Value = Part> {
    let name = proptest::sample::select(NAMES);
    prop_oneof![
        4 => proptest::sample::select(WORDS).prop_map(Part::Word),
        6 => name.clone().prop_map(Part::Attribute),
        1 => name.clone().prop_map(Part::Lower),
        1 => (name.clone(), 1usize..4).prop_map(|(name, count)| Part::First(name, count)),
        1 => (2usize..6).prop_map(Part::Padded),
        1 => name.prop_map(|name| Part::OrElse(name, "9999-12-31")),
        1 => Just(Part::Noise),
    ]
}

fn template() -> impl Strategy<Value = Vec<Part>> {
    proptest::collection::vec(part(), 1..4)
}

/// The keys of one kind of item.
#[derive(Debug, Clone)]
struct Kind {
    partition: Vec<Part>,
    sort: Vec<Part>,
    index: Option<(Vec<Part>, Vec<Part>)>,
    separator: &'static str,
}

fn kind() -> impl Strategy<Value = Kind> {
    let separator = proptest::sample::select(&["#", "#", "#", "", "-"][..]);
    (template(), template(), proptest::option::of((template(), template())), separator)
        .prop_map(|(partition, sort, index, separator)| Kind { partition, sort, index, separator })
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,4}",
        2 => "[A-Z][a-z]{2,5}",
        1 => "[0-9]{1,4}",
        1 => "[a-z#<> :|é]{1,6}",
        1 => Just("2026-01-31".to_owned()),
        1 => Just("01K9ZV0000000000000000AAAA".to_owned()),
        1 => Just("USER".to_owned()),
    ]
}

fn attributes() -> impl Strategy<Value = Attributes> {
    let texts = proptest::collection::btree_map(proptest::sample::select(NAMES), value(), 3..=NAMES.len());
    (texts, proptest::option::of(0i64..500)).prop_map(|(texts, amount)| {
        let mut item: Attributes =
            texts.into_iter().map(|(name, text)| (name.to_owned(), AttributeValue::S(text))).collect();
        item.extend(amount.map(|amount| ("amount".to_owned(), AttributeValue::N(Number::from(amount)))));
        item
    })
}

fn render(parts: &[Part], separator: &str, item: &Attributes, noise: usize) -> Option<String> {
    let text = |name: &str| item.get(name).and_then(AttributeValue::as_str);
    let rendered: Option<Vec<String>> = parts
        .iter()
        .map(|part| match part {
            Part::Word(word) => Some((*word).to_owned()),
            Part::Attribute(name) => text(name).map(str::to_owned),
            Part::Lower(name) => text(name).map(str::to_lowercase),
            Part::First(name, count) => text(name).map(|text| text.chars().take(*count).collect()),
            Part::Padded(width) => {
                let amount = item.get("amount").and_then(AttributeValue::as_number)?.to_i64()?;
                Some(format!("{amount:0width$}"))
            }
            Part::OrElse(name, other) => Some(text(name).unwrap_or(other).to_owned()),
            Part::Noise => Some(format!("n{noise}")),
        })
        .collect();
    rendered.map(|parts| parts.join(separator)).filter(|text| !text.is_empty())
}

fn items(kinds: &[Kind], rows: Vec<(usize, Attributes)>) -> Vec<Attributes> {
    let mut items: Vec<Attributes> = Vec::new();
    for (noise, (kind, mut item)) in rows.into_iter().enumerate() {
        let kind = &kinds[kind % kinds.len()];
        let make = |parts: &[Part], item: &Attributes| render(parts, kind.separator, item, noise);
        let (Some(partition), Some(sort)) = (make(&kind.partition, &item), make(&kind.sort, &item)) else { continue };
        if let Some((left, right)) = &kind.index {
            if let Some(text) = make(left, &item) {
                item.insert("GSI1PK".to_owned(), AttributeValue::S(text));
            }
            if let Some(text) = make(right, &item) {
                item.insert("GSI1SK".to_owned(), AttributeValue::S(text));
            }
        }
        item.insert("PK".to_owned(), AttributeValue::S(partition));
        item.insert("SK".to_owned(), AttributeValue::S(sort));
        let is_new = |known: &Attributes| known["PK"] != item["PK"] || known["SK"] != item["SK"];
        if items.iter().all(is_new) {
            items.push(item);
        }
    }
    items
}

/// A kind of item as people design it: words before values, ids that the items store.
#[derive(Debug, Clone)]
struct Regular {
    words: [&'static str; 2],
    is_single: bool,
    is_sparse: bool,
    format: usize,
}

const REGULAR: &[&str] = &["USER", "ORDER", "INVOICE", "TEAM_MEMBER", "note", "Visit"];

fn regular() -> impl Strategy<Value = Regular> {
    let word = proptest::sample::select(REGULAR);
    ([word.clone(), word], any::<bool>(), any::<bool>(), 0usize..4)
        .prop_map(|(words, is_single, is_sparse, format)| Regular { words, is_single, is_sparse, format })
}

impl Regular {
    /// The templates of `PK`, `SK`, `GSI1PK` and `GSI1SK`.
    fn templates(&self) -> [String; 4] {
        let [first, second] = self.words;
        let sort = if self.is_single { "METADATA".to_owned() } else { format!("{second}#<childId>") };
        let by = ["<label>", "<label:lower>", "<label:upper>", "<rank:width(6)>"][self.format];
        [format!("{first}#<ownId>"), sort, format!("BY#{by}"), "<day>#<ownId>".to_owned()]
    }

    fn item(&self, row: usize) -> Attributes {
        let own = format!("own-{}", row / 2);
        let child = format!("child-{row}");
        let own = if self.is_single { format!("own-{row}") } else { own };
        let label = format!("Label Of {row}");
        let (rank, day) = (row * 37 + 5, format!("2026-01-{:02}", row + 1));
        let by = [label.clone(), label.to_lowercase(), label.to_uppercase(), format!("{rank:06}")][self.format].clone();
        let [first, second] = self.words;
        let sort = if self.is_single { "METADATA".to_owned() } else { format!("{second}#{child}") };
        let mut texts = vec![
            ("PK", format!("{first}#{own}")),
            ("SK", sort),
            ("ownId", own.clone()),
            ("childId", child),
            ("label", label),
        ];
        if !(self.is_sparse && row.is_multiple_of(3)) {
            texts.extend([("GSI1PK", format!("BY#{by}")), ("GSI1SK", format!("{day}#{own}")), ("day", day)]);
        }
        let mut item: Attributes =
            texts.into_iter().map(|(name, text)| (name.to_owned(), AttributeValue::S(text))).collect();
        item.insert("rank".to_owned(), AttributeValue::N(Number::from(rank as u64)));
        item
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn drafts_are_true_of_their_items(
        kinds in proptest::collection::vec(kind(), 1..4),
        rows in proptest::collection::vec((0usize..4, attributes()), 1..25),
    ) {
        let facts = table();
        let items = items(&kinds, rows);
        let sample = Sample { items: items.clone(), is_whole: true };
        let draft = draft_from_items(&facts, &sample, "a table").unwrap_or_else(|found| panic!("{found:#?}"));
        if let Err(found) = keyfold_design::load("draft.yaml", &draft.text) {
            panic!("{found:#?}\n{}", draft.text);
        }
        assert_sound(&facts, &draft.design, &items);
    }

    #[test]
    fn regular_templates_come_back(
        kinds in proptest::collection::vec(regular(), 1..5),
        rows in 4usize..12,
    ) {
        let mut kinds = kinds;
        kinds.sort_by_key(|kind| kind.templates()[..2].to_vec());
        kinds.dedup_by_key(|kind| kind.templates()[..2].to_vec());
        let items: Vec<Attributes> = kinds.iter().flat_map(|kind| (0..rows).map(|row| kind.item(row))).collect();
        let sample = Sample { items: items.clone(), is_whole: true };
        let facts = table();
        let draft = draft_from_items(&facts, &sample, "a table").unwrap();
        prop_assert_eq!(assert_sound(&facts, &draft.design, &items), items.len(), "{}", draft.text);
        for kind in &kinds {
            let entity = &draft.design[draft.design.recognize(&kind.item(1)).unwrap()];
            let made = ["PK", "SK", "GSI1PK", "GSI1SK"].map(|key| {
                entity.layout.computed.iter().find(|made| made.name == key).map(|made| made.template.source.clone())
            });
            prop_assert_eq!(made, kind.templates().map(Some), "{}", draft.text);
        }
    }
}
