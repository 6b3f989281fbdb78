//! `table:`, a name or a mapping.

use keyfold_dynamo::table::KeyType;

use super::codes::{BAD_NAME, BAD_VALUE};
use super::reader::Reader;
use crate::is_dynamo_name;
use crate::model::{Billing, Encryption, KeyAttribute, ResourceNames, StreamView, Table};
use crate::span::Span;
use crate::syntax::{Entry, Node};

pub(crate) const KEYS: &[&str] = &[
    "name",
    "description",
    "resource",
    "variable",
    "partition",
    "sort",
    "billing",
    "ttl",
    "stream",
    "point in time recovery",
    "deletion protection",
    "encryption",
    "tags",
    "outputs",
    "delimiter",
];

pub(super) fn build(stated: Option<&Entry>, reader: &mut Reader<'_>) -> Table {
    let span = stated.map_or(Span::default(), |entry| entry.value.span);
    let key = |name: &str| KeyAttribute { name: name.to_owned(), key_type: KeyType::S, span };
    let mut table = Table { span, ..Table::new("", key("PK"), Some(key("SK"))) };
    let Some(stated) = stated else { return table };
    match stated.value.entries() {
        None => {
            let name = reader.text(&stated.value, "`table`", "table: app_data").unwrap_or_default();
            table.name = name.to_owned();
        }
        Some(entries) => {
            for entry in entries {
                option(entry, &mut table, reader);
            }
            if !entries.iter().any(|entry| entry.name() == "name") {
                reader.fault(&super::codes::MISSING, span, "the table has no `name`", "add `name: app_data`");
            }
        }
    }
    if !table.name.is_empty() && !is_dynamo_name(&table.name) {
        let message = format!("`{}` cannot name a table", table.name);
        reader.fault(&BAD_NAME, span, message, "use 3 to 255 letters, digits, `_`, `-` and `.`");
    }
    table
}

fn option(entry: &Entry, table: &mut Table, reader: &mut Reader<'_>) {
    let value = &entry.value;
    let mut text =
        |example: &str| reader.text(value, &format!("`{}` of a table", entry.name()), example).map(str::to_owned);
    match entry.name() {
        "name" => table.name = text("name: app_data").unwrap_or_default(),
        "description" => table.description = text("description: the table of a platform"),
        "resource" => table.resource = resource_names(value, reader),
        "variable" => table.variable = text("variable: dynamoTableName"),
        "partition" => {
            if let Some(key) = key_attribute(value, reader) {
                table.partition = key;
            }
        }
        "sort" if value.scalar() == Some("none") => table.sort = None,
        "sort" => table.sort = key_attribute(value, reader).or(table.sort.take()),
        "billing" => billing(value, table, reader),
        "ttl" => table.ttl = text("ttl: expiresAt"),
        "stream" => stream(value, table, reader),
        "point in time recovery" => table.point_in_time_recovery = reader.flag(entry),
        "deletion protection" => table.deletion_protection = reader.flag(entry),
        "encryption" => encryption(value, table, reader),
        "tags" => table.tags = texts(value, "`tags`", reader),
        "outputs" => table.outputs = texts(value, "`outputs`", reader).into_iter().collect(),
        "delimiter" => match value.scalar().map(|text| text.chars().collect::<Vec<_>>()).as_deref() {
            Some([one]) => table.delimiter = *one,
            _ => reader.fault(&BAD_VALUE, value.span, "the delimiter is one character", "write `delimiter: \"#\"`"),
        },
        _ => reader.unknown_key(entry, KEYS, "a table"),
    }
}

/// `NAME`, `NAME number`, `NAME binary`.
pub(super) fn key_attribute(node: &Node, reader: &mut Reader<'_>) -> Option<KeyAttribute> {
    let text = reader.text(node, "a key attribute", "partition: PK")?;
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or_default().to_owned();
    let key_type = match words.next() {
        None | Some("string") => KeyType::S,
        Some("number") => KeyType::N,
        Some("binary") => KeyType::B,
        Some(other) => {
            reader.bad_word(node.span, other, "key type", &["string", "number", "binary"]);
            KeyType::S
        }
    };
    if let Some(extra) = words.next() {
        reader.fault(
            &BAD_VALUE,
            node.span,
            format!("unexpected `{extra}` after the key attribute"),
            "write `NAME` or `NAME number`",
        );
    }
    if name.len() > 255 {
        reader.fault(&BAD_NAME, node.span, "the name of a key attribute has at most 255 bytes", "shorten it");
    }
    Some(KeyAttribute { name, key_type, span: node.span })
}

