//! One request and its response.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt as _;
use http::header::HOST;
use http::request::Parts;
use http::{Method, Request as HttpRequest, StatusCode};
use hyper::body::Incoming;
use keyfold_connections::{Peer, Reservation, ResponseMemory, within, work_on};
use keyfold_dynamo::{Backend, ServiceError};
use keyfold_environment::Clock;

use crate::access::{AllowedHosts, Permissions};
use crate::body::{self, BodyReader};
use crate::config::{Config, Credentials};
use crate::error_body;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::operation::{Operation, decode_input, execute, largest_response};
use crate::probes::{Audience, Probes};
use crate::request_id::RequestIds;
use crate::response::{self, Delivery, HttpResponse};
use crate::signature::{PendingSignature, Verifier};

/// Handles requests: the backend, and the rules for access to it.
pub(crate) struct Exchange {
    backend: Arc<dyn Backend>,
    probes: Option<Probes>,
    /// Absent in development mode, where signatures are not checked.
    verifier: Option<Verifier>,
    hosts: AllowedHosts,
    limits: Limits,
    bodies: BodyReader,
    responses: Arc<ResponseMemory>,
    region: String,
    clock: Arc<dyn Clock>,
    request_ids: RequestIds,
}

const UNKNOWN_PATH: &str = "<UnknownOperationException/>\n";

impl Exchange {
    pub(crate) fn new(config: Config, backend: Arc<dyn Backend>, responses: Arc<ResponseMemory>) -> Self {
        let (verifier, hosts) = match config.credentials {
            Credentials::AnyOnLoopback => (None, AllowedHosts::LoopbackAnd(config.allowed_hosts)),
            Credentials::Configured(keys) => (Some(Verifier::new(keys, config.region.clone())), AllowedHosts::Any),
        };
        Self {
            backend,
            probes: config.readiness.map(Probes::new),
            verifier,
            hosts,
            bodies: BodyReader::new(&config.limits),
            responses,
            limits: config.limits,
            region: config.region,
            clock: config.clock,
            request_ids: RequestIds::new(config.request_id_seed),
        }
    }

    pub(crate) async fn respond(&self, request: HttpRequest<Incoming>, peer: &Peer) -> HttpResponse {
        let id = self.request_ids.next();
        let (head, incoming) = request.into_parts();
        if let Some(host) = self.hosts.find_forbidden(&head) {
            return response::text(StatusCode::MISDIRECTED_REQUEST, other_host(host), &id);
        }
        if head.uri.path() != "/" || head.method != Method::POST {
            return self.not_an_operation(&head, &id);
        }
        let mut delivery = Delivery { keep_open: true, memory: Reservation::none() };
        let (status, bytes) = match self.handle(&head, incoming, peer, &mut delivery).await {
            Ok(bytes) => (StatusCode::OK, bytes),
            Err(failure) => {
                tracing::debug!(code = error_body::code(&failure), "request failed");
                error_body::render(&failure)
            }
        };
        if let Some(probes) = &self.probes {
            probes.count(status);
        }
        response::json(status, bytes, &id, &head.headers, delivery)
    }

    /// Serves probes with all details, and nothing else.
    pub(crate) fn respond_to_operator(&self, request: HttpRequest<Incoming>) -> HttpResponse {
        let id = self.request_ids.next();
        let (head, _) = request.into_parts();
        if let Some(host) = AllowedHosts::LoopbackAnd(Vec::new()).find_forbidden(&head) {
            return response::text(StatusCode::MISDIRECTED_REQUEST, other_host(host), &id);
        }
        let probe = |probes: &Probes| probes.respond(&head.method, &head.uri, Audience::Operator);
        match self.probes.as_ref().and_then(probe) {
            Some((status, body)) => response::text(status, body, &id),
            None => response::text(StatusCode::NOT_FOUND, Bytes::from_static(UNKNOWN_PATH.as_bytes()), &id),
        }
    }

    async fn handle(
        &self,
        head: &Parts,
        incoming: Incoming,
        peer: &Peer,
        delivery: &mut Delivery,
    ) -> Result<Vec<u8>, Failure> {
        let (operation, signature) = match self.accept(head) {
            Ok(accepted) => accepted,
            Err(failure) if body::is_small(&incoming) => {
                self.bodies.read(head, incoming, peer).await.inspect_err(|_| delivery.keep_open = false)?;
                return Err(failure);
            }
            Err(failure) => {
                delivery.keep_open = false;
                return Err(failure);
            }
        };
        let body = self.bodies.read(head, incoming, peer).await.inspect_err(|_| delivery.keep_open = false)?;
        if let Some(signature) = &signature {
            signature.verify(head, &body.bytes)?;
        }
        let permissions = signature.as_ref().map(PendingSignature::permissions);
        let unpacked = self.bodies.unpack(head, &body.bytes).await?;
        tracing::debug!(operation = operation.name(), bytes = unpacked.bytes.len(), "request");
        let _decoded = self.bodies.reserve_decoded(&unpacked.bytes).await?;
        self.run(operation, permissions, head, &unpacked.bytes, delivery).await
    }

