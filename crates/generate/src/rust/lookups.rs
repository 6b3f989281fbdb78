//! What the lookups of an entity have in common.

use keyfold_design::model::Entity;
use keyfold_design::template::Template;
use keyfold_design::with_article;

use super::layout::function;
use super::names::identifier;
use crate::lines::Lines;
use crate::naming::pascal;

/// Writes what the lookups of an entity have in common, where the design names it: `LOOKUP#USER#<scope>#<value>`.
/// Returns the name and the template of the function that is to follow, for their sort key.
pub(super) fn shared_lookups<'e>(entity: &'e Entity, out: &mut Lines) -> Option<(String, &'e Template)> {
    let partition = entity.helpers.get("lookup partition")?;
    let sort = entity.helpers.get("lookup sort")?;
    let (prefix, scopes, sort_template) = shared(entity)?;
    let delimiter = sort_template.delimiter;
    let type_name = format!("{}LookupScope", pascal(&entity.name));
    out.blank();
    out.line(format!("/// The attributes by which {} can be looked up.", with_article(&entity.name)));
    out.line("#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]");
    out.block(format!("pub enum {type_name} {{"), "}", |out| {
        scopes.iter().for_each(|scope| out.line(format!("{},", pascal(&scope.to_lowercase()))));
    });
    out.blank();
    out.line(format!("/// The partition of a lookup: `{prefix}{delimiter}<scope>{delimiter}<value>`."));
    let parameters = [format!("scope: {type_name}"), "value: &str".to_owned()];
    function(
        out,
        &format!("pub fn {}", identifier(partition)),
        &parameters,
        " -> Result<String, typed::TemplateError>",
        |out| {
            out.block("let scope = match scope {", "};", |out| {
                for scope in &scopes {
                    out.line(format!("{type_name}::{} => {scope:?},", pascal(&scope.to_lowercase())));
                }
            });
            let template = format!("{prefix}{delimiter}<scope>{delimiter}<value>");
            out.line(format!("let mut key = typed::Key::new({template:?}, {delimiter:?});"));
            out.line(format!("key.literal({:?});", format!("{prefix}{delimiter}")));
            out.line("key.literal(scope);");
            out.line(format!("key.literal({:?});", delimiter.to_string()));
            out.line("key.part(\"value\", value, &[]);");
            out.line("key.text()");
        },
    );
    out.blank();
    out.line(format!("/// The item that a lookup refers to: `{}`.", sort_template.source));
    Some((identifier(sort), sort_template))
}

/// The literal before the scopes, the scopes and the sort template of lookups that differ in one literal part.
fn shared(entity: &Entity) -> Option<(String, Vec<String>, &Template)> {
    let mut prefix: Option<String> = None;
    let mut scopes = Vec::new();
    let mut sort = None;
    for unique in &entity.uniques {
        let key = unique.layout.index_keys.first()?;
        let template = &key.partition.first()?.template;
        let literal = template.literal_prefix().strip_suffix(template.delimiter)?;
        let (start, scope) = literal.rsplit_once(template.delimiter)?;
        if prefix.as_deref().is_some_and(|known| known != start) {
            return None;
        }
        prefix = Some(start.to_owned());
        scopes.push(scope.to_owned());
        sort = Some(&key.sort.first()?.template);
    }
    Some((prefix?, scopes, sort?))
}
