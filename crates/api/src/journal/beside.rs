//! What is written in the transaction of a change.

use keyfold_design::model::EntityId;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::{Aliases, TransactWrite, TransactWriteKind};
use keyfold_runtime::{Record, SideWrites, Write};

use super::answer::Answer;
use super::audit::{ALLOWED, Change, entry_item, identity_of, tenant_of, verb_of};
use super::{Entry, Open};

/// Makes an answer of what a change leaves: for each write the item as it is then, `None` for deletes.
pub type Answering<'e> = dyn Fn(&[Option<Record>]) -> Answer + Send + Sync + 'e;

/// The entries of a change: its answer, where the request had a key, and a line of the log for each item.
pub struct Alongside<'e> {
    entry: &'e Entry<'e>,
    planned: Vec<Planned>,
    answering: &'e Answering<'e>,
}

/// A write, as far as it is known before it is made.
struct Planned {
    verb: &'static str,
    entity: Option<EntityId>,
    given: Attributes,
}

impl<'j> Entry<'j> {
    /// What goes with the writes. The answer is made when it is known what they leave, perhaps several times.
    pub fn beside<'e>(&'e self, writes: &[Write], answering: &'e Answering<'e>) -> Alongside<'e> {
        let noted = if self.journal.audits().is_some() { writes } else { &[] };
        let planned = noted.iter().map(|write| {
            let (entity, given) = match write {
                Write::Create { entity, attributes }
                | Write::Put { entity, attributes }
                | Write::Upsert { entity, attributes }
                | Write::Patch { entity, attributes, .. } => (entity, attributes),
                Write::Delete { entity, identity, .. } => (entity, identity),
            };
            let entity = self.design.entity_named(entity).map(|entity| entity.id);
            Planned { verb: verb_of(write), entity, given: given.clone() }
        });
        Alongside { entry: self, planned: planned.collect(), answering }
    }
}

impl Alongside<'_> {
    fn line(&self, open: &Open, place: usize, left: Option<&Record>) -> Option<TransactWrite> {
        let planned = self.planned.get(place)?;
        let design = &self.entry.design;
        let entity = design.entity(planned.entity?)?;
        let attributes = left.map_or(&planned.given, |record| &record.attributes);
        let change =
            Change { verb: planned.verb, entity: &entity.name, identity: identity_of(design, entity, attributes) };
        let tenant = tenant_of(design, attributes);
        let unique = (self.entry.drawn, place);
        let item = entry_item(open, &design.name, &self.entry.actor, tenant, &change, ALLOWED, unique);
        Some(TransactWrite {
            table_name: open.settings.table.clone(),
            kind: TransactWriteKind::Put { item },
            condition_expression: None,
            aliases: Aliases::default(),
            return_old_on_failure: false,
        })
    }
}

impl SideWrites for Alongside<'_> {
    fn writes(&self, left: &[Option<Record>]) -> Vec<TransactWrite> {
        let mut writes = Vec::new();
        if let (Some(open), Some(once)) = (&self.entry.journal.open, &self.entry.once) {
            writes.push(once.write(open, &(self.answering)(left)));
        }
        if let Some(open) = self.entry.journal.audits() {
            let lines = left.iter().enumerate();
            writes.extend(lines.filter_map(|(place, record)| self.line(open, place, record.as_ref())));
        }
        writes
    }

    fn is_any(&self) -> bool {
        self.entry.once.is_some() || self.entry.journal.audits().is_some()
    }
}
