//! The files of sample data and scenarios.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::caller::Caller;

/// `data.yaml`: items in the order in which they are created.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    pub items: Vec<Named>,
}

/// An entity's name and its attributes: `License: {seats: 5}`.
pub type Named = BTreeMap<String, Map<String, Value>>;

/// A file of scenarios.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    pub scenarios: Vec<Scenario>,
}

/// One scenario: a table with some items, then steps.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub name: String,
    /// Whether the table holds the design's sample data.
    #[serde(default)]
    pub sample: bool,
    /// More items, created by an operator.
    #[serde(default)]
    pub given: Vec<Named>,
    /// Items of other programs, put into the table as they are.
    #[serde(default)]
    pub written: Vec<Map<String, Value>>,
    pub steps: Vec<Step>,
}

/// One call and its expected outcome.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The caller; an operator if absent.
    #[serde(default, rename = "as")]
    pub caller: Option<CallerText>,
    #[serde(default)]
    pub create: Option<Named>,
    #[serde(default)]
    pub put: Option<Named>,
    #[serde(default)]
    pub upsert: Option<Named>,
    #[serde(default)]
    pub patch: Option<Named>,
    #[serde(default)]
    pub delete: Option<Named>,
    #[serde(default)]
    pub get: Option<Named>,
    #[serde(default)]
    pub query: Option<String>,
    /// Several writes, all or nothing: each a verb with an entity.
    #[serde(default)]
    pub transact: Option<Vec<BTreeMap<String, Named>>>,
    /// The arguments of a query.
    #[serde(default)]
    pub with: Map<String, Value>,
    #[serde(default)]
    pub take: Option<usize>,
    #[serde(default)]
    pub limit: Option<usize>,
    #[serde(default)]
    pub reverse: bool,
    /// Continues where the query of the previous step ended.
    #[serde(default, rename = "next page")]
    pub next_page: bool,
    /// Whether a delete deletes referring items as well.
    #[serde(default)]
    pub cascade: bool,
    #[serde(default, rename = "expected version")]
    pub expected_version: Option<u64>,
    pub then: Expected,
}

/// A caller. If neither groups nor permissions are given, they are read from the table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallerText {
    /// Acts on the whole platform, whatever the roles say.
    #[serde(default)]
    pub operator: bool,
    #[serde(default)]
    pub subject: Option<String>,
    #[serde(default)]
    pub tenant: Option<String>,
    #[serde(default)]
    pub roles: Vec<String>,
    #[serde(default)]
    pub groups: Option<Vec<String>>,
    #[serde(default)]
    pub permissions: Option<Vec<String>>,
}

impl CallerText {
    /// Whether groups and permissions are read from the table.
    pub fn is_looked_up(&self) -> bool {
        self.groups.is_none() && self.permissions.is_none()
    }

    pub fn into_caller(self) -> Caller {
        Caller {
            subject: self.subject,
            tenant: self.tenant,
            roles: self.roles,
            groups: self.groups.unwrap_or_default(),
            permissions: self.permissions.unwrap_or_default(),
            superuser: self.operator,
        }
    }
}

/// The expected outcome of a step. Absent fields are not compared.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The returned items in order; only the given attributes are compared.
    #[serde(default)]
    pub returns: Option<Vec<Named>>,
    #[serde(default)]
    pub count: Option<usize>,
    /// No item is returned.
    #[serde(default)]
    pub nothing: bool,
    /// Whether there is another page.
    #[serde(default)]
    pub more: Option<bool>,
    #[serde(default, rename = "read units")]
    pub read_units: Option<f64>,
    /// Items of the table, found by their keys and compared as a whole.
    #[serde(default)]
    pub stored: Vec<Map<String, Value>>,
    /// Keys at which there is no item.
    #[serde(default)]
    pub absent: Vec<Map<String, Value>>,
    /// The call fails with this kind of error, or with the constraint of this name.
    #[serde(default)]
    pub fails: Option<String>,
}

/// The result of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Held,
    /// The number of the step, and how its outcome differs from the expected one.
    Broken {
        step: usize,
        difference: String,
    },
}
