//! The backends.

use std::sync::Arc;

use keyfold_aws::Aws;
use keyfold_dynamo::Backend;
use keyfold_engine::Engine;
use keyfold_test_server::serve;

use crate::designs_on_backends::difference::Exactness;
use crate::designs_on_backends::lossy::{self, Lost};

/// The time of scenarios is not the machine's: by that, what they write may have expired long ago.
fn engine() -> Arc<Engine> {
    let options = keyfold_engine::Options { sweep_interval: None, ..Default::default() };
    Arc::new(Engine::in_memory(options).unwrap())
}

pub(super) fn in_process() -> (Arc<dyn Backend>, Exactness) {
    (engine(), Exactness::Everything)
}

/// What is compared with the engine in process.
pub(super) struct Service {
    aws: Arc<Aws>,
    exactness: Exactness,
}

impl Service {
    pub(super) async fn engine_over_http() -> Self {
        Self { aws: connect(serve(engine()).await.unwrap()).await, exactness: Exactness::Everything }
    }

    pub(super) async fn engine_behind_lossy_proxy() -> (Self, Lost) {
        let (url, lost) = lossy::before(&serve(engine()).await.unwrap()).await;
        (Self { aws: connect(url).await, exactness: Exactness::Outcome }, lost)
    }

    pub(super) async fn dynamodb_local() -> Self {
        let url = std::env::var("KEYFOLD_DYNAMODB_LOCAL_URL").expect("KEYFOLD_DYNAMODB_LOCAL_URL says where it is");
        Self { aws: connect(url).await, exactness: Exactness::AsDynamoDbLocal }
    }

    pub(super) fn backend(&self) -> (Arc<dyn Backend>, Exactness) {
        (self.aws.clone(), self.exactness)
    }

    pub(super) fn exactness(&self) -> Exactness {
        self.exactness
    }

    /// The beginning of its tables' names.
    pub(super) fn prefix(&self) -> String {
        format!("designs-{}", std::process::id())
    }
}

async fn connect(url: String) -> Arc<Aws> {
    Arc::new(Aws::connect(keyfold_aws::Options { endpoint: Some(url), ..Default::default() }).await)
}
