//! Key builders: functions that put keys together, by the runtime's own rules.

use keyfold_design::Design;
use keyfold_design::model::{Entity, EntryCondition, KeyPart};
use keyfold_design::template::{Format, Part, Placeholder, Template};
use keyfold_dynamo::table::KeyType;

use super::layout::{call, function};
use super::lookups::shared_lookups;
use super::names::{Names, identifier, identifiers};
use super::types::{borrowed, of_attribute, of_kind};
use crate::lines::Lines;
use crate::naming::camel;

const ERROR: &str = "typed::TemplateError";
/// Names that the bodies of builders use.
const OWN_NAMES: [&str; 5] = ["holds", "key", "otherwise", "rival", "typed"];

pub(super) fn text(design: &Design, names: &Names) -> String {
    let mut out = Lines::of_four();
    for entity in &design.entities {
        Builder { design, names, entity }.write(&mut out);
    }
    let body = out.into_text();
    let mut head = Lines::of_four();
    head.line("//! Key builders.");
    head.blank();
    head.line("use keyfold_typed as typed;");
    if names.enumerations.iter().any(|found| body.contains(&format!(": {}", found.name))) {
        head.blank();
        head.line("use super::enumerations::*;");
    }
    head.into_text() + &body
}

/// The builders of one entity.
pub(super) struct Builder<'a> {
    design: &'a Design,
    names: &'a Names,
    pub entity: &'a Entity,
}

/// Which values a builder takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Values {
    /// Those that an item may lack may be absent.
    AsInItems,
    All,
}

/// A value that a builder takes.
struct Argument {
    attribute: String,
    variable: String,
    owned: String,
    optional: bool,
}

