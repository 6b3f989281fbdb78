//! Makes a live table what it should be, one change at a time.
//!
//! Nothing is remembered between changes: after each, the table is compared again. So an interrupted run is continued by
//! the next, which waits for whatever the first had begun, and a change by someone else is seen.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use keyfold_dynamo::operation::UpdateTimeToLiveInput;
use keyfold_dynamo::{Backend, ServiceError};

use crate::live::read_live;
use crate::patience::Patience;
use crate::plan::{Action, Change, DesiredTable, LiveTable, Loss, Plan, UnderWay, plan};

#[derive(Debug, Clone)]
pub struct ApplyOptions {
    /// The names of the losses that are agreed to.
    pub allowed_losses: BTreeSet<String>,
    pub patience: Patience,
    /// The longest pause between two looks at what is under way.
    pub poll: Duration,
    /// How long a backend may take to show a change that it took.
    pub grace: Duration,
}

impl Default for ApplyOptions {
    fn default() -> Self {
        Self {
            allowed_losses: BTreeSet::new(),
            patience: Patience::default(),
            poll: Duration::from_secs(2),
            grace: Duration::from_secs(60),
        }
    }
}

/// What happens meanwhile.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<'a> {
    Started(&'a Change),
    Waiting(Wait),
    Done { change: &'a Change, took: Duration },
}

/// What is waited for, and how far it is where the backend counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Wait {
    pub under_way: UnderWay,
    /// Items in the index that is being filled, and in the table. Not every item belongs into every index.
    pub items: Option<(u64, u64)>,
    pub since: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    #[error("this table cannot become what it should be; a new one can")]
    Impossible { obstacles: Vec<String> },
    #[error("something would be lost that was not agreed to")]
    WouldLose { losses: Vec<Loss> },
    #[error("the backend took the change without making it: {0}")]
    NotTaken(String),
    #[error("{doing} failed")]
    Service { doing: String, source: ServiceError },
}

/// What was done.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub changes: Vec<Change>,
    /// What is not as it should be, and is not looked after here.
    pub notes: Vec<String>,
}

/// Brings the table in line.
pub async fn apply(
    backend: &dyn Backend,
    desired: &DesiredTable,
    options: &ApplyOptions,
    report: &mut (dyn FnMut(Event<'_>) + Send + Sync),
) -> Result<Applied, ApplyError> {
    let mut work = Work { backend, desired, options, report };
    // Before anything is waited for: whether this may be done at all.
    let (_, first) = work.compare(&options.patience.brief()).await?;
    work.agree(&first)?;
    let mut done: Vec<Change> = Vec::new();
    loop {
        let now = work.settled().await?;
        work.agree(&now)?;
        let Some(change) = now.changes.into_iter().next() else {
            return Ok(Applied { changes: done, notes: now.notes });
        };
        if done.iter().any(|earlier| earlier.action == change.action) {
            return Err(ApplyError::NotTaken(change.text));
        }
        work.make(&change).await?;
        done.push(change);
    }
}

struct Work<'a> {
    backend: &'a dyn Backend,
    desired: &'a DesiredTable,
    options: &'a ApplyOptions,
    report: &'a mut (dyn FnMut(Event<'_>) + Send + Sync),
}

