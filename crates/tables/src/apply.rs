//! Makes a live table match the desired one, one change at a time.
//!
//! No state is kept between changes: after each, the table is compared again. So the next run continues an interrupted
//! one, waits for the changes it began, and sees changes made by others.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use keyfold_dynamo::{Backend, ServiceError};
use keyfold_environment::Backoff;

use crate::live::read_live;
use crate::plan::{Action, DesiredTable, LiveTable, Loss, OngoingChange, Plan, TableChange, TableRequest, plan};
use crate::retry::{PATIENT, brief, pause};

#[derive(Debug, Clone)]
pub struct ApplyOptions {
    /// The names of confirmed losses; a change that loses anything else is refused. None by default.
    pub allowed_losses: BTreeSet<String>,
    /// The retries of transient failures, counted from the last progress; [`PATIENT`] by default.
    pub backoff: Backoff,
    /// The longest pause between two checks of a change in progress; 2 seconds by default.
    pub poll: Duration,
    /// How long a backend may take to show an accepted change; 60 seconds by default.
    pub grace: Duration,
}

impl Default for ApplyOptions {
    fn default() -> Self {
        Self {
            allowed_losses: BTreeSet::new(),
            backoff: PATIENT,
            poll: Duration::from_secs(2),
            grace: Duration::from_secs(60),
        }
    }
}

/// Progress of an `apply`.
#[derive(Debug, Clone, PartialEq)]
pub enum ApplyEvent<'a> {
    Started(&'a TableChange),
    Waiting(Wait),
    Done { change: &'a TableChange, took: Duration },
}

/// A change in progress, with a count where the backend reports one.
#[derive(Debug, Clone, PartialEq)]
pub struct Wait {
    pub ongoing: OngoingChange,
    /// Items in the index that is being filled, and in the table. A sparse index has fewer than the table.
    pub items: Option<(u64, u64)>,
    pub since: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    #[error("the table cannot be changed to match the desired state; create a new table")]
    Impossible { obstacles: Vec<String> },
    #[error("data would be lost, which has not been confirmed")]
    WouldLose { losses: Vec<Loss> },
    #[error("the backend accepted the change but did not apply it: {0}")]
    NotApplied(String),
    #[error("{doing} failed")]
    Service { doing: String, source: ServiceError },
}

/// The result of an `apply`.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub changes: Vec<TableChange>,
    /// Differences that remain, because `apply` does not change them.
    pub notes: Vec<String>,
}

/// Creates the table or changes it to match the desired one.
pub async fn apply(
    backend: &dyn Backend,
    desired: &DesiredTable,
    options: &ApplyOptions,
    report: &mut (dyn FnMut(ApplyEvent<'_>) + Send + Sync),
) -> Result<Applied, ApplyError> {
    let mut applier = Applier { backend, desired, options, report };
    // Fails before it waits, if the changes are impossible or not confirmed.
    let (_, first) = applier.compare(brief(options.backoff)).await?;
    applier.check_allowed(&first)?;
    let mut done: Vec<TableChange> = Vec::new();
    loop {
        let now = applier.wait_until_idle().await?;
        applier.check_allowed(&now)?;
        let Some(change) = now.changes.into_iter().next() else {
            return Ok(Applied { changes: done, notes: now.notes });
        };
        if done.iter().any(|earlier| earlier.action == change.action) {
            return Err(ApplyError::NotApplied(change.text));
        }
        applier.perform(&change).await?;
        done.push(change);
    }
}

struct Applier<'a> {
    backend: &'a dyn Backend,
    desired: &'a DesiredTable,
    options: &'a ApplyOptions,
    report: &'a mut (dyn FnMut(ApplyEvent<'_>) + Send + Sync),
}

