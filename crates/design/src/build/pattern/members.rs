//! The entities whose keys a pattern's conditions can find.

use super::keys::{FanOut, Keys};
use super::line::PatternLine;
use super::source::Source;
use crate::build::codes::{BAD_VALUE, NO_INDEX, NOT_IN_RANGE, SEVERAL_ENTITIES};
use crate::build::entity_draft::named_entity;
use crate::build::reader::{Reader, suggest};
use crate::diagnostic::Diagnostic;
use crate::model::{Design, Entity, KeyPart, Layout, Returned, SortRange};
use crate::span::{Span, Spanned};
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
    /// Whether results are the items of this member, or are found through them.
    pub(super) fn leads_to(&self, returns: &[Returned]) -> bool {
        returns.iter().any(|returned| match returned {
            Returned::Referenced { from, .. } => self.unique.is_none() && *from == self.entity.id,
            other => *other == self.returned(),
        })
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
    let mut matches = Vec::new();
    for equal in keys.partition.iter().chain(&keys.sort_equal) {
        let part = part_of(&equal.attribute)?;
        let (template, fit) = lay(&equal.template, part, false)?;
        let sort = keys.sort_equal.iter().any(|other| other.attribute == equal.attribute);
        matches.push(KeyMatch {
            condition: equal.template.clone(),
            key: &part.key.name,
            template,
            fit,
            prefix: false,
            sort,
        });
    }
    match &keys.fan_out {
        Some(FanOut::Range { attribute, from, to, .. }) => {
            let part = part_of(attribute)?;
            for bound in [from, to] {
                let (template, fit) = lay(bound, part, false)?;
                let condition = bound.clone();
                matches.push(KeyMatch { condition, key: &part.key.name, template, fit, prefix: false, sort: false });
            }
        }
        Some(FanOut::Values { attribute, parameter, .. }) => {
            let part = part_of(attribute)?;
            let condition = Template::plain(parameter, Span::default(), part.template.delimiter);
            let (template, fit) = lay(&condition, part, false)?;
            matches.push(KeyMatch { condition, key: &part.key.name, template, fit, prefix: false, sort: false });
        }
        Some(FanOut::Shards { .. }) | None => {}
    }
    if let Some(sort) = &keys.sort {
        let part = part_of(&sort.attribute)?;
        let open = !matches!(sort.range, SortRange::Equal(_));
        let prefix = matches!(sort.range, SortRange::BeginsWith(_));
        for bound in sort.range.bounds() {
            let (template, fit) = lay(bound, part, open)?;
            matches.push(KeyMatch { condition: bound.clone(), key: &part.key.name, template, fit, prefix, sort: true });
        }
    }
    Some(matches)
}

/// Lays a condition over a key, or over the template that stands in for the key's.
fn lay<'d>(condition: &Template, part: &'d KeyPart, prefix: bool) -> Option<(&'d Template, Fit)> {
    part.template.alternatives().find_map(|template| Some((template, unify(condition, template, prefix)?)))
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
        .filter(|member| match invalid_literal(member) {
            None => true,
            Some(fault) => {
                refused.get_or_insert(fault);
                false
            }
        })
        .collect();
    let typed: Vec<(String, ValueKind)> =
        fitting.iter().flat_map(|member| member.matches.iter().flat_map(matched_kinds)).collect();
    let members: Vec<Member<'d>> = fitting
        .into_iter()
        .filter(|member| {
            member.matches.iter().all(|key_match| {
                key_match.fit.bindings.iter().all(|binding| match binding {
                    Binding::ParameterIsLiteral { parameter, text } => {
                        let name =
                            nth(&key_match.condition, *parameter).map(|placeholder| placeholder.attribute.as_str());
                        typed
                            .iter()
                            .filter(|(known, _)| Some(known.as_str()) == name)
                            .all(|(_, kind)| kind.admits(text))
                    }
                    _ => true,
                })
            })
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

/// A literal that is not a value of its attribute.
fn invalid_literal(member: &Member<'_>) -> Option<(String, Placeholder)> {
    member.matches.iter().find_map(|key_match| {
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

/// What the items of the range refer to, or are derived from: `-> Site`, `-> Player through teamAPlayer1Id`.
fn referenced(
    members: &[Member<'_>],
    target: &Entity,
    through: Option<&str>,
    named: &Spanned<String>,
    declared: &Entry,
    reader: &mut Reader<'_>,
) -> Option<Returned> {
    let mut ways: Vec<(&str, Returned)> = Vec::new();
    for member in members.iter().filter(|member| member.unique.is_none()) {
        let from = member.entity;
        let leads = |mapping: Vec<(String, String)>| Returned::Referenced { entity: target.id, from: from.id, mapping };
        let references = from.references.iter().filter(|reference| reference.target == target.id);
        for reference in references.filter(|reference| through.is_none_or(|name| name == reference.attribute)) {
            ways.push((&reference.attribute, leads(reference.mapping.clone())));
        }
        let is_source = from.derivation.as_ref().is_some_and(|derivation| derivation.source == target.id);
        let has_identity = target.identity.iter().all(|name| from.attribute(name).is_some());
        if is_source && has_identity && through.is_none() {
            let mapping = target.identity.iter().map(|name| (name.clone(), name.clone())).collect();
            ways.push((&target.name, leads(mapping)));
        }
    }
    if let [(_, one)] = ways.as_slice() {
        return Some(one.clone());
    }
    let names: Vec<&str> = members.iter().map(|member| member.entity.name.as_str()).collect();
    let (message, help) = match ways.first() {
        None => (
            format!("`{}` never finds a `{}`", declared.name(), named.value),
            format!("its key range can hold `{}`", names.join("`, `")),
        ),
        Some((first, _)) => {
            let ways: Vec<&str> = ways.iter().map(|(way, _)| *way).collect();
            (
                format!("`{}` leads to a `{}` by `{}`", declared.name(), target.name, ways.join("`, `")),
                format!("name one of them: `-> {} through {first}`", target.name),
            )
        }
    };
    reader.fault(&NOT_IN_RANGE, named.span, message, help);
    None
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
        let (name, through) = match named.value.split_once(" through ") {
            Some((name, attribute)) => (name.trim(), Some(attribute.trim())),
            None => (named.value.as_str(), None),
        };
        let Some(entity) = named_entity(name, named.span, design, reader) else { continue };
        let found: Vec<&Member<'_>> = members.iter().filter(|member| member.entity.id == entity.id).collect();
        // The entity's own items before its lookups, where a range holds both.
        match found.iter().find(|member| member.unique.is_none()).or(found.first()).filter(|_| through.is_none()) {
            Some(member) => returns.push(member.returned()),
            None if reader.entities_incomplete => {}
            None => returns.extend(referenced(members, entity, through, named, declared, reader)),
        }
    }
    let leads_twice =
        |member: &&Member<'_>| returns.iter().filter(|one| member.leads_to(std::slice::from_ref(one))).count() > 1;
    if let Some(member) = members.iter().find(leads_twice) {
        let message = format!("each `{}` of `{}` gives several results", member.entity.name, declared.name());
        reader.fault(&NOT_IN_RANGE, declared.value.span, message, "name one of them, and add a pattern for the other");
        return None;
    }
    (returns.len() == line.returns.len()).then_some(returns)
}
