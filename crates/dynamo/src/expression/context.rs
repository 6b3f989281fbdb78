//! The names and values that the expressions of one request share.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::ServiceError;
use crate::limits;
use crate::value::{AttributeValue, Attributes};

use super::fault::Fault;

/// The longest attribute name that an alias may stand for.
const NAME_BYTES: usize = 65_535;
/// The longest alias, with its mark.
const ALIAS_BYTES: usize = 255;

/// `ExpressionAttributeNames`: `#alias` to attribute name.
pub type NameAliases = BTreeMap<String, String>;
/// `ExpressionAttributeValues`: `:name` to value.
pub type ValueAliases = Attributes;

/// Names and values of one request, and which of them were used: DynamoDB refuses unused ones.
#[derive(Debug)]
pub struct Context<'a> {
    names: Option<&'a NameAliases>,
    values: Option<&'a ValueAliases>,
    used_names: BTreeSet<&'a str>,
    used_values: BTreeSet<&'a str>,
}

impl<'a> Context<'a> {
    /// Checks the aliases themselves. `has_expression`: whether the request has any expression that may use them.
    pub fn new(
        names: Option<&'a NameAliases>,
        values: Option<&'a ValueAliases>,
        has_expression: bool,
    ) -> Result<Self, ServiceError> {
        if has_expression {
            check_names(names)?;
            check_values(values)?;
        } else {
            refuse_without_expression("ExpressionAttributeNames", names.is_some_and(|names| !names.is_empty()), "")?;
            refuse_without_expression(
                "ExpressionAttributeValues",
                values.is_some_and(|values| !values.is_empty()),
                "",
            )?;
        }
        Ok(Self { names, values, used_names: BTreeSet::new(), used_values: BTreeSet::new() })
    }

    /// As [`Context::new`], for a request whose expressions that may hold values are `with_values`, each with whether
    /// it is given; `projection`: whether there is a projection, which may hold names alone.
    pub fn for_request(
        names: Option<&'a NameAliases>,
        values: Option<&'a ValueAliases>,
        projection: bool,
        with_values: &[(&str, bool)],
    ) -> Result<Self, ServiceError> {
        let may_hold_values = with_values.iter().any(|&(_, given)| given);
        if !may_hold_values {
            let absent: Vec<&str> = with_values.iter().map(|&(parameter, _)| parameter).collect();
            let verb = if absent.len() == 1 { "is" } else { "are" };
            let reason = format!(": {} {verb} null", absent.join(" and "));
            if !projection {
                let given = names.is_some_and(|names| !names.is_empty());
                refuse_without_expression("ExpressionAttributeNames", given, "")?;
            }
            let given = values.is_some_and(|values| !values.is_empty());
            refuse_without_expression("ExpressionAttributeValues", given, &reason)?;
        }
        Self::new(names, values, projection || may_hold_values)
    }

    /// After all expressions of the request are parsed: errors for unused names and values.
    pub fn finish(self) -> Result<(), ServiceError> {
        let names = self.names.into_iter().flat_map(|names| names.keys());
        refuse_unused("ExpressionAttributeNames", names, &self.used_names)?;
        let values = self.values.into_iter().flat_map(|values| values.keys());
        refuse_unused("ExpressionAttributeValues", values, &self.used_values)
    }

    pub(super) fn name(&mut self, alias: &str) -> Result<&'a str, Fault> {
        let found = self.names.and_then(|names| names.get_key_value(alias));
        let (alias, name) = found.ok_or_else(|| Fault::UndefinedName(alias.to_owned()))?;
        self.used_names.insert(alias);
        Ok(name)
    }

    pub(super) fn value(&mut self, alias: &str) -> Result<&'a AttributeValue, Fault> {
        let found = self.values.and_then(|values| values.get_key_value(alias));
        let (alias, value) = found.ok_or_else(|| Fault::UndefinedValue(alias.to_owned()))?;
        self.used_values.insert(alias);
        Ok(value)
    }
}

fn refuse_without_expression(parameter: &str, given: bool, reason: &str) -> Result<(), ServiceError> {
    if given {
        let text = format!("{parameter} can only be specified when using expressions{reason}");
        return Err(ServiceError::validation(text));
    }
    Ok(())
}

fn refuse_unused<'k>(
    parameter: &str,
    given: impl Iterator<Item = &'k String>,
    used: &BTreeSet<&str>,
) -> Result<(), ServiceError> {
    let unused: Vec<&str> = given.map(String::as_str).filter(|alias| !used.contains(alias)).collect();
    if unused.is_empty() {
        return Ok(());
    }
    let keys = unused.join(", ");
    Err(ServiceError::validation(format!("Value provided in {parameter} unused in expressions: keys: {{{keys}}}")))
}

fn check_names(names: Option<&NameAliases>) -> Result<(), ServiceError> {
    let Some(names) = names else { return Ok(()) };
    check_keys("ExpressionAttributeNames", '#', names.keys())?;
    for (alias, name) in names {
        let fault = if name.is_empty() {
            "Empty attribute name"
        } else if name.len() > NAME_BYTES {
            "Attribute name is too large, must be less than 65536 bytes"
        } else {
            continue;
        };
        let text = format!("ExpressionAttributeNames contains invalid value: {fault} for key {alias}");
        return Err(ServiceError::validation(text));
    }
    check_total("ExpressionAttributeNames", names.iter().map(|(alias, name)| alias.len() + name.len()))
}

fn check_values(values: Option<&ValueAliases>) -> Result<(), ServiceError> {
    let Some(values) = values else { return Ok(()) };
    check_keys("ExpressionAttributeValues", ':', values.keys())?;
    for (alias, value) in values {
        if value.depth() > limits::NESTING_DEPTH {
            let text = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
            let text = format!("ExpressionAttributeValues contains invalid value: {text} for key {alias}");
            return Err(ServiceError::validation(text));
        }
    }
    check_total("ExpressionAttributeValues", values.iter().map(|(alias, value)| alias.len() + value.size()))
}

fn check_total(parameter: &str, sizes: impl Iterator<Item = usize>) -> Result<(), ServiceError> {
    if sizes.sum::<usize>() > limits::EXPRESSION_VALUE_BYTES {
        return Err(ServiceError::validation(format!("{parameter} exceeds max size")));
    }
    Ok(())
}

fn check_keys<'k>(
    parameter: &str,
    mark: char,
    keys: impl ExactSizeIterator<Item = &'k String>,
) -> Result<(), ServiceError> {
    if keys.len() == 0 {
        return Err(ServiceError::validation(format!("{parameter} must not be empty")));
    }
    for key in keys {
        let fault = if key.is_empty() {
            "The expression attribute map contains an empty key;".to_owned()
        } else if key.len() > ALIAS_BYTES {
            // The service reports the size of a name's alias only.
            let size = if mark == '#' { format!(" size of key: {}", key.len()) } else { String::new() };
            format!("The expression attribute map contains a key that is too long;{size}")
        } else if !is_alias(key, mark) {
            format!("Syntax error; key: \"{key}\"")
        } else {
            continue;
        };
        return Err(ServiceError::validation(format!("{parameter} contains invalid key: {fault}")));
    }
    Ok(())
}

fn is_alias(key: &str, mark: char) -> bool {
    key.strip_prefix(mark)
        .is_some_and(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}
