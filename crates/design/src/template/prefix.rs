//! The part of a template that is known when only some attributes are.

use super::Template;

impl Template {
    /// The part of the template that is known when only some attributes are: up to the first unknown placeholder.
    pub(crate) fn known_prefix(&self, is_known: impl Fn(&str) -> bool) -> Template {
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
