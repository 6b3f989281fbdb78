//! Updates as the generator makes them, and what they do to an item, worked out the plain way: every action says what
//! it does to the place its path leads to, and the item is then built anew from the old one and these effects.

use std::collections::BTreeSet;

use keyfold_dynamo::{AttributeValue, Attributes};

use crate::model::path::{Path, Step, look_up};

#[derive(Debug, Clone)]
pub(super) enum Source {
    Path(Path),
    Value(AttributeValue),
    IfNotExists(Path, AttributeValue),
}

#[derive(Debug, Clone)]
pub(super) enum Action {
    Set(Path, Source),
    /// The sum, or with `-` the difference.
    SetSum(Path, Source, &'static str, Source),
    SetAppended(Path, Source, Source),
    Remove(Path),
    Add(Path, AttributeValue),
    Delete(Path, AttributeValue),
}

pub(super) type Update = Vec<Action>;

pub(super) const WRONG_TYPE: &str = "An operand in the update expression has an incorrect data type";
pub(super) const NO_SUCH_ATTRIBUTE: &str =
    "The provided expression refers to an attribute that does not exist in the item";
pub(super) const INVALID_PATH: &str = "The document path provided in the update expression is invalid for update";

/// Everything that is wrong with an update; the service reports one of it.
pub(super) type Faults = BTreeSet<&'static str>;

impl Action {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Set(path, _)
            | Self::SetSum(path, ..)
            | Self::SetAppended(path, ..)
            | Self::Remove(path)
            | Self::Add(path, _)
            | Self::Delete(path, _) => path,
        }
    }
}

/// What an action does to the place its path leads to.
enum Effect {
    Write(AttributeValue),
    Remove,
    /// Nothing; but the place must be one that could be there.
    Leave,
}

pub(super) fn apply(update: &Update, old: &Attributes) -> Result<Attributes, Faults> {
    let mut faults = Faults::new();
    let mut effects = Vec::new();
    for action in update {
        match effect(action, old) {
            Ok(effect) => effects.push((action.path().as_slice(), effect)),
            Err(fault) => {
                faults.insert(fault);
                // The path is checked all the same: it may be what is reported.
                effects.push((action.path().as_slice(), Effect::Leave));
            }
        }
    }
    let built = rebuild(Some(&AttributeValue::M(old.clone())), effects);
    match built {
        Ok(Some(AttributeValue::M(item))) if faults.is_empty() => Ok(item),
        Ok(_) => Err(faults),
        Err(fault) => {
            faults.insert(fault);
            Err(faults)
        }
    }
}

fn effect(action: &Action, old: &Attributes) -> Result<Effect, &'static str> {
    match action {
        Action::Set(_, source) => Ok(Effect::Write(read(source, old)?)),
        Action::SetSum(_, one, operator, two) => match (read(one, old)?, read(two, old)?) {
            (AttributeValue::N(one), AttributeValue::N(two)) => {
                let sum = if *operator == "-" { one.checked_sub(&two) } else { one.checked_add(&two) };
                Ok(Effect::Write(AttributeValue::N(sum.expect("the numbers of the model are small"))))
            }
            _ => Err(WRONG_TYPE),
        },
        Action::SetAppended(_, one, two) => match (read(one, old)?, read(two, old)?) {
            (AttributeValue::L(mut one), AttributeValue::L(two)) => {
                one.extend(two);
                Ok(Effect::Write(AttributeValue::L(one)))
            }
            _ => Err(WRONG_TYPE),
        },
        Action::Remove(_) => Ok(Effect::Remove),
        Action::Add(path, operand) => match (look_up(old, path), operand) {
            (None, operand) => Ok(Effect::Write(operand.clone())),
            (Some(AttributeValue::N(one)), AttributeValue::N(two)) => {
                Ok(Effect::Write(AttributeValue::N(one.checked_add(two).expect("the numbers of the model are small"))))
            }
            (Some(AttributeValue::Ss(one)), AttributeValue::Ss(two)) => {
                Ok(Effect::Write(AttributeValue::Ss(one.union(two).cloned().collect())))
            }
            (Some(AttributeValue::Ns(one)), AttributeValue::Ns(two)) => {
                Ok(Effect::Write(AttributeValue::Ns(one.union(two).copied().collect())))
            }
            _ => Err(WRONG_TYPE),
        },
        Action::Delete(path, operand) => match (look_up(old, path), operand) {
            (None, _) => Ok(Effect::Leave),
            (Some(AttributeValue::Ss(one)), AttributeValue::Ss(two)) => {
                let rest: BTreeSet<String> = one.difference(two).cloned().collect();
                Ok(if rest.is_empty() { Effect::Remove } else { Effect::Write(AttributeValue::Ss(rest)) })
            }
            (Some(AttributeValue::Ns(one)), AttributeValue::Ns(two)) => {
                let rest: BTreeSet<_> = one.difference(two).copied().collect();
                Ok(if rest.is_empty() { Effect::Remove } else { Effect::Write(AttributeValue::Ns(rest)) })
            }
            _ => Err(WRONG_TYPE),
        },
    }
}

