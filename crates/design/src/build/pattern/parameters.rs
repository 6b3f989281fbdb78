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
#[derive(Default)]
pub(super) struct Parameters {
    types: Vec<MatchedParameter>,
}

struct MatchedParameter {
    name: String,
    span: Span,
    value_type: AttributeType,
    kind: ValueKind,
    formats: Vec<Format>,
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
    pub(super) fn take(&mut self, members: &[&Member<'_>]) {
        for (position, member) in members.iter().enumerate() {
            for key_match in &member.matches {
                for binding in &key_match.fit.bindings {
                    self.types.extend(matched_parameter(position, member, key_match, binding));
                }
            }
        }
        // An alternative of the same key that has a literal there does not type the parameter.
        let values: Vec<(usize, Span)> =
            self.types.iter().filter(|own| !own.is_literal).map(|own| (own.member, own.span)).collect();
        self.types.retain(|own| !own.is_literal || !values.contains(&(own.member, own.span)));
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
        let sort_templates = keys.sort.iter_mut().flat_map(|sort| {
            let name = sort.attribute.clone();
            sort.range.bounds_mut().map(move |template| (name.clone(), template))
        });
        let equal = keys.partition.iter_mut().chain(&mut keys.sort_equal);
        let mut templates: Vec<(String, &mut Template)> = equal
            .map(|condition| (condition.attribute.clone(), &mut condition.template))
            .chain(sort_templates)
            .collect();
        if let Some(FanOut::Range { attribute, from, to, .. }) = &mut keys.fan_out {
            templates.push((attribute.clone(), from));
            templates.push((attribute.clone(), to));
        }
        for (attribute, template) in templates {
            template.key_type = source.key(&attribute).map_or(KeyType::S, |key| key.key_type);
            self.resolve(template, span, reader);
        }
        parameters
    }

    /// The parameters; a placeholder that meets a shard is not a parameter, and makes the pattern read all shards.
    fn parameters(&self, keys: &mut Keys, reader: &mut Reader<'_>) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for matched in &self.types {
            if let Some(Format::Shard(count)) = matched.formats.iter().find(|format| matches!(format, Format::Shard(_)))
            {
                keys.fan_out = Some(FanOut::Shards { placeholder: matched.name.clone(), count: *count });
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
            let Some(matched) = self
                .types
                .iter()
                .find(|matched| matched.name == placeholder.attribute && matched.span == placeholder.span)
            else {
                let message = format!("`<{}>` matches no attribute", placeholder.attribute);
                reader.fault(&PARAMETER_CONFLICT, span, message, "write the literal text of the key instead");
                continue;
            };
            if let Some(Format::Shard(count)) = matched.formats.iter().find(|format| matches!(format, Format::Shard(_)))
            {
                // The reader counts through the shards: their number goes in, as wide as the highest one.
                placeholder.kind = ValueKind::Integer;
                placeholder.formats = vec![Format::Width(count.saturating_sub(1).to_string().len())];
                continue;
            }
            let is_alternative =
                |other: &&MatchedParameter| other.member == matched.member && other.span == matched.span;
            if let Some(other) = self.types.iter().filter(is_alternative).find(|other| other.formats != matched.formats)
            {
                let message = format!(
                    "`<{}>` meets `{}` and `{}` of `{}`, which have different formats",
                    placeholder.attribute, matched.attribute, other.attribute, matched.entity
                );
                let help = "write the literal text of the alternative that is meant, or give both the same format";
                reader.fault(&PARAMETER_CONFLICT, placeholder.span, message, help);
            }
            if !placeholder.formats.is_empty() && placeholder.formats != matched.formats {
                let wanted: String = matched.formats.iter().map(|format| format!(":{}", format.spelling())).collect();
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
            placeholder.formats.clone_from(&matched.formats);
            // Each entity has a default of its own.
            let mut same = self.types.iter().filter(|own| own.name == matched.name && own.span == matched.span);
            placeholder.sentinel = same.find_map(|own| own.sentinel.clone());
            placeholder.kind = if matched.beginning { ValueKind::Text } else { matched.kind.clone() };
        }
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
