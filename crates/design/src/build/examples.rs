//! `examples:`, tests that stand in the design.

use std::collections::BTreeMap;

use keyfold_dynamo::{AttributeValue, Attributes};

use super::codes::{BAD_EXAMPLE, BAD_VALUE};
use super::entity_draft::{named_entity, unknown_attribute};
use super::example_operators;
use super::reader::{Reader, entry, suggest};
use super::value_text;
use crate::model::{AttributeType, Design, Example, ExampleCaller, ExampleItem, Expectation, Pattern, Step};
use crate::span::Span;
use crate::syntax::{Entry, Node};

const STEPS: &[&str] = &[
    "query", "get", "create", "put", "update", "delete", "as", "set", "remove", "add", "subtract", "append", "prepend",
    "if", "with",
];

pub(super) fn build(stated: &Entry, design: &mut Design, reader: &mut Reader<'_>) {
    let items = stated.value.items().unwrap_or_default();
    if stated.value.items().is_none() && !stated.value.is_empty() {
        let help = "write `- {name: …, given: […], when: {…}, then: […]}`";
        reader.fault(&BAD_EXAMPLE, stated.value.span, "`examples` is a list", help);
    }
    let examples = items.iter().filter_map(|item| one(item, design, reader)).collect();
    design.examples = examples;
}

fn one(node: &Node, design: &Design, reader: &mut Reader<'_>) -> Option<Example> {
    let entries = reader.mapping(node, "an example", "- {name: …, given: […], when: {…}, then: […]}");
    let keys = ["name", "given", "when", "then"];
    for unknown in entries.iter().filter(|entry| !keys.contains(&entry.name())) {
        reader.unknown_key(unknown, &keys, "an example");
    }
    let name = match entry(entries, "name") {
        Some(stated) => reader.text(&stated.value, "the name", "name: …")?.to_owned(),
        None => return missing(node.span, "name", reader),
    };
    let given = match entry(entries, "given") {
        Some(stated) => {
            let spans: Vec<Span> = stated.value.items().unwrap_or_default().iter().map(|node| node.span).collect();
            let items = items(&stated.value, design, reader)?;
            let spans = spans.into_iter().chain(std::iter::repeat(stated.value.span));
            items.into_iter().zip(spans).filter_map(|(item, span)| complete(item, span, design, reader)).collect()
        }
        None => Vec::new(),
    };
    let Some(when) = entry(entries, "when") else { return missing(node.span, "when", reader) };
    let steps = reader.mapping(&when.value, "`when`", "when: {query: all accounts}");
    for unknown in steps.iter().filter(|entry| !STEPS.contains(&entry.name())) {
        reader.unknown_key(unknown, STEPS, "`when`");
    }
    let caller = match entry(steps, "as") {
        Some(stated) => caller(stated, reader),
        None => ExampleCaller { superuser: true, ..ExampleCaller::default() },
    };
    let step = step(when, steps, design, reader)?;
    let Some(then) = entry(entries, "then") else { return missing(node.span, "then", reader) };
    let then = expectation(&then.value, design, reader)?;
    Some(Example { name, span: node.span, given, caller, when: step, then })
}

fn missing<T>(span: Span, key: &str, reader: &mut Reader<'_>) -> Option<T> {
    let help = "write `{name: …, given: […], when: {…}, then: […]}`";
    reader.fault(&BAD_EXAMPLE, span, format!("the example has no `{key}`"), help);
    None
}

