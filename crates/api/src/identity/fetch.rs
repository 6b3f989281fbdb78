//! Fetches a small document over HTTPS.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Empty, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use keyfold_environment::error_chain;

const TIMEOUT: Duration = Duration::from_secs(5);
const MAX_BYTES: usize = 512 * 1024;

pub(super) struct Fetcher {
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    #[error("no response within {} seconds", TIMEOUT.as_secs())]
    Timeout,
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    #[error("the response status is {0}")]
    Status(StatusCode),
    #[error("the response cannot be read or exceeds {MAX_BYTES} bytes")]
    Body,
}

impl Fetcher {
    /// Trusts the system's root certificates.
    pub(super) fn new() -> std::io::Result<Self> {
        let connector = HttpsConnectorBuilder::new()
            .with_provider_and_native_roots(rustls::crypto::aws_lc_rs::default_provider())?
            .https_or_http()
            .enable_http1()
            .build();
        Ok(Self { client: Client::builder(TokioExecutor::new()).build(connector) })
    }

    /// Fetches the document. Redirects are not followed: they would let others choose where keys come from.
    pub(super) async fn get(&self, url: &Uri) -> Result<Bytes, FetchError> {
        tokio::time::timeout(TIMEOUT, self.get_without_timeout(url)).await.map_err(|_| FetchError::Timeout)?
    }

    async fn get_without_timeout(&self, url: &Uri) -> Result<Bytes, FetchError> {
        let request = Request::get(url.clone())
            .header(header::ACCEPT, "application/jwk-set+json, application/json")
            .header(header::USER_AGENT, concat!("keyfold/", env!("CARGO_PKG_VERSION")))
            .body(Empty::new())
            .map_err(|error| FetchError::Unreachable(error.to_string()))?;
        let response = self.client.request(request).await;
        let response = response.map_err(|error| FetchError::Unreachable(error_chain(&error)))?;
        if response.status() != StatusCode::OK {
            return Err(FetchError::Status(response.status()));
        }
        let body = Limited::new(response.into_body(), MAX_BYTES).collect().await;
        body.map(|body| body.to_bytes()).map_err(|_| FetchError::Body)
    }
}
