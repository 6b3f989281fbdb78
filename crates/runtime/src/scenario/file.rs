//! The files of sample data and scenarios.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::caller::Caller;

/// `data.yaml`: items in the order in which they are created.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// The items, each with its entity.
    pub items: Vec<Named>,
}

/// An entity's name and its attributes: `License: {seats: 5}`.
pub type Named = BTreeMap<String, Map<String, Value>>;

/// A file of scenarios.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// The scenarios, which do not depend on each other.
    pub scenarios: Vec<Scenario>,
}

/// One scenario: a table with some items, then steps.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// A sentence that says what the scenario shows.
    pub name: String,
    /// Whether the table holds the design's sample data.
    #[serde(default)]
    pub sample: bool,
    /// More items, created by a superuser.
    #[serde(default)]
    pub given: Vec<Named>,
    /// Items of other programs, put into the table as they are.
    #[serde(default)]
    pub written: Vec<Map<String, Value>>,
    /// The calls in order, on the same table.
    pub steps: Vec<Step>,
}

/// One call and its expected outcome.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The caller; a superuser if absent.
    #[serde(default, rename = "as")]
    pub caller: Option<CallerText>,
    /// Creates an item; `None` if the step makes another call. Exactly one of these fields is given.
    #[serde(default)]
    pub create: Option<Named>,
    /// Creates or replaces an item; `None` if the step makes another call.
    #[serde(default)]
    pub put: Option<Named>,
    /// Creates an item or changes the given attributes; `None` if the step makes another call.
    #[serde(default)]
    pub upsert: Option<Named>,
    /// Changes the given attributes of an item; `None` if the step makes another call.
    #[serde(default)]
    pub patch: Option<Named>,
    /// Deletes the item of an identity; `None` if the step makes another call.
    #[serde(default)]
    pub delete: Option<Named>,
    /// Reads the item of an identity; `None` if the step makes another call.
    #[serde(default)]
    pub get: Option<Named>,
    /// Reads a page of the access pattern of this name; `None` if the step makes another call.
    #[serde(default)]
    pub query: Option<String>,
    /// Several writes, all or nothing: each a verb with an entity, and for a patch its operators; `None` if the step
    /// makes another call.
    #[serde(default)]
    pub transact: Option<Vec<Map<String, Value>>>,
    /// What a patch sets, by path; empty by default.
    #[serde(default)]
    pub set: Map<String, Value>,
    /// The paths that a patch removes; empty by default.
    #[serde(default)]
    pub remove: Vec<String>,
    /// What a patch adds to numbers and sets, by path; empty by default.
    #[serde(default)]
    pub add: Map<String, Value>,
    /// What a patch subtracts from numbers and sets, by path; empty by default.
    #[serde(default)]
    pub subtract: Map<String, Value>,
    /// What a patch adds at the end of lists, by path; empty by default.
    #[serde(default)]
    pub append: Map<String, Value>,
    /// What a patch adds at the beginning of lists, by path; empty by default.
    #[serde(default)]
    pub prepend: Map<String, Value>,
    /// The condition of a patch; none if absent.
    #[serde(default, rename = "if")]
    pub condition: Option<String>,
    /// The arguments of a query, or of the condition of a patch.
    #[serde(default)]
    pub with: Map<String, Value>,
    /// The maximum number of results of a query; the pattern's own page size if absent.
    #[serde(default)]
    pub take: Option<usize>,
    /// The maximum number of items that a query examines; no limit if absent.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Whether a query reverses the order of the pattern.
    #[serde(default)]
    pub reverse: bool,
    /// Continues where the query of the previous step ended.
    #[serde(default, rename = "next page")]
    pub next_page: bool,
    /// Whether a delete deletes referring items as well.
    #[serde(default)]
    pub cascade: bool,
    /// The version that the item of a patch or delete must have; any if absent.
    #[serde(default, rename = "expected version")]
    pub expected_version: Option<u64>,
    /// The expected outcome.
    pub then: Expected,
}

/// A caller. If neither groups nor permissions are given, they are read from the table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallerText {
    /// Acts on the whole platform, and no rule applies; `false` if absent.
    #[serde(default)]
    pub superuser: bool,
    /// The subject; a caller without a token if absent.
    #[serde(default)]
    pub subject: Option<String>,
    /// The tenant that the caller acts in; none if absent.
    #[serde(default)]
    pub tenant: Option<String>,
    /// The roles of the token.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The groups; none if absent and permissions are given.
    #[serde(default)]
    pub groups: Option<Vec<String>>,
    /// The permissions; none if absent and groups are given.
    #[serde(default)]
    pub permissions: Option<Vec<String>>,
}

impl CallerText {
    /// Whether groups and permissions are read from the table.
    pub fn is_looked_up(&self) -> bool {
        self.groups.is_none() && self.permissions.is_none()
    }

    /// The caller, with the groups and permissions that are given.
    pub fn into_caller(self) -> Caller {
        Caller {
            subject: self.subject,
            tenant: self.tenant,
            roles: self.roles,
            groups: self.groups.unwrap_or_default(),
            permissions: self.permissions.unwrap_or_default(),
            superuser: self.superuser,
            identity: None,
            scope: None,
        }
    }
}

/// The expected outcome of a step. Absent fields are not compared.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The returned items in order; only the given attributes are compared, and nothing if absent.
    #[serde(default)]
    pub returns: Option<Vec<Named>>,
    /// The number of results; not compared if absent.
    #[serde(default)]
    pub count: Option<usize>,
    /// No item is returned.
    #[serde(default)]
    pub nothing: bool,
    /// Whether there is another page; not compared if absent.
    #[serde(default)]
    pub more: Option<bool>,
    /// The keys in the table of the items that the page leaves out because they do not fit the design, in order; not
    /// compared if absent.
    #[serde(default)]
    pub problems: Option<Vec<Map<String, Value>>>,
    /// The read units of the page; not compared if absent.
    #[serde(default, rename = "read units")]
    pub read_units: Option<f64>,
    /// Items of the table, found by their keys and compared as a whole.
    #[serde(default)]
    pub stored: Vec<Map<String, Value>>,
    /// Keys at which there is no item.
    #[serde(default)]
    pub absent: Vec<Map<String, Value>>,
    /// The call fails with this kind of error, or with the constraint of this name; it succeeds if absent.
    #[serde(default)]
    pub fails: Option<String>,
}

/// The result of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Every step had the expected outcome.
    Held,
    /// A step had another outcome.
    Broken {
        /// The number of the step, counted from one.
        step: usize,
        /// How its outcome differs from the expected one.
        difference: String,
    },
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_superuser_is_named_as_one() {
        let caller: CallerText = serde_saphyr::from_str("{superuser: true, subject: root}").unwrap();
        assert_eq!(caller.into_caller(), Caller::superuser("root"));
        // A caller with the role of operators is subject to rules.
        let operator: CallerText = serde_saphyr::from_str("{roles: [operator]}").unwrap();
        assert!(!operator.into_caller().superuser);
        assert!(serde_saphyr::from_str::<CallerText>("{operator: true}").is_err());
    }
}
