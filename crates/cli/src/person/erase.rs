//! `keyfold person erase|reapply`

use std::collections::{BTreeSet, HashSet};
use std::process::ExitCode;

use keyfold_api::change_records::{ErasedRecords, RecordedPerson, pseudonym};
use keyfold_design::counted;
use keyfold_environment::{Clock as _, SystemClock};
use keyfold_runtime::{PersonItem, PersonRelation, timestamp};

use super::{Opened, PersonArguments, Tables, caller, print_failures, unmarked_failure};
use crate::erasures::{Erasure, ErasureArguments};
use crate::executor::executor;

/// How much of the pseudonym distinguishes the values of unique attributes.
const TAG_LENGTH: usize = 12;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    person: PersonArguments,
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
    /// What the erasure leaves, for people to decide about.
    warnings: BTreeSet<String>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Arguments { person: PersonArguments { tables, subject }, record } = arguments;
    let secret = record.secret()?;
    let outcome = executor()?.block_on(async {
        let open = tables.open().await?;
        let pseudonym = pseudonym(&secret, &open.design.name, subject)?;
        // Recorded first: an erasure that is interrupted is completed by `reapply`.
        let (design, at) = (open.design.name.clone(), timestamp(SystemClock.now_ms())?);
        record.record(&Erasure { design, pseudonym: pseudonym.clone(), at })?;
        open.erase(subject, &pseudonym).await
    })?;
    Ok(outcome.print())
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
        let found = open.runtime.person_subjects(&caller()).await?;
        let mut subjects = found.subjects;
        if let Some(records) = &open.records {
            subjects.extend(records.subjects(name).await?);
        }
        let failures = found.undecodable.iter().map(ToString::to_string).collect();
        let mut all = Outcome { failures, ..Outcome::default() };
        for subject in subjects {
            let pseudonym = pseudonym(&secret, name, &subject)?;
            if erased.contains(pseudonym.as_str()) {
                all.add(open.erase(&subject, &pseudonym).await?);
            }
        }
        anyhow::Ok(all)
    })?;
    Ok(outcome.print())
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.items += other.items;
        self.records.entries += other.records.entries;
        self.records.responses += other.records.responses;
        self.warnings.extend(other.warnings);
        for failure in other.failures {
            // What concerns the whole table is the same for every subject.
            if !self.failures.contains(&failure) {
                self.failures.push(failure);
            }
        }
    }

    fn print(&self) -> ExitCode {
        let ErasedRecords { entries, responses, .. } = self.records;
        let (items, entries) = (counted(self.items, "item"), counted(entries, "audit entry"));
        say!("{items}, {entries} and {} erased", counted(responses, "stored response"));
        for warning in &self.warnings {
            report!("warning: {warning}");
        }
        print_failures(&self.failures)
    }
}

impl Opened {
    async fn erase(&self, subject: &str, pseudonym: &str) -> anyhow::Result<Outcome> {
        let caller = caller();
        let found = self.runtime.person_items(&caller, subject).await?;
        let failures = found.undecodable.iter().map(ToString::to_string).collect();
        let mut outcome = Outcome { failures, ..Outcome::default() };
        let tag = pseudonym.get(..TAG_LENGTH).unwrap_or(pseudonym);
        // First: the items lead to them, and some items are deleted.
        if let Some(records) = &self.records {
            let person = RecordedPerson::new(&self.design, subject, &found.items);
            outcome.records = records.erase_records_of(&person, pseudonym).await?;
            outcome.failures.extend(unmarked_failure(outcome.records.unmarked));
        }
        outcome.warnings = found.items.iter().filter_map(|item| self.remaining_access(item)).collect();
        for item in &found.items {
            match self.runtime.erase_personal_data(&caller, item, tag).await {
                Ok(is_changed) => outcome.items += u64::from(is_changed),
                Err(error) => {
                    let name = &self.design[item.record.entity].name;
                    outcome.failures.push(format!("an item of {name} cannot be erased: {error}"));
                }
            }
        }
        Ok(outcome)
    }

    /// How the person can still sign in after their erasure: an item leads from their token to what they may do, and
    /// remains.
    fn remaining_access(&self, item: &PersonItem) -> Option<String> {
        let callers = &self.design.callers;
        let (entity, attribute) = match (&callers.users, &callers.members) {
            (Some(users), _) => (users.entity, &users.subject),
            (None, Some(members)) => (members.entity, &members.subject),
            (None, None) => return None,
        };
        let found = &self.design[entity];
        let is_erased = found.attribute(attribute).is_some_and(|attribute| attribute.personal);
        let is_theirs = item.relation == PersonRelation::Person && item.record.entity == entity;
        (is_theirs && !is_erased).then(|| {
            let name = &found.name;
            format!(
                "they can still sign in: `{attribute}` of {name} is not `personal` and leads to their {name}, which \
                 remains; delete it"
            )
        })
    }
}
