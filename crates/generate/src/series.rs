//! An ordered series of tables, each one global index away from the one before.

use keyfold_design::Design;
use keyfold_design::model::Index;

/// One deployment of a series.
#[derive(Debug, Clone)]
pub struct Step {
    /// `delete-GSI2`, `create-byTag`.
    pub name: String,
    pub design: Design,
}

/// The designs between two, one changed global index at a time, the last one being the wanted design. What is no longer
/// wanted goes first, so that a table never has more indexes than both designs need; an index whose keys or projection
/// differ is deleted and created anew.
pub fn series(from: &Design, to: &Design) -> Vec<Step> {
    let is_same = |left: &Index, right: &Index| {
        let keys = |index: &Index| {
            let names = |keys: &[keyfold_design::model::KeyAttribute]| {
                keys.iter().map(|key| (key.name.clone(), key.key_type)).collect::<Vec<_>>()
            };
            (names(&index.partition), names(&index.sort))
        };
        left.name == right.name && keys(left) == keys(right) && left.projection == right.projection
    };
    let global = |design: &Design| design.indexes.iter().filter(|index| !index.local).cloned().collect::<Vec<_>>();
    let wanted = global(to);
    let mut present = global(from);
    let locals: Vec<Index> = to.indexes.iter().filter(|index| index.local).cloned().collect();
    let with = |indexes: &[Index]| {
        let mut design = to.clone();
        design.indexes = indexes.iter().chain(&locals).cloned().collect();
        design
    };
    let mut steps = Vec::new();
    for index in global(from) {
        if !wanted.iter().any(|other| is_same(other, &index)) {
            present.retain(|other| other.name != index.name);
            steps.push(Step { name: format!("delete-{}", index.name), design: with(&present) });
        }
    }
    for index in &wanted {
        if !present.iter().any(|other| other.name == index.name) {
            present.push(index.clone());
            steps.push(Step { name: format!("create-{}", index.name), design: with(&present) });
        }
    }
    if let Some(last) = steps.last_mut() {
        last.design = to.clone();
    }
    steps
}
