//! Grammar that messages share.

use std::fmt::Display;

/// A noun with its indefinite article: `an Invoice`, `a User`.
///
/// ```
/// assert_eq!(keyfold_design::with_article("Invoice"), "an Invoice");
/// assert_eq!(keyfold_design::with_article("User"), "a User");
/// ```
pub fn with_article(noun: &str) -> String {
    // Names with `u` mostly sound like `user` and `unit`.
    let is_vowel = noun.to_lowercase().starts_with(['a', 'e', 'i', 'o']);
    format!("{} {noun}", if is_vowel { "an" } else { "a" })
}

/// A number with its noun, which is plural unless the number is 1: `1 character`, `2.5 read units`.
///
/// ```
/// assert_eq!(keyfold_design::counted(1, "item"), "1 item");
/// assert_eq!(keyfold_design::counted(0.5, "read unit"), "0.5 read units");
/// assert_eq!(keyfold_design::counted(2, "entity"), "2 entities");
/// ```
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    if count == "1" { format!("1 {noun}") } else { format!("{count} {}", plural_of(noun)) }
}

/// The plural of a noun.
///
/// ```
/// assert_eq!(keyfold_design::plural_of("Category"), "Categories");
/// assert_eq!(keyfold_design::plural_of("Address"), "Addresses");
/// ```
pub fn plural_of(name: &str) -> String {
    let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
    match name.strip_suffix('y') {
        Some(stem) if !ends(&["ay", "ey", "oy", "uy"]) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{name}es"),
        _ => format!("{name}s"),
    }
}
