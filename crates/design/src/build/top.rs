//! The top level of a design file.

use super::codes::{BAD_NAME, MISSING};
use super::reader::{Reader, entry};
use super::{
    Draft, accept, access, budgets, caller_source, callers, entity, examples, indexes, pattern, rules, table, tenant,
};
use crate::model::{BackendKind, Callers, Convention, Design};
use crate::starter::is_design_name;
use crate::syntax::{Entry, Node};

pub(crate) const KEYS: &[&str] = &[
    "design",
    "description",
    "table",
    "tenant",
    "targets",
    "conventions",
    "indexes",
    "entities",
    "patterns",
    "budgets",
    "callers",
    "allow",
    "accept",
    "examples",
];

pub(super) fn build(root: &Node, reader: &mut Reader<'_>) -> Option<Draft> {
    let entries = reader.mapping(root, "a design", "design: platform");
    for unknown in entries.iter().filter(|entry| !KEYS.contains(&entry.name())) {
        reader.unknown_key(unknown, KEYS, "a design");
        // What stands under it is missing, whatever it was meant to be.
        reader.patterns_incomplete = true;
        reader.rules_incomplete = true;
    }
    for (required, help) in
        [("design", "begin with `design: NAME`"), ("table", "add `table: NAME`"), ("entities", "add `entities:`")]
    {
        if entry(entries, required).is_none() {
            let span = crate::span::Span::new(root.span.start, root.span.start);
            reader.fault(&MISSING, span, format!("the design has no `{required}`"), help);
        }
    }
    let name = text_of(entries, "design", reader).unwrap_or_default();
    if let Some(stated) = entry(entries, "design").filter(|_| !name.is_empty() && !is_design_name(&name)) {
        let message = format!("`{name}` cannot name a design");
        reader.fault(
            &BAD_NAME,
            stated.value.span,
            message,
            "use lower-case letters, digits and hyphens, beginning with a letter",
        );
    }
    let table = table::build(entry(entries, "table"), reader);
    reader.delimiter = table.delimiter;
    let indexes = indexes::build(entry(entries, "indexes"), &table, reader);
    let mut design = Design {
        name,
        description: text_of(entries, "description", reader),
        table,
        tenant: None,
        targets: entry(entries, "targets").map_or_else(Vec::new, |stated| targets(stated, reader)),
        conventions: conventions(entry(entries, "conventions"), reader),
        indexes,
        entities: Vec::new(),
        patterns: Vec::new(),
        budgets: Vec::new(),
        callers: Callers::default(),
        rules: Vec::new(),
        accepted: Vec::new(),
        examples: Vec::new(),
        recognition: Vec::new(),
        kind_attributes: Vec::new(),
        access: Vec::new(),
    };
    if entry(entries, "targets").is_none() {
        design.targets = default_targets(&design);
    }
    let declared = entry(entries, "entities").map(|entry| reader.mapping(&entry.value, "`entities`", "entities: {…}"));
    let declared = declared.unwrap_or_default();
    design.tenant = tenant::build(entry(entries, "tenant"), declared, reader);
    entity::build_all(declared, &mut design, reader);
    sections(entries, &mut design, reader);
    design.access = design.patterns.iter().map(|pattern| access::plan(&design, pattern)).collect();
    (!design.entities.is_empty()).then(|| Draft {
        design,
        patterns_incomplete: reader.patterns_incomplete,
        entities_incomplete: reader.entities_incomplete,
        rules_incomplete: reader.rules_incomplete,
        has_stand_ins: reader.has_stand_ins,
    })
}

/// The sections that refer to entities, in the order of their dependencies.
fn sections(entries: &[Entry], design: &mut Design, reader: &mut Reader<'_>) {
    type Build = fn(&Entry, &mut Design, &mut Reader<'_>);
    let steps: [(&str, Build); 6] = [
        ("callers", callers::build),
        ("patterns", pattern::build_all),
        ("budgets", budgets::build),
        ("allow", rules::build),
        ("accept", accept::build),
        ("examples", examples::build),
    ];
    for (name, build) in steps {
        if let Some(stated) = entry(entries, name) {
            build(stated, design, reader);
        }
    }
    caller_source::check_attributes(design, reader);
}

fn text_of(entries: &[Entry], name: &str, reader: &mut Reader<'_>) -> Option<String> {
    let found = entry(entries, name)?;
    reader.text(&found.value, &format!("`{name}`"), &format!("{name}: …")).map(str::to_owned)
}

/// DynamoDB, and the embedded engine unless an index needs what the engine lacks.
fn default_targets(design: &Design) -> Vec<BackendKind> {
    let has_all = |target: &BackendKind| design.lacks_on(*target).is_empty();
    [BackendKind::Embedded, BackendKind::DynamoDb].into_iter().filter(has_all).collect()
}

fn targets(stated: &Entry, reader: &mut Reader<'_>) -> Vec<BackendKind> {
    let all = [BackendKind::Embedded, BackendKind::DynamoDb, BackendKind::Alternator];
    let mut targets = Vec::new();
    for (word, span) in reader.list(&stated.value, "`targets`", "targets: embedded, dynamodb") {
        match all.into_iter().find(|target| target.as_str() == word) {
            Some(target) => targets.push(target),
            None => reader.bad_word(span, word, "target", &all.map(BackendKind::as_str)),
        }
    }
    targets
}

fn conventions(stated: Option<&Entry>, reader: &mut Reader<'_>) -> Vec<Convention> {
    let Some(stated) = stated else { return Vec::new() };
    let all = [Convention::GsiN, Convention::UpperCaseLookups];
    let mut conventions = Vec::new();
    for (word, span) in reader.list(&stated.value, "`conventions`", "conventions: gsi-n") {
        match all.into_iter().find(|convention| convention.as_str() == word) {
            Some(convention) => conventions.push(convention),
            None => reader.bad_word(span, word, "convention", &all.map(Convention::as_str)),
        }
    }
    conventions
}
