//! The agencies design on an engine, with idempotency and an audit log: creating an agency twice leaves two agencies.

mod desk;

pub(crate) use self::desk::{Desk, NOW_MS, answer_of, attributes, create, operator};

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use keyfold_api::change_records::{Admission, ChangeRecordError, ChangeRecordSettings, PendingChange};
use keyfold_api::{CredentialKind, Principal};
use keyfold_dynamo::operation::ScanInput;
use keyfold_dynamo::{Attributes, Backend, Item};
use keyfold_engine::Engine;
use keyfold_environment::ManualClock;
use keyfold_runtime::{Caller, Error};

/// A desk, with what tests look at and change behind its back.
pub(crate) struct Office {
    desk: Desk,
    pub backend: Arc<dyn Backend>,
    pub clock: Arc<ManualClock>,
}

impl Deref for Office {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.desk
    }
}

impl Office {
    pub(crate) async fn on(backend: Arc<dyn Backend>, settings: ChangeRecordSettings) -> Self {
        let clock = Arc::new(ManualClock::at_ms(NOW_MS));
        let desk = Desk::on(Arc::clone(&backend), settings, Arc::clone(&clock)).await;
        Self { desk, backend, clock }
    }

    pub(crate) async fn in_memory() -> Self {
        Self::on(Arc::new(Engine::in_memory(Default::default()).unwrap()), ChangeRecordSettings::default()).await
    }

    pub(crate) async fn in_folder(folder: &Path) -> Self {
        Self::on(Arc::new(Engine::open(folder, Default::default()).unwrap()), ChangeRecordSettings::default()).await
    }

    /// The items of a table.
    pub(crate) async fn items(&self, table: &str) -> Vec<Attributes> {
        let mut items = Vec::new();
        let mut start = None;
        loop {
            let mut input = ScanInput { table_name: table.to_owned(), ..ScanInput::default() };
            input.page.exclusive_start_key = start;
            let page = self.backend.scan(input).await.unwrap();
            items.extend(page.items.unwrap().into_iter().map(|item: Item| item.into_attributes().unwrap()));
            match page.last_evaluated_key {
                Some(key) => start = Some(key),
                None => return items,
            }
        }
    }

    pub(crate) async fn agencies(&self) -> usize {
        self.items(self.runtime.table_name()).await.len()
    }

    /// How many answers and lines of the log are kept.
    pub(crate) async fn kept(&self) -> (usize, usize) {
        let items = self.items("keyfold_audit").await;
        let count = |kind: &str| items.iter().filter(|item| item["PK"].as_str().unwrap().starts_with(kind)).count();
        (count("ONCE#"), count("AUDIT#"))
    }
}

pub(crate) fn member(tenant: &str, subject: &str, roles: &[&str]) -> Principal {
    let roles = roles.iter().map(|role| (*role).to_owned()).collect();
    Principal {
        caller: Caller { roles, ..Caller::member(tenant, subject) }.into(),
        kind: CredentialKind::Token,
        ..Principal::default()
    }
}

pub(crate) fn entry(begun: Result<Admission<'_>, ChangeRecordError>) -> PendingChange<'_> {
    match begun.unwrap() {
        Admission::Execute(entry) => entry,
        Admission::Replay(answer) => panic!("replayed {answer:?}"),
    }
}

pub(crate) fn refusal(begun: Result<Admission<'_>, ChangeRecordError>) -> ChangeRecordError {
    match begun {
        Err(error) => error,
        Ok(Admission::Execute(_)) => panic!("let through"),
        Ok(Admission::Replay(answer)) => panic!("replayed {answer:?}"),
    }
}

pub(crate) fn is_exists(error: &ChangeRecordError) -> bool {
    matches!(error, ChangeRecordError::Runtime(Error::Exists { .. }))
}
