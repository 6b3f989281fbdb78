//! Update expressions: the typed tree.

mod apply;
mod check;
mod parse;

use crate::error::ServiceError;
use crate::value::{AttributeValue, Attributes};

use super::fault::ExpressionKind;
use super::overlap::PathSet;
use super::path::Path;
use super::syntax::Arithmetic;

pub use apply::Updated;

/// What an update changes: at least one thing, and no two of its paths overlap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Update {
    pub set: Vec<SetAction>,
    pub remove: Vec<Path>,
    pub add: Vec<ValueAction>,
    pub delete: Vec<ValueAction>,
}

/// `path = value` of SET.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SetAction {
    pub path: Path,
    pub value: SetValue,
}

/// The right side of SET.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SetValue {
    Operand(UpdateOperand),
    Arithmetic { left: UpdateOperand, operator: Arithmetic, right: UpdateOperand },
}

/// What SET takes values from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum UpdateOperand {
    Path(Path),
    Value(AttributeValue),
    IfNotExists { path: Path, otherwise: Box<UpdateOperand> },
    ListAppend { first: Box<UpdateOperand>, second: Box<UpdateOperand> },
}

/// `path value` of ADD or DELETE.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ValueAction {
    pub path: Path,
    pub value: AttributeValue,
}

impl SetAction {
    /// Sets a top-level attribute to a value.
    pub fn value(name: impl Into<String>, value: AttributeValue) -> Self {
        Self { path: Path::attribute(name), value: SetValue::Operand(UpdateOperand::Value(value)) }
    }
}

impl ValueAction {
    /// Adds a value to a top-level attribute, or deletes it from one.
    pub fn new(name: impl Into<String>, value: AttributeValue) -> Self {
        Self { path: Path::attribute(name), value }
    }
}

impl Update {
    /// An update without text. Refuses what the service would refuse of the printed one: no change at all, paths that
    /// overlap, operands of ADD and DELETE of a wrong type, too many operators.
    pub fn new(
        set: Vec<SetAction>,
        remove: Vec<Path>,
        add: Vec<ValueAction>,
        delete: Vec<ValueAction>,
    ) -> Result<Self, ServiceError> {
        let update = Self { set, remove, add, delete };
        check::check(&update).map_err(|fault| fault.in_expression(ExpressionKind::Update))?;
        Ok(update)
    }

    /// The paths it writes.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let set = self.set.iter().map(|action| &action.path);
        let add = self.add.iter().map(|action| &action.path);
        let delete = self.delete.iter().map(|action| &action.path);
        set.chain(&self.remove).chain(add).chain(delete)
    }

    /// The paths its values are read from.
    pub fn read_paths(&self) -> impl Iterator<Item = &Path> {
        let mut paths = Vec::new();
        for action in &self.set {
            match &action.value {
                SetValue::Operand(operand) => operand.collect_paths(&mut paths),
                SetValue::Arithmetic { left, right, .. } => {
                    left.collect_paths(&mut paths);
                    right.collect_paths(&mut paths);
                }
            }
        }
        paths.into_iter()
    }

    /// The top-level attributes it writes.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        self.paths().map(|path| path.root.as_str())
    }

    /// The written paths as they are in an item, and only them: what UPDATED_OLD and UPDATED_NEW return.
    pub fn project_touched(&self, item: &Attributes) -> Attributes {
        let mut touched = PathSet::default();
        for path in self.paths() {
            // No two paths of an update clash.
            let _ = touched.insert(path);
        }
        touched.select(item)
    }
}

impl UpdateOperand {
    fn collect_paths<'p>(&'p self, paths: &mut Vec<&'p Path>) {
        match self {
            Self::Path(path) => paths.push(path),
            Self::Value(_) => {}
            Self::IfNotExists { path, otherwise } => {
                paths.push(path);
                otherwise.collect_paths(paths);
            }
            Self::ListAppend { first, second } => {
                first.collect_paths(paths);
                second.collect_paths(paths);
            }
        }
    }
}
