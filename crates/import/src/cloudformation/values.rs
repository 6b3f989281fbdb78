//! The values of a template, with intrinsic functions resolved as far as the template alone allows.

use super::error::TemplateError;
use super::tree::{Node, NodeKind};

/// A template with its parameters.
pub(super) struct Template<'a> {
    pub root: &'a Node,
}

/// A text of the template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resolved {
    pub text: String,
    /// The parameter that it is the default of.
    pub parameter: Option<String>,
    /// What had to be assumed.
    pub assumed: Option<String>,
}

impl Resolved {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), parameter: None, assumed: None }
    }
}

impl<'a> Template<'a> {
    /// The value itself: the branch of an `!If` that is taken when its condition holds, nothing for `AWS::NoValue`.
    pub(super) fn value<'n>(&self, node: &'n Node, notes: &mut Vec<String>) -> Option<&'n Node> {
        match &node.kind {
            NodeKind::Nothing => None,
            NodeKind::Function(name, argument) if name == "If" => {
                let NodeKind::List(parts) = &argument.kind else { return Some(node) };
                let condition = parts.first().map(Node::describe).unwrap_or_default();
                notes.push(format!("line {}: the value for a true condition {condition} is used", node.position.line));
                self.value(parts.get(1)?, notes)
            }
            NodeKind::Function(name, argument)
                if name == "Ref" && argument.kind == NodeKind::Text("AWS::NoValue".to_owned()) =>
            {
                None
            }
            _ => Some(node),
        }
    }

    /// The default of a parameter.
    fn default(&self, parameter: &str) -> Option<String> {
        match &self.root.get("Parameters")?.get(parameter)?.get("Default")?.kind {
            NodeKind::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn is_parameter(&self, name: &str) -> bool {
        self.root.get("Parameters").is_some_and(|parameters| parameters.get(name).is_some())
    }

    /// A text as far as it can be resolved; `None` where it is known only at deployment.
    pub(super) fn resolve(&self, node: &Node) -> Option<Resolved> {
        match &node.kind {
            NodeKind::Text(text) => Some(Resolved::plain(text)),
            NodeKind::Function(name, argument) => match (name.as_str(), &argument.kind) {
                ("Ref", NodeKind::Text(parameter)) => {
                    let text = self.default(parameter)?;
                    Some(Resolved { text, parameter: Some(parameter.clone()), assumed: None })
                }
                ("Sub", NodeKind::Text(text)) => Some(self.substitute(text, &[])),
                ("Sub", NodeKind::List(parts)) => {
                    let NodeKind::Text(text) = &parts.first()?.kind else { return None };
                    Some(self.substitute(text, parts.get(1).map(Node::entries).unwrap_or_default()))
                }
                ("Join", NodeKind::List(parts)) => self.join(parts),
                ("FindInMap", NodeKind::List(parts)) => self.find_in_map(parts),
                ("If", NodeKind::List(parts)) => {
                    let mut resolved = self.resolve(parts.get(1)?)?;
                    resolved.assumed = Some("the condition of an `!If` is assumed to be true".to_owned());
                    Some(resolved)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `${Stage}-orders`: parameters by their default, everything else by its own name.
    fn substitute(&self, text: &str, given: &[(String, Node)]) -> Resolved {
        let mut whole = String::new();
        let mut unknown: Vec<String> = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            whole.push_str(before);
            let Some((name, after)) = after.split_once('}') else {
                whole.push_str("${");
                rest = after;
                continue;
            };
            rest = after;
            if let Some(literal) = name.strip_prefix('!') {
                whole.push_str(&format!("${{{literal}}}"));
                continue;
            }
            let known = given.iter().find(|(key, _)| key == name).and_then(|(_, value)| self.resolve(value));
            match known.map(|value| value.text).or_else(|| self.default(name)) {
                Some(value) => whole.push_str(&value),
                None => {
                    whole.push_str(name.rsplit(':').next().unwrap_or(name));
                    unknown.push(format!("`{name}`"));
                }
            }
        }
        whole.push_str(rest);
        let assumed = (!unknown.is_empty()).then(|| format!("{} is known only at deployment", unknown.join(", ")));
        Resolved { text: whole, parameter: None, assumed }
    }

    fn join(&self, parts: &[Node]) -> Option<Resolved> {
        let (Some(delimiter), Some(Node { kind: NodeKind::List(pieces), .. })) = (parts.first(), parts.get(1)) else {
            return None;
        };
        let delimiter = match &delimiter.kind {
            NodeKind::Text(text) => text.clone(),
            NodeKind::Nothing => String::new(),
            _ => return None,
        };
        let mut texts = Vec::new();
        let mut assumed = None;
        for piece in pieces {
            match self.resolve(piece) {
                Some(resolved) => {
                    assumed = assumed.or(resolved.assumed);
                    texts.push(resolved.text);
                }
                None => {
                    assumed = Some(format!("{} is known only at deployment", piece.describe()));
                    texts.push(self.name_of(piece)?);
                }
            }
        }
        Some(Resolved { text: texts.join(&delimiter), parameter: None, assumed })
    }

    /// The value of a mapping, where its keys are known.
    fn find_in_map(&self, parts: &[Node]) -> Option<Resolved> {
        let [map, first, second] = parts else { return None };
        let map = self.root.get("Mappings")?.get(&self.resolve(map)?.text)?;
        self.resolve(map.get(&self.resolve(first)?.text)?.get(&self.resolve(second)?.text)?)
    }

    /// The logical id that a `!Ref` or `!GetAtt` refers to.
    pub(super) fn name_of(&self, node: &Node) -> Option<String> {
        let NodeKind::Function(_, argument) = &node.kind else { return None };
        match &argument.kind {
            NodeKind::Text(text) => {
                let name = text.split('.').next().unwrap_or(text);
                Some(name.rsplit(':').next().unwrap_or(name).to_owned())
            }
            NodeKind::List(parts) => match parts.first().map(|part| &part.kind) {
                Some(NodeKind::Text(text)) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// A text that has to be known: the name of a key, a type.
    pub(super) fn text(&self, node: &Node, what: &str) -> Result<String, TemplateError> {
        self.resolve(node).filter(|resolved| resolved.assumed.is_none()).map(|resolved| resolved.text).ok_or_else(
            || {
                let help = match &node.kind {
                    NodeKind::Function(name, argument) if name == "Ref" => match &argument.kind {
                        NodeKind::Text(parameter) if self.is_parameter(parameter) => {
                            format!("; give the parameter `{parameter}` a default")
                        }
                        _ => String::new(),
                    },
                    _ => String::new(),
                };
                TemplateError::at(node.position, format!("{what} must be text, but is {}{help}", node.describe()))
            },
        )
    }

    pub(super) fn flag(&self, node: &Node, what: &str) -> Result<bool, TemplateError> {
        match self.text(node, what)?.as_str() {
            "true" | "True" | "TRUE" | "yes" | "on" => Ok(true),
            "false" | "False" | "FALSE" | "no" | "off" => Ok(false),
            other => Err(TemplateError::at(node.position, format!("{what} must be `true` or `false`, not `{other}`"))),
        }
    }

    pub(super) fn units(&self, node: &Node, what: &str) -> Result<i64, TemplateError> {
        let text = self.text(node, what)?;
        match text.parse::<i64>() {
            Ok(units) if units > 0 => Ok(units),
            _ => Err(TemplateError::at(node.position, format!("{what} must be a positive integer, not `{text}`"))),
        }
    }
}