impl Work<'_> {
    async fn compare(&self, patience: &Patience) -> Result<(Option<LiveTable>, Plan), ApplyError> {
        let live = read_live(self.backend, self.desired, patience)
            .await
            .map_err(|source| ApplyError::Service { doing: "reading the table".to_owned(), source })?;
        let plan = plan(self.desired, live.as_ref());
        Ok((live, plan))
    }

    fn agree(&self, plan: &Plan) -> Result<(), ApplyError> {
        if !plan.obstacles.is_empty() {
            return Err(ApplyError::Impossible { obstacles: plan.obstacles.clone() });
        }
        let losses: Vec<Loss> =
            plan.losses().filter(|loss| !self.options.allowed_losses.contains(&loss.name)).cloned().collect();
        if losses.is_empty() { Ok(()) } else { Err(ApplyError::WouldLose { losses }) }
    }

    /// The plan once nothing is under way any more.
    async fn settled(&mut self) -> Result<Plan, ApplyError> {
        let started = Instant::now();
        let mut pause = Duration::from_millis(20);
        loop {
            let (live, plan) = self.compare(&self.options.patience).await?;
            let Some(under_way) = plan.under_way.first() else { return Ok(plan) };
            (self.report)(Event::Waiting(Wait {
                under_way: under_way.clone(),
                items: live.as_ref().and_then(|live| filled(under_way, live)),
                since: started.elapsed(),
            }));
            self.pause(&mut pause).await;
        }
    }

    async fn pause(&self, pause: &mut Duration) {
        tokio::time::sleep(*pause).await;
        *pause = pause.mul_f32(1.5).min(self.options.poll);
    }

    /// Makes one change and waits until the table has it.
    async fn make(&mut self, change: &Change) -> Result<(), ApplyError> {
        (self.report)(Event::Started(change));
        let started = Instant::now();
        self.send(change)
            .await
            .map_err(|source| ApplyError::Service { doing: format!("`{}`", change.text), source })?;
        let mut pause = Duration::from_millis(20);
        let mut quiet_since: Option<Instant> = None;
        loop {
            let plan = self.settled().await?;
            if !plan.changes.iter().any(|left| left.action == change.action) {
                (self.report)(Event::Done { change, took: started.elapsed() });
                return Ok(());
            }
            // DynamoDB may show a table as it was for a little while after it took a change.
            if quiet_since.get_or_insert_with(Instant::now).elapsed() > self.options.grace {
                return Err(ApplyError::NotTaken(change.text.clone()));
            }
            self.pause(&mut pause).await;
        }
    }

    async fn send(&self, change: &Change) -> Result<(), ServiceError> {
        let patience = &self.options.patience;
        let mut attempt = 0;
        loop {
            match self.send_once(&change.action).await {
                // Someone else made it, or an answer was lost: what is there now is compared in any case.
                Err(ServiceError::ResourceInUse(_)) if matches!(change.action, Action::CreateTable(_)) => return Ok(()),
                // Someone else is changing a table at this moment.
                Err(ServiceError::ResourceInUse(_) | ServiceError::LimitExceeded(_))
                    if attempt + 1 < patience.attempts =>
                {
                    patience.wait(attempt).await;
                    attempt += 1;
                }
                answer => return answer,
            }
        }
    }

    async fn send_once(&self, action: &Action) -> Result<(), ServiceError> {
        let (backend, table) = (self.backend, &self.desired.create.table_name);
        if let Some(update) = action.update(table) {
            return backend.update_table(update).await.map(drop);
        }
        let expiry = |enabled: bool, attribute: &str| {
            let input =
                UpdateTimeToLiveInput { table_name: table.clone(), enabled, attribute_name: attribute.to_owned() };
            backend.update_time_to_live(input)
        };
        match action {
            Action::CreateTable(input) => backend.create_table((**input).clone()).await.map(drop),
            Action::EnableTimeToLive { attribute } => expiry(true, attribute).await.map(drop),
            Action::DisableTimeToLive { attribute } => expiry(false, attribute).await.map(drop),
            Action::SetTags(tags) => {
                let description = backend.describe_table(table.clone()).await?;
                backend.tag_resource(description.arn, tags.clone()).await
            }
            _ => Ok(()),
        }
    }
}

/// How many items an index that is being filled has, of how many in the table; where the backend counts them as it goes.
fn filled(under_way: &UnderWay, live: &LiveTable) -> Option<(u64, u64)> {
    let UnderWay::IndexFilling { name } = under_way else { return None };
    let index = live.description.global_indexes.iter().find(|index| index.name == *name)?;
    (index.item_count > 0).then_some((index.item_count, live.description.item_count))
}
