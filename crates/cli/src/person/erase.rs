//! `keyfold person erase|reapply`

use std::collections::HashSet;
use std::process::ExitCode;

use keyfold_api::change_records::{ErasedRecords, RecordedPerson, pseudonym};
use keyfold_design::counted;
use keyfold_design::model::Entity;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::{PutItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_environment::{Clock as _, SystemClock};
use keyfold_runtime::{Caller, DeleteOptions, Error, PatchOptions, timestamp};

use super::items::{self, PersonItem};
use super::placeholder::placeholder;
use super::{Opened, Tables, executor};
use crate::erasures::{Erasure, ErasureArguments};

/// How much of the pseudonym distinguishes the values of unique attributes.
const TAG_LENGTH: usize = 12;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    tables: Tables,
    /// Subject, as in tokens
    #[arg(long)]
    subject: String,
    #[command(flatten)]
    record: ErasureArguments,
}

#[derive(clap::Args)]
pub(crate) struct ReapplyArguments {
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    record: ErasureArguments,
}

/// What an erasure did.
#[derive(Default)]
struct Outcome {
    items: u64,
    records: ErasedRecords,
    failures: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { tables, subject, record } = arguments;
    let secret = record.secret()?;
    let outcome = executor()?.block_on(async {
        let open = tables.open().await?;
        let pseudonym = pseudonym(&secret, &open.design.name, subject)?;
        // Recorded first: an erasure that is interrupted is completed by `reapply`.
        let (design, at) = (open.design.name.clone(), timestamp(SystemClock.now_ms())?);
        record.record(&Erasure { design, pseudonym: pseudonym.clone(), at })?;
        open.erase(subject, &pseudonym).await
    })?;
    Ok(report(&outcome))
}

/// Erases every subject whose pseudonym is recorded.
pub(super) fn reapply(arguments: &ReapplyArguments) -> anyhow::Result<ExitCode> {
    let ReapplyArguments { tables, record } = arguments;
    let secret = record.secret()?;
    let recorded = record.read()?;
    if recorded.is_empty() {
        anyhow::bail!("`{}` records no erasures", record.file().display());
    }
    let outcome = executor()?.block_on(async {
        let open = tables.open().await?;
        let name = &open.design.name;
        let erased = recorded.iter().filter(|erasure| erasure.design == *name);
        let erased: HashSet<&str> = erased.map(|erasure| erasure.pseudonym.as_str()).collect();
        let mut subjects = items::subjects(open.backend.as_ref(), &open.design).await?;
        if let Some(audit) = &open.audit {
            subjects.extend(audit.subjects(name).await?);
        }
        let mut all = Outcome::default();
        for subject in subjects {
            let pseudonym = pseudonym(&secret, name, &subject)?;
            if erased.contains(pseudonym.as_str()) {
                all.add(open.erase(&subject, &pseudonym).await?);
            }
        }
        anyhow::Ok(all)
    })?;
    Ok(report(&outcome))
}

fn report(outcome: &Outcome) -> ExitCode {
    let ErasedRecords { entries, responses } = outcome.records;
    let (items, entries) = (counted(outcome.items, "item"), counted(entries, "audit entry"));
    say!("{items}, {entries} and {} erased", counted(responses, "stored response"));
    for failure in &outcome.failures {
        report!("error: {failure}");
    }
    if outcome.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.items += other.items;
        self.records.entries += other.records.entries;
        self.records.responses += other.records.responses;
        self.failures.extend(other.failures);
    }
}

impl Opened {
    async fn erase(&self, subject: &str, pseudonym: &str) -> anyhow::Result<Outcome> {
        let found = items::find(self.backend.as_ref(), &self.design, subject).await?;
        let (identities, texts) =
            (items::identities(&self.design, &found), items::texts(&self.design, subject, &found));
        let mut outcome = Outcome::default();
        for item in &found {
            match self.erase_item(item, pseudonym).await {
                Ok(is_changed) => outcome.items += u64::from(is_changed),
                Err(error) => {
                    let name = &self.design[item.entity].name;
                    outcome.failures.push(format!("an item of {name} cannot be erased: {error}"));
                }
            }
        }
        // Last: what the items say of the person leads to their responses.
        if let Some(audit) = &self.audit {
            let person = RecordedPerson { design: &self.design.name, subject, items: &identities, texts: &texts };
            outcome.records = audit.erase_records_of(&person, pseudonym).await?;
        }
        Ok(outcome)
    }

    /// Erases the personal attributes of an item; `false` if it has none.
    async fn erase_item(&self, item: &PersonItem, pseudonym: &str) -> Result<bool, Error> {
        let entity = &self.design[item.entity];
        if !entity.is_written_directly() {
            // It follows its source.
            return Ok(false);
        }
        let tag = pseudonym.get(..TAG_LENGTH).unwrap_or(pseudonym);
        let mut changes = Attributes::new();
        let mut is_identity = false;
        for attribute in entity.attributes.iter().filter(|attribute| attribute.personal && attribute.same_as.is_none())
        {
            let Some(value) = item.attributes.get(&attribute.name) else { continue };
            is_identity |= entity.identity.contains(&attribute.name);
            let erased = if attribute.optional { Some(AttributeValue::Null) } else { placeholder(attribute, tag) };
            let erased = erased.ok_or_else(|| {
                let name = &attribute.name;
                Error::Invalid(format!("no value can take the place of `{name}`: make it optional, or delete the item"))
            })?;
            if erased != *value {
                changes.insert(attribute.name.clone(), erased);
            }
        }
        if changes.is_empty() {
            return Ok(false);
        }
        let caller = Caller::superuser("keyfold:erasure");
        let identity = item.identity(&self.design);
        if entity.append_only {
            self.replace(entity, item, changes).await?;
        } else if is_identity {
            self.runtime.delete(&caller, &entity.name, identity, DeleteOptions::default()).await?;
        } else {
            changes.extend(identity);
            self.runtime.patch(&caller, &entity.name, changes, PatchOptions::default()).await?;
        }
        Ok(true)
    }

    /// Changes an item of an entity that no call may change. Nothing else follows from its attributes, unless a key does.
    async fn replace(&self, entity: &Entity, item: &PersonItem, changes: Attributes) -> Result<(), Error> {
        if let Some(name) = changes.keys().find(|name| entity.is_recoverable_from_keys(name)) {
            return Err(Error::Invalid(format!("`{name}` is in a key, and no call may change the item")));
        }
        let mut stored = item.stored.clone();
        for (name, value) in changes {
            match value {
                AttributeValue::Null => stored.remove(&name),
                value => stored.insert(name, value),
            };
        }
        let is_there = Condition::attribute_exists(&self.design.table.partition.name);
        let options = WriteOptions { condition: Some(is_there), ..WriteOptions::default() };
        let table_name = self.design.table.name.clone();
        self.backend.put_item(PutItemInput { table_name, item: stored, options }).await?;
        Ok(())
    }
}
