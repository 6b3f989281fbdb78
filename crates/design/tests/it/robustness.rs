//! Whatever the text, there is an answer: no panic, and every place lies within the file.

use keyfold_design::diagnostic::{to_json, to_text};
use keyfold_design::load;
use proptest::prelude::*;

const DESIGNS: [&str; 5] = [
    include_str!("../../../../designs/agencies/design.yaml"),
    include_str!("../../../../designs/platform/design.yaml"),
    include_str!("../../../../designs/albums/design.yaml"),
    include_str!("../../../../designs/archive/design.yaml"),
    include_str!("../../../../designs/catalogue/design.yaml"),
];

#[derive(Debug, Clone)]
enum Change {
    DropLine(usize),
    DoubleLine(usize),
    Insert(usize, String),
    Remove(usize, usize),
    Swap(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let piece = prop_oneof![
        Just("<".to_owned()),
        Just(">".to_owned()),
        Just("#".to_owned()),
        Just(": ".to_owned()),
        Just(" or ".to_owned()),
        Just(" and ".to_owned()),
        Just(" -> ".to_owned()),
        Just(" where ".to_owned()),
        Just(", ".to_owned()),
        Just("{".to_owned()),
        Just("\"".to_owned()),
        Just("é".to_owned()),
        Just("\n  ".to_owned()),
        ".{1,4}",
    ];
    prop_oneof![
        any::<usize>().prop_map(Change::DropLine),
        any::<usize>().prop_map(Change::DoubleLine),
        (any::<usize>(), piece).prop_map(|(at, piece)| Change::Insert(at, piece)),
        (any::<usize>(), 1usize..12).prop_map(|(at, length)| Change::Remove(at, length)),
        (any::<usize>(), any::<usize>()).prop_map(|(one, two)| Change::Swap(one, two)),
    ]
}

fn apply(text: &str, change: &Change) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let characters: Vec<char> = text.chars().collect();
    match change {
        _ if lines.is_empty() => text.to_owned(),
        Change::DropLine(at) => {
            lines.remove(at % lines.len());
            lines.join("\n")
        }
        Change::DoubleLine(at) => {
            let at = at % lines.len();
            lines.insert(at, lines[at]);
            lines.join("\n")
        }
        Change::Swap(one, two) => {
            let (one, two) = (one % lines.len(), two % lines.len());
            lines.swap(one, two);
            lines.join("\n")
        }
        Change::Insert(at, piece) => {
            let at = at % (characters.len() + 1);
            characters[..at].iter().chain(&piece.chars().collect::<Vec<_>>()).chain(&characters[at..]).collect()
        }
        Change::Remove(at, length) => {
            let at = at % characters.len();
            let end = (at + length).min(characters.len());
            characters[..at].iter().chain(&characters[end..]).collect()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn a_broken_design_gets_an_answer(which in 0usize..5, changes in prop::collection::vec(change(), 1..6)) {
        let text = changes.iter().fold(DESIGNS[which].to_owned(), |text, change| apply(&text, change));
        let found = match load("design.yaml", &text) {
            Ok((_, found)) => found,
            Err(found) => {
                prop_assert!(!found.is_empty());
                found
            }
        };
        for diagnostic in &found {
            for span in std::iter::once(diagnostic.span).chain(diagnostic.labels.iter().map(|label| label.span)) {
                prop_assert!(text.get(span.range()).is_some(), "{:?} of {}", span, diagnostic.message);
            }
        }
        to_text("design.yaml", &text, &found, false);
        to_json("design.yaml", &text, &found);
    }

    #[test]
    fn any_text_gets_an_answer(text in "(?s).{0,200}") {
        prop_assert!(load("design.yaml", &text).is_err());
    }
}
