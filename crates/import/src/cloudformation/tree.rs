//! A template's YAML or JSON as a tree in which every value has its position, and intrinsic functions are nodes of
//! their own.

use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};

use super::error::{Position, TemplateError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub position: Position,
    pub kind: NodeKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NodeKind {
    Text(String),
    List(Vec<Node>),
    Mapping(Vec<(String, Node)>),
    /// `!Ref Name`, `{"Fn::Sub": …}`; the name is without `Fn::`.
    Function(String, Box<Node>),
    /// Nothing: `Key:` with no value, or JSON's `null`.
    Nothing,
}

impl Node {
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            NodeKind::Mapping(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub(super) fn entries(&self) -> &[(String, Node)] {
        match &self.kind {
            NodeKind::Mapping(entries) => entries,
            _ => &[],
        }
    }

    pub(super) fn describe(&self) -> String {
        match &self.kind {
            NodeKind::Text(text) => format!("`{text}`"),
            NodeKind::List(_) => "a list".to_owned(),
            NodeKind::Mapping(_) => "a mapping".to_owned(),
            NodeKind::Function(name, _) => format!("`!{name}`"),
            NodeKind::Nothing => "nothing".to_owned(),
        }
    }
}

enum Frame {
    List(Position, Option<String>, Vec<Node>),
    Mapping(Position, Option<String>, Vec<(String, Node)>, Option<String>),
}

/// The nesting limit: deeper than any real template, and shallow enough for recursion.
const DEEPEST: usize = 128;

/// Reads a template; JSON is read as the YAML that it is.
pub(super) fn read(text: &str) -> Result<Node, TemplateError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = Parser::new_from_str(text);
    let mut stack: Vec<Frame> = Vec::new();
    let mut root = None;
    let mut documents = 0;
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let position = Position { line: error.marker().line(), column: error.marker().col() + 1 };
            TemplateError::at(
                position,
                format!("the template is neither YAML nor JSON: {}", error.info().trim_end_matches('.')),
            )
        })?;
        let position = position_of(&span);
        match event {
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(TemplateError::at(position, "a template must be a single document"));
                }
            }
            Event::Alias(_) => {
                return Err(TemplateError::at(position, "CloudFormation does not support aliases; repeat the value"));
            }
            Event::Scalar(value, style, _, tag) => {
                let kind = scalar(&value, style);
                add(wrap(Node { position, kind }, function(tag.as_deref())), &mut stack, &mut root)?;
            }
            Event::SequenceStart(_, tag) => stack.push(Frame::List(position, function(tag.as_deref()), Vec::new())),
            Event::MappingStart(_, tag) => {
                stack.push(Frame::Mapping(position, function(tag.as_deref()), Vec::new(), None));
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let node = match stack.pop() {
                    Some(Frame::List(position, function, items)) => {
                        wrap(Node { position, kind: NodeKind::List(items) }, function)
                    }
                    Some(Frame::Mapping(position, function, entries, _)) => wrap(mapping(position, entries), function),
                    None => continue,
                };
                add(node, &mut stack, &mut root)?;
            }
            _ => {}
        }
        if stack.len() > DEEPEST {
            return Err(TemplateError::at(position, "the template is nested too deeply"));
        }
    }
    Ok(root.unwrap_or(Node { position: Position { line: 1, column: 1 }, kind: NodeKind::Nothing }))
}

fn position_of(span: &Span) -> Position {
    Position { line: span.start.line(), column: span.start.col() + 1 }
}

fn scalar(text: &str, style: ScalarStyle) -> NodeKind {
    match style {
        ScalarStyle::Plain if matches!(text, "" | "~" | "null" | "Null" | "NULL") => NodeKind::Nothing,
        _ => NodeKind::Text(text.to_owned()),
    }
}

/// `!Ref` and its like; `!!str` and others of YAML itself say nothing that matters here.
fn function(tag: Option<&Tag>) -> Option<String> {
    tag.filter(|tag| tag.handle == "!").map(|tag| tag.suffix.clone())
}

fn wrap(node: Node, function: Option<String>) -> Node {
    match function {
        Some(name) => Node { position: node.position, kind: NodeKind::Function(name, Box::new(node)) },
        None => node,
    }
}

/// `{"Ref": …}` and `{"Fn::Sub": …}` are the long form of functions.
fn mapping(position: Position, mut entries: Vec<(String, Node)>) -> Node {
    if entries.len() == 1
        && let Some((key, _)) = entries.first()
        && let Some(name) = (key == "Ref").then_some("Ref").or_else(|| key.strip_prefix("Fn::")).map(str::to_owned)
        && let Some((_, argument)) = entries.pop()
    {
        return Node { position, kind: NodeKind::Function(name, Box::new(argument)) };
    }
    Node { position, kind: NodeKind::Mapping(entries) }
}

fn add(node: Node, stack: &mut [Frame], root: &mut Option<Node>) -> Result<(), TemplateError> {
    match stack.last_mut() {
        None => *root = root.take().or(Some(node)),
        Some(Frame::List(_, _, items)) => items.push(node),
        Some(Frame::Mapping(_, _, _, key @ None)) => match node.kind {
            NodeKind::Text(text) => *key = Some(text),
            _ => {
                return Err(TemplateError::at(
                    node.position,
                    format!("{} cannot be a key of a mapping", node.describe()),
                ));
            }
        },
        Some(Frame::Mapping(_, _, entries, key)) => {
            let Some(key) = key.take() else { return Ok(()) };
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(TemplateError::at(node.position, format!("`{key}` is defined twice")));
            }
            entries.push((key, node));
        }
    }
    Ok(())
}
