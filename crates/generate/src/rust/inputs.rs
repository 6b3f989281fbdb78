//! Inputs of verbs: what identifies an item, a whole item, a change of one.

use keyfold_design::model::{Attribute, DeleteRule, Entity};
use keyfold_design::{Design, with_article};

use super::entities::{OTHER, fields, imports, other, renamed};
use super::layout::{call, function, structure};
use super::names::{Inputs, Names};
use super::operators;
use super::types::of_attribute;
use crate::lines::Lines;

/// The most arguments of a constructor; an input with more required values is built field by field.
const MOST_ARGUMENTS: usize = 7;

pub(super) fn text(design: &Design, names: &Names) -> String {
    let mut out = Lines::of_four();
    for entity in &design.entities {
        let inputs = names.inputs(entity);
        identity(names, entity, inputs, &mut out);
        if !entity.is_written_directly() {
            continue;
        }
        whole(design, names, entity, inputs, &mut out);
        if !entity.append_only {
            patch(design, names, entity, inputs, &mut out);
            operators::add(design, names, entity, inputs, &mut out);
        }
        if !entity.append_only && entity.delete != DeleteRule::Never {
            out.blank();
            out.line(format!("impl typed::Removable for super::{} {{}}", names.entity(entity)));
        }
    }
    imports(&out.into_text(), names)
}

fn identity(names: &Names, entity: &Entity, inputs: &Inputs, out: &mut Lines) {
    let parts: Vec<&Attribute> = entity.identity.iter().filter_map(|name| entity.attribute(name)).collect();
    let fields = fields(entity, &parts);
    let name = &inputs.identity;
    out.blank();
    out.line(format!("/// The identity of {}.", with_article(&entity.name)));
    out.line("#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]");
    if fields.is_empty() {
        out.line(format!("pub struct {name};"));
    } else {
        out.line("#[serde(rename_all = \"camelCase\", deny_unknown_fields)]");
        out.block(format!("pub struct {name} {{"), "}", |out| {
            for (attribute, field) in &fields {
                renamed(attribute, field, out);
                out.line(format!("pub {field}: {},", of_attribute(names, entity, attribute)));
            }
        });
        out.blank();
        out.block(format!("impl {name} {{"), "}", |out| {
            let given: Vec<(&Attribute, &str)> = fields.iter().map(|(found, field)| (*found, field.as_str())).collect();
            constructor(names, entity, &given, &[], out);
        });
    }
    out.blank();
    out.block(format!("impl typed::Identity for {name} {{"), "}", |out| {
        let writes = fields.iter().map(|(found, field)| ("set", found.name.as_str(), field.as_str())).collect();
        written(names, entity, writes, false, out);
    });
    let of_entity = names.entity(entity);
    out.blank();
    out.block(format!("impl super::{of_entity} {{"), "}", |out| {
        out.line("/// The identity of the item.");
        function(out, "pub fn identity", &["&self".to_owned()], &format!(" -> {name}"), |out| {
            if fields.is_empty() {
                out.line(name);
                return;
            }
            let own = super::entities::fields(entity, &entity.attributes.iter().collect::<Vec<_>>());
            let copies: Vec<String> = fields
                .iter()
                .map(|(attribute, field)| {
                    let from = own.iter().find(|(found, _)| found.name == attribute.name);
                    let from = from.map_or(field.as_str(), |(_, field)| field);
                    let copy = if is_copy(&of_attribute(names, entity, attribute)) { "" } else { ".clone()" };
                    format!("{field}: self.{from}{copy}")
                })
                .collect();
            structure(out, name, &copies);
        });
    });
}

fn is_copy(owned: &str) -> bool {
    owned != "String" && !owned.contains('<') && !matches!(owned, "typed::Any" | "typed::Binary")
}

/// `new` from what has to be given; everything else is left out.
fn constructor(names: &Names, entity: &Entity, given: &[(&Attribute, &str)], left_out: &[String], out: &mut Lines) {
    let parameters: Vec<String> = given
        .iter()
        .map(|(attribute, field)| match of_attribute(names, entity, attribute).as_str() {
            "String" => format!("{field}: impl Into<String>"),
            owned => format!("{field}: {owned}"),
        })
        .collect();
    function(out, "pub fn new", &parameters, " -> Self", |out| {
        let mut lines = Vec::new();
        for (attribute, field) in given {
            match of_attribute(names, entity, attribute).as_str() {
                "String" => lines.push(format!("{field}: {field}.into()")),
                _ => lines.push((*field).to_owned()),
            }
        }
        lines.extend(left_out.iter().cloned());
        structure(out, "Self", &lines);
    });
}

/// `type Entity` and `write` of an input's trait: for each field the function that sets it.
fn written(names: &Names, entity: &Entity, writes: Vec<(&str, &str, &str)>, is_open: bool, out: &mut Lines) {
    out.line(format!("type Entity = super::{};", names.entity(entity)));
    out.blank();
    if writes.is_empty() && !is_open {
        out.line("fn write(&self, _item: &mut typed::Attributes) {}");
        return;
    }
    out.block("fn write(&self, item: &mut typed::Attributes) {", "}", |out| {
        for (function, name, field) in writes {
            call(
                out,
                &format!("typed::{function}"),
                &["item".to_owned(), format!("{name:?}"), format!("&self.{field}")],
                ";",
            );
        }
        if is_open {
            out.block(format!("for (name, value) in &self.{OTHER} {{"), "}", |out| {
                out.line("typed::set(item, name, value);");
            });
        }
    });
}

