//! The parameters of a pattern: each has the type and the format of what it meets.

use keyfold_dynamo::table::KeyType;

use super::keys::{FanOut, Keys};
use super::members::{KeyMatch, Member, nth};
use super::source::Source;
use crate::build::codes::PARAMETER_CONFLICT;
use crate::build::reader::Reader;
use crate::model::{Attribute, AttributeType, Entity, Parameter};
use crate::span::Span;
use crate::template::{Binding, Format, Part, Placeholder, Template, ValueKind};

/// What each parameter meets.
pub(super) struct Parameters {
    types: Vec<MatchedParameter>,
}

struct MatchedParameter {
    name: String,
    span: Span,
    value_type: AttributeType,
    kind: ValueKind,
    formats: Vec<Format>,
    /// The formats of the key's own placeholder.
    key_formats: Vec<Format>,
    /// The value that may contain the delimiter.
    sentinel: Option<String>,
    /// The beginning of a value is enough.
    beginning: bool,
    /// Literal text of the key, as which the type of a value that the key has elsewhere says more.
    is_literal: bool,
    /// The key that it meets, by the position of its entity or lookup.
    member: usize,
    entity: String,
    attribute: String,
}

impl Parameters {
    /// What the parameters meet in the keys of some members.
    pub(super) fn of<'m>(members: impl IntoIterator<Item = &'m Member<'m>>) -> Self {
        let types = members.into_iter().enumerate().flat_map(|(position, member)| {
            member.matches.iter().flat_map(move |key_match| {
                let bindings = key_match.fit.bindings.iter();
                bindings.filter_map(move |binding| matched_parameter(position, member, key_match, binding))
            })
        });
        let mut types: Vec<MatchedParameter> = types.collect();
        // An alternative of the same key that has a literal there does not type the parameter.
        let values: Vec<(usize, Span)> =
            types.iter().filter(|own| !own.is_literal).map(|own| (own.member, own.span)).collect();
        types.retain(|own| !own.is_literal || !values.contains(&(own.member, own.span)));
        type_date_parts(&mut types);
        Self { types }
    }

    /// Adds what meets parameters that nothing has met so far: a bound may be written for items besides the results.
    pub(super) fn complete(&mut self, others: Self) {
        let is_met = |types: &[MatchedParameter], other: &MatchedParameter| {
            types.iter().any(|known| known.span == other.span && known.name == other.name)
        };
        let missing: Vec<_> = others.types.into_iter().filter(|other| !is_met(&self.types, other)).collect();
        self.types.extend(missing);
    }

    /// Gives the templates of the conditions the kinds of what they meet, where it is only one.
    pub(super) fn assume(&self, keys: &mut Keys) {
        for (_, template) in keys.templates_mut() {
            for placeholder in template.placeholders_mut() {
                let mut met = self.met_by(placeholder).map(MatchedParameter::piece);
                if let Some(piece) = met.next().filter(|piece| met.all(|other| other == *piece)) {
                    (placeholder.kind, placeholder.formats) = piece;
                }
            }
        }
    }

    fn met_by<'p>(&'p self, placeholder: &Placeholder) -> impl Iterator<Item = &'p MatchedParameter> + use<'p> {
        let (name, span) = (placeholder.attribute.clone(), placeholder.span);
        self.types.iter().filter(move |matched| matched.name == name && matched.span == span)
    }

    /// Gives the templates of the conditions the kinds of what they meet; returns the parameters of the pattern.
    pub(super) fn apply(
        self,
        keys: &mut Keys,
        source: &Source<'_>,
        span: Span,
        reader: &mut Reader<'_>,
    ) -> Vec<Parameter> {
        let parameters = self.parameters(keys, reader);
        for (attribute, template) in keys.templates_mut() {
            template.key_type = source.key(&attribute).map_or(KeyType::S, |key| key.key_type);
            self.resolve(template, span, reader);
        }
        parameters
    }

    /// The parameters; a placeholder that meets a shard is not a parameter, and makes the pattern read all shards.
    fn parameters(&self, keys: &mut Keys, reader: &mut Reader<'_>) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for matched in &self.types {
            if let Some(count) = matched.shards() {
                keys.fan_out = Some(FanOut::Shards { placeholder: matched.name.clone(), count });
                continue;
            }
            let at_least_characters = matched.formats.iter().find_map(|format| match format {
                Format::First(count) => Some(*count),
                _ => None,
            });
            let many = matches!(&keys.fan_out, Some(FanOut::Values { parameter, .. }) if *parameter == matched.name);
            match parameters.iter_mut().find(|parameter| parameter.name == matched.name) {
                None => parameters.push(Parameter {
                    name: matched.name.clone(),
                    value_type: if matched.beginning { AttributeType::String } else { matched.value_type.clone() },
                    many,
                    at_least_characters,
                }),
                Some(known) => {
                    known.at_least_characters = known.at_least_characters.max(at_least_characters);
                    let same = known.value_type.kind() == matched.value_type.kind() || matched.beginning;
                    if !same {
                        let message = format!(
                            "`<{}>` is {} here and {} for `{}` of `{}`",
                            matched.name,
                            known.value_type.rule(),
                            matched.value_type.rule(),
                            matched.attribute,
                            matched.entity
                        );
                        reader.fault(
                            &PARAMETER_CONFLICT,
                            matched.span,
                            message,
                            "use two parameters, or give the attributes one type",
                        );
                    }
                }
            }
        }
        parameters
    }

    fn resolve(&self, template: &mut Template, span: Span, reader: &mut Reader<'_>) {
        for placeholder in template.placeholders_mut() {
            let Some(matched) = self.met_by(placeholder).next() else {
                let message = format!("`<{}>` matches no attribute", placeholder.attribute);
                reader.fault(&PARAMETER_CONFLICT, span, message, "write the literal text of the key instead");
                continue;
            };
            let (kind, formats) = matched.piece();
            self.require_one_format(placeholder, matched, reader);
            if !placeholder.formats.is_empty()
                && matched.shards().is_none()
                && placeholder.formats != matched.key_formats
            {
                let wanted: String =
                    matched.key_formats.iter().map(|format| format!(":{}", format.spelling())).collect();
                let message = format!(
                    "`<{}>` is formatted differently from `{}` of `{}`",
                    placeholder.attribute, matched.attribute, matched.entity
                );
                reader.fault(
                    &PARAMETER_CONFLICT,
                    placeholder.span,
                    message,
                    format!("write `<{}{wanted}>`", placeholder.attribute),
                );
            }
            // Each entity has a default of its own.
            placeholder.sentinel = self.met_by(placeholder).find_map(|own| own.sentinel.clone());
            (placeholder.kind, placeholder.formats) = (kind, formats);
        }
    }

    /// Every alternative of a key that a parameter meets has to write it alike.
    fn require_one_format(&self, placeholder: &Placeholder, matched: &MatchedParameter, reader: &mut Reader<'_>) {
        let is_other = |other: &&MatchedParameter| {
            other.member == matched.member && other.span == matched.span && other.key_formats != matched.key_formats
        };
        if matched.shards().is_some() {
            return;
        }
        if let Some(other) = self.types.iter().find(is_other) {
            let message = format!(
                "`<{}>` meets `{}` and `{}` of `{}`, which have different formats",
                placeholder.attribute, matched.attribute, other.attribute, matched.entity
            );
            let help = "write the literal text of the alternative that is meant, or give both the same format";
            reader.fault(&PARAMETER_CONFLICT, placeholder.span, message, help);
        }
    }
}

