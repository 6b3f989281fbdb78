//! Key builders: the one place where keys are put together.

use std::collections::BTreeSet;

use keyfold_design::Design;
use keyfold_design::model::{Entity, IndexKey, KeyPart, Unique};
use keyfold_design::template::Template;
use keyfold_design::with_article;
use keyfold_dynamo::table::KeyType;

use super::template::{expression, text_expression};
use super::{member, property};
use crate::lines::Lines;
use crate::naming::{camel, pascal};
use crate::typescript_text::{comment, quoted, template_part};

pub(super) fn text(design: &Design) -> String {
    let mut out = Lines::new();
    for entity in &design.entities {
        of_entity(design, entity, &mut out);
    }
    let body = out.into_text();
    let mut head = String::from("import type * as entities from './entities.js';\n");
    if body.contains("support.") {
        head.push_str("import * as support from './support.js';\n");
    }
    head + &body
}

/// The name of the function that builds a key of the table.
pub(super) fn builder(entity: &Entity, key: &str) -> String {
    entity.helpers.get(key).cloned().unwrap_or_else(|| format!("{}{}", camel(key), pascal(&entity.name)))
}

fn of_entity(design: &Design, entity: &Entity, out: &mut Lines) {
    for part in std::iter::once(&entity.layout.partition).chain(&entity.layout.sort) {
        out.blank();
        out.line(comment(&format!("{} of {}: `{}`.", part.key.name, entity.name, part.template.source)));
        let name = builder(entity, &part.key.name);
        out.block(
            format!("export function {name}({}): {} {{", parameter(entity, &[part], false), type_of(part)),
            "}",
            |out| {
                out.line(format!("return {};", expression(&part.template, "values")));
            },
        );
    }
    for index_key in &entity.layout.index_keys {
        let index = &design[index_key.index];
        // Attributes that are keys as they are need no builder.
        let made: Vec<&KeyPart> = index_key
            .parts()
            .filter(|part| entity.attribute(&part.key.name).is_none() && !design.is_table_key(&part.key.name))
            .collect();
        if made.is_empty() {
            continue;
        }
        let name = entity.helpers.get(&index.name).cloned();
        let name = name.unwrap_or_else(|| format!("{}{}", camel(&index.name), pascal(&entity.name)));
        out.blank();
        out.line(comment(&format!("{} in {}{}.", entity.name, index.name, presence(index_key))));
        let parameter = with_condition(parameter(entity, &made, false), index_key);
        pair(&name, &parameter, &made, Entry::of(index_key), out);
    }
    lookups(entity, out);
}

/// Whether an item has an entry.
#[derive(Clone, Copy)]
struct Entry {
    /// It may lack an attribute.
    is_sparse: bool,
    /// There is a condition. It is an expression that only the runtime evaluates, so that the caller says whether it
    /// holds.
    has_condition: bool,
}

impl Entry {
    const ALWAYS: Self = Self { is_sparse: false, has_condition: false };

    fn of(index_key: &IndexKey) -> Self {
        Self { is_sparse: index_key.is_sparse(), has_condition: index_key.condition.is_some() }
    }
}

/// Which items are in an index, for the comment of a builder.
fn presence(index_key: &IndexKey) -> String {
    let is_sparse = index_key.parts().any(|part| part.template.is_sparse());
    let attributes = if is_sparse { "; only items that have all its attributes are in the index" } else { "" };
    match &index_key.condition {
        Some(condition) => format!("{attributes}; only while `{}`, which `holds` tells", condition.source()),
        None => attributes.to_owned(),
    }
}

fn with_condition(parameter: String, index_key: &IndexKey) -> String {
    match index_key.condition {
        Some(_) if parameter.is_empty() => "holds: boolean".to_owned(),
        Some(_) => format!("{parameter}, holds: boolean"),
        None => parameter,
    }
}

/// A function that gives several key attributes, all or none of them.
fn pair(name: &str, parameter: &str, parts: &[&KeyPart], entry: Entry, out: &mut Lines) {
    let Entry { is_sparse, has_condition } = entry;
    let fields: Vec<String> =
        parts.iter().map(|part| format!("{}: {}", property(&part.key.name), type_of(part))).collect();
    let result = format!("{{ {} }}", fields.join("; "));
    let result = if is_sparse { format!("{result} | Record<string, never>") } else { result };
    out.block(format!("export function {name}({parameter}): {result} {{"), "}", |out| {
        if has_condition {
            out.line("if (!holds) return {};");
        }
        let mut needed: Vec<String> = Vec::new();
        for part in parts.iter().filter(|_| is_sparse) {
            if let Some(conditions) = conditions(&part.template).filter(|_| part.template.otherwise.is_none()) {
                needed
                    .extend(conditions.into_iter().filter(|condition| !needed.contains(condition)).collect::<Vec<_>>());
            }
        }
        if !needed.is_empty() {
            let absent: Vec<String> = needed.iter().map(|value| format!("{value} === undefined")).collect();
            out.line(format!("if ({}) return {{}};", absent.join(" || ")));
        }
        let values: Vec<String> =
            parts.iter().map(|part| format!("{}: {}", property(&part.key.name), chosen(&part.template))).collect();
        out.line(format!("return {{ {} }};", values.join(", ")));
    });
}

