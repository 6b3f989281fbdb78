//! Paths into items, and what they lead to, worked out the plain way.

use keyfold_dynamo::{AttributeValue, Attributes};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Field(&'static str),
    Index(usize),
}

/// A path begins with a field: the attribute.
pub(super) type Path = Vec<Step>;

pub(super) fn attribute(name: &'static str) -> Path {
    vec![Step::Field(name)]
}

pub(super) fn root(path: &Path) -> &'static str {
    match path[0] {
        Step::Field(name) => name,
        Step::Index(_) => panic!("a path begins with an attribute"),
    }
}

pub(super) fn look_up<'i>(item: &'i Attributes, path: &Path) -> Option<&'i AttributeValue> {
    let mut found = item.get(root(path))?;
    for step in &path[1..] {
        found = match (step, found) {
            (Step::Field(name), AttributeValue::M(map)) => map.get(*name)?,
            (Step::Index(index), AttributeValue::L(list)) => list.get(*index)?,
            _ => return None,
        };
    }
    Some(found)
}

/// The parts of an item that the paths lead to. The elements of lists close up.
pub(super) fn project(item: &Attributes, paths: &[Path]) -> Attributes {
    let whole = AttributeValue::M(item.clone());
    let paths: Vec<&[Step]> = paths.iter().map(Vec::as_slice).collect();
    match part(&whole, &paths) {
        Some(AttributeValue::M(found)) => found,
        _ => Attributes::new(),
    }
}

fn part(value: &AttributeValue, paths: &[&[Step]]) -> Option<AttributeValue> {
    if paths.iter().any(|path| path.is_empty()) {
        return Some(value.clone());
    }
    let beneath = |first: &Step| -> Vec<&[Step]> {
        paths.iter().filter(|path| path.first() == Some(first)).map(|path| &path[1..]).collect()
    };
    match value {
        AttributeValue::M(map) => {
            let mut found = Attributes::new();
            for path in paths {
                if let Step::Field(name) = &path[0]
                    && let Some(inner) = map.get(*name)
                    && let Some(inner) = part(inner, &beneath(&path[0]))
                {
                    found.insert((*name).to_owned(), inner);
                }
            }
            if found.is_empty() { None } else { Some(AttributeValue::M(found)) }
        }
        AttributeValue::L(list) => {
            let mut found = Vec::new();
            for (index, element) in list.iter().enumerate() {
                let wanted = beneath(&Step::Index(index));
                if !wanted.is_empty() {
                    found.extend(part(element, &wanted));
                }
            }
            if found.is_empty() { None } else { Some(AttributeValue::L(found)) }
        }
        _ => None,
    }
}