fn read(source: &Source, old: &Attributes) -> Result<AttributeValue, &'static str> {
    match source {
        Source::Value(value) => Ok(value.clone()),
        Source::Path(path) => look_up(old, path).cloned().ok_or(NO_SUCH_ATTRIBUTE),
        Source::IfNotExists(path, otherwise) => Ok(look_up(old, path).unwrap_or(otherwise).clone()),
    }
}

type Effects<'a> = Vec<(&'a [Step], Effect)>;

/// The value at a place after the effects on it and within it; `None` if nothing is there any more.
fn rebuild(place: Option<&AttributeValue>, mut effects: Effects<'_>) -> Result<Option<AttributeValue>, &'static str> {
    if let Some(whole) = effects.iter().position(|(rest, _)| rest.is_empty()) {
        return Ok(match effects.swap_remove(whole).1 {
            Effect::Write(value) => Some(value),
            Effect::Remove => None,
            Effect::Leave => place.cloned(),
        });
    }
    match place {
        Some(AttributeValue::M(map)) => Ok(Some(AttributeValue::M(rebuild_map(map, effects)?))),
        Some(AttributeValue::L(list)) => Ok(Some(AttributeValue::L(rebuild_list(list, effects)?))),
        _ => Err(INVALID_PATH),
    }
}

fn rebuild_map(map: &Attributes, effects: Effects<'_>) -> Result<Attributes, &'static str> {
    let mut built = map.clone();
    for (step, within) in by_first_step(effects) {
        let Step::Field(name) = step else { return Err(INVALID_PATH) };
        match rebuild(map.get(name), within)? {
            Some(value) => built.insert(name.to_owned(), value),
            None => built.remove(name),
        };
    }
    Ok(built)
}

/// Elements keep their old positions while effects are applied; what is written past the end is appended after, in the
/// order of the indexes.
fn rebuild_list(list: &[AttributeValue], effects: Effects<'_>) -> Result<Vec<AttributeValue>, &'static str> {
    let mut built: Vec<Option<AttributeValue>> = list.iter().cloned().map(Some).collect();
    let mut appended = Vec::new();
    for (step, within) in by_first_step(effects) {
        let Step::Index(index) = step else { return Err(INVALID_PATH) };
        let value = rebuild(list.get(index), within)?;
        match built.get_mut(index) {
            Some(element) => *element = value,
            None => appended.push((index, value)),
        }
    }
    appended.sort_by_key(|(index, _)| *index);
    built.extend(appended.into_iter().map(|(_, value)| value));
    Ok(built.into_iter().flatten().collect())
}

fn by_first_step(effects: Effects<'_>) -> Vec<(Step, Effects<'_>)> {
    let mut groups: Vec<(Step, Effects<'_>)> = Vec::new();
    for (path, effect) in effects {
        let (first, rest) = (path[0].clone(), &path[1..]);
        match groups.iter_mut().find(|(step, _)| *step == first) {
            Some((_, group)) => group.push((rest, effect)),
            None => groups.push((first, vec![(rest, effect)])),
        }
    }
    groups
}