/// The values that have to be there; `None` where nothing can be absent.
fn conditions(template: &Template) -> Option<Vec<String>> {
    let names: Vec<String> = template
        .placeholders()
        .filter(|placeholder| placeholder.optional && placeholder.fallback.is_none())
        .map(|placeholder| member("values", &placeholder.attribute))
        .collect();
    (!names.is_empty()).then_some(names)
}

/// The template, or the one that stands in for it.
fn chosen(template: &Template) -> String {
    match (&template.otherwise, conditions(template)) {
        (Some(otherwise), Some(conditions)) => {
            let present: Vec<String> = conditions.iter().map(|value| format!("{value} !== undefined")).collect();
            let mut alone = template.clone();
            alone.otherwise = None;
            format!("{} ? {} : {}", present.join(" && "), expression(&alone, "values"), chosen(otherwise))
        }
        _ => expression(template, "values"),
    }
}

fn type_of(part: &KeyPart) -> &'static str {
    match part.template.key_type {
        KeyType::S => "string",
        KeyType::N => "number",
        KeyType::B => "Uint8Array",
    }
}

/// `values: Pick<entities.License, 'licenseId' | 'status'>`, or nothing.
fn parameter(entity: &Entity, parts: &[&KeyPart], required: bool) -> String {
    let names: BTreeSet<&str> = parts.iter().flat_map(|part| part.template.attributes()).collect();
    picked(entity, &names, required)
}

fn picked(entity: &Entity, names: &BTreeSet<&str>, required: bool) -> String {
    if names.is_empty() {
        return String::new();
    }
    let pick = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        format!("Pick<entities.{}, {}>", entity.name, names.join(" | "))
    };
    // A key needs the stamps that it is made of, although an item may lack them.
    let is_needed = |name: &&str| {
        let attribute = entity.attribute(name);
        required || attribute.is_some_and(|attribute| !attribute.may_be_absent() && !entity.is_always_stored(attribute))
    };
    let (needed, plain): (Vec<&str>, Vec<&str>) = names.iter().copied().partition(is_needed);
    let needed = (!needed.is_empty()).then(|| format!("Required<{}>", pick(&needed)));
    let plain = (!plain.is_empty()).then(|| pick(&plain));
    format!("values: {}", plain.into_iter().chain(needed).collect::<Vec<_>>().join(" & "))
}

fn lookups(entity: &Entity, out: &mut Lines) {
    let shared = Shared::new(entity);
    if let Some(shared) = &shared {
        shared.write(entity, out);
    }
    for unique in &entity.uniques {
        let title = camel(&format!("{} by {}", entity.name, unique.name));
        let parts: Vec<&KeyPart> = std::iter::once(&unique.layout.partition).chain(&unique.layout.sort).collect();
        out.blank();
        let condition = unique.layout.condition.as_ref();
        let exists = condition.map(|condition| format!(", which exists only while `{}`", condition.source()));
        let exists = exists.unwrap_or_default();
        out.line(comment(&format!("The key of the lookup of {} by {}{exists}.", entity.name, unique.name)));
        let parameter_text = parameter(entity, &parts, true);
        pair(&format!("lookup{}", pascal(&title)), &parameter_text, &parts, Entry::ALWAYS, out);
        for index_key in &unique.layout.index_keys {
            let name = entity.helpers.get(&unique.name).cloned().unwrap_or_else(|| title.clone());
            let parts: Vec<&KeyPart> = index_key.parts().collect();
            out.blank();
            let title = format!("The index key of the lookup of {} by {}", entity.name, unique.name);
            match &shared {
                Some(shared) if index_key.condition.is_none() => {
                    out.line(comment(&format!("{title}{exists}.")));
                    shared.pair(entity, unique, &name, &parts, out);
                }
                _ => {
                    // Of a lookup every attribute is there.
                    let entry = Entry { is_sparse: index_key.condition.is_some(), ..Entry::of(index_key) };
                    let when = if entry.has_condition { presence(index_key) } else { String::new() };
                    out.line(comment(&format!("{title}{exists}{when}.")));
                    pair(&name, &with_condition(parameter(entity, &parts, true), index_key), &parts, entry, out);
                }
            }
        }
    }
}

