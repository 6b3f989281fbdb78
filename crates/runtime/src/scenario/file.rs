//! The files: sample data, and scenarios.

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
    /// Whether the design's sample data is there.
    #[serde(default)]
    pub sample: bool,
    /// More items, created by an operator.
    #[serde(default)]
    pub given: Vec<Named>,
    /// Items as others wrote them, put into the table as they are.
    #[serde(default)]
    pub written: Vec<Map<String, Value>>,
    pub steps: Vec<Step>,
}

/// One call and what comes of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// An operator, where nobody is named.
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
    /// Goes on where the query of the step before ended.
    #[serde(default, rename = "next page")]
    pub next_page: bool,
    /// With a delete: those who refer as well.
    #[serde(default)]
    pub cascade: bool,
    #[serde(default, rename = "expected version")]
    pub expected_version: Option<u64>,
    pub then: Expected,
}

/// Who calls. Where neither groups nor permissions are named, the table says which the subject has.
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
    /// Whether the table is asked for groups and permissions.
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

/// What comes of a step. What is not said is not looked at.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The items that come back, in order, each compared by what is given of it.
    #[serde(default)]
    pub returns: Option<Vec<Named>>,
    #[serde(default)]
    pub count: Option<usize>,
    /// Nothing comes back.
    #[serde(default)]
    pub nothing: bool,
    /// Whether there is another page.
    #[serde(default)]
    pub more: Option<bool>,
    #[serde(default, rename = "read units")]
    pub read_units: Option<f64>,
    /// Items of the table, each compared whole; found by their keys.
    #[serde(default)]
    pub stored: Vec<Map<String, Value>>,
    /// Keys at which nothing is.
    #[serde(default)]
    pub absent: Vec<Map<String, Value>>,
    /// The call fails: a kind of error, or the name of a constraint.
    #[serde(default)]
    pub fails: Option<String>,
}

/// What became of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Held,
    /// The step, and how what came differs from what was expected.
    Broken {
        step: usize,
        difference: String,
    },
}
