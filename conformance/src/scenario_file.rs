//! Reads scenario files. Their format is described in the crate's README.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::scenario::{Action, Paging, Scenario, Step};
use crate::template::{self, Parameters, TemplateError};

/// The folder beside the scenarios that holds `CreateTable` requests by name.
const TABLES_FOLDER: &str = "tables";
/// The parameter that numbers the combinations of an `each`.
const ROW: &str = "row";
const SHOWN_PARAMETER_LENGTH: usize = 100;

/// A scenario file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScenarioFileError {
    #[error("{}: {cause}", path.display())]
    Io { path: PathBuf, cause: std::io::Error },
    #[error("{}: {cause}", path.display())]
    Json { path: PathBuf, cause: serde_json::Error },
    #[error("{}: {cause}", path.display())]
    Template { path: PathBuf, cause: TemplateError },
    #[error("{}: {message}", path.display())]
    Format { path: PathBuf, message: String },
}

type Result<T> = std::result::Result<T, ScenarioFileError>;

/// Reads every `*.json` of a folder, in the order of their names.
pub fn read_folder(folder: &Path) -> Result<Vec<Scenario>> {
    let mut paths = Vec::new();
    let failed = |cause| ScenarioFileError::Io { path: folder.to_owned(), cause };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| read_file(path)).collect()
}

/// Reads one scenario; named tables are looked up beside it.
pub fn read_file(path: &Path) -> Result<Scenario> {
    let document = read_json(path)?;
    let file = File { path, defaults: document.get("defaults") };
    let name = document.get("name").and_then(Value::as_str).ok_or_else(|| file.error("`name` is missing"))?;
    file.refuse_unknown(&document, &["name", "tables", "defaults", "steps"])?;
    let mut steps = Vec::new();
    for (table, shape) in members(document.get("tables")) {
        steps.push(file.create_table(table, shape)?);
    }
    let listed = document.get("steps").and_then(Value::as_array).ok_or_else(|| file.error("`steps` is missing"))?;
    for step in listed {
        file.read_step(step, &Parameters::new(), &mut steps)?;
    }
    number_labels(&mut steps);
    Ok(Scenario { name: name.to_owned(), origin: path.display().to_string(), steps })
}

/// A label names one step, so that a difference can be found again: repeated ones are counted.
fn number_labels(steps: &mut [Step]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for step in steps {
        let count = seen.entry(step.label.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            step.label = format!("{} ({count})", step.label);
        }
    }
}

struct File<'a> {
    path: &'a Path,
    defaults: Option<&'a Value>,
}

