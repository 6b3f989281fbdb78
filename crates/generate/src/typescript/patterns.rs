//! One function for each access pattern, from the pattern's plan.

use keyfold_design::Design;
use keyfold_design::access::{AccessPlan, AccessResult, FurtherRead, ItemSource, PartitionSearch, PartitionSet};
use keyfold_design::model::{Entity, Order, Pattern, Scope, TenantMode, Unique};
use keyfold_design::template::Placeholder;

use super::conditions::{Expressions, PARTITION, tenant_conditions};
use super::keys::key_of;
use super::shapes::{lookup_name, shape_name};
use super::template::expression_of;
use super::{member, parameters, property};
use crate::lines::Lines;
use crate::naming::{camel, unused};
use crate::typescript_text::{comment, quoted};

pub(super) fn text(design: &Design) -> String {
    let mut out = Lines::new();
    let mut used = RESERVED.iter().map(|name| (*name).to_owned()).collect();
    for pattern in &design.patterns {
        out.blank();
        // Two patterns may differ only in what a name of a function cannot have.
        let name = unused(&mut used, camel(&pattern.name), "Pattern");
        function(design, pattern, &name, &mut out);
    }
    let body = out.into_text();
    let mut head = Lines::new();
    head.line("import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';");
    head.line("import * as access from './access.js';");
    head.line("import type * as entities from './entities.js';");
    if body.contains(" keys.") {
        head.line("import * as keys from './keys.js';");
    }
    head.line("import * as shapes from './shapes.js';");
    if body.contains("support.") {
        head.line("import * as support from './support.js';");
    }
    head.blank();
    head.line("/** The table, unless a call names another. */");
    head.line(format!("export const TABLE = {};", quoted(&design.table.name)));
    head.into_text() + &body
}