fn whole(design: &Design, names: &Names, entity: &Entity, inputs: &Inputs, out: &mut Lines) {
    let settable: Vec<&Attribute> = entity.settable_attributes().collect();
    let fields = fields(entity, &settable);
    let is_required = |attribute: &Attribute| design.is_required_input(entity, attribute);
    let required: Vec<(&Attribute, &str)> = fields
        .iter()
        .filter(|(attribute, _)| is_required(attribute))
        .map(|(attribute, field)| (*attribute, field.as_str()))
        .collect();
    let default = if required.is_empty() { "Default, " } else { "" };
    out.blank();
    out.line(format!("/// The attributes of {} to be written.", with_article(&entity.name)));
    out.line(format!("#[derive(Debug, Clone, PartialEq, Eq, {default}Deserialize, Serialize)]"));
    let strict = if entity.open { "" } else { ", deny_unknown_fields" };
    out.line(format!("#[serde(rename_all = \"camelCase\"{strict})]"));
    let name = &inputs.new;
    out.block(format!("pub struct {name} {{"), "}", |out| {
        for (attribute, field) in &fields {
            super::documented(attribute.description.as_deref(), out);
            let owned = of_attribute(names, entity, attribute);
            if is_required(attribute) {
                renamed(attribute, field, out);
                out.line(format!("pub {field}: {owned},"));
                continue;
            }
            if let Some(absent) = absent(design, entity, attribute) {
                out.line(format!("/// {absent}"));
            }
            renamed(attribute, field, out);
            out.line("#[serde(default, skip_serializing_if = \"Option::is_none\")]");
            out.line(format!("pub {field}: Option<{owned}>,"));
        }
        other(entity, out);
    });
    if !required.is_empty() && required.len() <= MOST_ARGUMENTS {
        out.blank();
        out.block(format!("impl {name} {{"), "}", |out| {
            out.line("/// Takes the required attributes and leaves out all others.");
            let mut left_out: Vec<String> = Vec::new();
            for (_, field) in fields.iter().filter(|(attribute, _)| !is_required(attribute)) {
                left_out.push(format!("{field}: None"));
            }
            if entity.open {
                left_out.push(format!("{OTHER}: BTreeMap::new()"));
            }
            constructor(names, entity, &required, &left_out, out);
        });
    }
    out.blank();
    out.block(format!("impl typed::New for {name} {{"), "}", |out| {
        let function = |attribute: &Attribute| if is_required(attribute) { "set" } else { "set_if" };
        let writes =
            fields.iter().map(|(found, field)| (function(found), found.name.as_str(), field.as_str())).collect();
        written(names, entity, writes, entity.open, out);
    });
}

/// What stands in for a value that is left out.
fn absent(design: &Design, entity: &Entity, attribute: &Attribute) -> Option<String> {
    if design.implied_tenant(entity) == Some(&attribute.name) && !attribute.optional {
        return Some("Defaults to the caller's own tenant.".to_owned());
    }
    if attribute.generator.is_some() {
        return Some("Generated if absent.".to_owned());
    }
    let default = attribute.default.as_ref()?;
    let text = default.as_str().map(str::to_owned).or_else(|| default.as_number().map(ToString::to_string))?;
    Some(format!("Defaults to `{text}`."))
}

fn patch(design: &Design, names: &Names, entity: &Entity, inputs: &Inputs, out: &mut Lines) {
    let changing = design.changing_attributes(entity);
    if changing.is_empty() && !entity.open {
        return;
    }
    let fields = fields(entity, &changing);
    let name = &inputs.patch;
    out.blank();
    out.line(format!("/// A patch of {}: attributes that are left out keep their values.", with_article(&entity.name)));
    out.line("#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]");
    let strict = if entity.open { "" } else { ", deny_unknown_fields" };
    out.line(format!("#[serde(rename_all = \"camelCase\", default{strict})]"));
    out.block(format!("pub struct {name} {{"), "}", |out| {
        for (attribute, field) in &fields {
            let owned = of_attribute(names, entity, attribute);
            super::documented(attribute.description.as_deref(), out);
            renamed(attribute, field, out);
            if attribute.may_be_absent() {
                out.line("#[serde(skip_serializing_if = \"typed::AttributeChange::is_keep\")]");
                out.line(format!("pub {field}: typed::AttributeChange<{owned}>,"));
            } else {
                out.line("#[serde(skip_serializing_if = \"Option::is_none\")]");
                out.line(format!("pub {field}: Option<{owned}>,"));
            }
        }
        other(entity, out);
    });
    out.blank();
    out.block(format!("impl typed::Patch for {name} {{"), "}", |out| {
        let function = |attribute: &Attribute| if attribute.may_be_absent() { "set_change" } else { "set_if" };
        let writes =
            fields.iter().map(|(found, field)| (function(found), found.name.as_str(), field.as_str())).collect();
        written(names, entity, writes, entity.open, out);
    });
}
