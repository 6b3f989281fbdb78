//! The constraints of the API: required members, lengths, ranges, patterns and sets of values. All breaches
//! are collected and reported together.

use std::fmt::Display;

use crate::failure::Failure;

/// The service reports at most this many breaches.
const MOST: usize = 10;

/// The breaches found so far.
#[derive(Default)]
pub(super) struct Constraints {
    breaches: Vec<String>,
}

impl Constraints {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// The member must be there.
    pub(super) fn required<T>(&mut self, path: impl Display, member: &Option<T>) {
        if member.is_none() {
            self.breach(None, path, "Member must not be null");
        }
    }

    /// The length of a text, in characters.
    pub(super) fn length(&mut self, path: impl Display, text: &str, least: usize, most: usize) {
        let length = text.chars().count();
        self.size(path, || text.to_owned(), length, least, most);
    }

    /// The number of elements of a list or map; `shown` is its rendering in the text.
    pub(super) fn size(
        &mut self,
        path: impl Display,
        shown: impl FnOnce() -> String,
        size: usize,
        least: usize,
        most: usize,
    ) {
        if size < least {
            let rule = format!("Member must have length greater than or equal to {least}");
            self.breach(Some(shown()), path, &rule);
        } else if size > most {
            let rule = format!("Member must have length less than or equal to {most}");
            self.breach(Some(shown()), path, &rule);
        }
    }

    pub(super) fn at_least(&mut self, path: impl Display, value: Option<i64>, least: i64) {
        if let Some(value) = value
            && value < least
        {
            let rule = format!("Member must have value greater than or equal to {least}");
            self.breach(Some(value.to_string()), path, &rule);
        }
    }

    pub(super) fn at_most(&mut self, path: impl Display, value: Option<i64>, most: i64) {
        if let Some(value) = value
            && value > most
        {
            let rule = format!("Member must have value less than or equal to {most}");
            self.breach(Some(value.to_string()), path, &rule);
        }
    }

    /// The name of an index, or of a table where no ARN may stand.
    pub(super) fn name(&mut self, path: impl Display + Copy, name: &str) {
        if !has_name_characters(name) || name.is_empty() {
            let rule = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
            self.breach(Some(name.to_owned()), path, rule);
        }
        self.length(path, name, 3, 255);
    }

    /// A value out of a set; `values` are the set in the order of the service's text, each with its meaning.
    pub(super) fn one_of<T: Copy>(
        &mut self,
        path: impl Display,
        text: Option<&str>,
        values: &[(&str, T)],
    ) -> Option<T> {
        let text = text?;
        let found = values.iter().find(|(name, _)| *name == text);
        if found.is_none() {
            let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
            let rule = format!("Member must satisfy enum value set: [{}]", names.join(", "));
            self.breach(Some(text.to_owned()), path, &rule);
        }
        found.map(|(_, meaning)| *meaning)
    }

    pub(super) fn breach(&mut self, value: Option<String>, path: impl Display, rule: &str) {
        if self.breaches.len() >= MOST {
            return;
        }
        let value = value.map_or_else(|| "null".to_owned(), |value| format!("'{value}'"));
        self.breaches.push(format!("Value {value} at '{path}' failed to satisfy constraint: {rule}"));
    }

    /// An error that lists all breaches, if there are any.
    pub(super) fn check(self) -> Result<(), Failure> {
        self.check_with(Some(()))
    }

    /// The required members, or an error that lists all breaches. They are `None` only if one of them is missing, which
    /// is a breach.
    pub(super) fn check_with<T>(self, members: Option<T>) -> Result<T, Failure> {
        match members {
            Some(members) if self.breaches.is_empty() => Ok(members),
            _ => Err(self.into_failure()),
        }
    }

    fn into_failure(self) -> Failure {
        let plural = if self.breaches.len() > 1 { "s" } else { "" };
        Failure::validation(format!(
            "{} validation error{plural} detected: {}",
            self.breaches.len(),
            self.breaches.join("; ")
        ))
    }
}

/// Whether a text has only characters that names of tables and indexes may have.
pub(super) fn has_name_characters(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}
