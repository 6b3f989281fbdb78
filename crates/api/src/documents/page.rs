//! A page that describes the API of a design.

use std::fmt::Write;

use keyfold_design::access::AccessParameter;
use keyfold_design::model::{Entity, Order, Resource, Verb};
use keyfold_generate::escape_html;

use crate::change_records::ChangeRecords;
use crate::served_design::ServedDesign;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}\
    code{font:14px ui-monospace,monospace;background:#f2f4f6;padding:.1em .3em;border-radius:3px}\
    table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}\
    td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #d8dde3}\
    nav{columns:3}nav a{display:block}h2{margin-top:2.5rem}\
    @media(prefers-color-scheme:dark){body{background:#14171a;color:#e3e7eb}code{background:#23282d}a{color:#8ab4f8}}";

/// The page, whole.
pub(crate) fn page(served: &ServedDesign, change_records: &ChangeRecords) -> String {
    let mut out = String::new();
    // Writing to a text does not fail.
    let _ = write_page(&mut out, served, change_records);
    out
}

fn write_page(out: &mut String, served: &ServedDesign, change_records: &ChangeRecords) -> std::fmt::Result {
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
    write!(out, "<a href=\"#patterns\">Patterns</a></nav>")?;
    for (entity, resource) in design.entities.iter().zip(served.resources()) {
        write_entity(out, entity, resource)?;
    }
    write!(out, "<h2 id=\"patterns\">Patterns</h2><table><tr><th>Path<th>Parameters<th>Returns</tr>")?;
    for pattern in &design.patterns {
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
            "<tr><td><code>GET /patterns/{}</code><br>{}<td>{}<td>{}</tr>",
            escape_html(&pattern.slug),
            escape_html(pattern.description.as_deref().unwrap_or_default()),
            parameters.join("<br>"),
            escape_html(&returns)
        )?;
    }
    write!(out, "</table>")?;
    if change_records.keeps_audit_log() {
        write!(out, "<h2 id=\"audit\">Audit log</h2><p><code>GET /audit</code> ")?;
        write!(out, "Who did what to which item, when, allowed or denied.</p>")?;
    }
    write!(out, "</body></html>")
}

fn parameter_text(parameter: &AccessParameter) -> String {
    let value_type = parameter.value_type.spelling();
    let value_type = match parameter.list_of_at_most {
        Some(most) => format!("{value_type}, up to {most} values"),
        None => value_type,
    };
    format!("<code>{}</code> {}", escape_html(&parameter.name), escape_html(&value_type))
}

fn write_entity(out: &mut String, entity: &Entity, resource: &Resource) -> std::fmt::Result {
    write!(out, "<h2 id=\"{0}\">{0}</h2>", escape_html(&entity.name))?;
    if let Some(description) = &entity.description {
        write!(out, "<p>{}</p>", escape_html(description))?;
    }
    let template = escape_html(&resource.template());
    let mut addresses = vec![format!("<code>GET {template}</code>")];
    if resource.accepts(Verb::Create) {
        addresses.push(format!("<code>POST /{}</code>", escape_html(&resource.segment)));
    }
    if resource.accepts(Verb::Update) {
        addresses.push(format!("<code>PUT {template}</code> <code>PATCH {template}</code>"));
    }
    if resource.accepts(Verb::Delete) {
        addresses.push(format!("<code>DELETE {template}</code>"));
    }
    write!(out, "<p>{}</p><table><tr><th>Attribute<th>Type<th></tr>", addresses.join("<br>"))?;
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
