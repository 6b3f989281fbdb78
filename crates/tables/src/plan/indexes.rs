//! Global indexes: which are created, recreated or deleted, and in which order.

use std::collections::{BTreeSet, VecDeque};

use keyfold_dynamo::limits;
use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{
    AttributeDefinition, IndexDescription, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec,
    ProjectionType, TableStatus,
};

use super::action::Action;
use super::{LiveTable, Loss, TableChange, text};

/// The properties of an index that cannot change after its creation.
#[derive(Debug, Clone)]
pub(super) struct IndexShape {
    pub name: String,
    schema: Vec<KeySchemaElement>,
    definitions: Vec<AttributeDefinition>,
    projection: ProjectionSpec,
}

impl IndexShape {
    pub(super) fn desired(spec: &IndexSpec, definitions: &[AttributeDefinition]) -> Self {
        Self::new(&spec.name, &spec.key_schema, &spec.projection, definitions)
    }

    pub(super) fn live(index: &IndexDescription, definitions: &[AttributeDefinition]) -> Self {
        Self::new(&index.name, &index.key_schema, &index.projection, definitions)
    }

    fn new(
        name: &str,
        schema: &[KeySchemaElement],
        projection: &ProjectionSpec,
        definitions: &[AttributeDefinition],
    ) -> Self {
        let is_key = |definition: &&AttributeDefinition| schema.iter().any(|element| element.name == definition.name);
        Self {
            name: name.to_owned(),
            schema: schema.to_vec(),
            definitions: definitions.iter().filter(is_key).cloned().collect(),
            projection: projection.clone(),
        }
    }

    fn keys(&self) -> Vec<(&str, KeyRole, Option<KeyType>)> {
        let key_type = |name: &str| {
            self.definitions.iter().find(|definition| definition.name == name).map(|definition| definition.key_type)
        };
        self.schema.iter().map(|element| (element.name.as_str(), element.role, key_type(&element.name))).collect()
    }

    /// The order of projected attributes is irrelevant.
    fn projected(&self) -> (ProjectionType, BTreeSet<&String>) {
        let kind = self.projection.projection_type.clone().unwrap_or(ProjectionType::All);
        (kind, self.projection.non_key_attributes.iter().flatten().collect())
    }

    /// How another index of this name differs from the wanted one.
    pub(super) fn difference(&self, found: &Self) -> Option<String> {
        self.key_difference(found).or_else(|| {
            (self.projected() != found.projected()).then(|| {
                let [has, wants] = [found, self].map(|form| text::projection(&form.projection));
                format!("projects {has} but should project {wants}")
            })
        })
    }

    pub(super) fn key_difference(&self, found: &Self) -> Option<String> {
        (self.keys() != found.keys()).then(|| {
            let [has, wants] = [found, self].map(|form| text::keys(&form.schema, &form.definitions));
            format!("has {has} but should have {wants}")
        })
    }

    fn conflicts_with(&self, other: &Self) -> bool {
        self.definitions.iter().any(|mine| {
            other.definitions.iter().any(|theirs| theirs.name == mine.name && theirs.key_type != mine.key_type)
        })
    }
}

pub(super) fn changes(desired: &CreateTableInput, live: &LiveTable) -> Vec<TableChange> {
    let wanted: Vec<&IndexSpec> = desired.global_indexes.iter().flatten().collect();
    let description = &live.description;
    let found: Vec<IndexShape> = description
        .global_indexes
        .iter()
        .filter(|index| index.status != Some(TableStatus::Deleting))
        .map(|index| IndexShape::live(index, &description.attribute_definitions))
        .collect();
    let form = |spec: &IndexSpec| IndexShape::desired(spec, &desired.attribute_definitions);
    let mut schedule =
        Schedule { existing: found.clone(), definitions: &desired.attribute_definitions, live, changes: Vec::new() };
    let mut creates = VecDeque::new();
    let mut replacements = VecDeque::new();
    for spec in wanted.iter().copied() {
        match found.iter().find(|other| other.name == spec.name) {
            None => creates.push_back(spec),
            Some(other) => {
                replacements.extend(form(spec).difference(other).map(|difference| (spec, difference)));
            }
        }
    }
    let surplus = found.iter().filter(|other| !wanted.iter().any(|spec| spec.name == other.name)).cloned().collect();
    schedule.run(creates, replacements, surplus);
    schedule.changes
}

/// Puts the changes in an order in which each is possible when its turn comes. New indexes come first, so that readers
/// can move over before old ones go; an index to be replaced is away only for as long as it takes to fill it again.
struct Schedule<'a> {
    existing: Vec<IndexShape>,
    definitions: &'a [AttributeDefinition],
    live: &'a LiveTable,
    changes: Vec<TableChange>,
}

impl<'a> Schedule<'a> {
    fn run(
        &mut self,
        mut creates: VecDeque<&'a IndexSpec>,
        mut replacements: VecDeque<(&'a IndexSpec, String)>,
        mut surplus: VecDeque<IndexShape>,
    ) {
        loop {
            if let Some(spec) = take_first(&mut creates, |spec| self.can_create(spec)) {
                self.create(spec);
            } else if let Some((spec, difference)) = take_first(&mut replacements, |(spec, _)| self.can_create(spec)) {
                self.delete_to_replace(&spec.name, &difference);
                self.create(spec);
            } else if let Some(form) = surplus.pop_front() {
                self.delete(&form);
            } else if let Some((spec, difference)) = replacements.pop_front() {
                // Two indexes that exchange the types of their keys: both go before the first comes back.
                self.delete_to_replace(&spec.name, &difference);
                creates.push_back(spec);
            } else {
                // What remains conflicts with the table's own keys; an obstacle reports it.
                return;
            }
        }
    }

    /// Whether an index can be created now, ignoring an existing one of the same name.
    fn can_create(&self, spec: &IndexSpec) -> bool {
        let form = IndexShape::desired(spec, self.definitions);
        let mut others = self.existing.iter().filter(|other| other.name != spec.name);
        others.clone().count() < limits::GLOBAL_INDEXES && !others.any(|other| form.conflicts_with(other))
    }

    fn create(&mut self, spec: &'a IndexSpec) {
        let form = IndexShape::desired(spec, self.definitions);
        self.changes.push(TableChange {
            text: format!("create index {}", text::index(spec, self.definitions)),
            action: Action::CreateIndex { index: spec.clone(), definitions: form.definitions.clone() },
            loss: None,
        });
        self.existing.push(form);
    }

    fn delete(&mut self, form: &IndexShape) {
        let keys = text::keys(&form.schema, &form.definitions);
        self.remove(
            &form.name,
            format!("delete index `{}`: {keys}, {}", form.name, text::projection(&form.projection)),
            format!("reads through `{}` fail from then on", form.name),
        );
    }

    fn delete_to_replace(&mut self, name: &str, difference: &str) {
        self.remove(
            name,
            format!("delete index `{name}` to recreate it: it {difference}"),
            format!("reads through `{name}` fail until it is filled again"),
        );
    }

    fn remove(&mut self, name: &str, text: String, lost: String) {
        let loss = (!self.live.empty).then(|| Loss { name: format!("index:{name}"), text: lost });
        self.changes.push(TableChange { action: Action::DeleteIndex { name: name.to_owned() }, text, loss });
        self.existing.retain(|other| other.name != name);
    }
}

/// Removes the first element with a property from a queue.
fn take_first<T>(queue: &mut VecDeque<T>, matches: impl FnMut(&T) -> bool) -> Option<T> {
    queue.iter().position(matches).and_then(|at| queue.remove(at))
}
