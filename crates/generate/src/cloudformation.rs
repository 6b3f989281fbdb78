//! A CloudFormation template with the table.

use keyfold_design::Design;
use keyfold_design::model::{Encryption, Index, KeyAttribute, Projection};

use crate::lines::Lines;
use crate::table_parts::{
    OutputValue, description, indexes, key_name, logical_name, outputs, projection_type, provisioned,
};
use crate::{File, Input, Target};

pub(crate) fn files(input: &Input<'_>) -> Vec<File> {
    vec![File { path: "cloudformation/template.yaml".to_owned(), text: template(input) }]
}

fn template(input: &Input<'_>) -> String {
    let design = input.design;
    let mut out = Lines::new();
    out.line(format!("# {}", input.origin(Target::CloudFormation)));
    out.line("AWSTemplateFormatVersion: '2010-09-09'");
    out.line(format!("Description: {}", scalar(&description(design))));
    if let Some(variable) = &design.table.variable {
        out.blank();
        out.line("Parameters:");
        out.indented(|out| {
            out.line(format!("{variable}:"));
            out.indented(|out| {
                out.line("Type: String");
                out.line("Description: The name of the table");
                out.line(format!("Default: {}", scalar(&design.table.name)));
            });
        });
    }
    out.blank();
    out.line("Resources:");
    out.indented(|out| {
        out.line(format!("{}:", resource(design)));
        out.indented(|out| {
            out.line("Type: AWS::DynamoDB::Table");
            out.line("Properties:");
            out.indented(|out| properties(design, out));
        });
    });
    write_outputs(design, &mut out);
    out.into_text()
}

/// The logical id of the table.
fn resource(design: &Design) -> String {
    design.table.resource.cloudformation.clone().unwrap_or_else(|| logical_name(design))
}

fn properties(design: &Design, out: &mut Lines) {
    match &design.table.variable {
        Some(variable) => out.line(format!("TableName: !Ref {variable}")),
        None => out.line(format!("TableName: {}", scalar(&design.table.name))),
    }
    match provisioned(design) {
        None => out.line("BillingMode: PAY_PER_REQUEST"),
        Some(throughput) => {
            out.line("BillingMode: PROVISIONED");
            write_throughput(throughput, out);
        }
    }
    out.blank();
    out.line("AttributeDefinitions:");
    out.indented(|out| {
        for definition in design.create_table().attribute_definitions {
            out.line(format!("- AttributeName: {}", scalar(&definition.name)));
            out.line(format!("  AttributeType: {}", definition.key_type.as_str()));
        }
    });
    out.blank();
    key_schema(std::slice::from_ref(&design.table.partition), design.table.sort.as_slice(), out);
    for (title, local) in [("GlobalSecondaryIndexes", false), ("LocalSecondaryIndexes", true)] {
        let mut first = true;
        for index in indexes(design, local) {
            out.blank();
            if first {
                out.line(format!("{title}:"));
                first = false;
            }
            out.indented(|out| write_index(design, index, out));
        }
    }
    options(design, out);
}

fn write_index(design: &Design, index: &Index, out: &mut Lines) {
    if let Some(purpose) = &index.purpose {
        out.line(format!("# {purpose}"));
    }
    out.line(format!("- IndexName: {}", scalar(&index.name)));
    out.indented(|out| {
        key_schema(&index.partition, &index.sort, out);
        out.line("Projection:");
        out.indented(|out| {
            out.line(format!("ProjectionType: {}", projection_type(&index.projection)));
            if let Projection::Include(names) = &index.projection {
                out.line("NonKeyAttributes:");
                out.indented(|out| names.iter().for_each(|name| out.line(format!("- {}", scalar(name)))));
            }
        });
        if let Some(throughput) = provisioned(design).filter(|_| !index.local) {
            write_throughput(throughput, out);
        }
    });
}

fn write_throughput((read, write): (i64, i64), out: &mut Lines) {
    out.line("ProvisionedThroughput:");
    out.indented(|out| {
        out.line(format!("ReadCapacityUnits: {read}"));
        out.line(format!("WriteCapacityUnits: {write}"));
    });
}

fn key_schema(partition: &[KeyAttribute], sort: &[KeyAttribute], out: &mut Lines) {
    out.line("KeySchema:");
    out.indented(|out| {
        for (keys, role) in [(partition, "HASH"), (sort, "RANGE")] {
            for key in keys {
                out.line(format!("- AttributeName: {}", scalar(&key.name)));
                out.line(format!("  KeyType: {role}"));
            }
        }
    });
}

fn options(design: &Design, out: &mut Lines) {
    let table = &design.table;
    let mut option = |title: &str, lines: &[String]| {
        out.blank();
        out.line(title);
        out.indented(|out| lines.iter().for_each(|line| out.line(line)));
    };
    if let Some(attribute) = &table.ttl {
        option(
            "TimeToLiveSpecification:",
            &[format!("AttributeName: {}", scalar(attribute)), "Enabled: true".to_owned()],
        );
    }
    if let Some(view) = table.stream {
        option("StreamSpecification:", &[format!("StreamViewType: {}", view.as_str())]);
    }
    if table.point_in_time_recovery {
        option("PointInTimeRecoverySpecification:", &["PointInTimeRecoveryEnabled: true".to_owned()]);
    }
    if table.deletion_protection {
        option("DeletionProtectionEnabled: true", &[]);
    }
    match &table.encryption {
        Encryption::AwsOwned => {}
        Encryption::AwsManaged => option("SSESpecification:", &["SSEEnabled: true".to_owned()]),
        Encryption::CustomerKey(key) => option(
            "SSESpecification:",
            &[
                "SSEEnabled: true".to_owned(),
                "SSEType: KMS".to_owned(),
                format!("KMSMasterKeyId: {}", scalar(&key_name(key))),
            ],
        ),
    }
    if !table.tags.is_empty() {
        let lines: Vec<String> = table
            .tags
            .iter()
            .flat_map(|(key, value)| [format!("- Key: {}", scalar(key)), format!("  Value: {}", scalar(value))])
            .collect();
        option("Tags:", &lines);
    }
}

fn write_outputs(design: &Design, out: &mut Lines) {
    let outputs = outputs(design);
    if outputs.is_empty() {
        return;
    }
    let name = resource(design);
    out.blank();
    out.line("Outputs:");
    out.indented(|out| {
        for (output, description, value) in outputs {
            out.line(format!("{output}:"));
            out.indented(|out| {
                out.line(format!("Description: {}", scalar(description)));
                out.line(match value {
                    OutputValue::Name => format!("Value: !Ref {name}"),
                    OutputValue::Arn => format!("Value: !GetAtt {name}.Arn"),
                    OutputValue::StreamArn => format!("Value: !GetAtt {name}.StreamArn"),
                });
            });
        }
    });
}

/// A YAML scalar that is read back as this very text.
fn scalar(text: &str) -> String {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|character| character.is_alphanumeric() || " _-./,()".contains(character))
        && !text.ends_with(' ')
        && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(&text.to_ascii_lowercase().as_str());
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}
