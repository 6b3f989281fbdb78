//! The entities whose keys a pattern's conditions can find.

use super::keys::{FanOut, Keys};
use super::line::PatternLine;
use super::source::Source;
use crate::build::codes::{BAD_VALUE, NO_INDEX, NOT_IN_RANGE, SEVERAL_ENTITIES};
use crate::build::entity_draft::named_entity;
use crate::build::reader::{Reader, suggest};
use crate::diagnostic::Diagnostic;
use crate::model::{Design, Entity, KeyPart, Layout, Returned, SortRange};
use crate::span::Span;
use crate::syntax::Entry;
use crate::template::{Binding, Fit, Placeholder, Template, ValueKind, unify};

/// An entity (or the lookup of a unique) whose keys can fall into the pattern's range.
pub(super) struct Member<'d> {
    pub entity: &'d Entity,
    pub unique: Option<&'d str>,
    /// Each condition's template with the part of the entity's key it meets and how.
    pub matches: Vec<KeyMatch<'d>>,
}

pub(super) struct KeyMatch<'d> {
    /// Which condition of the pattern it is: one meets each alternative of a template that it fits.
    pub number: usize,
    pub condition: Template,
    pub key: &'d str,
    /// The entity's template, the alternative of it that the condition meets.
    pub template: &'d Template,
    pub fit: Fit,
    /// The condition is `begins_with`: its last parameter may be the beginning of a value.
    pub prefix: bool,
    pub sort: bool,
}

impl Member<'_> {
    /// How many conditions of the pattern meet the keys.
    fn conditions(&self) -> usize {
        self.matches.chunk_by(|one, other| one.number == other.number).count()
    }

    pub(super) fn returned(&self) -> Returned {
        match self.unique {
            None => Returned::Entity(self.entity.id),
            Some(unique) => Returned::ThroughUnique { entity: self.entity.id, unique: unique.to_owned() },
        }
    }
}

pub(super) fn candidates<'d>(source: &Source<'_>, keys: &Keys, design: &'d Design) -> Vec<Member<'d>> {
    let mut members = Vec::new();
    for entity in &design.entities {
        let layouts = std::iter::once((None, &entity.layout))
            .chain(entity.uniques.iter().map(|unique| (Some(unique.name.as_str()), &unique.layout)));
        for (unique, layout) in layouts {
            if let Some(matches) = meet(source, keys, layout) {
                members.push(Member { entity, unique, matches });
            }
        }
    }
    members
}

/// How the conditions meet the keys of a layout; `None` when they do not.
fn meet<'d>(source: &Source<'_>, keys: &Keys, layout: &'d Layout) -> Option<Vec<KeyMatch<'d>>> {
    let parts: Vec<&KeyPart> = match source.index {
        None => std::iter::once(&layout.partition).chain(&layout.sort).collect(),
        Some(index) => layout.index_key(index)?.parts().collect(),
    };
    let part_of = |name: &str| parts.iter().copied().find(|part| part.key.name == name);
    let mut meeting = Meeting { matches: Vec::new(), number: 0 };
    for equal in keys.partition.iter().chain(&keys.sort_equal) {
        let sort = keys.sort_equal.iter().any(|other| other.attribute == equal.attribute);
        meeting.lay(&equal.template, part_of(&equal.attribute)?, Reach { open: false, prefix: false, sort })?;
    }
    let whole = Reach { open: false, prefix: false, sort: false };
    match &keys.fan_out {
        Some(FanOut::Range { attribute, from, to, .. }) => {
            let part = part_of(attribute)?;
            meeting.lay(from, part, whole)?;
            meeting.lay(to, part, whole)?;
        }
        Some(FanOut::Values { attribute, parameter, .. }) => {
            let part = part_of(attribute)?;
            let condition = Template::plain(parameter, Span::default(), part.template.delimiter);
            meeting.lay(&condition, part, whole)?;
        }
        Some(FanOut::Shards { .. }) | None => {}
    }
    if let Some(sort) = &keys.sort {
        let part = part_of(&sort.attribute)?;
        let open = !matches!(sort.range, SortRange::Equal(_));
        let prefix = matches!(sort.range, SortRange::BeginsWith(_));
        for bound in sort.range.bounds() {
            meeting.lay(bound, part, Reach { open, prefix, sort: true })?;
        }
    }
    Some(meeting.matches)
}