    /// Checks the head alone, so that unauthenticated clients are refused before memory is spent on their bodies.
    fn accept<'a>(&'a self, head: &'a Parts) -> Result<(Operation, Option<PendingSignature<'a>>), Failure> {
        let operation = operation(head)?;
        let verifier = self.verifier.as_ref();
        let signature = verifier.map(|verifier| verifier.accept(head, self.clock.now_ms() / 1000)).transpose()?;
        Ok((operation, signature))
    }

    /// Runs the operation. A panic or a timeout of the backend fails this request only.
    async fn run(
        &self,
        operation: Operation,
        permissions: Option<&Permissions>,
        head: &Parts,
        body: &Bytes,
        delivery: &mut Delivery,
    ) -> Result<Vec<u8>, Failure> {
        let run = async {
            let host = head.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
            self.produce(operation, permissions, body, host, delivery).await
        };
        let caught = AssertUnwindSafe(run).catch_unwind();
        match within(self.limits.request, caught).await {
            Ok(Ok(result)) => result,
            Ok(Err(_panic)) => {
                tracing::error!(operation = operation.name(), "the handler of a request panicked");
                Err(ServiceError::Internal("Internal server error".to_owned()).into())
            }
            Err(_deadline_exceeded) => {
                tracing::error!(operation = operation.name(), "a request took too long");
                Err(ServiceError::Internal("The request was not completed in time".to_owned()).into())
            }
        }
    }

    /// Executes the operation within the memory of responses. A read whose response cannot be sent now is executed
    /// again when it can: it waits with nothing in memory.
    async fn produce(
        &self,
        operation: Operation,
        permissions: Option<&Permissions>,
        body: &[u8],
        host: &str,
        delivery: &mut Delivery,
    ) -> Result<Vec<u8>, Failure> {
        let memory = self.responses.as_ref();
        let mut reserved = None;
        loop {
            let request = work_on(body.len(), || decode_input(operation, body))?;
            permissions.map_or(Ok(()), |permissions| permissions.check(operation, &request))?;
            let producing = memory.producing.reserve(largest_response(&request)).await;
            let response = match execute(self.backend.as_ref(), request, host).await {
                Ok(response) => response,
                Err(error) => {
                    // A failed condition can return the item.
                    delivery.memory = producing;
                    return Err(error.into());
                }
            };
            let bytes = response.len();
            match reserved.take().or_else(|| memory.sending.try_reserve(bytes)) {
                Some(sending) => delivery.memory = sending,
                None if operation.is_repeatable() => {
                    drop((response, producing));
                    reserved = Some(memory.sending.reserve(bytes).await);
                    continue;
                }
                None => delivery.memory = memory.sending.reserve(bytes).await,
            }
            return Ok(response);
        }
    }

    fn not_an_operation(&self, head: &Parts, id: &[u8]) -> HttpResponse {
        if head.method == Method::GET && head.uri.path() == "/" {
            let text = format!("healthy: dynamodb.{}.amazonaws.com ", self.region);
            return response::text(StatusCode::OK, text.into(), id);
        }
        let audience = if self.verifier.is_some() { Audience::Anyone } else { Audience::Operator };
        let probe = self.probes.as_ref().and_then(|probes| probes.respond(&head.method, &head.uri, audience));
        let (status, body) = probe.unwrap_or((StatusCode::NOT_FOUND, Bytes::from_static(UNKNOWN_PATH.as_bytes())));
        response::text(status, body, id)
    }
}

fn other_host(host: &str) -> Bytes {
    if host.is_empty() {
        return Bytes::from_static(b"the request names no host, or several: it needs exactly one `Host` header\n");
    }
    format!(
        "`{host}` is not a name of this server: it is served as localhost, and under the names that its configuration \
         allows\n"
    )
    .into()
}

fn operation(head: &Parts) -> Result<Operation, Failure> {
    let target = head.headers.get("x-amz-target").and_then(|target| target.to_str().ok());
    target.and_then(Operation::from_target).ok_or(Failure::UnknownOperation)
}
