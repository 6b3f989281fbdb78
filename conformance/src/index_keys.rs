//! The sort keys of the indexes that a scenario has made, learnt from its own requests.

use std::collections::HashMap;

use serde_json::Value;

#[derive(Debug, Default)]
pub(crate) struct IndexKeys {
    sort_keys: HashMap<(String, String), String>,
}

impl IndexKeys {
    /// Takes note of the indexes that a request creates.
    pub(crate) fn learn(&mut self, operation: &str, request: &Value) {
        let Some(table) = request.get("TableName").and_then(Value::as_str) else {
            return;
        };
        let listed = |name: &str| request.get(name).and_then(Value::as_array).into_iter().flatten();
        match operation {
            "CreateTable" => {
                for index in listed("GlobalSecondaryIndexes").chain(listed("LocalSecondaryIndexes")) {
                    self.add(table, index);
                }
            }
            "UpdateTable" => {
                for update in listed("GlobalSecondaryIndexUpdates") {
                    self.add(table, update.get("Create").unwrap_or(&Value::Null));
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, table: &str, index: &Value) {
        let name = index.get("IndexName").and_then(Value::as_str);
        let elements = index.get("KeySchema").and_then(Value::as_array);
        let sort_key = elements
            .into_iter()
            .flatten()
            .find(|element| element.get("KeyType").and_then(Value::as_str) == Some("RANGE"))
            .and_then(|element| element.get("AttributeName")?.as_str());
        if let (Some(name), Some(sort_key)) = (name, sort_key) {
            self.sort_keys.insert((table.to_owned(), name.to_owned()), sort_key.to_owned());
        }
    }

    pub(crate) fn sort_key(&self, request: &Value, index: &str) -> Option<&str> {
        let table = request.get("TableName")?.as_str()?;
        self.sort_keys.get(&(table.to_owned(), index.to_owned())).map(String::as_str)
    }
}
