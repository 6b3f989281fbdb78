//! The AWS CDK, in TypeScript: a construct that is the table.

use keyfold_design::Design;
use keyfold_design::model::{Encryption, Index, KeyAttribute, Projection, StreamView};
use keyfold_dynamo::table::KeyType;

use crate::lines::Lines;
use crate::naming::{kebab, pascal};
use crate::table_parts::{OutputValue, description, indexes, key_name, logical_name, outputs, provisioned};
use crate::typescript_text::{comment, quoted};
use crate::{File, Input, Target};

pub(crate) fn files(input: &Input<'_>) -> Vec<File> {
    let path = format!("cdk/{}-table.ts", kebab(&input.design.name));
    vec![File { path, text: construct(input) }]
}

fn construct(input: &Input<'_>) -> String {
    let design = input.design;
    let class = format!("{}Table", pascal(&design.name));
    let mut out = Lines::new();
    out.line(format!("// {}", input.origin(Target::Cdk)));
    let outputs = outputs(design);
    let core: Vec<&str> = [("CfnOutput", outputs.is_empty()), ("Tags", design.table.tags.is_empty())]
        .into_iter()
        .filter_map(|(name, is_unused)| (!is_unused).then_some(name))
        .collect();
    if !core.is_empty() {
        out.line(format!("import {{ {} }} from 'aws-cdk-lib';", core.join(", ")));
    }
    out.line("import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';");
    if let Encryption::CustomerKey(_) = design.table.encryption {
        out.line("import * as kms from 'aws-cdk-lib/aws-kms';");
    }
    out.line("import { Construct } from 'constructs';");
    out.blank();
    if let Some(variable) = &design.table.variable {
        out.block(format!("export interface {class}Props {{"), "}", |out| {
            out.line(format!("/** The name of the table; {} if left out. */", design.table.name));
            out.line(format!("readonly {variable}?: string;"));
        });
        out.blank();
    }
    out.line(comment(&description(design)));
    out.block(format!("export class {class} extends Construct {{"), "}", |out| {
        out.line("readonly table: dynamodb.Table;");
        out.blank();
        let props = match design.table.variable {
            Some(_) => format!(", props: {class}Props = {{}}"),
            None => String::new(),
        };
        out.block(format!("constructor(scope: Construct, id: string{props}) {{"), "}", |out| {
            out.line("super(scope, id);");
            out.block(format!("this.table = new dynamodb.Table(this, '{}', {{", logical_name(design)), "});", |out| {
                properties(design, out);
            });
            if let Some(logical_id) = &design.table.resource.cdk {
                let table = "(this.table.node.defaultChild as dynamodb.CfnTable)";
                out.line(format!("{table}.overrideLogicalId({});", quoted(logical_id)));
            }
            for index in indexes(design, false).chain(indexes(design, true)) {
                out.blank();
                add_index(design, index, out);
            }
            for (at, (name, value)) in design.table.tags.iter().enumerate() {
                if at == 0 {
                    out.blank();
                }
                out.line(format!("Tags.of(this.table).add({}, {});", quoted(name), quoted(value)));
            }
            write_outputs(&outputs, out);
        });
    });
    out.into_text()
}

fn write_outputs(outputs: &[(&str, &str, OutputValue)], out: &mut Lines) {
    for (at, (name, description, value)) in outputs.iter().enumerate() {
        if at == 0 {
            out.blank();
        }
        let value = match value {
            OutputValue::Name => "this.table.tableName",
            OutputValue::Arn => "this.table.tableArn",
            OutputValue::StreamArn => "this.table.tableStreamArn ?? ''",
        };
        out.line(format!(
            "new CfnOutput(this, {}, {{ description: {}, value: {value} }});",
            quoted(name),
            quoted(description)
        ));
    }
}

fn properties(design: &Design, out: &mut Lines) {
    let table = &design.table;
    match &table.variable {
        Some(variable) => out.line(format!("tableName: props.{variable} ?? {},", quoted(&table.name))),
        None => out.line(format!("tableName: {},", quoted(&table.name))),
    }
    match provisioned(design) {
        None => out.line("billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,"),
        Some((read, write)) => {
            out.line("billingMode: dynamodb.BillingMode.PROVISIONED,");
            out.line(format!("readCapacity: {read},"));
            out.line(format!("writeCapacity: {write},"));
        }
    }
    out.line(format!("partitionKey: {},", key(&table.partition)));
    if let Some(sort) = &table.sort {
        out.line(format!("sortKey: {},", key(sort)));
    }
    if let Some(attribute) = &table.ttl {
        out.line(format!("timeToLiveAttribute: {},", quoted(attribute)));
    }
    if let Some(view) = table.stream {
        let name = match view {
            StreamView::KeysOnly => "KEYS_ONLY",
            StreamView::NewImage => "NEW_IMAGE",
            StreamView::OldImage => "OLD_IMAGE",
            StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
        };
        out.line(format!("stream: dynamodb.StreamViewType.{name},"));
    }
    if table.point_in_time_recovery {
        out.line("pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },");
    }
    if table.deletion_protection {
        out.line("deletionProtection: true,");
    }
    match &table.encryption {
        Encryption::AwsOwned => {}
        Encryption::AwsManaged => out.line("encryption: dynamodb.TableEncryption.AWS_MANAGED,"),
        Encryption::CustomerKey(name) => {
            out.line("encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,");
            let found = match name.starts_with("arn:") {
                true => format!("kms.Key.fromKeyArn(this, 'Key', {})", quoted(name)),
                false => format!("kms.Alias.fromAliasName(this, 'Key', {})", quoted(&key_name(name))),
            };
            out.line(format!("encryptionKey: {found},"));
        }
    }
}

fn add_index(design: &Design, index: &Index, out: &mut Lines) {
    if let Some(purpose) = &index.purpose {
        out.line(format!("// {}: {purpose}", index.name));
    }
    let method = if index.local { "addLocalSecondaryIndex" } else { "addGlobalSecondaryIndex" };
    out.block(format!("this.table.{method}({{"), "});", |out| {
        out.line(format!("indexName: {},", quoted(&index.name)));
        if !index.local {
            keys("partitionKey", &index.partition, out);
        }
        keys("sortKey", &index.sort, out);
        match &index.projection {
            Projection::All => out.line("projectionType: dynamodb.ProjectionType.ALL,"),
            Projection::KeysOnly => out.line("projectionType: dynamodb.ProjectionType.KEYS_ONLY,"),
            Projection::Include(names) => {
                let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
                out.line("projectionType: dynamodb.ProjectionType.INCLUDE,");
                out.line(format!("nonKeyAttributes: [{}],", names.join(", ")));
            }
        }
        if let Some((read, write)) = provisioned(design).filter(|_| !index.local) {
            out.line(format!("readCapacity: {read},"));
            out.line(format!("writeCapacity: {write},"));
        }
    });
}

fn keys(name: &str, keys: &[KeyAttribute], out: &mut Lines) {
    match keys {
        [] => {}
        [one] => out.line(format!("{name}: {},", key(one))),
        several => out.line(format!("{name}s: [{}],", several.iter().map(key).collect::<Vec<_>>().join(", "))),
    }
}

fn key(attribute: &KeyAttribute) -> String {
    let key_type = match attribute.key_type {
        KeyType::S => "STRING",
        KeyType::N => "NUMBER",
        KeyType::B => "BINARY",
    };
    format!("{{ name: {}, type: dynamodb.AttributeType.{key_type} }}", quoted(&attribute.name))
}
