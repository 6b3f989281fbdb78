//! Key conditions from templates.

use keyfold_design::model::KeyAttribute;
use keyfold_design::template::Format;
use keyfold_dynamo::table::KeyType;

use crate::entity::{Entity, Form, is_placeholder};
use crate::template::{Piece, Recognized};

/// A template's alternatives as conditions; a key that is an attribute itself has one without a template.
pub(super) fn alternatives<'e>(entity: &'e Entity<'_>, key: &KeyAttribute) -> Vec<Option<&'e Recognized>> {
    match entity.key(&key.name).map(|key| &key.form) {
        Some(Form::Template(template)) => template.alternatives().map(Some).collect(),
        Some(Form::Plain) if is_placeholder(&key.name) => vec![None],
        _ => Vec::new(),
    }
}

/// `KEY = TEMPLATE` for every part of the partition key, the first one in one of its alternatives.
pub(super) fn conditions(entity: &Entity<'_>, keys: &[KeyAttribute], first: Option<&Recognized>) -> Option<String> {
    let mut all = Vec::new();
    for (position, key) in keys.iter().enumerate() {
        let template = match (position, first) {
            (0, Some(template)) => as_condition(template)?,
            _ => condition_template(entity, key)?,
        };
        all.push(format!("{} = {template}", key.name));
    }
    Some(all.join(" and "))
}

pub(super) fn condition_template(entity: &Entity<'_>, key: &KeyAttribute) -> Option<String> {
    match &entity.key(&key.name)?.form {
        Form::Template(template) => as_condition(template),
        Form::Plain if is_placeholder(&key.name) && key.key_type != KeyType::B => Some(format!("<{}>", key.name)),
        Form::Plain => None,
    }
}

/// A template as what a key is compared with: parameters have the format of the part that they meet.
fn as_condition(template: &Recognized) -> Option<String> {
    let pieces = template
        .pieces
        .iter()
        .map(|piece| match piece {
            Piece::Value(slot) => {
                let mut slot = slot.clone();
                slot.fallback = None;
                slot.formats.retain(|format| matches!(format, Format::First(_)));
                Piece::Value(slot)
            }
            other => other.clone(),
        })
        .collect();
    let source = Recognized::new(pieces).source()?;
    // A blank would end the condition.
    if !source.contains(char::is_whitespace) {
        return Some(source);
    }
    (!source.contains('"')).then(|| format!("\"{source}\""))
}

/// The literal text that a template begins with, up to its last delimiter.
pub(super) fn terminated(template: &Recognized, delimiter: char) -> String {
    let prefix = template.literal_prefix();
    let is_spelt = !prefix.contains([',', '(', ')', ' ', '"', '<', '>']);
    match prefix.rfind(delimiter) {
        Some(at) if is_spelt && template.otherwise.is_none() => {
            prefix.get(..at + delimiter.len_utf8()).unwrap_or("").to_owned()
        }
        _ => String::new(),
    }
}