/// How a condition reaches into a key.
#[derive(Clone, Copy)]
struct Reach {
    /// The key may go on where the condition ends.
    open: bool,
    prefix: bool,
    sort: bool,
}

struct Meeting<'d> {
    matches: Vec<KeyMatch<'d>>,
    number: usize,
}

impl<'d> Meeting<'d> {
    /// Lays a condition over a key and the templates that stand in for it; `None` if it meets none of them.
    fn lay(&mut self, condition: &Template, part: &'d KeyPart, reach: Reach) -> Option<()> {
        let number = self.number;
        self.number += 1;
        let laid = part.template.alternatives().filter_map(|template| {
            let fit = unify(condition, template, reach.open)?;
            let (condition, key) = (condition.clone(), part.key.name.as_str());
            Some(KeyMatch { number, condition, key, template, fit, prefix: reach.prefix, sort: reach.sort })
        });
        let laid: Vec<KeyMatch<'d>> = laid.collect();
        // An alternative that has no such literal is not meant, unless none has it: then that is the mistake.
        let (meant, others): (Vec<_>, Vec<_>) = laid.into_iter().partition(|found| invalid_literal_of(found).is_none());
        let found = if meant.is_empty() { others } else { meant };
        let is_met = !found.is_empty();
        self.matches.extend(found);
        is_met.then_some(())
    }
}

/// Those whose literals are values that their attributes can have, and whose parameters have the types of the others.
pub(super) fn members<'d>(
    found: Vec<Member<'d>>,
    declared: &Entry,
    keys: &Keys,
    reader: &mut Reader<'_>,
) -> Option<Vec<Member<'d>>> {
    let mut refused: Option<(String, Placeholder)> = None;
    let fitting: Vec<Member<'d>> = found
        .into_iter()
        .filter(|member| match member.matches.iter().find_map(invalid_literal_of) {
            None => true,
            Some(fault) => {
                refused.get_or_insert(fault);
                false
            }
        })
        .collect();
    let typed: Vec<(String, ValueKind)> =
        fitting.iter().flat_map(|member| member.matches.iter().flat_map(matched_kinds)).collect();
    let admits_literals = |key_match: &KeyMatch<'d>| {
        key_match.fit.bindings.iter().all(|binding| match binding {
            Binding::ParameterIsLiteral { parameter, text } => {
                let name = nth(&key_match.condition, *parameter).map(|placeholder| placeholder.attribute.as_str());
                let mut kinds = typed.iter().filter(|(known, _)| Some(known.as_str()) == name);
                kinds.all(|(_, kind)| kind.admits(text))
            }
            _ => true,
        })
    };
    let members: Vec<Member<'d>> = fitting
        .into_iter()
        .filter_map(|mut member| {
            let conditions = member.conditions();
            member.matches.retain(admits_literals);
            (member.conditions() == conditions).then_some(member)
        })
        .collect();
    if members.is_empty() {
        tell_nothing_found(refused, declared, keys, reader);
        return None;
    }
    Some(members)
}

/// Reports why nothing is found: an invalid literal, or keys that no entity has.
fn tell_nothing_found(refused: Option<(String, Placeholder)>, declared: &Entry, keys: &Keys, reader: &mut Reader<'_>) {
    match refused {
        Some((text, placeholder)) => {
            let message = format!(
                "`{text}` in `{}` is not {}, as `{}` is",
                declared.name(),
                placeholder.kind.describe(),
                placeholder.attribute
            );
            let help = match &placeholder.kind {
                ValueKind::Enumeration(values) => match suggest(&text, values.iter().map(String::as_str)) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("its values are `{}`", values.join("`, `")),
                },
                _ => "use a value that the attribute can have".to_owned(),
            };
            let span = literal_span(keys, &text).unwrap_or(declared.value.span);
            reader.push(
                Diagnostic::new(&BAD_VALUE, span, message)
                    .also(placeholder.span, "the attribute in the key")
                    .help(help),
            );
        }
        // The entity that it finds may be the one whose template is broken.
        None if reader.entities_incomplete => {}
        None => {
            let message = format!("no entity has keys that match `{}`", declared.name());
            let help =
                "compare the conditions with the templates of the entities, literal text and delimiters included";
            reader.fault(&NO_INDEX, declared.value.span, message, help);
        }
    }
}