impl Builder<'_> {
    fn write(&self, out: &mut Lines) {
        let entity = self.entity;
        for part in std::iter::once(&entity.layout.partition).chain(&entity.layout.sort) {
            let name = self.helper(&part.key.name, &format!("{} {}", part.key.name, entity.name));
            out.blank();
            out.line(format!("/// {} of {}: `{}`.", part.key.name, entity.name, part.template.source));
            self.single(&name, &part.template, out);
        }
        for index_key in &entity.layout.index_keys {
            let index = &self.design[index_key.index];
            // Attributes that are keys as they are need no builder.
            let made: Vec<&KeyPart> = index_key
                .parts()
                .filter(|part| entity.attribute(&part.key.name).is_none() && !self.design.is_table_key(&part.key.name))
                .collect();
            if made.is_empty() {
                continue;
            }
            let name = self.helper(&index.name, &format!("{} {}", index.name, entity.name));
            let is_sparse = index_key.parts().any(|part| part.template.is_sparse());
            let sparse = if is_sparse { "; only items that have all its attributes are in the index" } else { "" };
            let condition = index_key.condition.as_ref();
            out.blank();
            out.line(format!("/// {} in {}{sparse}{}.", entity.name, index.name, only_while(condition)));
            self.several(&name, &made, Values::AsInItems, condition, out);
        }
        self.lookups(out);
    }

    /// The name of a builder: what the design says, in Rust's spelling, or the default.
    fn helper(&self, key: &str, default: &str) -> String {
        match self.entity.helpers.get(key) {
            Some(name) => identifier(name),
            None => identifier(&camel(default)),
        }
    }

    fn lookups(&self, out: &mut Lines) {
        let entity = self.entity;
        if let Some((name, template)) = shared_lookups(entity, out) {
            self.single(&name, template, out);
        }
        for unique in &entity.uniques {
            let title = format!("{} by {}", entity.name, unique.name);
            let parts: Vec<&KeyPart> = std::iter::once(&unique.layout.partition).chain(&unique.layout.sort).collect();
            out.blank();
            let condition = unique.layout.condition.as_ref();
            let exists = condition.map(|condition| format!(", which exists only while `{}`", condition.source()));
            let exists = exists.unwrap_or_default();
            out.line(format!("/// The key of the lookup of {title}{exists}."));
            self.several(&identifier(&camel(&format!("lookup {title}"))), &parts, Values::All, None, out);
            for index_key in &unique.layout.index_keys {
                out.blank();
                let condition = index_key.condition.as_ref();
                out.line(format!("/// The index key of the lookup of {title}{exists}{}.", only_while(condition)));
                let parts: Vec<&KeyPart> = index_key.parts().collect();
                self.several(&self.helper(&unique.name, &title), &parts, Values::All, condition, out);
            }
        }
    }

    /// A function that gives one key.
    pub(super) fn single(&self, name: &str, template: &Template, out: &mut Lines) {
        let head = format!("pub fn {name}");
        if let (Some(text), KeyType::S) = (template.constant(), template.key_type) {
            function(out, &head, &[], " -> &'static str", |out| out.line(format!("{text:?}")));
            return;
        }
        let arguments = self.arguments(&[template]);
        let (result, end) = match template.key_type {
            KeyType::S if template.is_sparse() => ("Option<String>", "key.text_if()"),
            KeyType::S => ("String", "key.text()"),
            KeyType::N | KeyType::B => ("Option<typed::AttributeValue>", "key.value_if()"),
        };
        function(out, &head, &parameters(&arguments), &format!(" -> Result<{result}, {ERROR}>"), |out| {
            key("key", template, &arguments, out);
            out.line(end);
        });
    }

    /// A function that gives several key attributes, all or none of them. A condition is an expression that only the
    /// runtime evaluates, so that the caller says whether it holds.
    fn several(
        &self,
        name: &str,
        parts: &[&KeyPart],
        values: Values,
        condition: Option<&EntryCondition>,
        out: &mut Lines,
    ) {
        let templates: Vec<&Template> = parts.iter().map(|part| &part.template).collect();
        let mut arguments = self.arguments(&templates);
        if values == Values::All {
            arguments.iter_mut().for_each(|argument| argument.optional = false);
        }
        let result = format!(" -> Result<typed::Attributes, {ERROR}>");
        let mut taken = parameters(&arguments);
        taken.extend(condition.map(|_| "holds: bool".to_owned()));
        function(out, &format!("pub fn {name}"), &taken, &result, |out| {
            if condition.is_some() {
                out.block("if !holds {", "}", |out| out.line("return Ok(typed::Attributes::new());"));
            }
            let taken: Vec<&str> = arguments.iter().map(|argument| argument.variable.as_str()).collect();
            let variables = identifiers(parts.iter().map(|part| part.key.name.as_str()), &taken);
            for (part, (_, variable)) in parts.iter().zip(&variables) {
                key(variable, &part.template, &arguments, out);
            }
            let pairs: Vec<String> =
                variables.iter().map(|(name, variable)| format!("({name:?}, {variable})")).collect();
            indexed(&pairs, out);
        });
    }

    fn arguments(&self, templates: &[&Template]) -> Vec<Argument> {
        let mut placeholders: Vec<&Placeholder> = Vec::new();
        let all = templates.iter().flat_map(|template| template.alternatives()).flat_map(Template::placeholders);
        for placeholder in all {
            if !placeholders.iter().any(|known| known.attribute == placeholder.attribute) {
                placeholders.push(placeholder);
            }
        }
        let variables = identifiers(placeholders.iter().map(|placeholder| placeholder.attribute.as_str()), &OWN_NAMES);
        placeholders
            .iter()
            .zip(variables)
            .map(|(placeholder, (_, variable))| {
                let declared = self.entity.attribute(&placeholder.attribute);
                Argument {
                    attribute: placeholder.attribute.clone(),
                    variable,
                    owned: declared.map_or_else(
                        || of_kind(&placeholder.kind).to_owned(),
                        |attribute| of_attribute(self.names, self.entity, attribute),
                    ),
                    optional: templates
                        .iter()
                        .flat_map(|template| template.alternatives())
                        .flat_map(Template::placeholders)
                        .any(|other| other.attribute == placeholder.attribute && other.optional),
                }
            })
            .collect()
    }
}

/// Which items have a key, for the comment of a builder.
fn only_while(condition: Option<&EntryCondition>) -> String {
    let text = condition.map(|condition| format!("; only while `{}`, which `holds` tells", condition.source()));
    text.unwrap_or_default()
}

fn parameters(arguments: &[Argument]) -> Vec<String> {
    let typed = arguments.iter().map(|argument| {
        let one = borrowed(&argument.owned);
        match argument.optional {
            true => format!("{}: Option<{one}>", argument.variable),
            false => format!("{}: {one}", argument.variable),
        }
    });
    typed.collect()
}

