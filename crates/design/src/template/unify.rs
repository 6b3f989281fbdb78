//! Whether the template of a pattern's condition meets the template of an entity's key, and what its parameters are.

use super::{Part, Template};

/// What a piece of the condition stands opposite to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Binding {
    /// A parameter (by its number among the condition's placeholders) meets a placeholder of the entity.
    Parameter { parameter: usize, placeholder: usize },
    /// Literal text of the condition meets a placeholder: `LICENSE#STATUS#active`.
    Literal { text: String, placeholder: usize },
    /// The condition ends within a placeholder's value: `begins_with(SK, TAG#ja)`.
    LiteralPrefix { text: String, placeholder: usize },
    /// A parameter meets literal text of the entity.
    ParameterIsLiteral { parameter: usize, text: String },
}

/// How a condition meets an entity's template.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Fit {
    pub bindings: Vec<Binding>,
    /// Whether the entity's template goes on behind the condition.
    pub open: bool,
    /// The literal character with which it goes on.
    pub next: Option<char>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Atom {
    Character(char),
    Hole(usize),
}

fn atoms(template: &Template) -> Vec<Atom> {
    let mut holes = 0;
    let mut atoms = Vec::new();
    for part in &template.parts {
        match part {
            Part::Literal(text) => atoms.extend(text.chars().map(Atom::Character)),
            Part::Placeholder(_) => {
                atoms.push(Atom::Hole(holes));
                holes += 1;
            }
        }
    }
    atoms
}

/// Lays a condition's template over an entity's. With `prefix`, the entity's may go on where the condition ends.
pub(crate) fn unify(condition: &Template, entity: &Template, prefix: bool) -> Option<Fit> {
    // Different literal text at the start settles most pairs of a large design.
    let starts = condition.literal_prefix().bytes().zip(entity.literal_prefix().bytes());
    if starts.into_iter().any(|(left, right)| left != right) {
        return None;
    }
    let mut bindings = Vec::new();
    let sentinels = entity.placeholders().map(|placeholder| placeholder.sentinel.as_deref()).collect();
    let walk = Walk { prefix, delimiter: entity.delimiter, sentinels };
    let rest = walk.go(&atoms(condition), &atoms(entity), &mut bindings)?;
    Some(Fit { bindings, open: rest.open, next: rest.next })
}

struct Walk<'t> {
    prefix: bool,
    delimiter: char,
    /// Of each placeholder of the entity, the value that may contain the delimiter.
    sentinels: Vec<Option<&'t str>>,
}

struct Rest {
    open: bool,
    next: Option<char>,
}

impl Walk<'_> {
    fn go(&self, condition: &[Atom], entity: &[Atom], bindings: &mut Vec<Binding>) -> Option<Rest> {
        match (condition.split_first(), entity.split_first()) {
            (None, None) => Some(Rest { open: false, next: None }),
            (None, Some((next, _))) if self.prefix => Some(Rest {
                open: true,
                next: match next {
                    Atom::Character(character) => Some(*character),
                    Atom::Hole(_) => None,
                },
            }),
            (None, Some(_)) | (Some(_), None) => None,
            (Some((Atom::Character(left), condition)), Some((Atom::Character(right), entity))) => {
                (left == right).then(|| self.go(condition, entity, bindings))?
            }
            (Some((Atom::Hole(parameter), condition)), Some((Atom::Hole(placeholder), entity))) => {
                let binding = Binding::Parameter { parameter: *parameter, placeholder: *placeholder };
                self.attempt(binding, condition, entity, bindings)
            }
            (Some((Atom::Character(_), _)), Some((Atom::Hole(placeholder), entity))) => {
                self.literal_in_hole(*placeholder, condition, entity, bindings)
            }
            (Some((Atom::Hole(parameter), condition)), Some((Atom::Character(_), _))) => {
                self.hole_over_literal(*parameter, condition, entity, bindings)
            }
        }
    }

    fn attempt(
        &self,
        binding: Binding,
        condition: &[Atom],
        entity: &[Atom],
        bindings: &mut Vec<Binding>,
    ) -> Option<Rest> {
        let length = bindings.len();
        bindings.push(binding);
        let rest = self.go(condition, entity, bindings);
        if rest.is_none() {
            bindings.truncate(length);
        }
        rest
    }

    /// Literal text of the condition as the value of an entity's placeholder: up to a delimiter, unless the
    /// placeholder ends its template.
    fn literal_in_hole(
        &self,
        placeholder: usize,
        condition: &[Atom],
        entity: &[Atom],
        bindings: &mut Vec<Binding>,
    ) -> Option<Rest> {
        if let Some(sentinel) = self.sentinels.get(placeholder).copied().flatten()
            && let Some(after) = after_text(condition, sentinel)
        {
            let binding = Binding::Literal { text: sentinel.to_owned(), placeholder };
            if let Some(rest) = self.attempt(binding, after, entity, bindings) {
                return Some(rest);
            }
        }
        let mut text = String::new();
        for (taken, atom) in condition.iter().enumerate() {
            let Atom::Character(character) = atom else { return None };
            if *character == self.delimiter && !entity.is_empty() {
                return None;
            }
            text.push(*character);
            let after = condition.get(taken + 1..).unwrap_or_default();
            if after.is_empty() && self.prefix && !entity.is_empty() {
                bindings.push(Binding::LiteralPrefix { text, placeholder });
                return Some(Rest { open: true, next: None });
            }
            let ends_here = match after.first() {
                None => true,
                Some(Atom::Hole(_)) => false,
                Some(Atom::Character(next)) => entity.first() == Some(&Atom::Character(*next)),
            };
            if ends_here {
                let binding = Binding::Literal { text: text.clone(), placeholder };
                if let Some(rest) = self.attempt(binding, after, entity, bindings) {
                    return Some(rest);
                }
            }
        }
        None
    }

    /// A parameter over literal text of the entity: one component of it.
    fn hole_over_literal(
        &self,
        parameter: usize,
        condition: &[Atom],
        entity: &[Atom],
        bindings: &mut Vec<Binding>,
    ) -> Option<Rest> {
        let mut text = String::new();
        for (taken, atom) in entity.iter().enumerate() {
            let Atom::Character(character) = atom else { return None };
            if *character == self.delimiter {
                return None;
            }
            text.push(*character);
            let after = entity.get(taken + 1..).unwrap_or_default();
            let ends_here = match (after.first(), condition.first()) {
                (None, None) => true,
                (Some(Atom::Character(next)), Some(Atom::Character(wanted))) => next == wanted,
                (Some(Atom::Character(next)), None) => self.prefix && *next == self.delimiter,
                _ => false,
            };
            if ends_here {
                let binding = Binding::ParameterIsLiteral { parameter, text: text.clone() };
                if let Some(rest) = self.attempt(binding, condition, after, bindings) {
                    return Some(rest);
                }
            }
        }
        None
    }
}

/// What follows a literal text at the beginning of a condition.
fn after_text<'a>(condition: &'a [Atom], text: &str) -> Option<&'a [Atom]> {
    let mut rest = condition;
    for character in text.chars() {
        match rest.split_first() {
            Some((Atom::Character(found), after)) if *found == character => rest = after,
            _ => return None,
        }
    }
    Some(rest)
}
