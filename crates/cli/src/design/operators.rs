//! Operators and the condition of `keyfold patch`.

use keyfold_design::item_filter;
use keyfold_design::model::Entity;
use keyfold_runtime::{PatchOptions, json_operators};
use serde_json::{Map, Value};

use super::given;

#[derive(Debug, Default, clap::Args)]
pub(crate) struct OperatorArguments {
    /// Sets the value at a path, such as address.city=Oslo; may be repeated, as may all operators
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Removes the value at a path, such as lines[2]
    #[arg(long, value_name = "PATH")]
    remove: Vec<String>,
    /// Adds to a number, or members to a set
    #[arg(long, value_name = "PATH=VALUE", allow_hyphen_values = true)]
    add: Vec<String>,
    /// Subtracts from a number, or removes members from a set
    #[arg(long, value_name = "PATH=VALUE", allow_hyphen_values = true)]
    subtract: Vec<String>,
    /// Adds elements at the end of a list
    #[arg(long, value_name = "PATH=VALUES")]
    append: Vec<String>,
    /// Adds elements at the beginning of a list
    #[arg(long, value_name = "PATH=VALUES")]
    prepend: Vec<String>,
    /// What the stored item has to meet, such as 'stock >= 2 and status = open'
    #[arg(long = "if", value_name = "CONDITION")]
    condition: Option<String>,
    /// An argument of the condition
    #[arg(long, value_name = "NAME=VALUE", requires = "condition")]
    with: Vec<String>,
}

impl OperatorArguments {
    pub(super) fn is_empty(&self) -> bool {
        let Self { set, remove, add, subtract, append, prepend, condition, with } = self;
        let operators = [set, remove, add, subtract, append, prepend, with];
        operators.into_iter().all(Vec::is_empty) && condition.is_none()
    }

    /// By the types of an entity.
    pub(super) fn read(&self, entity: &Entity) -> anyhow::Result<PatchOptions> {
        let mut members = Map::new();
        let operators = [
            ("set", &self.set),
            ("add", &self.add),
            ("subtract", &self.subtract),
            ("append", &self.append),
            ("prepend", &self.prepend),
        ];
        for (name, given) in operators {
            members.insert(name.to_owned(), Value::Object(given::at_paths(entity, given)?));
        }
        members.insert("remove".to_owned(), self.remove.as_slice().into());
        if let Some(condition) = &self.condition {
            let parameters = item_filter(entity, condition).map(|found| found.parameters).unwrap_or_default();
            let arguments = given::condition_arguments(&parameters, &self.with)?;
            members.insert(json_operators::IF.to_owned(), condition.as_str().into());
            members.insert(json_operators::WITH.to_owned(), Value::Object(arguments));
        }
        Ok(json_operators::take(entity, &mut members)?)
    }
}
