//! One function for each access pattern.

use keyfold_design::Design;
use keyfold_design::model::{Entity, FanOut, Order, Pattern, Projection, Returned, Scope, TenantMode};

use super::conditions::Expressions;
use super::entities::type_of;
use super::keys::key_of;
use super::shapes::{lookup_name, shape_name};
use super::template::{FORMATS, expression};
use super::{member, property, quoted};
use crate::lines::Lines;
use crate::naming::camel;

pub fn text(design: &Design) -> String {
    let mut out = Lines::new();
    for pattern in &design.patterns {
        out.blank();
        function(design, pattern, &mut out);
    }
    let body = out.into_text();
    let uses = |name: &str| body.contains(&format!("{name}(")) || body.contains(&format!("[{name}]"));
    let mut names: Vec<&str> = FORMATS.into_iter().filter(|name| uses(name)).collect();
    let functions = ["days", "get", "part", "query", "queryInTurn", "queryMerged", "read", "recognise"];
    let is_called = |name: &&str| {
        [" ", "(", "{"].iter().any(|before| body.contains(&format!("{before}{name}(")))
            || body.contains(&format!(" {name}<"))
    };
    names.extend(functions.into_iter().filter(is_called));
    names.sort_unstable();
    let mut head = Lines::new();
    head.line("import type { DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';");
    head.line("import type * as entities from './entities.js';");
    if body.contains("keys.") {
        head.line("import * as keys from './keys.js';");
    }
    let mut shapes: Vec<String> = vec!["shapes".to_owned()];
    for entity in &design.entities {
        shapes.push(shape_name(&entity.name));
        shapes.extend(entity.uniques.iter().map(|unique| lookup_name(entity, &unique.name)));
    }
    shapes.retain(|name| body.contains(&format!("{name},")) || body.contains(&format!("{name})")));
    head.line(format!("import {{ {} }} from './shapes.js';", shapes.join(", ")));
    let types: Vec<String> = ["CountOptions", "Item", "Page", "PageOptions"]
        .into_iter()
        .filter(|name| {
            [" ", "<"].iter().any(|after| body.contains(&format!("{name}{after}")))
                || body.contains(&format!("{name})"))
        })
        .map(|name| format!("type {name}"))
        .collect();
    head.line(format!("import {{ {}, {} }} from './support.js';", names.join(", "), types.join(", ")));
    head.blank();
    head.line("/** The table, unless a call names another. */");
    head.line(format!("export const TABLE = {};", quoted(&design.table.name)));
    head.into_text() + &body
}

/// Words of the language, and what the file has of its own: no function can be called so.
const TAKEN: [&str; 67] = [
    "arguments",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "days",
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
    "first",
    "for",
    "function",
    "get",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "keys",
    "let",
    "lower",
    "new",
    "null",
    "package",
    "part",
    "private",
    "protected",
    "public",
    "query",
    "queryInTurn",
    "queryMerged",
    "read",
    "recognise",
    "return",
    "shapes",
    "shard",
    "slice",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "upper",
    "url",
    "var",
    "void",
    "while",
    "width",
    "yield",
];

/// The name of a pattern's function.
fn function_name(pattern: &Pattern) -> String {
    let name = camel(&pattern.name);
    if TAKEN.contains(&name.as_str()) { format!("{name}Pattern") } else { name }
}

fn function(design: &Design, pattern: &Pattern, out: &mut Lines) {
    let returned: Vec<&Entity> = pattern.entities().map(|id| &design[id]).collect();
    let result = match returned.as_slice() {
        [one] => format!("entities.{}", one.name),
        several => several
            .iter()
            .map(|entity| format!("{{ entity: {}; item: entities.{} }}", quoted(&entity.name), entity.name))
            .collect::<Vec<_>>()
            .join(" | "),
    };
    let parameters: Vec<String> = pattern
        .parameters
        .iter()
        .map(|parameter| {
            let one = type_of(&parameter.value_type);
            let list = if parameter.many { format!("Array<{one}>") } else { one };
            format!("{}: {list}", property(&parameter.name))
        })
        .collect();
    let options = if pattern.count { "CountOptions" } else { "PageOptions" };
    let options = match pattern.tenant {
        TenantMode::Filtered => format!("{options} & {{ tenant?: string }}"),
        _ => options.to_owned(),
    };
    let note = match pattern.tenant {
        TenantMode::Filtered => " With `tenant`, other tenants' items are left out.",
        TenantMode::AcrossTenants => " Crosses tenants: for operators.",
        _ => "",
    };
    out.line(format!("/** {}: `{}`.{note} */", pattern.name, pattern.source.replace("*/", "* /")));
    out.line(format!("export async function {}(", function_name(pattern)));
    out.indented(|out| {
        out.line("client: DynamoDBDocumentClient,");
        if !parameters.is_empty() {
            out.line(format!("args: {{ {} }},", parameters.join("; ")));
        }
        out.line(format!("options: {options} = {{}},"));
    });
    let answer = if pattern.count { "number".to_owned() } else { format!("Page<{result}>") };
    out.block(format!("): Promise<{answer}> {{"), "}", |out| {
        body(design, pattern, &returned, &result, out);
    });
}