impl File<'_> {
    fn error(&self, message: impl Into<String>) -> ScenarioFileError {
        ScenarioFileError::Format { path: self.path.to_owned(), message: message.into() }
    }

    fn refuse_unknown(&self, value: &Value, known: &[&str]) -> Result<()> {
        match members(Some(value)).find(|(key, _)| !known.contains(&key.as_str())) {
            Some((key, _)) => Err(self.error(format!("unknown member `{key}` in {value}"))),
            None => Ok(()),
        }
    }

    fn expand(&self, template: &Value, parameters: &Parameters) -> Result<Value> {
        template::expand(template, parameters)
            .map_err(|cause| ScenarioFileError::Template { path: self.path.to_owned(), cause })
    }

    /// A table is the name of a file in the tables folder or a `CreateTable` request without its name.
    fn create_table(&self, table: &str, shape: &Value) -> Result<Step> {
        let shape = match shape.as_str() {
            Some(name) => {
                let folder = self.path.parent().unwrap_or(Path::new(".")).join(TABLES_FOLDER);
                read_json(&folder.join(format!("{name}.json")))?
            }
            None => shape.clone(),
        };
        let mut request = members(Some(&shape)).map(|(k, v)| (k.clone(), v.clone())).collect::<Map<_, _>>();
        request.insert("TableName".to_owned(), table.into());
        let request = self.expand(&Value::Object(request), &Parameters::new())?;
        Ok(Step::call(format!("create {table}"), "CreateTable", request))
    }

    /// Appends a step, once for every combination of its parameters, or the steps of a group.
    fn read_step(&self, step: &Value, outer: &Parameters, steps: &mut Vec<Step>) -> Result<()> {
        for parameters in self.combinations(step.get("each"), outer)? {
            if let Some(group) = step.get("steps").and_then(Value::as_array) {
                self.refuse_unknown(step, &["each", "steps"])?;
                for inner in group {
                    self.read_step(inner, &parameters, steps)?;
                }
            } else {
                steps.push(self.read_call(step, &parameters)?);
            }
        }
        Ok(())
    }

    fn read_call(&self, step: &Value, parameters: &Parameters) -> Result<Step> {
        self.refuse_unknown(step, &["is", "op", "each", "request", "raw", "headers", "paging", "expect"])?;
        let operation =
            step.get("op").and_then(Value::as_str).ok_or_else(|| self.error(format!("no `op` in {step}")))?;
        let operation = template::interpolate(operation, parameters);
        let label = label(step.get("is").and_then(Value::as_str).unwrap_or(&operation), parameters);
        let action = if let Some(raw) = step.get("raw") {
            let body = self.expand(raw, parameters)?;
            let body = body.as_str().ok_or_else(|| self.error("`raw` is not a string"))?.to_owned();
            Action::Raw {
                operation,
                body,
                headers: members(step.get("headers")).map(|(k, v)| (k.clone(), v.clone())).collect(),
            }
        } else {
            let request = self.request_of(step, &operation, parameters)?;
            let paging = self.paging(step.get("paging"), &operation, &request)?;
            Action::Call { operation, request, paging }
        };
        let expect = step.get("expect").map(|expect| self.expand(expect, parameters)).transpose()?;
        Ok(Step { label, action, expect })
    }

    /// The step's request over the scenario's defaults for the operation. A request that is not an object is sent as it
    /// is.
    fn request_of(&self, step: &Value, operation: &str, parameters: &Parameters) -> Result<Value> {
        let own = step.get("request");
        let defaults = self.defaults.and_then(|defaults| defaults.get(operation));
        let merged = match (defaults, own) {
            (Some(defaults), own) if own.is_none_or(Value::is_object) => {
                let all = members(Some(defaults)).chain(members(own));
                Value::Object(all.map(|(key, value)| (key.clone(), value.clone())).collect())
            }
            (_, own) => own.cloned().unwrap_or_else(|| Value::Object(Map::new())),
        };
        self.expand(&merged, parameters)
    }

    fn paging(&self, written: Option<&Value>, operation: &str, request: &Value) -> Result<Paging> {
        match written {
            None => Ok(Paging::natural(operation, request)),
            Some(Value::String(text)) if text == "single" => Ok(Paging::Single),
            Some(Value::String(text)) if text == "pages" => Ok(Paging::Pages),
            Some(Value::String(text)) if text == "union" => Ok(Paging::Union),
            Some(Value::Number(segments)) => Ok(Paging::Segments(segments.as_u64().unwrap_or(1))),
            Some(other) => Err(self.error(format!("unknown paging {other}"))),
        }
    }

    /// `each` is an object of lists, whose combinations are played, or a list of objects. `{row}` counts them.
    fn combinations(&self, each: Option<&Value>, outer: &Parameters) -> Result<Vec<Parameters>> {
        let mut result = vec![outer.clone()];
        match each {
            None => {}
            Some(Value::Array(rows)) => {
                result = rows.iter().map(|row| joined(outer, row)).collect();
            }
            Some(Value::Object(columns)) => {
                for (name, values) in columns {
                    let values = values.as_array().ok_or_else(|| self.error(format!("`{name}` is not a list")))?;
                    let row = |value: &Value| Value::Object(Map::from_iter([(name.clone(), value.clone())]));
                    result =
                        result.iter().flat_map(|base| values.iter().map(|value| joined(base, &row(value)))).collect();
                }
            }
            Some(other) => return Err(self.error(format!("`each` is neither an object nor a list: {other}"))),
        }
        let mut settled =
            result.iter().map(|parameters| self.settled(parameters, outer)).collect::<Result<Vec<_>>>()?;
        if each.is_some() {
            for (row, parameters) in settled.iter_mut().enumerate() {
                parameters.insert(ROW.to_owned(), Value::from(row.to_string()));
            }
        }
        Ok(settled)
    }

    /// Macros in parameter values are expanded once, with the outer parameters.
    fn settled(&self, parameters: &Parameters, outer: &Parameters) -> Result<Parameters> {
        parameters.iter().map(|(name, value)| Ok((name.clone(), self.expand(value, outer)?))).collect()
    }
}

fn joined(base: &Parameters, row: &Value) -> Parameters {
    let mut result = base.clone();
    result.extend(members(Some(row)).map(|(key, value)| (key.clone(), value.clone())));
    result
}

fn label(base: &str, parameters: &Parameters) -> String {
    if parameters.is_empty() {
        return base.to_owned();
    }
    let shown: Vec<_> = parameters
        .iter()
        .filter(|(name, _)| *name != ROW)
        .map(|(name, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let cut: String = text.chars().take(SHOWN_PARAMETER_LENGTH).collect();
            let dots = if cut.len() < text.len() { "…" } else { "" };
            format!("{name}={cut}{dots}")
        })
        .collect();
    format!("{base} [{}]", shown.join(", "))
}

fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

fn read_json(path: &Path) -> Result<Value> {
    let text = fs::read(path).map_err(|cause| ScenarioFileError::Io { path: path.to_owned(), cause })?;
    serde_json::from_slice(&text).map_err(|cause| ScenarioFileError::Json { path: path.to_owned(), cause })
}