fn step(when: &Entry, steps: &[Entry], design: &Design, reader: &mut Reader<'_>) -> Option<Step> {
    if let Some(query) = entry(steps, "query") {
        let name = reader.text(&query.value, "a pattern", "query: all accounts")?;
        let Some(pattern) = design.pattern_named(name) else {
            if !reader.patterns_incomplete {
                let help = match suggest(name, design.patterns.iter().map(|pattern| pattern.name.as_str())) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => "name a pattern of the design".to_owned(),
                };
                reader.fault(&BAD_EXAMPLE, query.value.span, format!("unknown pattern `{name}`"), help);
            }
            return None;
        };
        let with = entry(steps, "with").map(|stated| arguments(stated, pattern, reader)).unwrap_or_default();
        return Some(Step::Query { pattern: pattern.id, with });
    }
    if let Some(stated) = entry(steps, "update") {
        let item = item(&stated.value, design, reader)?;
        let operators = example_operators::read(steps, &design[item.entity], reader)?;
        return Some(Step::Update(item, operators));
    }
    for (word, make) in [
        ("get", Step::Get as fn(ExampleItem) -> Step),
        ("create", Step::Create),
        ("put", Step::Put),
        ("delete", Step::Delete),
    ] {
        if let Some(stated) = entry(steps, word) {
            reject_operators(steps, word, reader);
            let item = item(&stated.value, design, reader)?;
            let whole = matches!(word, "create" | "put");
            let item = if whole { complete(item, stated.value.span, design, reader)? } else { item };
            return Some(make(item));
        }
    }
    let help = "write `query: PATTERN`, or a verb and an item: `create: {License: {…}}`";
    reader.fault(&BAD_EXAMPLE, when.key.span, "`when` has no call", help);
    None
}

/// Operators belong to an update.
fn reject_operators(steps: &[Entry], verb: &str, reader: &mut Reader<'_>) {
    for stated in steps.iter().filter(|entry| example_operators::WORDS.contains(&entry.name())) {
        let message = format!("`{verb}` takes no `{}`", stated.name());
        reader.fault(&BAD_EXAMPLE, stated.key.span, message, "operators and conditions are those of an `update`");
    }
}

fn arguments(stated: &Entry, pattern: &Pattern, reader: &mut Reader<'_>) -> BTreeMap<String, AttributeValue> {
    let mut arguments = BTreeMap::new();
    for argument in reader.mapping(&stated.value, "`with`", "with: {accountId: a1}") {
        let Some(parameter) = pattern.parameter(argument.name()) else {
            let names: Vec<&str> = pattern.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let help = match suggest(argument.name(), names.iter().copied()) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("`{}` has the parameters `{}`", pattern.name, names.join("`, `")),
            };
            let message = format!("`{}` has no parameter `{}`", pattern.name, argument.name());
            reader.fault(&BAD_EXAMPLE, argument.key.span, message, help);
            continue;
        };
        let value_type = if parameter.many {
            AttributeType::List(Some(Box::new(parameter.value_type.clone())))
        } else {
            parameter.value_type.clone()
        };
        if let Some(value) = value(&argument.value, argument.name(), &value_type, reader) {
            arguments.insert(argument.name().to_owned(), value);
        }
    }
    arguments
}

fn caller(stated: &Entry, reader: &mut Reader<'_>) -> ExampleCaller {
    let mut caller = ExampleCaller::default();
    match stated.value.scalar() {
        Some("superuser") => {
            caller.superuser = true;
            return caller;
        }
        Some("anyone") => return caller,
        _ => {}
    }
    let keys = ["superuser", "tenant", "subject", "roles", "groups", "permissions"];
    for part in reader.mapping(&stated.value, "`as`", "as: {tenant: a1, subject: u1}") {
        let mut list = || -> Vec<String> {
            reader.list(&part.value, "a list", "roles: admin").into_iter().map(|(text, _)| text.to_owned()).collect()
        };
        match part.name() {
            "tenant" => caller.tenant = part.value.scalar().map(str::to_owned),
            "subject" => caller.subject = part.value.scalar().map(str::to_owned),
            "roles" => caller.roles = list(),
            "groups" => caller.groups = list(),
            "permissions" => caller.permissions = list(),
            "superuser" => caller.superuser = reader.flag(part),
            _ => reader.unknown_key(part, &keys, "`as`"),
        }
    }
    caller
}

