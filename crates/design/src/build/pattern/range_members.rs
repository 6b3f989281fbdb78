//! The members of a pattern's key range, and what the pattern returns of them.

use super::keys::Keys;
use super::line::PatternLine;
use super::members::{KeyMatch, Member, conditions_of, invalid_literal, nth};
use super::parameters::Parameters;
use super::source::Source;
use crate::build::codes::{BAD_VALUE, NO_INDEX, NOT_IN_RANGE, SEVERAL_ENTITIES};
use crate::build::entity_draft::named_entity;
use crate::build::reader::{Reader, suggest};
use crate::diagnostic::Diagnostic;
use crate::model::{Design, Entity, Returned};
use crate::span::{Span, Spanned};
use crate::syntax::Entry;
use crate::template::{Binding, Placeholder, ValueKind};

/// The members of a pattern, those that all conditions correspond to first.
pub(super) struct Members<'d> {
    pub whole: Vec<Member<'d>>,
    /// Those of which not every condition has a counterpart, though the range may hold them.
    pub between: Vec<Member<'d>>,
}

impl<'d> Members<'d> {
    /// Those whose literals are values that their attributes can have, and whose parameters have the types of the
    /// others; and those that cannot be proven to be outside of the range.
    pub(super) fn of_range(
        found: Vec<Member<'d>>,
        source: &Source<'_>,
        declared: &Entry,
        keys: &Keys,
        reader: &mut Reader<'_>,
    ) -> Option<Self> {
        let (whole, mut between): (Vec<_>, Vec<_>) = found.into_iter().partition(|member| member.is_whole);
        let mut refused: Option<(String, Placeholder)> = None;
        let whole = whole.into_iter().filter(|member| match member.matches.iter().find_map(invalid_literal) {
            None => true,
            Some(fault) => {
                refused.get_or_insert(fault);
                false
            }
        });
        let (whole, others) = by_common_types(whole.collect());
        between.extend(others);
        // A parameter between the bounds of others has no counterpart in an entity's literal text.
        for member in &mut between {
            member.matches.retain(|key_match| {
                key_match.fit.bindings.iter().all(|binding| !matches!(binding, Binding::ParameterIsLiteral { .. }))
            });
        }
        let is_refused = whole.is_empty() && refused.is_some();
        if is_refused {
            between.clear();
        }
        let mut typed = keys.clone();
        let known = if whole.is_empty() { &between } else { &whole };
        Parameters::of(known).assume(&mut typed);
        typed.turn_descending();
        between.retain(|member| typed.can_hold(source, member.layout));
        if whole.is_empty() && between.is_empty() {
            tell_nothing_found(refused, declared, keys, reader);
            return None;
        }
        Some(Self { whole, between })
    }

    /// Those that a pattern means where it names none.
    fn natural(&self) -> &[Member<'d>] {
        if self.whole.is_empty() { &self.between } else { &self.whole }
    }

    fn all(&self) -> impl Iterator<Item = &Member<'d>> {
        self.whole.iter().chain(&self.between)
    }

    /// What the pattern returns, and what else is in its range.
    pub(super) fn divide(&self, returns: &[Returned]) -> (Vec<&Member<'d>>, Vec<&Member<'d>>) {
        self.all().partition(|member| member.leads_to(returns))
    }
}

/// Those whose literal text, where it stands for a parameter, is of the parameter's type in the others; and the rest.
fn by_common_types(members: Vec<Member<'_>>) -> (Vec<Member<'_>>, Vec<Member<'_>>) {
    let typed: Vec<(String, ValueKind)> =
        members.iter().flat_map(|member| member.matches.iter().flat_map(matched_kinds)).collect();
    let fits = |key_match: &KeyMatch<'_>, binding: &Binding| {
        let Binding::ParameterIsLiteral { parameter, text } = binding else { return true };
        let name = nth(&key_match.condition, *parameter).map(|placeholder| placeholder.attribute.as_str());
        typed.iter().filter(|(known, _)| Some(known.as_str()) == name).all(|(_, kind)| kind.admits(text))
    };
    let is_of_type = |key_match: &KeyMatch<'_>| key_match.fit.bindings.iter().all(|binding| fits(key_match, binding));
    let (mut of_type, mut others) = (Vec::new(), Vec::new());
    for mut member in members {
        // An alternative whose literal is not of the type is not meant.
        if conditions_of(member.matches.iter().filter(|key_match| is_of_type(key_match))) == member.conditions() {
            member.matches.retain(is_of_type);
            of_type.push(member);
        } else {
            others.push(member);
        }
    }
    (of_type, others)
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
    members: &Members<'_>,
    target: &Entity,
    through: Option<&str>,
    named: &Spanned<String>,
    declared: &Entry,
    reader: &mut Reader<'_>,
) -> Option<Returned> {
    let mut ways: Vec<(&str, Returned)> = Vec::new();
    for member in members.all().filter(|member| member.unique.is_none()) {
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
    let (message, help) = match ways.first() {
        None => (
            format!("`{}` never finds a `{}`", declared.name(), named.value),
            format!("its key range can hold `{}`", names(members.all()).join("`, `")),
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
    members: &Members<'_>,
    design: &Design,
    declared: &Entry,
    reader: &mut Reader<'_>,
) -> Option<Vec<Returned>> {
    if line.returns.is_empty() {
        return match members.natural() {
            [one] => Some(vec![one.returned()]),
            several => {
                let names = names(several);
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
        let found: Vec<&Member<'_>> = members.all().filter(|member| member.entity.id == entity.id).collect();
        // The entity's own items before its lookups, where a range holds both.
        match found.iter().find(|member| member.unique.is_none()).or(found.first()).filter(|_| through.is_none()) {
            Some(member) => returns.push(member.returned()),
            None if reader.entities_incomplete => {}
            None => returns.extend(referenced(members, entity, through, named, declared, reader)),
        }
    }
    let leads_twice =
        |member: &&Member<'_>| returns.iter().filter(|one| member.leads_to(std::slice::from_ref(one))).count() > 1;
    if let Some(member) = members.all().find(leads_twice) {
        let message = format!("each `{}` of `{}` gives several results", member.entity.name, declared.name());
        reader.fault(&NOT_IN_RANGE, declared.value.span, message, "name one of them, and add a pattern for the other");
        return None;
    }
    (returns.len() == line.returns.len()).then_some(returns)
}

fn names<'m>(members: impl IntoIterator<Item = &'m Member<'m>>) -> Vec<&'m str> {
    let mut names: Vec<&str> = members.into_iter().map(|member| member.entity.name.as_str()).collect();
    names.dedup();
    names
}
