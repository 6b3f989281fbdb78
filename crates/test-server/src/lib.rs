//! DynamoDB's protocol in front of a backend, for the tests of other crates.

use std::error::Error;
use std::sync::Arc;

use keyfold_dynamo::Backend;
use keyfold_environment::SystemRandom;
use keyfold_wire::{Config, Credentials, Server};

/// Serves a backend to every caller, on loopback and a free port, until tokio's runtime ends. Returns the URL.
pub async fn serve(backend: Arc<dyn Backend>) -> Result<String, Box<dyn Error + Send + Sync>> {
    let config = Config::new(([127, 0, 0, 1], 0).into(), Credentials::AnyOnLoopback, &SystemRandom)?;
    let server = Server::bind(config).await?;
    let url = format!("http://{}", server.local_addr());
    tokio::spawn(server.serve(backend, std::future::pending()));
    Ok(url)
}
