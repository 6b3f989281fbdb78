//! One spelling throughout: British, with `-ize` as in `authorize` and `serialize`.

use crate::tree;

const EXTENSIONS: &[&str] = &["rs", "md", "ts", "mjs", "py", "yaml", "toml"];

/// The beginnings of verbs in `-ize` that are about computers.
const STEMS: &[&str] = &[
    "anonym",
    "author",
    "canonical",
    "custom",
    "deserial",
    "final",
    "general",
    "initial",
    "material",
    "maxim",
    "minim",
    "normal",
    "optim",
    "parameter",
    "priorit",
    "random",
    "recogn",
    "serial",
    "special",
    "standard",
    "summar",
    "synchron",
    "synthes",
    "token",
    "util",
    "visual",
];

#[test]
fn verbs_are_spelled_with_ize() {
    let mut violations = Vec::new();
    for file in tree::files(EXTENSIONS) {
        for (line, word) in words_in_ise(&file.text) {
            violations.push(format!("{}:{line}: `{word}`", file.path));
        }
    }
    tree::report("verbs are spelled with `-ize`, not with `-ise`", &violations);
}

fn words_in_ise(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let words = line.split(|letter: char| !letter.is_alphanumeric());
        let is_other = |word: &&str| {
            let word = word.to_lowercase();
            let endings = STEMS.iter().filter_map(|stem| word.split_once(stem)).map(|(_, rest)| rest);
            endings.into_iter().any(|rest| ["ise", "ising", "isation"].iter().any(|ending| rest.starts_with(ending)))
        };
        found.extend(words.filter(is_other).map(|word| (number + 1, word.to_owned())));
    }
    found
}

#[test]
fn words_are_found_within_names() {
    // With a gap, so that this file has one spelling too.
    let with_ise = |text: &str| text.replace('~', "is");
    let text = "fn recogn~e_all() {}\n// recogn~ed, Normal~ing, optim~tic, final, synthes~\nstruct Unrecogn~ed;";
    let expected = [(1, "recogn~e"), (2, "recogn~ed"), (2, "Normal~ing"), (3, "Unrecogn~ed")];
    assert_eq!(words_in_ise(&with_ise(text)), expected.map(|(line, word)| (line, with_ise(word))));
}