/// What the lookups of an entity have in common: `LOOKUP#USER#<scope>#<value>`.
struct Shared {
    partition: String,
    sort: String,
    prefix: String,
    scopes: Vec<(String, String)>,
    delimiter: char,
    sort_template: Template,
}

impl Shared {
    /// Where the design names both helpers and the lookups differ in one literal part.
    fn new(entity: &Entity) -> Option<Self> {
        let partition = entity.helpers.get("lookup partition")?.clone();
        let sort = entity.helpers.get("lookup sort")?.clone();
        let mut prefix: Option<String> = None;
        let mut scopes = Vec::new();
        let mut sort_template = None;
        let mut delimiter = '#';
        for unique in &entity.uniques {
            let key = unique.layout.index_keys.first()?;
            let template = &key.partition.first()?.template;
            delimiter = template.delimiter;
            let literal = template.literal_prefix().strip_suffix(delimiter)?;
            let (start, scope) = literal.rsplit_once(delimiter)?;
            if prefix.as_deref().is_some_and(|known| known != start) {
                return None;
            }
            prefix = Some(start.to_owned());
            scopes.push((unique.name.clone(), scope.to_owned()));
            sort_template = Some(key.sort.first()?.template.clone());
        }
        Some(Self { partition, sort, prefix: prefix?, scopes, delimiter, sort_template: sort_template? })
    }

    fn write(&self, entity: &Entity, out: &mut Lines) {
        let (prefix, delimiter) = (&self.prefix, self.delimiter);
        let scopes: Vec<String> = self.scopes.iter().map(|(_, scope)| quoted(scope)).collect();
        let type_name = format!("{}LookupScope", pascal(&entity.name));
        out.blank();
        out.line(format!("/** The attributes by which {} can be looked up. */", with_article(&entity.name)));
        out.line(format!("export type {type_name} = {};", scopes.join(" | ")));
        out.blank();
        out.line(comment(&format!("The partition of a lookup: `{prefix}{delimiter}<scope>{delimiter}<value>`.")));
        out.block(
            format!("export function {}(scope: {type_name}, value: string): string {{", self.partition),
            "}",
            |out| {
                let (prefix, delimiter) = (template_part(prefix), template_part(&delimiter.to_string()));
                let value = "${support.part('value', value)}";
                out.line(format!("return `{prefix}{delimiter}${{scope}}{delimiter}{value}`;"));
            },
        );
        let names: BTreeSet<&str> = self.sort_template.attributes().into_iter().collect();
        out.blank();
        out.line(comment(&format!("The item that a lookup refers to: `{}`.", self.sort_template.source)));
        out.block(format!("export function {}({}): string {{", self.sort, picked(entity, &names, true)), "}", |out| {
            out.line(format!("return {};", expression(&self.sort_template, "values")));
        });
    }

    /// The index keys of a lookup, by the shared functions.
    fn pair(&self, entity: &Entity, unique: &Unique, name: &str, parts: &[&KeyPart], out: &mut Lines) {
        let scope = self.scopes.iter().find(|(known, _)| *known == unique.name).map_or("", |(_, scope)| scope);
        let [partition, sort] = parts else { return };
        let mut value = partition.template.clone();
        value.parts = value.parts.into_iter().skip(1).collect();
        let value = text_expression(&value, &|placeholder| member("values", &placeholder.attribute));
        let (first, second) = (property(&partition.key.name), property(&sort.key.name));
        let parameter = parameter(entity, parts, true);
        out.block(
            format!("export function {name}({parameter}): {{ {first}: string; {second}: string }} {{"),
            "}",
            |out| {
                out.line(format!("const value = {value};"));
                out.line(format!(
                    "return {{ {first}: {}({}, value), {second}: {}(values) }};",
                    self.partition,
                    quoted(scope),
                    self.sort
                ));
            },
        );
    }
}

/// The key of an entity's item from a value that has its attributes.
pub(super) fn key_of(entity: &Entity, source: &str) -> String {
    let fields: Vec<String> = std::iter::once(&entity.layout.partition)
        .chain(&entity.layout.sort)
        .map(|part| {
            let argument = if part.template.attributes().is_empty() { "" } else { source };
            format!("{}: keys.{}({argument})", property(&part.key.name), builder(entity, &part.key.name))
        })
        .collect();
    format!("{{ {} }}", fields.join(", "))
}