/// Statements that put a key together in a variable.
fn key(variable: &str, template: &Template, arguments: &[Argument], out: &mut Lines) {
    parts(variable, template, arguments, out);
    if let Some(otherwise) = &template.otherwise {
        key("otherwise", otherwise, arguments, out);
        out.line(format!("{variable}.or(otherwise);"));
    }
    for rival in template.rivals() {
        opened("rival", rival, out);
        for part in &rival.parts {
            match part {
                Part::Literal(text) => call(out, "rival.literal", &[format!("{text:?}")], ";"),
                Part::Placeholder(placeholder) => {
                    let (name, formats) = (&placeholder.attribute, formats(placeholder));
                    if let Some(range) = placeholder.range {
                        let (least, most) = (range.least.to_string(), range.most.to_string());
                        let given = [format!("{name:?}"), format!("&[{formats}]"), least, most];
                        call(out, "rival.any_within", &given, ";");
                        continue;
                    }
                    let kind = match of_kind(&placeholder.kind) {
                        "String" => "str",
                        other => other,
                    };
                    call(out, &format!("rival.any::<{kind}>"), &[format!("{name:?}"), format!("&[{formats}]")], ";");
                    if let Some(sentinel) = &placeholder.sentinel {
                        call(out, "rival.sentinel", &[format!("{sentinel:?}")], ";");
                    }
                }
            }
        }
        out.line(format!("{variable}.rival(rival);"));
    }
}

fn opened(variable: &str, template: &Template, out: &mut Lines) {
    // The alternative has a key and a source of its own.
    let source = format!("{:?}", template.source);
    let (function, second) = match template.key_type {
        KeyType::S => ("new", format!("{:?}", template.delimiter)),
        KeyType::N => ("with_type", "typed::KeyType::N".to_owned()),
        KeyType::B => ("with_type", "typed::KeyType::B".to_owned()),
    };
    call(out, &format!("let mut {variable} = typed::Key::{function}"), &[source, second], ";");
}

fn parts(variable: &str, template: &Template, arguments: &[Argument], out: &mut Lines) {
    opened(variable, template, out);
    for part in &template.parts {
        let placeholder = match part {
            Part::Literal(text) => {
                call(out, &format!("{variable}.literal"), &[format!("{text:?}")], ";");
                continue;
            }
            Part::Placeholder(placeholder) => placeholder,
        };
        let Some(argument) = arguments.iter().find(|found| found.attribute == placeholder.attribute) else { continue };
        let is_reference = borrowed(&argument.owned).starts_with('&');
        let given = match (argument.optional, is_reference) {
            (false, true) => argument.variable.clone(),
            (false, false) => format!("&{}", argument.variable),
            (true, true) => argument.variable.clone(),
            (true, false) => format!("{}.as_ref()", argument.variable),
        };
        let (name, formats) = (&placeholder.attribute, formats(placeholder));
        let mut given = vec![format!("{name:?}"), given, format!("&[{formats}]")];
        let function = match (&placeholder.fallback, argument.optional) {
            (Some(fallback), true) => {
                given.push(format!("{fallback:?}"));
                "part_or"
            }
            (_, true) => "part_if",
            (_, false) => "part",
        };
        call(out, &format!("{variable}.{function}"), &given, ";");
        if let Some(sentinel) = &placeholder.sentinel {
            call(out, &format!("{variable}.sentinel"), &[format!("{sentinel:?}")], ";");
        }
    }
}

fn indexed(pairs: &[String], out: &mut Lines) {
    super::layout::array(out, "typed::index_key(", pairs, ")");
}

fn formats(placeholder: &Placeholder) -> String {
    let formats: Vec<String> = placeholder.formats.iter().map(|format| spelling(*format)).collect();
    formats.join(", ")
}

fn spelling(format: Format) -> String {
    match format {
        Format::Lower => "typed::Format::Lower".to_owned(),
        Format::Upper => "typed::Format::Upper".to_owned(),
        Format::First(count) => format!("typed::Format::First({count})"),
        Format::Width(digits) => format!("typed::Format::Width({digits})"),
        Format::Descending(digits) => format!("typed::Format::Descending({digits})"),
        Format::Url => "typed::Format::Url".to_owned(),
        Format::Date => "typed::Format::Date".to_owned(),
        Format::Year => "typed::Format::Year".to_owned(),
        Format::Month => "typed::Format::Month".to_owned(),
        Format::Day => "typed::Format::Day".to_owned(),
        Format::Shard(count) => format!("typed::Format::Shard({count})"),
        // Of the bounds of patterns, which no key builder has.
        Format::StartOfDay(_) | Format::EndOfDay(_) => String::new(),
    }
}
