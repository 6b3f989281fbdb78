//! Small requests to identity providers over HTTPS.

use std::time::Duration;

use bytes::Bytes;
use http::header::HeaderValue;
use http::{Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use keyfold_environment::error_chain;

const TIMEOUT: Duration = Duration::from_secs(5);
const MAX_BYTES: usize = 512 * 1024;
const USER_AGENT: &str = concat!("keyfold/", env!("CARGO_PKG_VERSION"));

pub(super) struct Fetcher {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
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
            .header(header::USER_AGENT, USER_AGENT)
            .body(Full::default())
            .map_err(|error| FetchError::Unreachable(error.to_string()))?;
        match self.send(request).await? {
            (StatusCode::OK, body) => Ok(body),
            (status, _) => Err(FetchError::Status(status)),
        }
    }

    /// Sends a form. Gives the response whatever its status is.
    pub(super) async fn post(
        &self,
        url: &Uri,
        authorization: Option<HeaderValue>,
        form: String,
    ) -> Result<(StatusCode, Bytes), FetchError> {
        let mut request = Request::post(url.clone())
            .header(header::ACCEPT, "application/json")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::USER_AGENT, USER_AGENT);
        if let Some(authorization) = authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let request = request.body(Full::from(form));
        let request = request.map_err(|error| FetchError::Unreachable(error.to_string()))?;
        tokio::time::timeout(TIMEOUT, self.send(request)).await.map_err(|_| FetchError::Timeout)?
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> Result<(StatusCode, Bytes), FetchError> {
        let response = self.client.request(request).await;
        let response = response.map_err(|error| FetchError::Unreachable(error_chain(&error)))?;
        let status = response.status();
        let body = Limited::new(response.into_body(), MAX_BYTES).collect().await;
        body.map(|body| (status, body.to_bytes())).map_err(|_| FetchError::Body)
    }
}
