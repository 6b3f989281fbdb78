//! The table of a CloudFormation template, YAML or JSON, written by hand or synthesized.

mod error;
mod facts;
mod options;
mod resource;
mod tree;
mod values;

pub use error::{Position, TemplateError};

use self::resource::Resource;
use self::tree::{Node, NodeKind};
use self::values::Template;
use crate::table::ImportedTable;

const TABLE: &str = "AWS::DynamoDB::Table";
const GLOBAL_TABLE: &str = "AWS::DynamoDB::GlobalTable";

/// Reads the table of a template; `logical_id` chooses between several.
pub fn read(text: &str, logical_id: Option<&str>) -> Result<ImportedTable, TemplateError> {
    let root = tree::read(text)?;
    let Some(resources) = root.get("Resources") else {
        return Err(TemplateError::at(root.position, "the template has no `Resources`"));
    };
    let (logical_id, resource) = choose(resources, logical_id)?;
    let nothing = Node { position: resource.position, kind: NodeKind::Mapping(Vec::new()) };
    let template = Template { root: &root };
    let resource = Resource {
        template: &template,
        logical_id,
        properties: resource.get("Properties").unwrap_or(&nothing),
        is_global: type_of(resource) == Some(GLOBAL_TABLE),
        notes: Vec::new(),
    };
    let mut facts = facts::facts(resource)?;
    if let Some(Node { kind: NodeKind::Text(description), .. }) = root.get("Description") {
        facts.description = Some(description.clone());
    }
    // A stack replaces a table whose logical id changes.
    facts.table.resource.cloudformation = Some(logical_id.to_owned());
    outputs(&root, logical_id, &mut facts);
    Ok(facts)
}

fn type_of(resource: &Node) -> Option<&str> {
    match &resource.get("Type")?.kind {
        NodeKind::Text(text) => Some(text),
        _ => None,
    }
}

fn is_table(resource: &Node) -> bool {
    matches!(type_of(resource), Some(TABLE | GLOBAL_TABLE))
}

fn choose<'a>(resources: &'a Node, wanted: Option<&str>) -> Result<(&'a str, &'a Node), TemplateError> {
    let tables: Vec<(&str, &Node)> = resources
        .entries()
        .iter()
        .filter(|(_, resource)| is_table(resource))
        .map(|(name, resource)| (name.as_str(), resource))
        .collect();
    let names: Vec<String> = tables.iter().map(|(name, _)| format!("`{name}`")).collect();
    match (wanted, tables.as_slice()) {
        (Some(wanted), _) => match (tables.iter().find(|(name, _)| *name == wanted), resources.get(wanted)) {
            (Some(found), _) => Ok(*found),
            (None, Some(other)) => {
                let kind = type_of(other).unwrap_or("nothing");
                Err(TemplateError::at(other.position, format!("`{wanted}` is not a DynamoDB table but `{kind}`")))
            }
            (None, None) if names.is_empty() => {
                Err(TemplateError::whole(format!("the template has no resource `{wanted}`, and no DynamoDB table")))
            }
            (None, None) => {
                let message = format!("the template has no resource `{wanted}`; its tables are {}", names.join(", "));
                Err(TemplateError::whole(message))
            }
        },
        (None, [only]) => Ok(*only),
        (None, []) => Err(TemplateError::at(resources.position, "the template has no DynamoDB table")),
        (None, _) => {
            let message =
                format!("the template has several tables: choose one of {} with --resource", names.join(", "));
            Err(TemplateError::whole(message))
        }
    }
}

/// Outputs with the table's name, ARN or stream: `!Ref Table`, `!GetAtt Table.Arn`.
fn outputs(root: &Node, logical_id: &str, facts: &mut ImportedTable) {
    let Some(outputs) = root.get("Outputs") else { return };
    let template = Template { root };
    for (name, output) in outputs.entries() {
        let Some(value) = output.get("Value") else { continue };
        if template.name_of(value).as_deref() != Some(logical_id) {
            continue;
        }
        let description = match output.get("Description").map(|node| &node.kind) {
            Some(NodeKind::Text(text)) => text.clone(),
            _ => name.clone(),
        };
        facts.table.outputs.insert(name.clone(), description);
    }
}
