//! Paths to values as callers write them: `address.city`, `lines[2].quantity`, `labels["a.b"]`.

use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::expression::{Path, PathStep};

use super::{Attribute, AttributeType, Bound, ConstraintViolation, Entity};

/// DynamoDB nests documents no deeper.
const DEEPEST: usize = 32;

/// A path that leads nowhere in an entity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The text is not a path.
    #[error("`{0}` is not a path such as `address.city`, `lines[2].quantity` or `labels[\"a.b\"]`")]
    Malformed(String),
    /// The entity does not declare what the path names.
    #[error("`{path}` is not an attribute of {entity}")]
    Unknown {
        /// The path, up to what is unknown.
        path: String,
        /// The name of the entity.
        entity: String,
    },
    /// A step leads into a value that has neither members nor elements.
    #[error("`{path}` has no {part}: it is {rule}")]
    NotNested {
        /// The path to the value.
        path: String,
        /// `members` or `elements`.
        part: &'static str,
        /// What the value is.
        rule: String,
    },
}

/// What a design declares at a path.
#[derive(Debug, Clone, Copy)]
pub enum Declared<'e> {
    /// An attribute of the item.
    Attribute(&'e Attribute),
    /// A value of this type: an element of a list, or a member of a map.
    Value(&'e AttributeType),
}

const ANY: &AttributeType = &AttributeType::Any;

impl<'e> Declared<'e> {
    /// The type of the value.
    pub fn value_type(self) -> &'e AttributeType {
        match self {
            Self::Attribute(attribute) => &attribute.value_type,
            Self::Value(value_type) => value_type,
        }
    }

    /// The bounds of the value.
    pub fn bounds(self) -> &'e [Bound] {
        match self {
            Self::Attribute(attribute) => &attribute.bounds,
            Self::Value(_) => &[],
        }
    }

    /// Whether there may be no value.
    pub fn may_be_absent(self) -> bool {
        match self {
            Self::Attribute(attribute) => attribute.may_be_absent(),
            Self::Value(_) => true,
        }
    }

    /// Checks a value; the error names the path.
    pub fn check(self, path: &Path, value: &AttributeValue) -> Result<(), ConstraintViolation> {
        let checked = match self {
            Self::Attribute(attribute) => attribute.check(value),
            Self::Value(value_type) => value_type.check("", value),
        };
        checked.map_err(|violation| ConstraintViolation { attribute: path_text(path), ..violation })
    }

    /// What is declared one step into the value; `None` if the value has no such part.
    fn step(self, step: &PathStep) -> Option<Declared<'e>> {
        match (self.value_type(), step) {
            (AttributeType::Any, _) | (AttributeType::Map, PathStep::Field(_)) => Some(Declared::Value(ANY)),
            (AttributeType::List(element), PathStep::Index(_)) => {
                Some(Declared::Value(element.as_deref().unwrap_or(ANY)))
            }
            _ => None,
        }
    }
}

impl Entity {
    /// The path that a text names. A declared attribute of that very name comes first.
    pub fn value_path(&self, text: &str) -> Result<Path, PathError> {
        if self.attribute(text).is_some() {
            return Ok(Path::attribute(text));
        }
        parse(text).ok_or_else(|| PathError::Malformed(text.chars().take(200).collect()))
    }

    /// What is declared at each place of a path, from the attribute on. The attribute of an open entity may be
    /// undeclared.
    pub fn declared_along(&self, path: &Path) -> Result<Vec<Declared<'_>>, PathError> {
        let root = match self.attribute(&path.root) {
            Some(attribute) => Declared::Attribute(attribute),
            None if self.open => Declared::Value(ANY),
            None => return Err(PathError::Unknown { path: path.root.clone(), entity: self.name.clone() }),
        };
        let mut places = vec![root];
        let mut last = root;
        for (position, step) in path.rest.iter().enumerate() {
            last = last.step(step).ok_or_else(|| {
                let rest = path.rest.iter().take(position).cloned().collect();
                let path = path_text(&Path { root: path.root.clone(), rest });
                let part = match step {
                    PathStep::Field(_) => "members",
                    PathStep::Index(_) => "elements",
                };
                PathError::NotNested { path, part, rule: last.value_type().rule() }
            })?;
            places.push(last);
        }
        Ok(places)
    }
}

