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

/// `UpdateExpression`: at least one action, and no two of its paths overlap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Update {
    /// `SET`: paths that get a value.
    pub set: Vec<SetAction>,
    /// `REMOVE`: paths that are removed.
    pub remove: Vec<Path>,
    /// `ADD`: numbers that are increased, and sets that get elements.
    pub add: Vec<ValueAction>,
    /// `DELETE`: sets that lose elements.
    pub delete: Vec<ValueAction>,
}

/// `path = value` of SET.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SetAction {
    /// Where the value is written.
    pub path: Path,
    /// The value, computed from the old item.
    pub value: SetValue,
}

/// The right side of SET.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SetValue {
    /// One operand.
    Operand(UpdateOperand),
    /// The sum or difference of two numbers.
    Arithmetic {
        /// The operand before the operator.
        left: UpdateOperand,
        /// Addition or subtraction.
        operator: Arithmetic,
        /// The operand after the operator.
        right: UpdateOperand,
    },
}

/// What SET takes values from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum UpdateOperand {
    /// The value of the old item at a path; the update fails if there is none.
    Path(Path),
    /// A value of the request.
    Value(AttributeValue),
    /// `if_not_exists(path, otherwise)`.
    IfNotExists {
        /// Where the old item may have a value.
        path: Path,
        /// Used if it has none there.
        otherwise: Box<UpdateOperand>,
    },
    /// `list_append(first, second)`: the elements of two lists.
    ListAppend {
        /// The list with the first elements.
        first: Box<UpdateOperand>,
        /// The list with the last elements.
        second: Box<UpdateOperand>,
    },
}

/// `path value` of ADD or DELETE.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ValueAction {
    /// The number or set that changes.
    pub path: Path,
    /// The number to add, or the set of elements to add or delete.
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
