//! One request and its answer.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt as _;
use http::header::HOST;
use http::request::Parts;
use http::{Method, Request as HttpRequest, StatusCode};
use hyper::body::Incoming;
use keyfold_dynamo::{Backend, ServiceError};

use crate::answer::{self, HttpAnswer};
use crate::config::{Config, Credentials};
use crate::decode::decode_input;
use crate::dispatch::dispatch;
use crate::error_body;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::request::Operation;
use crate::request_id::RequestIds;
use crate::signature::Verifier;
use crate::{body, config};

/// What answers requests: the backend, and the rules by which it is reached.
pub(crate) struct Exchange {
    backend: Arc<dyn Backend>,
    /// Absent in development mode, where everybody is answered.
    verifier: Option<Verifier>,
    limits: Limits,
    region: String,
    clock: config::Clock,
    request_ids: RequestIds,
}

const UNKNOWN_PATH: &str = "<UnknownOperationException/>\n";

impl Exchange {
    pub(crate) fn new(config: Config, backend: Arc<dyn Backend>) -> Self {
        let verifier = match config.credentials {
            Credentials::AnyOnLoopback => None,
            Credentials::Configured(secrets) => Some(Verifier::new(secrets, config.region.clone())),
        };
        Self {
            backend,
            verifier,
            limits: config.limits,
            region: config.region,
            clock: config.clock,
            request_ids: RequestIds::new(config.request_id_seed),
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) async fn respond(&self, request: HttpRequest<Incoming>) -> HttpAnswer {
        let id = self.request_ids.next();
        let (head, incoming) = request.into_parts();
        if head.uri.path() != "/" || head.method != Method::POST {
            return self.not_an_operation(&head, &id);
        }
        let (status, bytes, keep_open) = match self.answer(&head, incoming).await {
            Ok(bytes) => (StatusCode::OK, bytes, true),
            Err(failure) => {
                tracing::debug!(code = error_body::code(&failure), "request failed");
                let (status, bytes) = error_body::render(&failure);
                // What is left of a request that was not read to its end would be taken for the next one.
                let keep_open = !matches!(failure, Failure::TooLarge { .. } | Failure::RequestTimeout);
                (status, bytes, keep_open)
            }
        };
        answer::json(status, bytes, &id, &head.headers, keep_open)
    }

    async fn answer(&self, head: &Parts, incoming: Incoming) -> Result<Vec<u8>, Failure> {
        let raw = body::read(head, incoming, &self.limits).await?;
        let operation = operation(head)?;
        if let Some(verifier) = &self.verifier {
            verifier.verify(head, &raw, (self.clock)())?;
        }
        let body = body::unpack(head, raw, self.limits.body_bytes)?;
        self.run(operation, head, &body).await
    }

    /// Whatever happens within the backend, this request gets an answer, and the others get theirs.
    async fn run(&self, operation: Operation, head: &Parts, body: &Bytes) -> Result<Vec<u8>, Failure> {
        let run = async {
            let request = decode_input(operation, body)?;
            let host = head.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
            Ok(dispatch(self.backend.as_ref(), request, host).await?)
        };
        let caught = AssertUnwindSafe(run).catch_unwind();
        match tokio::time::timeout(self.limits.request, caught).await {
            Ok(Ok(result)) => result,
            Ok(Err(_panic)) => {
                tracing::error!(operation = operation.name(), "the handler of a request panicked");
                Err(ServiceError::Internal("Internal server error".to_owned()).into())
            }
            Err(_elapsed) => {
                tracing::error!(operation = operation.name(), "a request took too long");
                Err(ServiceError::Internal("The request was not completed in time".to_owned()).into())
            }
        }
    }

    fn not_an_operation(&self, head: &Parts, id: &[u8]) -> HttpAnswer {
        if head.method == Method::GET && head.uri.path() == "/" {
            let text = format!("healthy: dynamodb.{}.amazonaws.com ", self.region);
            return answer::text(StatusCode::OK, text.into(), id);
        }
        answer::text(StatusCode::NOT_FOUND, Bytes::from_static(UNKNOWN_PATH.as_bytes()), id)
    }
}

fn operation(head: &Parts) -> Result<Operation, Failure> {
    let target = head.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
    target.and_then(Operation::from_target).ok_or(Failure::UnknownOperation)
}