impl Applier<'_> {
    async fn compare(&self, backoff: Backoff) -> Result<(Option<LiveTable>, Plan), ApplyError> {
        let live = read_live(self.backend, self.desired, backoff)
            .await
            .map_err(|source| ApplyError::Service { doing: "reading the table".to_owned(), source })?;
        let plan = plan(self.desired, live.as_ref());
        Ok((live, plan))
    }

    fn check_allowed(&self, plan: &Plan) -> Result<(), ApplyError> {
        if !plan.obstacles.is_empty() {
            return Err(ApplyError::Impossible { obstacles: plan.obstacles.clone() });
        }
        let losses: Vec<Loss> =
            plan.losses().filter(|loss| !self.options.allowed_losses.contains(&loss.name)).cloned().collect();
        if losses.is_empty() { Ok(()) } else { Err(ApplyError::WouldLose { losses }) }
    }

    /// Waits for changes in progress and returns the plan after them.
    async fn wait_until_idle(&mut self) -> Result<Plan, ApplyError> {
        let started = Instant::now();
        let mut pause = Duration::from_millis(20);
        loop {
            let (live, plan) = self.compare(self.options.backoff).await?;
            let Some(ongoing) = plan.ongoing.first() else { return Ok(plan) };
            (self.report)(ApplyEvent::Waiting(Wait {
                ongoing: ongoing.clone(),
                items: live.as_ref().and_then(|live| filled(ongoing, live)),
                since: started.elapsed(),
            }));
            self.pause(&mut pause).await;
        }
    }

    async fn pause(&self, pause: &mut Duration) {
        tokio::time::sleep(*pause).await;
        *pause = pause.mul_f32(1.5).min(self.options.poll);
    }

    /// Makes one change and waits until the table shows it.
    async fn perform(&mut self, change: &TableChange) -> Result<(), ApplyError> {
        (self.report)(ApplyEvent::Started(change));
        let started = Instant::now();
        self.send(change)
            .await
            .map_err(|source| ApplyError::Service { doing: format!("`{}`", change.text), source })?;
        let mut pause = Duration::from_millis(20);
        let mut quiet_since: Option<Instant> = None;
        loop {
            let plan = self.wait_until_idle().await?;
            if !plan.changes.iter().any(|left| left.action == change.action) {
                (self.report)(ApplyEvent::Done { change, took: started.elapsed() });
                return Ok(());
            }
            // DynamoDB may show the previous state for a short time after it accepted a change.
            if quiet_since.get_or_insert_with(Instant::now).elapsed() > self.options.grace {
                return Err(ApplyError::NotApplied(change.text.clone()));
            }
            self.pause(&mut pause).await;
        }
    }

    async fn send(&self, change: &TableChange) -> Result<(), ServiceError> {
        let backoff = self.options.backoff;
        let mut attempt = 0;
        loop {
            match self.send_once(&change.action).await {
                // Another client created it, or a response was lost; the next comparison finds out.
                Err(ServiceError::ResourceInUse(_)) if matches!(change.action, Action::CreateTable(_)) => return Ok(()),
                // Another client is changing the table.
                Err(ServiceError::ResourceInUse(_) | ServiceError::LimitExceeded(_))
                    if attempt + 1 < backoff.attempts =>
                {
                    pause(backoff, attempt).await;
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    async fn send_once(&self, action: &Action) -> Result<(), ServiceError> {
        let (backend, table) = (self.backend, &self.desired.create.table_name);
        match action.request(table) {
            TableRequest::Create(input) => backend.create_table(*input).await.map(drop),
            TableRequest::Update(input) => backend.update_table(*input).await.map(drop),
            TableRequest::UpdateTimeToLive(input) => backend.update_time_to_live(input).await.map(drop),
            TableRequest::SetTags(tags) => {
                let description = backend.describe_table(table.clone()).await?;
                let arn = description
                    .arn
                    .ok_or_else(|| ServiceError::Internal(format!("the service reports no ARN of table {table}")))?;
                backend.tag_resource(arn, tags).await
            }
        }
    }
}

/// Items in an index that is being filled and in its table, where the backend counts them while filling.
fn filled(ongoing: &OngoingChange, live: &LiveTable) -> Option<(u64, u64)> {
    let OngoingChange::IndexFilling { name } = ongoing else { return None };
    let index = live.description.global_indexes.iter().find(|index| index.name == *name)?;
    (index.item_count > 0).then_some((index.item_count, live.description.item_count))
}
