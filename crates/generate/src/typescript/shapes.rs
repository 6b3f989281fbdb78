//! How items are recognized and read.

use keyfold_design::Design;
use keyfold_design::access::{self, ReadAhead};
use keyfold_design::model::{Entity, KeyPart, Layout};
use keyfold_design::template::Template;

use super::template::readers;
use crate::lines::Lines;
use crate::naming::camel;
use crate::typescript_text::quoted;

pub(super) fn text(design: &Design) -> String {
    let mut out = Lines::new();
    out.line("import type * as entities from './entities.js';");
    match design.entities.iter().any(|entity| !entity.uniques.is_empty()) {
        true => out.line("import type { Item, Shape } from './support.js';"),
        false => out.line("import type { Shape } from './support.js';"),
    }
    for entity in &design.entities {
        out.blank();
        shape(&shape_name(&entity.name), &format!("entities.{}", entity.name), entity, &entity.layout, &mut out);
        for unique in &entity.uniques {
            out.blank();
            let carried: Vec<&str> = unique.carries.iter().map(String::as_str).collect();
            lookup(&lookup_name(entity, &unique.name), &unique.layout, &carried, &mut out);
        }
    }
    out.blank();
    out.line("/** Every entity, in the order in which items are matched against them. */");
    out.block("export const shapes: readonly Shape<unknown>[] = [", "];", |out| {
        design.recognition_order().for_each(|entity| out.line(format!("{},", shape_name(&entity.name))));
    });
    out.blank();
    out.line("/** Every lookup. */");
    out.block("export const lookups: readonly Shape<unknown>[] = [", "];", |out| {
        for entity in &design.entities {
            entity.uniques.iter().for_each(|unique| out.line(format!("{},", lookup_name(entity, &unique.name))));
        }
    });
    let mut keys: Vec<&str> =
        std::iter::once(&design.table.partition).chain(&design.table.sort).map(|key| key.name.as_str()).collect();
    keys.sort_unstable();
    out.blank();
    out.line("/** The keys of the table. */");
    let keys: Vec<String> = keys.into_iter().map(quoted).collect();
    out.line(format!("export const tableKeys: readonly string[] = [{}];", keys.join(", ")));
    out.blank();
    out.line("/** The attribute that marks an item as being deleted, and its value. */");
    let (attribute, value) = (quoted(access::DELETION_MARK), quoted(access::DELETING));
    out.line(format!("export const deletionMark = {{ attribute: {attribute}, value: {value} }};"));
    out.blank();
    out.line(
        "/** How many items a request reads for the results that a page lacks, where some items are not results. */",
    );
    let ReadAhead { factor, least, most } = access::READ_AHEAD;
    out.line(format!("export const readAhead = {{ factor: {factor}, least: {least}, most: {most} }};"));
    out.into_text()
}

pub(super) fn shape_name(entity: &str) -> String {
    format!("{}Shape", camel(entity))
}

pub(super) fn lookup_name(entity: &Entity, unique: &str) -> String {
    format!("{}Shape", camel(&format!("{} by {unique}", entity.name)))
}

fn shape(name: &str, type_name: &str, entity: &Entity, layout: &Layout, out: &mut Lines) {
    out.block(format!("export const {name}: Shape<{type_name}> = {{"), "};", |out| {
        out.line(format!("entity: {},", quoted(&entity.name)));
        if let Some(kind) = &entity.kind {
            let value = kind.value.as_str().unwrap_or_default();
            out.line(format!("kind: [{}, {}],", quoted(&kind.attribute), quoted(value)));
        }
        base(layout, out);
        out.block("computed: [", "],", |out| {
            for computed in &layout.computed {
                let is_base =
                    std::iter::once(&layout.partition).chain(&layout.sort).any(|part| part.key.name == computed.name);
                if !is_base
                    && entity.attribute(&computed.name).is_none()
                    && computed.template.placeholders().next().is_some()
                {
                    key(&computed.name, &computed.template, out);
                }
            }
        });
        let names = |stored: bool| {
            let names = entity.attributes.iter().filter(|attribute| attribute.is_stored() == stored);
            names.map(|attribute| quoted(&attribute.name)).collect::<Vec<_>>().join(", ")
        };
        out.line(format!("stored: [{}],", names(true)));
        out.line(format!("keyOnly: [{}],", names(false)));
        if entity.open {
            let computed: Vec<String> = layout.computed_names().map(quoted).collect();
            out.line(format!("openBut: [{}],", computed.join(", ")));
        }
    });
}

fn lookup(name: &str, layout: &Layout, carried: &[&str], out: &mut Lines) {
    out.block(format!("export const {name}: Shape<Item> = {{"), "};", |out| {
        out.line("entity: 'lookup',");
        base(layout, out);
        out.block("computed: [", "],", |out| {
            for index_key in &layout.index_keys {
                index_key.parts().for_each(|part| key(&part.key.name, &part.template, out));
            }
        });
        let names: Vec<String> = carried.iter().map(|name| quoted(name)).collect();
        out.line(format!("stored: [{}],", names.join(", ")));
        out.line("keyOnly: [],");
    });
}

fn base(layout: &Layout, out: &mut Lines) {
    out.block("base: [", "],", |out| {
        let parts: Vec<&KeyPart> = std::iter::once(&layout.partition).chain(&layout.sort).collect();
        parts.iter().for_each(|part| key(&part.key.name, &part.template, out));
    });
}

fn key(name: &str, template: &Template, out: &mut Lines) {
    let alternatives: Vec<String> = readers(template)
        .iter()
        .map(|(pattern, captured)| {
            let captured: Vec<String> =
                captured.iter().map(|(name, reading)| format!("[{}, '{reading}']", quoted(name))).collect();
            format!("[{pattern}, [{}]]", captured.join(", "))
        })
        .collect();
    out.line(format!("[{}, {}],", quoted(name), alternatives.join(", ")));
}
