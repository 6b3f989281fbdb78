//! A template's YAML or JSON as a tree in which every value knows its place, and intrinsic functions are told apart.

use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};

use super::fault::TemplateFault;

/// Where something stands, both from 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub place: Place,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Text(String),
    List(Vec<Node>),
    Mapping(Vec<(String, Node)>),
    /// `!Ref Name`, `{"Fn::Sub": …}`; the name is without `Fn::`.
    Function(String, Box<Node>),
    /// Nothing: `Key:` with no value, or JSON's `null`.
    Nothing,
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Mapping(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn entries(&self) -> &[(String, Node)] {
        match &self.kind {
            Kind::Mapping(entries) => entries,
            _ => &[],
        }
    }

    pub fn describe(&self) -> String {
        match &self.kind {
            Kind::Text(text) => format!("`{text}`"),
            Kind::List(_) => "a list".to_owned(),
            Kind::Mapping(_) => "a mapping".to_owned(),
            Kind::Function(name, _) => format!("`!{name}`"),
            Kind::Nothing => "nothing".to_owned(),
        }
    }
}

enum Frame {
    List(Place, Option<String>, Vec<Node>),
    Mapping(Place, Option<String>, Vec<(String, Node)>, Option<String>),
}

/// How deep a template may nest: further than any does, and not so far that reading it fails.
const DEEPEST: usize = 128;

/// Reads a template; JSON is read as the YAML that it is.
pub fn read(text: &str) -> Result<Node, TemplateFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = Parser::new_from_str(text);
    let mut stack: Vec<Frame> = Vec::new();
    let mut root = None;
    let mut documents = 0;
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let place = Place { line: error.marker().line(), column: error.marker().col() + 1 };
            TemplateFault::at(place, format!("this is neither YAML nor JSON: {}", error.info().trim_end_matches('.')))
        })?;
        let place = place_of(&span);
        match event {
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(TemplateFault::at(place, "a second document begins here; a template is one"));
                }
            }
            Event::Alias(_) => {
                return Err(TemplateFault::at(place, "an alias; CloudFormation knows none, so write the value out"));
            }
            Event::Scalar(value, style, _, tag) => {
                let kind = scalar(&value, style);
                add(wrap(Node { place, kind }, function(tag.as_deref())), &mut stack, &mut root)?;
            }
            Event::SequenceStart(_, tag) => stack.push(Frame::List(place, function(tag.as_deref()), Vec::new())),
            Event::MappingStart(_, tag) => {
                stack.push(Frame::Mapping(place, function(tag.as_deref()), Vec::new(), None));
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let node = match stack.pop() {
                    Some(Frame::List(place, function, items)) => {
                        wrap(Node { place, kind: Kind::List(items) }, function)
                    }
                    Some(Frame::Mapping(place, function, entries, _)) => wrap(mapping(place, entries), function),
                    None => continue,
                };
                add(node, &mut stack, &mut root)?;
            }
            _ => {}
        }
        if stack.len() > DEEPEST {
            return Err(TemplateFault::at(place, "this nests deeper than any template does"));
        }
    }
    Ok(root.unwrap_or(Node { place: Place { line: 1, column: 1 }, kind: Kind::Nothing }))
}

fn place_of(span: &Span) -> Place {
    Place { line: span.start.line(), column: span.start.col() + 1 }
}

fn scalar(text: &str, style: ScalarStyle) -> Kind {
    match style {
        ScalarStyle::Plain if matches!(text, "" | "~" | "null" | "Null" | "NULL") => Kind::Nothing,
        _ => Kind::Text(text.to_owned()),
    }
}

/// `!Ref` and its like; `!!str` and others of YAML itself say nothing that matters here.
fn function(tag: Option<&Tag>) -> Option<String> {
    tag.filter(|tag| tag.handle == "!").map(|tag| tag.suffix.clone())
}

fn wrap(node: Node, function: Option<String>) -> Node {
    match function {
        Some(name) => Node { place: node.place, kind: Kind::Function(name, Box::new(node)) },
        None => node,
    }
}

/// `{"Ref": …}` and `{"Fn::Sub": …}` are the long form of functions.
fn mapping(place: Place, mut entries: Vec<(String, Node)>) -> Node {
    if entries.len() == 1
        && let Some((key, _)) = entries.first()
        && let Some(name) = (key == "Ref").then_some("Ref").or_else(|| key.strip_prefix("Fn::")).map(str::to_owned)
        && let Some((_, argument)) = entries.pop()
    {
        return Node { place, kind: Kind::Function(name, Box::new(argument)) };
    }
    Node { place, kind: Kind::Mapping(entries) }
}

fn add(node: Node, stack: &mut [Frame], root: &mut Option<Node>) -> Result<(), TemplateFault> {
    match stack.last_mut() {
        None => *root = root.take().or(Some(node)),
        Some(Frame::List(_, _, items)) => items.push(node),
        Some(Frame::Mapping(_, _, _, key @ None)) => match node.kind {
            Kind::Text(text) => *key = Some(text),
            _ => return Err(TemplateFault::at(node.place, format!("{} is no key of a mapping", node.describe()))),
        },
        Some(Frame::Mapping(_, _, entries, key)) => {
            let Some(key) = key.take() else { return Ok(()) };
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(TemplateFault::at(node.place, format!("`{key}` is given twice")));
            }
            entries.push((key, node));
        }
    }
    Ok(())
}