fn literal_span(keys: &Keys, text: &str) -> Option<Span> {
    let templates = keys.partition.iter().map(|condition| &condition.template);
    let sort = keys.sort.iter().flat_map(|sort| sort.range.bounds());
    templates.chain(sort).find_map(|template| {
        let at = template.source.find(text)?;
        (template.span.end - template.span.start == template.source.len())
            .then(|| Span::new(template.span.start + at, template.span.start + at + text.len()))
    })
}

/// A literal of the condition that is not a value of its attribute.
fn invalid_literal_of(key_match: &KeyMatch<'_>) -> Option<(String, Placeholder)> {
    key_match.fit.bindings.iter().find_map(|binding| {
        let (text, placeholder, is_whole) = match binding {
            Binding::Literal { text, placeholder } => (text, placeholder, true),
            Binding::LiteralPrefix { text, placeholder } => (text, placeholder, false),
            Binding::Parameter { .. } | Binding::ParameterIsLiteral { .. } => return None,
        };
        let placeholder = nth(key_match.template, *placeholder)?;
        let fits = placeholder
            .fallback
            .as_deref()
            .is_some_and(|fallback| fallback == text || !is_whole && fallback.starts_with(text.as_str()))
            || !placeholder.formats.is_empty()
            || if is_whole { placeholder.kind.admits(text) } else { placeholder.kind.admits_prefix(text) };
        (!fits).then(|| (text.clone(), placeholder.clone()))
    })
}

pub(super) fn nth(template: &Template, position: usize) -> Option<&Placeholder> {
    template.placeholders().nth(position)
}

fn matched_kinds<'m>(key_match: &'m KeyMatch<'_>) -> impl Iterator<Item = (String, ValueKind)> + 'm {
    key_match.fit.bindings.iter().filter_map(|binding| match binding {
        Binding::Parameter { parameter, placeholder } => {
            let name = nth(&key_match.condition, *parameter)?.attribute.clone();
            Some((name, nth(key_match.template, *placeholder)?.kind.clone()))
        }
        _ => None,
    })
}

/// What the pattern returns: what it names, or the one entity that its range can hold.
pub(super) fn returned(
    line: &PatternLine<'_>,
    members: &[Member<'_>],
    design: &Design,
    declared: &Entry,
    reader: &mut Reader<'_>,
) -> Option<Vec<Returned>> {
    if line.returns.is_empty() {
        return match members {
            [one] => Some(vec![one.returned()]),
            several => {
                let mut names: Vec<&str> = several.iter().map(|member| member.entity.name.as_str()).collect();
                names.dedup();
                let message = format!("`{}` can find `{}`", declared.name(), names.join("`, `"));
                let help = format!("state which it returns: `… -> {}`", names.join(", "));
                reader.fault(&SEVERAL_ENTITIES, declared.value.span, message, help);
                None
            }
        };
    }
    let mut returns = Vec::new();
    for named in &line.returns {
        let Some(entity) = named_entity(&named.value, named.span, design, reader) else { continue };
        let found: Vec<&Member<'_>> = members.iter().filter(|member| member.entity.id == entity.id).collect();
        // The entity's own items before its lookups, where a range holds both.
        match found.iter().find(|member| member.unique.is_none()).or(found.first()) {
            Some(member) => returns.push(member.returned()),
            None if reader.entities_incomplete => {}
            None => {
                let message = format!("`{}` never finds a `{}`", declared.name(), named.value);
                let names: Vec<&str> = members.iter().map(|member| member.entity.name.as_str()).collect();
                let help = format!("its key range can hold `{}`", names.join("`, `"));
                reader.fault(&NOT_IN_RANGE, named.span, message, help);
            }
        }
    }
    (returns.len() == line.returns.len()).then_some(returns)
}