/// Words of the language, and the names that the file has: no function can have one of them.
const RESERVED: [&str; 55] = [
    "access",
    "arguments",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "entities",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "keys",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "shapes",
    "static",
    "super",
    "support",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

fn function(design: &Design, pattern: &Pattern, name: &str, out: &mut Lines) {
    let plan = design.access_plan(pattern.id);
    let result = result_type(design, plan);
    let options = if plan.counts { "access.CountOptions" } else { "access.PageOptions" };
    let options = match plan.tenant {
        TenantMode::Filtered => format!("{options} & access.TenantOptions"),
        _ => options.to_owned(),
    };
    let note = match plan.tenant {
        TenantMode::Filtered => " With `tenant`, other tenants' items are left out.",
        TenantMode::AcrossTenants => " Crosses tenants: for operators.",
        TenantMode::Global | TenantMode::Pinned { .. } => "",
    };
    let only = design.only_when(plan);
    out.line(comment(&format!("{}: `{}`.{only}{note}", pattern.name, pattern.source)));
    out.line(format!("export async function {name}("));
    out.indented(|out| {
        out.line("client: DynamoDBDocumentClient,");
        if !plan.parameters.is_empty() {
            out.line(format!("args: {{ {} }},", parameters::types(plan)));
        }
        out.line(format!("options: {options} = {{}},"));
    });
    let output = if plan.counts { "number".to_owned() } else { format!("access.Page<{result}>") };
    out.block(format!("): Promise<{output}> {{"), "}", |out| {
        if !plan.parameters.is_empty() {
            out.line(format!("args = support.check(args, {});", parameters::checks(plan)));
        }
        let call = if plan.counts { "access.count" } else { "access.page" };
        let type_argument = if plan.counts { String::new() } else { format!("<{result}>") };
        out.block(format!("return {call}{type_argument}(client, options, {{"), "});", |out| access(design, plan, out));
    });
}

fn result_type(design: &Design, plan: &AccessPlan) -> String {
    let item = |result: &AccessResult| {
        let name = &design[result.entity].name;
        match &result.source {
            ItemSource::Projected { attributes, .. } => {
                let names: Vec<String> = attributes.iter().map(|attribute| quoted(attribute)).collect();
                format!("Pick<entities.{name}, {}>", names.join(" | "))
            }
            _ => format!("entities.{name}"),
        }
    };
    match plan.results.as_slice() {
        [one] => item(one),
        several => {
            let tagged = several.iter().map(|result| {
                let name = &design[result.entity].name;
                format!("{{ entity: {}; item: {} }}", quoted(name), item(result))
            });
            tagged.collect::<Vec<_>>().join(" | ")
        }
    }
}

/// The plan as the value that `access.ts` executes.
fn access(design: &Design, plan: &AccessPlan, out: &mut Lines) {
    let expressions = Expressions::new(plan);
    match &plan.partitions {
        None => out.block("inputs: [{", "}],", |out| query_input(plan, &expressions, out)),
        Some(set) => {
            let open = format!("inputs: {}.map(({PARTITION}) => ({{", partition_values(set));
            out.block(open, "})),", |out| query_input(plan, &expressions, out));
        }
    }
    if let Some((low, high)) = &expressions.between {
        out.line(format!("between: [{}, {}],", quoted(low), quoted(high)));
    }
    let reading = match &plan.partitions {
        None => "one",
        Some(set) if set.is_merged() => "merged",
        Some(_) => "in turn",
    };
    out.line(format!("reading: '{reading}',"));
    if reading == "merged" {
        out.line(format!("sortKey: [{}],", list(&plan.sort_key)));
    }
    out.line(format!("cursorKeys: [{}],", list(&plan.cursor_keys)));
    if plan.drops_items() {
        out.line("dropsItems: true,");
    }
    out.line(format!("pageSize: {},", plan.page_size));
    if let Some(bytes) = plan.page_bytes {
        out.line(format!("pageBytes: {bytes},"));
    }
    if let (TenantMode::Filtered, Some(attribute)) = (&plan.tenant, &plan.tenant_attribute) {
        match tenant_conditions(plan) {
            None => out.line(format!("tenant: {{ attribute: {} }},", quoted(attribute))),
            Some(conditions) => {
                out.line(format!("tenant: {{ attribute: {}, conditions: {conditions} }},", quoted(attribute)));
            }
        }
    }
    out.block("results: [", "],", |out| {
        plan.results.iter().for_each(|result| self::result(design, result, out));
    });
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}

/// The value of each partition.
fn partition_values(set: &PartitionSet) -> String {
    let bounds = |from: &String, to: &String| format!("{}, {}", member("args", from), member("args", to));
    let (values, key) = match set {
        PartitionSet::Shards { count, .. } => return format!("support.shards({count})"),
        PartitionSet::Values { parameter, at_most } => {
            return format!("support.distinct({}, {at_most})", member("args", parameter));
        }
        PartitionSet::Days { from, to, key, at_most } => {
            (format!("support.days({}, {at_most})", bounds(from, to)), key)
        }
        PartitionSet::Integers { from, to, key, at_most } => {
            (format!("support.integers({}, {at_most})", bounds(from, to)), key)
        }
    };
    match key.plain_attribute() {
        Some(_) => values,
        // The value is a part of the key.
        None => {
            let value_of = |placeholder: &Placeholder| match set.first() {
                Some(first) if first == placeholder.attribute => "value".to_owned(),
                _ => member("args", &placeholder.attribute),
            };
            format!("{values}.map((value) => {})", expression_of(key, &value_of))
        }
    }
}

fn query_input(plan: &AccessPlan, expressions: &Expressions, out: &mut Lines) {
    out.line("TableName: TABLE,");
    if let Some(index) = &plan.index_name {
        out.line(format!("IndexName: {},", quoted(index)));
    }
    out.line(format!("KeyConditionExpression: {},", quoted(&expressions.key.join(" AND "))));
    if let Some(filter) = &expressions.filter {
        out.line(format!("FilterExpression: {},", quoted(filter)));
    }
    let names: Vec<String> =
        expressions.names.iter().map(|(name, attribute)| format!("{}: {}", quoted(name), quoted(attribute))).collect();
    out.line(format!("ExpressionAttributeNames: {{ {} }},", names.join(", ")));
    let values: Vec<String> =
        expressions.values.iter().map(|(name, code)| format!("{}: {code}", quoted(name))).collect();
    out.line(format!("ExpressionAttributeValues: {{ {} }},", values.join(", ")));
    if plan.order == Order::Descending {
        out.line("ScanIndexForward: false,");
    }
}

/// One of the entities that a pattern returns.
fn result(design: &Design, result: &AccessResult, out: &mut Lines) {
    let entity = &design[result.entity];
    let scope = match entity.scope {
        Scope::Tenant => "tenant",
        Scope::Global => "global",
        Scope::TenantOrGlobal => "tenant or global",
    };
    let head = format!("shape: shapes.{}, scope: '{scope}'", shape_name(&entity.name));
    match &result.source {
        // What the index lacks is absent, and the type of the function says so.
        ItemSource::Query | ItemSource::Projected { .. } => out.line(format!("{{ {head}, source: 'query' }},")),
        ItemSource::Table { moved: None } => out.line(format!("{{ {head}, source: 'table' }},")),
        ItemSource::Table { moved: Some(search) } => {
            out.block(format!("access.again<entities.{}>({{", entity.name), "}),", |out| {
                out.line(format!("{head},"));
                out.line(format!("moved: {},", partition_search(entity, search)));
            });
        }
        ItemSource::Reference { from, mapping, read, .. } => {
            let name = &entity.name;
            out.block(format!("access.referred<entities.{name}, entities.{}>({{", design[*from].name), "}),", |out| {
                out.line(format!("{head},"));
                out.line(format!("from: shapes.{},", shape_name(&design[*from].name)));
                let fields: Vec<String> = mapping
                    .iter()
                    .map(|(own, theirs)| format!("{}: {}", property(own), member("item", theirs)))
                    .collect();
                out.line(format!("known: (item) => ({{ {} }}),", fields.join(", ")));
                further_read(entity, read, out);
            });
        }
        ItemSource::Lookup { unique, read } => {
            if let Some(unique) = entity.unique(unique) {
                out.block(format!("access.through<entities.{}>({{", entity.name), "}),", |out| {
                    out.line(format!("{head},"));
                    lookup(entity, unique, read, out);
                });
            }
        }
    }
}

/// From a lookup item to the entity's, and back to the key that the lookup has to have.
fn lookup(entity: &Entity, unique: &Unique, read: &FurtherRead, out: &mut Lines) {
    out.line(format!("lookup: shapes.{},", lookup_name(entity, &unique.name)));
    further_read(entity, read, out);
    let parts = std::iter::once(&unique.layout.partition).chain(&unique.layout.sort);
    let mut needed: Vec<String> = Vec::new();
    let mut fields = Vec::new();
    for part in parts {
        for name in part.template.attributes() {
            let absent = format!("{} === undefined", member("item", name));
            if !needed.contains(&absent) {
                needed.push(absent);
            }
        }
        let value = expression_of(&part.template, &|placeholder| member("item", &placeholder.attribute));
        fields.push(format!("{}: {value}", property(&part.key.name)));
    }
    let key = format!("{{ {} }}", fields.join(", "));
    match needed.is_empty() {
        true => out.line(format!("lookupKey: () => ({key}),")),
        false => out.line(format!("lookupKey: (item) => ({} ? undefined : {key}),", needed.join(" || "))),
    }
}

/// How an item is read by its identity.
fn further_read(entity: &Entity, read: &FurtherRead, out: &mut Lines) {
    match read {
        FurtherRead::Key => out.line(format!("read: {{ key: (known) => ({}) }},", key_of(entity, "known"))),
        FurtherRead::PartitionSearch(search) => {
            out.line(format!("read: {{ search: {} }},", partition_search(entity, search)));
        }
    }
}

/// How an item is searched in its partition.
fn partition_search(entity: &Entity, search: &PartitionSearch) -> String {
    let partition = &entity.layout.partition;
    let key = expression_of(&partition.template, &|placeholder| member("known", &placeholder.attribute));
    let parameter = if partition.template.attributes().is_empty() { "" } else { "known" };
    let attribute = quoted(&partition.key.name);
    let mut fields = vec![format!("partition: {{ attribute: {attribute}, value: ({parameter}) => {key} }}")];
    if let Some(sort) = &search.sort_prefix {
        let (attribute, prefix) = (quoted(&sort.attribute), quoted(&sort.prefix));
        fields.push(format!("sortPrefix: {{ attribute: {attribute}, prefix: {prefix} }}"));
    }
    fields.push(format!("identity: [{}]", list(&search.identity)));
    fields.push(format!("attempts: {}", PartitionSearch::ATTEMPTS));
    format!("{{ {} }}", fields.join(", "))
}
