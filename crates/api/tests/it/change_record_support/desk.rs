//! The agencies design with idempotency and an audit log, on a backend: what the tests share with the process that one
//! of them kills.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use keyfold_api::change_records::{
    Admission, ChangeRecordError, ChangeRecordSettings, ChangeRecords, ChangeRequest, Fingerprint, PendingChange,
    StoredResponse,
};
use keyfold_api::{CredentialKind, Principal};
use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes, Backend};
use keyfold_environment::ManualClock;
use keyfold_runtime::{Caller, Options, Record, Runtime, SystemRandom, Write};

/// 15 January 2027, 08:00:00.
pub(crate) const NOW_MS: u64 = 1_800_000_000_000;

pub(crate) struct Desk {
    pub runtime: Runtime,
    pub change_records: ChangeRecords,
}

fn agencies() -> Arc<Design> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/agencies/design.yaml");
    let text = std::fs::read_to_string(file).unwrap();
    Arc::new(keyfold_design::load("design.yaml", &text).map_err(|_| "the design has errors").unwrap().0)
}

impl Desk {
    pub(crate) async fn on(backend: Arc<dyn Backend>, settings: ChangeRecordSettings, clock: Arc<ManualClock>) -> Self {
        let design = agencies();
        let options = Options { clock: Arc::clone(&clock) as _, ..Options::standard(&design).unwrap() };
        let runtime = Runtime::new(design, Arc::clone(&backend), options);
        runtime.create_table().await.unwrap();
        let change_records = ChangeRecords::open(backend, settings, clock, Arc::new(SystemRandom)).await.unwrap();
        Self { runtime, change_records }
    }

    pub(crate) async fn begin<'j>(
        &'j self,
        who: &Principal,
        key: Option<&str>,
        body: &str,
    ) -> Result<Admission<'j>, ChangeRecordError> {
        let fingerprint = Fingerprint::new(&Method::POST, "/v1/agencies/agencies", &HeaderMap::new(), body.as_bytes());
        let design = self.runtime.design();
        let key = key.map(|key| (key, fingerprint));
        self.change_records.begin(ChangeRequest { design, principal: who, tenant: None, key, request_id: "r-1" }).await
    }

    /// Carries out what was begun.
    pub(crate) async fn go(
        &self,
        entry: &PendingChange<'_>,
        who: &Principal,
        writes: Vec<Write>,
    ) -> Result<StoredResponse, ChangeRecordError> {
        let side_writes = entry.side_writes(&writes, &answer_of);
        match self.runtime.transact_with(&who.caller, writes, &side_writes).await {
            Ok(left) => Ok(answer_of(&left)),
            Err(error) => entry.resolve_failure(error).await,
        }
    }

    /// A request from its beginning to its answer; whether that is an earlier one.
    pub(crate) async fn request(
        &self,
        who: &Principal,
        key: Option<&str>,
        write: Write,
    ) -> Result<(StoredResponse, bool), ChangeRecordError> {
        match self.begin(who, key, &format!("{write:?}")).await? {
            Admission::Replay(answer) => Ok((answer, true)),
            Admission::Execute(entry) => Ok((self.go(&entry, who, vec![write]).await?, false)),
        }
    }
}

/// What the routes would answer: the names of what is left, and its versions.
pub(crate) fn answer_of(left: &[Option<Record>]) -> StoredResponse {
    let describe = |record: &Option<Record>| match record {
        Some(record) => format!("{:?}", record.attributes),
        None => "gone".to_owned(),
    };
    let body: Vec<String> = left.iter().map(describe).collect();
    StoredResponse {
        status: if left == [None] { StatusCode::NO_CONTENT } else { StatusCode::CREATED },
        headers: vec![(http::header::ETAG, "\"1\"".into())],
        body: Bytes::from(body.join("\n")),
    }
}

pub(crate) fn operator(subject: &str) -> Principal {
    let caller = Caller { subject: Some(subject.to_owned()), roles: vec!["operator".to_owned()], ..Caller::default() };
    Principal { caller: caller.into(), kind: CredentialKind::Token, ..Principal::default() }
}

pub(crate) fn attributes(pairs: &[(&str, &str)]) -> Attributes {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), AttributeValue::S((*value).to_owned()))).collect()
}

pub(crate) fn create(entity: &str, pairs: &[(&str, &str)]) -> Write {
    Write::Create { entity: entity.to_owned(), attributes: attributes(pairs) }
}