fn billing(value: &Node, table: &mut Table, reader: &mut Reader<'_>) {
    let Some(text) = reader.text(value, "`billing`", "billing: on demand") else { return };
    let provisioned = text.strip_prefix("provisioned ").and_then(|units| {
        let (read, write) = units.split_once('/')?;
        Some((read.trim().parse::<i64>().ok()?, write.trim().parse::<i64>().ok()?))
    });
    match (text, provisioned) {
        ("on demand", _) => table.billing = Billing::OnDemand,
        (_, Some((read, write))) if read > 0 && write > 0 => table.billing = Billing::Provisioned { read, write },
        _ => reader.bad_word(value.span, text, "billing", &["on demand", "provisioned 5/5"]),
    }
}

fn stream(value: &Node, table: &mut Table, reader: &mut Reader<'_>) {
    let Some(text) = reader.text(value, "`stream`", "stream: new and old images") else { return };
    table.stream = match text {
        "new and old images" => Some(StreamView::NewAndOldImages),
        "new images" => Some(StreamView::NewImage),
        "old images" => Some(StreamView::OldImage),
        "keys" => Some(StreamView::KeysOnly),
        "no" => None,
        _ => {
            reader.bad_word(
                value.span,
                text,
                "stream",
                &["new and old images", "new images", "old images", "keys", "no"],
            );
            None
        }
    };
}

fn encryption(value: &Node, table: &mut Table, reader: &mut Reader<'_>) {
    let Some(text) = reader.text(value, "`encryption`", "encryption: aws owned") else { return };
    table.encryption = match (text, text.strip_prefix("customer key ")) {
        ("aws owned", _) => Encryption::AwsOwned,
        ("aws managed", _) => Encryption::AwsManaged,
        (_, Some(key)) => Encryption::CustomerKey(key.trim().to_owned()),
        _ => {
            reader.bad_word(value.span, text, "encryption", &["aws owned", "aws managed", "customer key ALIAS"]);
            Encryption::AwsOwned
        }
    };
}

/// `resource: main`, or a name for each tool.
fn resource_names(node: &Node, reader: &mut Reader<'_>) -> ResourceNames {
    let Some(entries) = node.entries() else {
        // Every tool takes letters and digits.
        let name = resource_name(node, "every tool", false, reader);
        return ResourceNames { terraform: name.clone(), cloudformation: name.clone(), cdk: name };
    };
    let mut names = ResourceNames::default();
    for entry in entries {
        match entry.name() {
            "terraform" => names.terraform = resource_name(&entry.value, "Terraform", true, reader),
            "cloudformation" => names.cloudformation = resource_name(&entry.value, "CloudFormation", false, reader),
            "cdk" => names.cdk = resource_name(&entry.value, "the CDK", false, reader),
            _ => reader.unknown_key(entry, &["terraform", "cloudformation", "cdk"], "`resource`"),
        }
    }
    names
}

/// The name of a resource: letters and digits, and in Terraform `_` and `-` as well.
fn resource_name(node: &Node, tool: &str, is_terraform: bool, reader: &mut Reader<'_>) -> Option<String> {
    let name = reader.text(node, "`resource`", "resource: main")?;
    let fits = name.len() <= 255
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || is_terraform && first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || is_terraform && matches!(c, '_' | '-'));
    if !fits {
        let message = format!("`{name}` cannot name the resource in {tool}");
        let help = match is_terraform {
            true => "start with a letter or `_`, and use letters, digits, `_` and `-`",
            false => {
                "start with a letter, and use letters and digits; `resource: {terraform: app_data}` names it in one tool"
            }
        };
        reader.fault(&BAD_NAME, node.span, message, help);
        return None;
    }
    Some(name.to_owned())
}

fn texts(node: &Node, what: &str, reader: &mut Reader<'_>) -> Vec<(String, String)> {
    reader
        .mapping(node, what, "tags: {Environment: production}")
        .iter()
        .filter_map(|entry| {
            Some((entry.name().to_owned(), reader.text(&entry.value, what, "Environment: production")?.to_owned()))
        })
        .collect()
}