/// A parameter that is one part of a date has the type of that part: a date, or a number for the year, the month or the
/// day. One that is several parts is a date, from which each is cut; one that is also the whole timestamp is that.
fn type_date_parts(types: &mut [MatchedParameter]) {
    let parts: Vec<(String, Option<Format>)> = types
        .iter()
        .filter(|matched| matches!(matched.kind, ValueKind::Date | ValueKind::DateTime(_)))
        .map(|matched| (matched.name.clone(), matched.formats.first().copied().filter(|format| format.is_date_part())))
        .collect();
    for matched in types {
        let Some(part) = matched.formats.first().copied().filter(|format| format.is_date_part()) else { continue };
        if matched.beginning {
            // Of the text that the part has in the key.
            matched.formats.remove(0);
            continue;
        }
        let mut uses = parts.iter().filter(|(name, _)| *name == matched.name).map(|(_, part)| *part);
        let digits = match part {
            Format::Year => Some(4),
            Format::Month | Format::Day => Some(2),
            _ => None,
        };
        match digits {
            _ if uses.clone().any(|other| other.is_none()) => {}
            Some(width) if uses.all(|other| other == Some(part)) => {
                (matched.value_type, matched.kind) = (AttributeType::Integer, ValueKind::Integer);
                matched.formats.splice(..1, [Format::Width(width)]);
            }
            Some(_) => (matched.value_type, matched.kind) = (AttributeType::Date, ValueKind::Date),
            None => {
                (matched.value_type, matched.kind) = (AttributeType::Date, ValueKind::Date);
                matched.formats.remove(0);
            }
        }
    }
}