/// A path as callers write it.
pub fn path_text(path: &Path) -> String {
    let mut text = path.root.clone();
    for step in &path.rest {
        match step {
            PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            PathStep::Field(name) if is_plain(name) => {
                text.push('.');
                text.push_str(name);
            }
            PathStep::Field(name) => text.push_str(&format!("[{}]", quoted(name))),
        }
    }
    text
}

/// Whether a name needs no quotes within a path.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['.', '[', ']', '"', '\\']) && !name.contains(char::is_whitespace)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

fn parse(text: &str) -> Option<Path> {
    let mut rest = text;
    let root = match bracketed(rest) {
        Some((PathStep::Field(name), after)) => {
            rest = after;
            name
        }
        _ => {
            let (name, after) = plain_name(rest)?;
            rest = after;
            name.to_owned()
        }
    };
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, after) = match rest.strip_prefix('.') {
            Some(member) => plain_name(member).map(|(name, after)| (PathStep::Field(name.to_owned()), after))?,
            None => bracketed(rest)?,
        };
        rest = after;
        steps.push(step);
        if steps.len() >= DEEPEST {
            return None;
        }
    }
    Some(Path { root, rest: steps })
}

fn plain_name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, after) = text.split_at_checked(end)?;
    is_plain(name).then_some((name, after))
}

/// `[2]` or `["a.b"]`, and what follows.
fn bracketed(text: &str) -> Option<(PathStep, &str)> {
    let inner = text.strip_prefix('[')?;
    if let Some(name) = inner.strip_prefix('"') {
        let (name, after) = unquoted(name)?;
        return Some((PathStep::Field(name), after.strip_prefix(']')?));
    }
    let (digits, after) = inner.split_once(']')?;
    let is_index = digits == "0" || (!digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit()));
    // A list has fewer elements than an item has bytes.
    let index: u32 = digits.parse().ok().filter(|_| is_index)?;
    Some((PathStep::Index(usize::try_from(index).ok()?), after))
}

/// The text up to the closing quote, and what follows.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((name, text.get(at + 1..)?)),
            '\\' => name.push(characters.next()?.1),
            other => name.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn field(name: &str) -> PathStep {
        PathStep::Field(name.to_owned())
    }

    #[test]
    fn paths_are_read_as_they_are_written() {
        for (text, root, rest) in [
            ("city", "city", vec![]),
            ("address.city", "address", vec![field("city")]),
            ("lines[2].quantity", "lines", vec![PathStep::Index(2), field("quantity")]),
            ("labels[\"a.b\"][0]", "labels", vec![field("a.b"), PathStep::Index(0)]),
            ("labels[\"say \\\"hi\\\" \\\\\"]", "labels", vec![field("say \"hi\" \\")]),
            ("[\"a.b\"].c", "a.b", vec![field("c")]),
            ("labels[\"\"]", "labels", vec![field("")]),
        ] {
            assert_eq!(parse(text), Some(Path { root: root.to_owned(), rest }), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_paths() {
        for text in [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "a[",
            "a[]",
            "a[x]",
            "a[-1]",
            "a[01]",
            "a[1",
            "a[1]b",
            "a[\"x]",
            "a[\"x\"",
            "a]",
            "[0]",
            "a b",
            "a[99999999999999999999]",
            "a.\"b\"",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse(&format!("a{}", "[0]".repeat(DEEPEST))), None);
        assert!(parse(&format!("a{}", "[0]".repeat(DEEPEST - 1))).is_some());
    }

    fn any_path() -> impl Strategy<Value = Path> {
        let step = prop_oneof![
            any::<u32>().prop_map(|index| PathStep::Index(index as usize)),
            any::<String>().prop_map(PathStep::Field)
        ];
        ("[a-z_]{1,5}", prop::collection::vec(step, 0..5)).prop_map(|(root, rest)| Path { root, rest })
    }

    proptest! {
        #[test]
        fn every_path_can_be_written(path in any_path()) {
            prop_assert_eq!(parse(&path_text(&path)), Some(path));
        }

        #[test]
        fn any_text_is_a_path_or_none(text in r#"[a\.\[\]"\\0-9 é]{0,12}"#) {
            if let Some(path) = parse(&text) {
                prop_assert_eq!(parse(&path_text(&path)).unwrap().rest, path.rest);
            }
        }
    }
}
