//! The bounds of a range over the components of a key.

use super::Template;

/// One end of a range of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeText {
    pub text: String,
    pub inclusive: bool,
}

impl RangeText {
    /// Everything from a component on, the component itself included.
    pub fn from_component(text: String) -> Self {
        Self { text, inclusive: true }
    }

    /// Everything before a component.
    pub fn before_component(text: String) -> Self {
        Self { text, inclusive: false }
    }

    /// Just above every key whose component is `text`: keys go on with `separator` behind it, so the bound is the text
    /// with the character after the separator. No key of the template equals the bound, so it can be taken as
    /// inclusive (`BETWEEN`) or exclusive alike.
    pub fn above_component(text: &str, separator: char) -> Self {
        let next = char::from_u32(separator as u32 + 1).unwrap_or(char::MAX);
        Self { text: format!("{text}{next}"), inclusive: false }
    }
}

impl Template {
    /// The part of the template that is known when only some attributes are: up to the first unknown placeholder.
    pub fn known_prefix(&self, is_known: impl Fn(&str) -> bool) -> Template {
        let known = self
            .parts
            .iter()
            .take_while(|part| match part {
                super::Part::Literal(_) => true,
                super::Part::Placeholder(placeholder) => is_known(&placeholder.attribute),
            })
            .cloned()
            .collect::<Vec<_>>();
        let source = known
            .iter()
            .map(|part| match part {
                super::Part::Literal(text) => text.clone(),
                super::Part::Placeholder(placeholder) => format!("<{}>", placeholder.attribute),
            })
            .collect::<String>();
        Template::new(source, self.span, known, self.delimiter)
    }
}