impl MatchedParameter {
    /// The number of shards, where the parameter stands for one.
    fn shards(&self) -> Option<u32> {
        self.formats.iter().find_map(|format| match format {
            Format::Shard(count) => Some(*count),
            _ => None,
        })
    }

    /// The kind and the formats of the piece of a key that the parameter becomes.
    fn piece(&self) -> (ValueKind, Vec<Format>) {
        if let Some(count) = self.shards() {
            // The reader counts through the shards: their number goes in, as wide as the highest one.
            return (ValueKind::Integer, vec![Format::Width(count.saturating_sub(1).to_string().len())]);
        }
        let kind = if self.beginning { ValueKind::Text } else { self.kind.clone() };
        (kind, self.formats.clone())
    }
}

fn matched_parameter(
    position: usize,
    member: &Member<'_>,
    key_match: &KeyMatch<'_>,
    binding: &Binding,
) -> Option<MatchedParameter> {
    let mut sentinel: Option<String> = None;
    let (parameter, name, kind, formats, value_type, ends_template) = match binding {
        Binding::Parameter { parameter, placeholder } => {
            let own = nth(key_match.template, *placeholder)?;
            let is_last = key_match.template.placeholders().count() == placeholder + 1 && !key_match.fit.open;
            let value_type = type_of(member.entity, own);
            sentinel.clone_from(&own.sentinel);
            (*parameter, own.attribute.clone(), own.kind.clone(), own.formats.clone(), value_type, is_last)
        }
        Binding::ParameterIsLiteral { parameter, .. } => {
            (*parameter, "a literal".to_owned(), ValueKind::Text, Vec::new(), AttributeType::String, false)
        }
        _ => return None,
    };
    let stated = nth(&key_match.condition, parameter)?;
    let ends_condition = key_match.condition.placeholders().count() == parameter + 1
        && matches!(key_match.condition.parts.last(), Some(Part::Placeholder(_)));
    Some(MatchedParameter {
        name: stated.attribute.clone(),
        span: stated.span,
        value_type,
        kind,
        key_formats: formats.clone(),
        formats,
        sentinel,
        beginning: key_match.prefix && ends_condition && ends_template,
        is_literal: matches!(binding, Binding::ParameterIsLiteral { .. }),
        member: position,
        entity: member.entity.name.clone(),
        attribute: name,
    })
}

/// The type of the attribute behind a placeholder; an attribute that only a key contains is typed by its kind.
fn type_of(entity: &Entity, placeholder: &Placeholder) -> AttributeType {
    let declared = entity.attribute(&placeholder.attribute).map(|attribute: &Attribute| attribute.value_type.clone());
    declared.unwrap_or(AttributeType::String)
}
