//! A set of paths of which none leads into another and none takes one value for a map and a list at once.

use std::collections::BTreeMap;

use crate::value::{AttributeValue, Attributes};

use super::fault::{Fault, PathText};
use super::path::{Path, PathStep};

/// The paths as a tree, from the top-level attributes down.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct PathSet {
    roots: BTreeMap<String, Branch>,
}

/// What is selected of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Branch {
    Whole,
    Fields(BTreeMap<String, Branch>),
    /// By index: the elements keep their order, and no gaps are left between them.
    Elements(BTreeMap<usize, Branch>),
}

impl PathSet {
    /// Adds a path, unless it clashes with one that is there.
    pub(super) fn insert(&mut self, path: &Path) -> Result<(), Clash> {
        if path.rest.is_empty() {
            let before = self.roots.insert(path.root.clone(), Branch::Whole);
            return before.map_or(Ok(()), |_| Err(Clash::Overlap));
        }
        let mut branch = match self.roots.get_mut(&path.root) {
            Some(branch) => branch,
            None => self.roots.entry(path.root.clone()).or_insert_with(|| Branch::empty_for(path.rest.first())),
        };
        let mut steps = path.rest.iter().peekable();
        while let Some(step) = steps.next() {
            let is_new = match (&*branch, step) {
                (Branch::Whole, _) => return Err(Clash::Overlap),
                (Branch::Fields(fields), PathStep::Field(name)) => !fields.contains_key(name),
                (Branch::Elements(elements), PathStep::Index(index)) => !elements.contains_key(index),
                _ => return Err(Clash::Conflict),
            };
            if !is_new && steps.peek().is_none() {
                return Err(Clash::Overlap);
            }
            let below = || Branch::empty_for(steps.peek().copied());
            branch = match (branch, step) {
                (Branch::Fields(fields), PathStep::Field(name)) => fields.entry(name.clone()).or_insert_with(below),
                (Branch::Elements(elements), PathStep::Index(index)) => elements.entry(*index).or_insert_with(below),
                _ => return Err(Clash::Conflict),
            };
        }
        Ok(())
    }

    /// The selected parts of an item, and only them.
    pub(super) fn select(&self, item: &Attributes) -> Attributes {
        self.roots.iter().filter_map(|(name, branch)| Some((name.clone(), branch.select(item.get(name)?)?))).collect()
    }
}

impl Branch {
    fn empty_for(step: Option<&PathStep>) -> Self {
        match step {
            None => Self::Whole,
            Some(PathStep::Field(_)) => Self::Fields(BTreeMap::new()),
            Some(PathStep::Index(_)) => Self::Elements(BTreeMap::new()),
        }
    }

    fn select(&self, value: &AttributeValue) -> Option<AttributeValue> {
        match (self, value) {
            (Self::Whole, value) => Some(value.clone()),
            (Self::Fields(fields), AttributeValue::M(map)) => {
                let selected: Attributes = fields
                    .iter()
                    .filter_map(|(name, branch)| Some((name.clone(), branch.select(map.get(name)?)?)))
                    .collect();
                (!selected.is_empty()).then_some(AttributeValue::M(selected))
            }
            (Self::Elements(elements), AttributeValue::L(list)) => {
                let selected: Vec<AttributeValue> =
                    elements.iter().filter_map(|(&index, branch)| branch.select(list.get(index)?)).collect();
                (!selected.is_empty()).then_some(AttributeValue::L(selected))
            }
            _ => None,
        }
    }
}

/// Why two paths cannot be in one set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clash {
    /// One leads to the other or into it.
    Overlap,
    /// They take one value for a map and for a list.
    Conflict,
}

impl Clash {
    pub(super) fn fault(self, one: &Path, two: &Path) -> Fault {
        let (one, two) = (PathText(one.clone()), PathText(two.clone()));
        match self {
            Self::Overlap => Fault::Overlap(one, two),
            Self::Conflict => Fault::Conflict(one, two),
        }
    }

    /// Whether it is between these two paths.
    pub(super) fn involves(self, one: &Path, two: &Path) -> bool {
        if one.root != two.root {
            return false;
        }
        let difference = one.rest.iter().zip(&two.rest).find(|(one, two)| one != two);
        match difference {
            None => self == Self::Overlap,
            Some((PathStep::Field(_), PathStep::Index(_)) | (PathStep::Index(_), PathStep::Field(_))) => {
                self == Self::Conflict
            }
            Some(_) => false,
        }
    }
}
