//! The client of services that speak DynamoDB's protocol, which a build without the feature `aws` leaves out.

use std::sync::Arc;

use keyfold_design::model::BackendKind;
use keyfold_dynamo::Backend;

/// A client of the service at `endpoint`, or of the one that AWS's own configuration names.
#[cfg(feature = "aws")]
pub(super) async fn connect(endpoint: Option<String>, kind: BackendKind) -> anyhow::Result<Arc<dyn Backend>> {
    use keyfold_aws::{Aws, Capabilities, Options};

    let capabilities = match kind {
        BackendKind::Alternator => Capabilities::ALTERNATOR,
        BackendKind::Embedded | BackendKind::DynamoDb => Capabilities::DYNAMODB,
    };
    Ok(Arc::new(Aws::connect(Options { endpoint, capabilities }).await))
}

#[cfg(not(feature = "aws"))]
pub(super) async fn connect(_endpoint: Option<String>, _kind: BackendKind) -> anyhow::Result<Arc<dyn Backend>> {
    anyhow::bail!(
        "this build of keyfold has no client for DynamoDB services; build one with \
         `cargo build --locked --release --package keyfold-cli` and use `target/release/keyfold`"
    )
}
