//! One method for each access pattern.

use keyfold_design::access::ItemSource;
use keyfold_design::model::{Attribute, AttributeType, Entity, Pattern, TenantMode};
use keyfold_design::{Design, with_article};

use super::documented;
use super::entities::Shape;
use super::layout::{call, function};
use super::names::{Names, identifiers};
use super::types::{borrowed, owned};
use crate::lines::Lines;

/// What the parameters of a pattern go into.
const ARGUMENTS: &str = "&mut arguments";

pub(super) fn text(design: &Design, names: &Names) -> String {
    let mut out = Lines::of_four();
    for pattern in &design.patterns {
        projections(design, names, pattern, &mut out);
        if let Some(name) = names.collection(pattern) {
            collection(design, names, pattern, name, &mut out);
        }
    }
    out.blank();
    out.block(format!("impl super::{}<'_> {{", names.session), "}", |out| {
        for (at, pattern) in design.patterns.iter().enumerate() {
            if at > 0 {
                out.blank();
            }
            method(design, names, pattern, out);
        }
    });
    let body = out.into_text();
    let mut head = Lines::of_four();
    let collections: Vec<&str> =
        ["BTreeMap", "BTreeSet"].into_iter().filter(|name| body.contains(&format!("{name}<"))).collect();
    match collections.as_slice() {
        [] => {}
        [one] => head.line(format!("use std::collections::{one};")),
        several => head.line(format!("use std::collections::{{{}}};", several.join(", "))),
    }
    if !collections.is_empty() {
        head.blank();
    }
    head.line("use keyfold_typed as typed;");
    if body.contains("Deserialize") {
        head.line("use serde::{Deserialize, Serialize};");
    }
    if !design.patterns.is_empty() {
        head.blank();
    }
    head.line("use super::entities::*;");
    if names.enumerations.iter().any(|found| body.contains(&found.name)) {
        head.line("use super::enumerations::*;");
    }
    head.into_text() + &body
}

fn returned<'d>(design: &'d Design, pattern: &Pattern) -> Vec<&'d Entity> {
    let results = design.access_plan(pattern.id).results.iter();
    results.map(|result| &design[result.entity]).collect()
}

/// The results of a pattern that have only what its index holds.
fn projections(design: &Design, names: &Names, pattern: &Pattern, out: &mut Lines) {
    for result in &design.access_plan(pattern.id).results {
        let entity = &design[result.entity];
        let (ItemSource::Projected { attributes, .. }, Some(name)) = (&result.source, names.projected(pattern, entity))
        else {
            continue;
        };
        let documentation = format!("What \"{}\" returns of {}.", pattern.name, with_article(&entity.name));
        let is_held = |attribute: &&Attribute| attributes.contains(&attribute.name);
        let attributes = entity.attributes.iter().filter(is_held).collect();
        Shape { entity, name, documentation: &documentation, attributes }.write(names, out);
    }
}

/// What a pattern returns that finds several entities.
fn collection(design: &Design, names: &Names, pattern: &Pattern, name: &str, out: &mut Lines) {
    let returned = returned(design, pattern);
    out.blank();
    out.line(format!("/// A result of the access pattern \"{}\".", pattern.name));
    out.line("#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]");
    out.line("#[serde(tag = \"entity\", content = \"item\")]");
    out.block(format!("pub enum {name} {{"), "}", |out| {
        for entity in &returned {
            let variant = names.entity(entity);
            if variant != entity.name {
                out.line(format!("#[serde(rename = {:?})]", entity.name));
            }
            // Boxed, since entities differ much in size.
            let item = names.projected(pattern, entity).unwrap_or(variant);
            out.line(format!("{variant}(Box<{item}>),"));
        }
    });
    out.blank();
    out.block(format!("impl typed::Returned for {name} {{"), "}", |out| {
        out.line(format!("type Design = super::{};", names.marker));
        out.blank();
        let parameters = ["entity: &str".to_owned(), "item: &typed::Attributes".to_owned()];
        function(out, "fn read", &parameters, " -> Result<Self, typed::TypeMismatch>", |out| {
            out.block("match entity {", "}", |out| {
                for entity in &returned {
                    let variant = names.entity(entity);
                    out.line(format!("{:?} => typed::boxed(item).map(Self::{variant}),", entity.name));
                }
                out.line("other => Err(typed::TypeMismatch::unexpected_entity(other)),");
            });
        });
    });
}

fn method(design: &Design, names: &Names, pattern: &Pattern, out: &mut Lines) {
    let plan = design.access_plan(pattern.id);
    let given = identifiers(
        plan.parameters.iter().map(|parameter| parameter.name.as_str()),
        &["arguments", "options", "pattern"],
    );
    let mut parameters = vec!["&self".to_owned()];
    let mut sets = Vec::new();
    for (parameter, (name, variable)) in plan.parameters.iter().zip(&given) {
        let one = owned(&parameter.value_type, names.enumeration_of(design, plan, &parameter.value_type));
        if parameter.list_of_at_most.is_some() {
            parameters.push(format!("{variable}: &[{one}]"));
            sets.push(("typed::set_list", [ARGUMENTS.to_owned(), format!("{name:?}"), variable.clone()]));
            continue;
        }
        if matches!(parameter.value_type, AttributeType::Moment(_)) {
            parameters.push(format!("{variable}: impl Into<{one}>"));
            sets.push((
                "typed::set",
                [ARGUMENTS.to_owned(), format!("{name:?}"), format!("&Into::<{one}>::into({variable})")],
            ));
            continue;
        }
        let taken = borrowed(&one);
        let reference = if taken.starts_with('&') { "" } else { "&" };
        sets.push(("typed::set", [ARGUMENTS.to_owned(), format!("{name:?}"), format!("{reference}{variable}")]));
        parameters.push(format!("{variable}: {taken}"));
    }
    let result = if plan.counts {
        "usize".to_owned()
    } else {
        parameters.push("options: &typed::QueryOptions".to_owned());
        let returned = returned(design, pattern);
        let type_of = |entity: &&Entity| names.projected(pattern, entity).unwrap_or_else(|| names.entity(entity));
        let one = returned.first().map_or("", type_of);
        format!("typed::Page<{}>", names.collection(pattern).unwrap_or(one))
    };
    documented(pattern.description.as_deref(), out);
    let note = match plan.tenant {
        TenantMode::Filtered => " Members get only the items of their own tenant.",
        TenantMode::AcrossTenants => " Crosses tenants: for operators.",
        TenantMode::Global | TenantMode::Pinned { .. } => "",
    };
    let only = design.only_when(plan);
    out.line(format!("/// {}: `{}`.{only}{note}", pattern.name, pattern.source));
    let head = format!("pub async fn {}", names.method(pattern));
    function(out, &head, &parameters, &format!(" -> Result<{result}, typed::Error>"), |out| {
        out.line(format!("let pattern = {:?};", pattern.name));
        match sets.is_empty() {
            true => out.line("let arguments = typed::Attributes::new();"),
            false => out.line("let mut arguments = typed::Attributes::new();"),
        }
        sets.iter().for_each(|(function, given)| call(out, function, given, ";"));
        match plan.counts {
            true => out.line("self.count(pattern, arguments).await"),
            false => out.line("self.page(pattern, arguments, options).await"),
        }
    });
}