fn expectation(node: &Node, design: &Design, reader: &mut Reader<'_>) -> Option<Expectation> {
    if let Some(entries) = node.entries() {
        if let Some(fails) = entry(entries, "fails") {
            return reader
                .text(&fails.value, "`fails`", "then: {fails: email}")
                .map(|name| Expectation::Fails(name.to_owned()));
        }
        if let Some(count) = entry(entries, "count") {
            let text = reader.text(&count.value, "`count`", "then: {count: 3}")?;
            match text.parse() {
                Ok(count) => return Some(Expectation::Count(count)),
                Err(_) => {
                    reader.fault(
                        &BAD_VALUE,
                        count.value.span,
                        format!("`{text}` is not a valid count"),
                        "write `then: {count: 3}`",
                    );
                    return None;
                }
            }
        }
    }
    items(node, design, reader).map(Expectation::Items)
}

fn items(node: &Node, design: &Design, reader: &mut Reader<'_>) -> Option<Vec<ExampleItem>> {
    match node.items() {
        Some(nodes) => {
            let items: Vec<ExampleItem> = nodes.iter().filter_map(|node| item(node, design, reader)).collect();
            (items.len() == nodes.len()).then_some(items)
        }
        None if node.is_empty() => Some(Vec::new()),
        None => item(node, design, reader).map(|item| vec![item]),
    }
}

/// `{License: {accountId: a1, …}}`.
fn item(node: &Node, design: &Design, reader: &mut Reader<'_>) -> Option<ExampleItem> {
    let Some([one]) = node.entries() else {
        reader.fault(
            &BAD_EXAMPLE,
            node.span,
            "an item is one entity with its attributes",
            "write `{License: {accountId: a1}}`",
        );
        return None;
    };
    let entity = named_entity(one.name(), one.key.span, design, reader)?;
    let mut attributes = Attributes::new();
    for stated in reader.mapping(&one.value, "an item", "{License: {accountId: a1}}") {
        let Some(attribute) = entity.attribute(stated.name()) else {
            if entity.open {
                attributes.extend(
                    value(&stated.value, stated.name(), &AttributeType::Any, reader)
                        .map(|value| (stated.name().to_owned(), value)),
                );
            } else {
                unknown_attribute(entity, stated.name(), stated.key.span, reader);
            }
            continue;
        };
        if let Some(value) = value(&stated.value, stated.name(), &attribute.value_type, reader) {
            attributes.insert(stated.name().to_owned(), value);
        }
    }
    Some(ExampleItem { entity: entity.id, attributes })
}

/// What a caller has to give when an item is written whole.
fn complete(item: ExampleItem, span: Span, design: &Design, reader: &mut Reader<'_>) -> Option<ExampleItem> {
    let entity = &design[item.entity];
    let missing: Vec<&str> = entity
        .attributes
        .iter()
        .filter(|attribute| {
            !attribute.optional
                && attribute.default.is_none()
                && attribute.generator.is_none()
                && attribute.same_as.is_none()
                && attribute.computed.is_none()
                && !attribute.value_type.is_kept_by_runtime()
                && !item.attributes.contains_key(&attribute.name)
        })
        .map(|attribute| attribute.name.as_str())
        .collect();
    if missing.is_empty() {
        return Some(item);
    }
    let message = format!("a `{}` needs `{}`", entity.name, missing.join("`, `"));
    reader.fault(&BAD_EXAMPLE, span, message, "give every attribute that is neither optional nor generated");
    None
}

fn value(node: &Node, name: &str, value_type: &AttributeType, reader: &mut Reader<'_>) -> Option<AttributeValue> {
    match value_text::of_node(node, value_type) {
        Ok(value) => Some(value),
        Err(rule) => {
            let shown = node.scalar().map_or_else(|| node.describe().to_owned(), |text| format!("`{text}`"));
            let message = format!("`{name}` must be {rule} but is {shown}");
            reader.fault(&BAD_VALUE, node.span, message, "give a value of the attribute's type");
            None
        }
    }
}
