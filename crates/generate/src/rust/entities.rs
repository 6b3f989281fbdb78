//! Entities as structs.

use keyfold_design::casing::capitalized;
use keyfold_design::model::{Attribute, Entity};
use keyfold_design::{Design, with_article};

use super::documented;
use super::layout::{array, call};
use super::names::{Names, identifiers, serde_name};
use super::types::{default_of, of_attribute};
use crate::lines::Lines;

/// The fields of an entity and the one for what it does not declare.
pub(super) const OTHER: &str = "other";

pub(super) fn text(design: &Design, names: &Names) -> String {
    let mut body = Lines::of_four();
    for entity in &design.entities {
        let described = format!("{}.", capitalized(&with_article(&entity.name)));
        let shape = Shape {
            entity,
            name: names.entity(entity),
            documentation: entity.description.as_deref().unwrap_or(&described),
            attributes: entity.attributes.iter().collect(),
        };
        shape.write(names, &mut body);
    }
    imports(&body.into_text(), names)
}

/// What a file of structs uses, and its text.
pub(super) fn imports(body: &str, names: &Names) -> String {
    let mut out = Lines::of_four();
    let collections: Vec<&str> =
        ["BTreeMap", "BTreeSet"].into_iter().filter(|name| body.contains(&format!("{name}<"))).collect();
    match collections.as_slice() {
        [] => {}
        [one] => out.line(format!("use std::collections::{one};")),
        several => out.line(format!("use std::collections::{{{}}};", several.join(", "))),
    }
    if !collections.is_empty() {
        out.blank();
    }
    out.line("use keyfold_typed as typed;");
    if body.contains("Deserialize") {
        out.line("use serde::{Deserialize, Serialize};");
    }
    if names.has_enumerations() {
        let used = names.enumerations.iter().any(|found| body.contains(&found.name));
        if used {
            out.blank();
            out.line("use super::enumerations::*;");
        }
    }
    out.into_text() + body
}

/// Attributes with the names of their fields.
pub(super) fn fields<'a>(entity: &Entity, attributes: &[&'a Attribute]) -> Vec<(&'a Attribute, String)> {
    let besides: &[&str] = if entity.open { &[OTHER] } else { &[] };
    let names = identifiers(attributes.iter().map(|attribute| attribute.name.as_str()), besides);
    attributes.iter().copied().zip(names.into_iter().map(|(_, field)| field)).collect()
}

/// A struct for the items of an entity, or for a part of their attributes.
pub(super) struct Shape<'a> {
    pub entity: &'a Entity,
    pub name: &'a str,
    pub documentation: &'a str,
    pub attributes: Vec<&'a Attribute>,
}

impl Shape<'_> {
    pub(super) fn write(&self, names: &Names, out: &mut Lines) {
        structure(names, self, out);
        reading(names, self, out);
    }
}

fn structure(names: &Names, shape: &Shape<'_>, out: &mut Lines) {
    let entity = shape.entity;
    out.blank();
    documented(Some(shape.documentation), out);
    out.line("#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]");
    out.line("#[serde(rename_all = \"camelCase\")]");
    out.block(format!("pub struct {} {{", shape.name), "}", |out| {
        for (attribute, field) in fields(entity, &shape.attributes) {
            documented(attribute.description.as_deref(), out);
            renamed(attribute, &field, out);
            let value_type = of_attribute(names, entity, attribute);
            if !entity.is_always_present(attribute) {
                out.line("#[serde(default, skip_serializing_if = \"Option::is_none\")]");
                out.line(format!("pub {field}: Option<{value_type}>,"));
            } else {
                out.line(format!("pub {field}: {value_type},"));
            }
        }
        other(entity, out);
    });
}

/// The field of an open entity for what it does not declare.
pub(super) fn other(entity: &Entity, out: &mut Lines) {
    if entity.open {
        out.line("/// Attributes that the design does not declare.");
        out.line("#[serde(flatten)]");
        out.line(format!("pub {OTHER}: BTreeMap<String, typed::Any>,"));
    }
}

/// Tells serde the attribute's name where it does not follow from the field's.
pub(super) fn renamed(attribute: &Attribute, field: &str, out: &mut Lines) {
    if serde_name(field) != attribute.name {
        out.line(format!("#[serde(rename = {:?})]", attribute.name));
    }
}

fn reading(names: &Names, shape: &Shape<'_>, out: &mut Lines) {
    let Shape { entity, attributes: all, .. } = shape;
    out.blank();
    out.block(format!("impl typed::Entity for {} {{", shape.name), "}", |out| {
        out.line(format!("type Design = super::{};", names.marker));
        out.line(format!("const NAME: &'static str = {:?};", entity.name));
        out.blank();
        let is_used = !all.is_empty() || entity.open;
        let item = if is_used { "item" } else { "_item" };
        out.block(format!("fn read({item}: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {{"), "}", |out| {
            out.block("Ok(Self {", "})", |out| {
                for (attribute, field) in fields(entity, all) {
                    field_reading(names, entity, attribute, &field, out);
                }
                if entity.open {
                    let declared: Vec<String> = all.iter().map(|found| format!("{:?}", found.name)).collect();
                    let list = format!("&[{}]", declared.join(", "));
                    if list.chars().count() <= 50 {
                        out.line(format!("{OTHER}: typed::other(item, {list}),"));
                        return;
                    }
                    out.block(format!("{OTHER}: typed::other("), "),", |out| {
                        out.line("item,");
                        array(out, "&", &declared, ",");
                    });
                }
            });
        });
    });
}

fn field_reading(names: &Names, entity: &Entity, attribute: &Attribute, field: &str, out: &mut Lines) {
    let name = format!("{:?}", attribute.name);
    let default = default_of(attribute, names.enumeration(entity, &attribute.name));
    let (function, default) = match default {
        _ if !entity.is_always_present(attribute) => ("optional", None),
        Some(default) => ("or_default", Some(default)),
        None => ("required", None),
    };
    let arguments: Vec<String> = ["item".to_owned(), name].into_iter().chain(default).collect();
    call(out, &format!("{field}: typed::{function}"), &arguments, "?,");
}
