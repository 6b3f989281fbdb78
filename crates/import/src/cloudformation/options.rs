//! Settings of a table besides its keys: time to live, streams, backups, encryption, tags.

use keyfold_design::model::{Encryption, StreamView};

use super::error::TemplateError;
use super::resource::Resource;
use super::tree::{Node, NodeKind};
use crate::table::ImportedTable;

pub(super) fn read(resource: &mut Resource<'_>, facts: &mut ImportedTable) -> Result<(), TemplateError> {
    if let Some(node) = resource.property("TimeToLiveSpecification") {
        facts.table.ttl = time_to_live(resource, node)?;
    }
    if let Some(node) = resource.property("StreamSpecification")
        && let Some(view) = node.get("StreamViewType")
    {
        let text = resource.template.text(view, "`StreamViewType`")?;
        let message = || TemplateError::at(view.position, format!("`{text}` is not a stream view type"));
        facts.table.stream = Some(stream_view(&text).ok_or_else(message)?);
    }
    let settings = settings(resource)?;
    for node in settings {
        per_replica(resource, node, facts)?;
    }
    if let Some(node) = resource.property("SSESpecification") {
        encryption(resource, node, facts)?;
    }
    Ok(())
}

/// The nodes with backups, protection and tags: in a table's own properties, in a global table's first replica.
fn settings<'a>(resource: &mut Resource<'a>) -> Result<Vec<&'a Node>, TemplateError> {
    let mut nodes = vec![resource.properties];
    let replicas = resource.list("Replicas")?;
    if replicas.len() > 1 {
        resource.notes.push(format!(
            "the table has {} replicas, but a design describes one table: the settings of the first replica are used",
            replicas.len()
        ));
    }
    nodes.extend(replicas.first());
    Ok(nodes)
}

fn time_to_live(resource: &mut Resource<'_>, node: &Node) -> Result<Option<String>, TemplateError> {
    let enabled = match node.get("Enabled") {
        Some(flag) => resource.template.flag(flag, "`Enabled`")?,
        None => true,
    };
    match node.get("AttributeName") {
        Some(name) if enabled => Ok(Some(resource.template.text(name, "the attribute of the time to live")?)),
        _ => Ok(None),
    }
}

fn per_replica(resource: &mut Resource<'_>, node: &Node, facts: &mut ImportedTable) -> Result<(), TemplateError> {
    let template = resource.template;
    let mut value = |key: &str| node.get(key).and_then(|node| template.value(node, &mut resource.notes));
    if let Some(flag) =
        value("PointInTimeRecoverySpecification").and_then(|node| node.get("PointInTimeRecoveryEnabled"))
    {
        facts.table.point_in_time_recovery = template.flag(flag, "`PointInTimeRecoveryEnabled`")?;
    }
    if let Some(flag) = value("DeletionProtectionEnabled") {
        facts.table.deletion_protection = template.flag(flag, "`DeletionProtectionEnabled`")?;
    }
    if let Some(key) = value("SSESpecification").and_then(|node| node.get("KMSMasterKeyId")) {
        facts.table.encryption = Encryption::CustomerKey(key_name(resource, key));
    }
    let Some(Node { kind: NodeKind::List(tags), .. }) = node.get("Tags") else { return Ok(()) };
    for tag in tags {
        let (Some(key), Some(value)) = (tag.get("Key"), tag.get("Value")) else { continue };
        let key = template.text(key, "the key of a tag")?;
        match template.resolve(value) {
            Some(resolved) => {
                facts.table.tags.retain(|(known, _)| *known != key);
                facts.table.tags.push((key, resolved.text));
            }
            None => {
                resource.notes.push(format!("the tag `{key}` is omitted: its value is known only at deployment"));
            }
        }
    }
    Ok(())
}

fn encryption(resource: &mut Resource<'_>, node: &Node, facts: &mut ImportedTable) -> Result<(), TemplateError> {
    let enabled = match node.get("SSEEnabled") {
        Some(flag) => resource.template.flag(flag, "`SSEEnabled`")?,
        None => true,
    };
    if !enabled {
        facts.table.encryption = Encryption::AwsOwned;
    } else if let Some(key) = node.get("KMSMasterKeyId") {
        facts.table.encryption = Encryption::CustomerKey(key_name(resource, key));
    } else if facts.table.encryption == Encryption::AwsOwned {
        facts.table.encryption = Encryption::AwsManaged;
    }
    Ok(())
}

/// The key's id or alias; a key that the template creates is named by its logical id.
fn key_name(resource: &mut Resource<'_>, node: &Node) -> String {
    if let Some(resolved) = resource.template.resolve(node) {
        return resolved.text;
    }
    let name = resource.template.name_of(node).unwrap_or_else(|| "KEY".to_owned());
    resource.notes.push(format!("the encryption key of the table is the resource `{name}`: use its alias instead"));
    name
}

/// The view of a stream, as DynamoDB spells it.
fn stream_view(text: &str) -> Option<StreamView> {
    [StreamView::KeysOnly, StreamView::NewImage, StreamView::OldImage, StreamView::NewAndOldImages]
        .into_iter()
        .find(|view| view.as_str() == text)
}
