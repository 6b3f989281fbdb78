use std::collections::BTreeSet;
use std::sync::Arc;

use http::request::Parts;
use keyfold_design::Design;
use keyfold_design::model::RESERVED_SEGMENTS;
use keyfold_dynamo::Backend;
use keyfold_engine::Engine;
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_policy::Policies;

use crate::api::{Api, Options};
use crate::change_records::{ChangeRecordSettings, ChangeRecords};
use crate::identity::authenticator::{Authenticating, Authenticator};
use crate::identity::principal::Principal;
use crate::limits::Limits;
use crate::served_design::ServedDesign;

const DESIGN: &str = "
design: notes
table: notes
entities:
  Note:
    PK: NOTE#<noteId>
    SK: METADATA
    attributes: {noteId: ulid, text: string}
patterns:
  note with items: PK = NOTE#<noteId>
allow: [{signed in: everything}]
";

struct Anonymous;

impl Authenticator for Anonymous {
    fn authenticate<'a>(&'a self, _: &'a Parts) -> Authenticating<'a> {
        Box::pin(async { Ok(Principal::default()) })
    }
}

/// An API with everything that has routes.
async fn api() -> Arc<Api> {
    let backend: Arc<dyn Backend> = Arc::new(Engine::in_memory(keyfold_engine::Options::default()).unwrap());
    let (clock, random) = (Arc::new(ManualClock::default()), Arc::new(SeededRandom::default()));
    let design = Arc::new(Design::load("notes.yaml", DESIGN).unwrap().0);
    let policies = Arc::new(Policies::compile(&design, DESIGN, &[]).unwrap());
    let options = keyfold_runtime::Options::standard(&design).unwrap();
    let limits = Limits::default();
    let served = ServedDesign::new(design, Arc::clone(&backend), policies, options, &limits).unwrap();
    let records = ChangeRecords::open(backend, ChangeRecordSettings::default(), clock, random).await.unwrap();
    Api::new(Options {
        designs: vec![served],
        authenticator: Arc::new(Anonymous),
        limits,
        require_versions: false,
        change_records: records,
        public_docs: true,
        readiness: None,
    })
    .unwrap()
}

#[tokio::test]
async fn entities_cannot_take_a_path_of_another_route() {
    // A router lists its paths only in its debug output.
    let routes = format!("{:?}", api().await.router());
    let below_design = routes.split('"').filter_map(|text| text.strip_prefix("/v1/notes/"));
    let segments: BTreeSet<&str> = below_design.filter_map(|path| path.split('/').next()).collect();
    let expected: BTreeSet<&str> = RESERVED_SEGMENTS.into_iter().chain(["notes"]).collect();
    assert_eq!(segments, expected);
}