fn body(design: &Design, pattern: &Pattern, returned: &[&Entity], result: &str, out: &mut Lines) {
    let mut expressions = Expressions::default();
    for condition in pattern.partition.iter().chain(&pattern.sort_equal) {
        expressions.equal(&condition.attribute, expression(&condition.template, "args"));
    }
    let mut over = None;
    match &pattern.fan_out {
        Some(FanOut::Range { attribute, from, to, at_most, .. }) => {
            expressions.equal(attribute, "value".to_owned());
            over = Some(format!("days({}, {}, {at_most})", expression(from, "args"), expression(to, "args")));
        }
        Some(FanOut::Values { attribute, parameter, .. }) => {
            expressions.equal(attribute, "value".to_owned());
            over = Some(member("args", parameter));
        }
        Some(FanOut::Shards { placeholder, count }) => {
            // The shard goes in where the pattern's own parameters do.
            let old = format!("args.{placeholder}");
            expressions.values.iter_mut().for_each(|(_, code)| *code = code.replace(&old, "value"));
            over = Some(format!("[...Array({count}).keys()]"));
        }
        None => {}
    }
    if let Some(bound) = &design.access_plan(pattern.id).sort {
        expressions.sort(bound);
    }
    if let Some(filter) = &pattern.filter {
        expressions.filter = Some(expressions.filter(filter));
    }
    let open = match &over {
        None => "const input: QueryCommandInput = {".to_owned(),
        Some(values) => {
            if let Some(FanOut::Values { parameter, at_most, .. }) = &pattern.fan_out {
                let list = member("args", parameter);
                out.line(format!("if ({list}.length > {at_most}) throw new RangeError('more than {at_most} values');"));
            }
            format!("const inputs = {values}.map((value): QueryCommandInput => ({{")
        }
    };
    out.block(open, if over.is_some() { "}));" } else { "};" }, |out| query_input(design, pattern, &expressions, out));
    out.block("const take = async (item: Item) => {", "};", |out| take(design, pattern, returned, out));
    let keys = cursor_keys(design, pattern);
    let merged = merge_key(design, pattern).map(quoted);
    let call = match (&pattern.fan_out, merged) {
        (None, _) => format!("query<{result}>(client, input, options, [{keys}], take)"),
        (Some(FanOut::Shards { .. }), Some(key)) => {
            format!("queryMerged<{result}>(client, inputs, options, [{keys}], take, {key})")
        }
        (Some(_), _) => format!("queryInTurn<{result}>(client, inputs, options, [{keys}], take)"),
    };
    match pattern.count {
        true => out.line(format!("return (await {call}).items.length;")),
        false => out.line(format!("return {call};")),
    }
}

fn query_input(design: &Design, pattern: &Pattern, expressions: &Expressions, out: &mut Lines) {
    out.line("TableName: TABLE,");
    if let Some(index) = pattern.index.and_then(|id| design.index(id)) {
        out.line(format!("IndexName: {},", quoted(&index.name)));
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
    if pattern.order == Order::Descending {
        out.line("ScanIndexForward: false,");
    }
}

/// From an item of the key range to a result, or to nothing.
fn take(design: &Design, pattern: &Pattern, returned: &[&Entity], out: &mut Lines) {
    let table = "options.tableName ?? TABLE";
    if let [Returned::ThroughUnique { entity, unique }] = pattern.returns.as_slice() {
        let entity = &design[*entity];
        let source = format!("found as unknown as entities.{}", entity.name);
        out.line(format!("const found = read({}, item);", lookup_name(entity, unique)));
        out.line("if (found === undefined) return undefined;");
        out.line(format!("return get(client, {table}, {}, {});", key_of(entity, &source), shape_name(&entity.name)));
        return;
    }
    out.line("const found = recognise<unknown>(shapes, item);");
    let is_partial =
        pattern.index.and_then(|id| design.index(id)).is_some_and(|index| index.projection != Projection::All);
    for entity in returned {
        let name = quoted(&entity.name);
        out.block(format!("if (found?.entity === {name}) {{"), "}", |out| {
            match is_partial {
                // The index lacks some attributes: the item is read again from the table.
                true => {
                    let keys: Vec<String> =
                        table_keys(design).map(|key| format!("{}: item[{}]", property(key), quoted(key))).collect();
                    let shape = shape_name(&entity.name);
                    out.line(format!("const value = await get(client, {table}, {{ {} }}, {shape});", keys.join(", ")));
                    out.line("if (value === undefined) return undefined;");
                }
                false => out.line(format!("const value = found.item as entities.{};", entity.name)),
            }
            if let (TenantMode::Filtered, Some(tenant)) = (&pattern.tenant, &design.tenant) {
                let own = member("value", &tenant.attribute);
                let is_foreign = format!("options.tenant !== undefined && {own} !== options.tenant");
                match entity.scope {
                    Scope::Tenant => out.line(format!("if ({is_foreign}) return undefined;")),
                    Scope::TenantOrGlobal => {
                        out.line(format!("if ({own} !== undefined && {is_foreign}) return undefined;"))
                    }
                    Scope::Global => {}
                }
            }
            match returned.len() {
                1 => out.line("return value;"),
                _ => out.line(format!("return {{ entity: {name} as const, item: value }};")),
            }
        });
    }
    out.line("return undefined;");
}

fn table_keys(design: &Design) -> impl Iterator<Item = &str> {
    std::iter::once(&design.table.partition).chain(&design.table.sort).map(|key| key.name.as_str())
}

/// What a cursor is made of: the keys of the table and of the index.
fn cursor_keys(design: &Design, pattern: &Pattern) -> String {
    let mut names: Vec<&str> = table_keys(design).collect();
    for key in pattern.index.and_then(|id| design.index(id)).into_iter().flat_map(|index| index.keys()) {
        if !names.contains(&key.name.as_str()) {
            names.push(&key.name);
        }
    }
    names.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// The sort key by which shards are merged.
fn merge_key<'d>(design: &'d Design, pattern: &Pattern) -> Option<&'d str> {
    match pattern.index.and_then(|id| design.index(id)) {
        Some(index) => index.sort.first().map(|key| key.name.as_str()),
        None => design.table.sort.as_ref().map(|key| key.name.as_str()),
    }
}
