//! Terraform: one `aws_dynamodb_table`.

use keyfold_design::Design;
use keyfold_design::model::{Encryption, Index, Projection};

use crate::lines::Lines;
use crate::naming::snake;
use crate::table_parts::{OutputValue, description, key_name, outputs, projection_type, provisioned};
use crate::{File, Input, Target};

pub(crate) fn files(input: &Input<'_>) -> Vec<File> {
    vec![File { path: "terraform/table.tf".to_owned(), text: configuration(input) }]
}

fn configuration(input: &Input<'_>) -> String {
    let design = input.design;
    let mut out = Lines::new();
    out.line(format!("# {}", input.origin(Target::Terraform)));
    out.blank();
    if let Some(variable) = &design.table.variable {
        out.block(format!("variable \"{variable}\" {{"), "}", |out| {
            aligned(
                out,
                &[
                    ("description", quoted("The name of the table")),
                    ("type", "string".to_owned()),
                    ("default", quoted(&design.table.name)),
                ],
            );
        });
        out.blank();
    }
    if let Encryption::CustomerKey(alias) = &design.table.encryption
        && !alias.starts_with("arn:")
    {
        out.block("data \"aws_kms_alias\" \"table\" {", "}", |out| {
            out.line(format!("name = {}", quoted(&key_name(alias))));
        });
        out.blank();
    }
    out.line(format!("# {}", description(design)));
    out.block(format!("resource \"aws_dynamodb_table\" \"{}\" {{", resource(design)), "}", |out| table(design, out));
    for (name, description, value) in outputs(design) {
        out.blank();
        let attribute = match value {
            OutputValue::Name => "name",
            OutputValue::Arn => "arn",
            OutputValue::StreamArn => "stream_arn",
        };
        let value = format!("aws_dynamodb_table.{}.{attribute}", resource(design));
        out.block(format!("output \"{}\" {{", snake(name)), "}", |out| {
            aligned(out, &[("description", quoted(description)), ("value", value)]);
        });
    }
    out.into_text()
}

/// The resource's own name: by default that of the design, since the table's may be a variable.
fn resource(design: &Design) -> String {
    design.table.resource.terraform.clone().unwrap_or_else(|| snake(&design.name))
}

fn table(design: &Design, out: &mut Lines) {
    let table = &design.table;
    let name = match &table.variable {
        Some(variable) => format!("var.{variable}"),
        None => quoted(&table.name),
    };
    let mut arguments = vec![("name", name)];
    match provisioned(design) {
        None => arguments.push(("billing_mode", quoted("PAY_PER_REQUEST"))),
        Some((read, write)) => arguments.extend([
            ("billing_mode", quoted("PROVISIONED")),
            ("read_capacity", read.to_string()),
            ("write_capacity", write.to_string()),
        ]),
    }
    arguments.push(("hash_key", quoted(&table.partition.name)));
    if let Some(sort) = &table.sort {
        arguments.push(("range_key", quoted(&sort.name)));
    }
    if let Some(view) = table.stream {
        arguments.extend([("stream_enabled", "true".to_owned()), ("stream_view_type", quoted(view.as_str()))]);
    }
    if table.deletion_protection {
        arguments.push(("deletion_protection_enabled", "true".to_owned()));
    }
    aligned(out, &arguments);
    for definition in design.create_table().attribute_definitions {
        out.blank();
        out.block("attribute {", "}", |out| {
            aligned(out, &[("name", quoted(&definition.name)), ("type", quoted(definition.key_type.as_str()))]);
        });
    }
    for index in &design.indexes {
        out.blank();
        write_index(design, index, out);
    }
    options(design, out);
}

fn write_index(design: &Design, index: &Index, out: &mut Lines) {
    if let Some(purpose) = &index.purpose {
        out.line(format!("# {purpose}"));
    }
    let kind = if index.local { "local_secondary_index {" } else { "global_secondary_index {" };
    out.block(kind, "}", |out| {
        let mut arguments = vec![("name", quoted(&index.name))];
        let single = index.partition.len() == 1 && index.sort.len() <= 1;
        if single {
            if let Some(partition) = index.partition.first().filter(|_| !index.local) {
                arguments.push(("hash_key", quoted(&partition.name)));
            }
            if let Some(sort) = index.sort.first() {
                arguments.push(("range_key", quoted(&sort.name)));
            }
        }
        arguments.push(("projection_type", quoted(projection_type(&index.projection))));
        if let Projection::Include(names) = &index.projection {
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            arguments.push(("non_key_attributes", format!("[{}]", names.join(", "))));
        }
        if let Some((read, write)) = provisioned(design).filter(|_| !index.local) {
            arguments.extend([("read_capacity", read.to_string()), ("write_capacity", write.to_string())]);
        }
        aligned(out, &arguments);
        // Keys of several attributes are blocks of their own.
        for (keys, role) in [(&index.partition, "HASH"), (&index.sort, "RANGE")] {
            for key in keys.iter().filter(|_| !single) {
                out.blank();
                out.block("key_schema {", "}", |out| {
                    aligned(out, &[("attribute_name", quoted(&key.name)), ("key_type", quoted(role))]);
                });
            }
        }
    });
}

fn options(design: &Design, out: &mut Lines) {
    let table = &design.table;
    let mut block = |title: &str, arguments: &[(&str, String)]| {
        out.blank();
        out.block(format!("{title} {{"), "}", |out| aligned(out, arguments));
    };
    if let Some(attribute) = &table.ttl {
        block("ttl", &[("attribute_name", quoted(attribute)), ("enabled", "true".to_owned())]);
    }
    if table.point_in_time_recovery {
        block("point_in_time_recovery", &[("enabled", "true".to_owned())]);
    }
    match &table.encryption {
        Encryption::AwsOwned => {}
        Encryption::AwsManaged => block("server_side_encryption", &[("enabled", "true".to_owned())]),
        Encryption::CustomerKey(key) => {
            let arn = match key.starts_with("arn:") {
                true => quoted(key),
                false => "data.aws_kms_alias.table.target_key_arn".to_owned(),
            };
            block("server_side_encryption", &[("enabled", "true".to_owned()), ("kms_key_arn", arn)]);
        }
    }
    if !table.tags.is_empty() {
        out.blank();
        let tags: Vec<(&str, String)> = table.tags.iter().map(|(key, value)| (key.as_str(), quoted(value))).collect();
        out.block("tags = {", "}", |out| aligned(out, &tags));
    }
}

/// Arguments with their equals signs in one column, as `terraform fmt` writes them.
fn aligned(out: &mut Lines, arguments: &[(&str, String)]) {
    let spelt: Vec<(String, &String)> = arguments.iter().map(|(name, value)| (argument(name), value)).collect();
    let width = spelt.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in spelt {
        out.line(format!("{name:width$} = {value}"));
    }
}

/// Quotes a map key that is not an identifier.
fn argument(name: &str) -> String {
    let is_identifier = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || "_-".contains(character));
    if is_identifier { name.to_owned() } else { quoted(name) }
}

/// A string of HCL, in which `${` and `%{` would begin a template.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace("${", "$${").replace("%{", "%%{")
}
