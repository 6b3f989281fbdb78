//! A page that describes the API of a design.

use std::fmt::Write;

use keyfold_design::Design;
use keyfold_design::access::AccessParameter;
use keyfold_design::model::{Entity, Order};
use keyfold_generate::escape_html;
use keyfold_generate::openapi::{Operation, operations};
use serde_json::Value;

use crate::served_design::ServedDesign;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}\
    code{font:14px ui-monospace,monospace;background:#f2f4f6;padding:.1em .3em;border-radius:3px}\
    table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}\
    td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #d8dde3}\
    nav{columns:3}nav a{display:block}h2{margin-top:2.5rem}\
    @media(prefers-color-scheme:dark){body{background:#14171a;color:#e3e7eb}code{background:#23282d}a{color:#8ab4f8}}";

/// The page, whole. Its routes are those of the OpenAPI document.
pub(crate) fn page(served: &ServedDesign, document: &Value) -> String {
    let mut out = String::new();
    // Writing to a text does not fail.
    let _ = write_page(&mut out, served, &operations(document));
    out
}

fn write_page(out: &mut String, served: &ServedDesign, operations: &[Operation<'_>]) -> std::fmt::Result {
    let design = served.design();
    let name = escape_html(&design.name);
    write!(out, "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")?;
    write!(out, "<meta name=\"viewport\" content=\"width=device-width\"><title>{name}</title>")?;
    write!(out, "<style>{STYLE}</style></head><body><h1>{name}</h1>")?;
    if let Some(description) = &design.description {
        write!(out, "<p>{}</p>", escape_html(description))?;
    }
    write!(
        out,
        "<p>All paths are relative to <code>/v1/{name}</code>. A token goes into <code>Authorization: Bearer …</code>. \
         For programs: <a href=\"openapi.json\">openapi.json</a>.</p><nav>"
    )?;
    for entity in &design.entities {
        write!(out, "<a href=\"#{0}\">{0}</a>", escape_html(&entity.name))?;
    }
    write!(out, "<a href=\"#patterns\">Patterns</a><a href=\"#other\">Other operations</a></nav>")?;
    let (of_entities, others): (Vec<_>, Vec<_>) = operations
        .iter()
        .partition(|operation| served.resources().iter().any(|resource| resource.segment == operation.first_segment()));
    for (entity, resource) in design.entities.iter().zip(served.resources()) {
        let own = of_entities.iter().filter(|operation| operation.first_segment() == resource.segment);
        write_entity(out, entity, own.copied())?;
    }
    let (of_patterns, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|operation| operation.first_segment() == "patterns");
    write!(out, "<h2 id=\"patterns\">Patterns</h2><table><tr><th>Path<th>Parameters<th>Returns</tr>")?;
    for operation in of_patterns {
        write_pattern(out, design, operation)?;
    }
    write!(out, "</table><h2 id=\"other\">Other operations</h2><table><tr><th>Path<th>Purpose</tr>")?;
    for operation in others {
        write!(out, "<tr><td>{}<td>{}</tr>", route(operation), escape_html(operation.summary))?;
    }
    write!(out, "</table></body></html>")
}

/// Method and path.
fn route(operation: &Operation<'_>) -> String {
    format!("<code>{} {}</code>", operation.method, escape_html(operation.path))
}

fn write_pattern(out: &mut String, design: &Design, operation: &Operation<'_>) -> std::fmt::Result {
    write!(out, "<tr><td>{}", route(operation))?;
    let slug = operation.path.rsplit('/').next();
    if let Some(pattern) = design.patterns.iter().find(|pattern| Some(pattern.slug.as_str()) == slug) {
        let plan = design.access_plan(pattern.id);
        let parameters: Vec<String> = plan.parameters.iter().map(parameter_text).collect();
        let returned: Vec<&str> = plan.results.iter().map(|result| design[result.entity].name.as_str()).collect();
        let returned = returned.join(", ");
        let returns = match (plan.counts, plan.order) {
            (true, _) => format!("number of {returned} items"),
            (false, Order::Descending) => format!("{returned}, descending"),
            (false, Order::Ascending) => returned,
        };
        write!(
            out,
            "<br>{}<td>{}<td>{}",
            escape_html(pattern.description.as_deref().unwrap_or_default()),
            parameters.join("<br>"),
            escape_html(&returns)
        )?;
    }
    write!(out, "</tr>")
}

fn parameter_text(parameter: &AccessParameter) -> String {
    let value_type = parameter.value_type.spelling();
    let value_type = match parameter.list_of_at_most {
        Some(most) => format!("{value_type}, up to {most} values"),
        None => value_type,
    };
    format!("<code>{}</code> {}", escape_html(&parameter.name), escape_html(&value_type))
}

fn write_entity<'o>(
    out: &mut String,
    entity: &Entity,
    operations: impl Iterator<Item = &'o Operation<'o>>,
) -> std::fmt::Result {
    write!(out, "<h2 id=\"{0}\">{0}</h2>", escape_html(&entity.name))?;
    if let Some(description) = &entity.description {
        write!(out, "<p>{}</p>", escape_html(description))?;
    }
    let routes: Vec<String> = operations.map(route).collect();
    write!(out, "<p>{}</p><table><tr><th>Attribute<th>Type<th></tr>", routes.join("<br>"))?;
    for attribute in &entity.attributes {
        let mut notes = Vec::new();
        if entity.identity.contains(&attribute.name) {
            notes.push("identity");
        }
        if attribute.optional {
            notes.push("optional");
        }
        if !entity.is_settable(attribute) {
            notes.push("maintained by Keyfold");
        }
        write!(
            out,
            "<tr><td><code>{}</code><td>{}<td>{}</tr>",
            escape_html(&attribute.name),
            escape_html(&attribute.value_type.spelling()),
            notes.join(", ")
        )?;
    }
    write!(out, "</table>")
}
