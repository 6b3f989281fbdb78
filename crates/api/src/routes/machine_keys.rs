//! `/v1/machine-keys`: machine keys, for operators of the server.
//!
//! A machine key may rotate and revoke itself, and no other: designs can give rights to the subject of a key in their
//! tables, so that no comparison of roles tells whether another key has more.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::routing::MethodFilter;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION, VARY};
use http::request::Parts;
use http::{Method, Response, StatusCode};
use keyfold_design::Design;
use keyfold_design::diagnostic::did_you_mean;
use keyfold_runtime::{MACHINE_SUBJECT, ScopeArea, WriteVerb};
use serde::Deserialize;
use serde_json::{Value, json};

use super::authentication::SERVER_OPERATOR;
use super::response_size::ResponseSize;
use super::{HandlerResult, mount};
use crate::api::{Api, MACHINE_KEYS_SEGMENT};
use crate::change_records::Act;
use crate::identity::principal::{CALLER_HEADERS, CredentialKind, Principal};
use crate::identity::{KeyFileError, MachineKey, MachineKeyFile, NewMachineKey, Rotation};
use crate::request::body::{self, JsonBody, Parsed};
use crate::request::query_string;
use crate::request_id::RequestId;
use crate::response::header::header_value;
use crate::response::problem::{Problem, ProblemKind};

/// What the audit log calls a key.
const ENTITY: &str = "machine-key";
const LIST: &str = "list";
/// The longest time that an old key may be accepted beside the new one: 90 days.
const MAX_OVERLAP_SECONDS: u64 = 90 * 24 * 60 * 60;
const DEFAULT_OVERLAP_SECONDS: u64 = 60 * 60;

/// Mounts the routes, where the server may change the file of machine keys.
pub(super) fn mount_all(mut router: Router, api: &Arc<Api>) -> Router {
    if api.authenticator.machine_keys().is_none() {
        return router;
    }
    let collection = format!("/v1/{MACHINE_KEYS_SEGMENT}");
    let (key, rotation) = (format!("{collection}/{{name}}"), format!("{collection}/{{name}}/rotate"));
    let both = MethodFilter::GET.or(MethodFilter::POST);
    router = mount(router, api, &collection, both, ResponseSize::Page, |api, parts, body| async move {
        let request = KeyRequest::open(api, parts).await?;
        match request.parts.method {
            Method::POST => request.create(body).await,
            _ => request.list().await,
        }
    });
    router = mount(router, api, &key, MethodFilter::DELETE, ResponseSize::Small, |api, parts, _| async move {
        KeyRequest::open(api, parts).await?.revoke().await
    });
    mount(router, api, &rotation, MethodFilter::POST, ResponseSize::Small, |api, parts, body| async move {
        KeyRequest::open(api, parts).await?.rotate(body).await
    })
}

/// A request of an operator of the server.
struct KeyRequest {
    api: Arc<Api>,
    parts: Parts,
    file: Arc<MachineKeyFile>,
    principal: Principal,
    request_id: RequestId,
    /// In the path; absent for the collection.
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewKeyBody {
    name: String,
    tenant: Option<String>,
    #[serde(default)]
    roles: Vec<String>,
    #[serde(default)]
    designs: Vec<String>,
    scopes: Option<Vec<String>>,
    expires: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RotationBody {
    overlap_seconds: Option<u64>,
    expires: Option<String>,
}

impl KeyRequest {
    async fn open(api: Arc<Api>, mut parts: Parts) -> Result<Self, Problem> {
        let internal = || Problem::new(ProblemKind::INTERNAL, "an internal error");
        let request_id = parts.extensions.get::<RequestId>().cloned().ok_or_else(internal)?;
        let file = api.authenticator.machine_keys().cloned().ok_or_else(Problem::no_resource)?;
        let principal = api.principal(&parts).await?;
        if principal.caller.subject.is_none() {
            return Err(Problem::token_required());
        }
        let captured = RawPathParams::from_request_parts(&mut parts, &()).await.map_err(|_| Problem::no_resource())?;
        let name = captured.iter().next().map(|(_, name)| name.to_owned());
        let request = Self { api, parts, file, principal, request_id, name };
        let caller = &request.principal.caller;
        if !request.principal.has_server_role(SERVER_OPERATOR) || !caller.is_in_scope(ScopeArea::MachineKeys) {
            request.record_denial().await;
            return Err(Problem::no_resource());
        }
        query_string::only(&query_string::parse(request.parts.uri.query())?, &[])?;
        Ok(request)
    }

    async fn list(&self) -> HandlerResult {
        let keys = self.with_file(|file| file.list()).await?;
        respond(StatusCode::OK, &json!({"items": keys, "count": keys.len()}))
    }

    async fn create(&self, body: Body) -> HandlerResult {
        if self.principal.kind == CredentialKind::Key {
            return Err(self.refuse("a machine key cannot create keys").await);
        }
        let new: NewKeyBody = self.read(body).await?;
        let designs = self.named_designs(&new.designs)?;
        let NewKeyBody { name, tenant, roles, designs: named, scopes, expires } = new;
        let new = NewMachineKey { name, tenant, roles, designs: named, scopes, expires };
        new.check(Some(&designs)).map_err(problem)?;
        self.require_new_name(&new.name).await?;
        self.record(WriteVerb::Create, &new.name, new.tenant.as_deref(), &new.designs).await?;
        let created = new.clone();
        let key = self.with_file(move |file| file.create(created)).await?;
        let mut response = respond(StatusCode::CREATED, &self.created(&new.name, &key))?;
        let location = header_value(&LOCATION, &format!("/v1/{MACHINE_KEYS_SEGMENT}/{}", new.name))?;
        response.headers_mut().insert(LOCATION, location);
        Ok(response)
    }

    async fn rotate(&self, body: Body) -> HandlerResult {
        self.require_own_key().await?;
        let RotationBody { overlap_seconds, expires } = self.read(body).await?;
        let overlap = overlap_seconds.unwrap_or(DEFAULT_OVERLAP_SECONDS);
        if overlap > MAX_OVERLAP_SECONDS {
            return Err(invalid("overlapSeconds", format!("`overlapSeconds` is at most {MAX_OVERLAP_SECONDS}")));
        }
        // A key that rotates itself does not live longer than it was given.
        let by_key = self.principal.key_hash;
        if by_key.is_some() && expires.is_some() {
            return Err(invalid("expires", "a machine key cannot state when its successor expires"));
        }
        let rotation = Rotation { overlap_ms: overlap * 1000, expires, by_key };
        let name = self.name()?;
        let (rotated, planned) = (name.to_owned(), rotation.clone());
        self.with_file(move |file| file.check_rotation(&rotated, &planned)).await?;
        self.record_for_key(WriteVerb::Patch, name).await?;
        let rotated = name.to_owned();
        let key = self.with_file(move |file| file.rotate(&rotated, &rotation)).await?;
        respond(StatusCode::OK, &self.created(name, &key))
    }

    async fn revoke(&self) -> HandlerResult {
        self.require_own_key().await?;
        let name = self.name()?;
        self.record_for_key(WriteVerb::Delete, name).await?;
        let (revoked, by_key) = (name.to_owned(), self.principal.key_hash);
        self.with_file(move |file| match by_key {
            Some(key_hash) => file.revoke_by_key(&revoked, &key_hash),
            None => file.revoke(&revoked),
        })
        .await?;
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        Ok(response)
    }

    fn created(&self, name: &str, key: &str) -> Value {
        json!({"name": name, "subject": format!("{MACHINE_SUBJECT}{name}"), "key": key})
    }

    /// The name of the key that the request is about.
    fn name(&self) -> Result<&str, Problem> {
        self.name.as_deref().ok_or_else(Problem::no_resource)
    }

    /// Refuses a machine key that manages another, or that was replaced. The change itself asks again, with the file
    /// locked: another request may replace the key meanwhile.
    async fn require_own_key(&self) -> Result<(), Problem> {
        let Some(key_hash) = self.principal.key_hash else { return Ok(()) };
        let name = self.name()?;
        let own = self.principal.caller.subject.as_deref().and_then(|subject| subject.strip_prefix(MACHINE_SUBJECT));
        if own != Some(name) {
            return Err(self.refuse("a machine key can rotate and revoke itself only").await);
        }
        let name = name.to_owned();
        self.with_file(move |file| file.check_newest(&name, &key_hash)).await
    }

    async fn require_new_name(&self, name: &str) -> Result<(), Problem> {
        let keys = self.with_file(|file| file.list()).await?;
        if keys.iter().any(|key| key.name == name) {
            return Err(problem(KeyFileError::NameExists(name.to_owned())));
        }
        Ok(())
    }

    /// The served designs that a new key names; all if it names none, which is possible where there is one.
    fn named_designs(&self, names: &[String]) -> Result<Vec<Arc<Design>>, Problem> {
        let served = || self.api.designs.iter().map(|served| served.design());
        if names.is_empty() {
            return match self.api.designs.as_slice() {
                [only] => Ok(vec![Arc::clone(only.design())]),
                _ => Err(invalid("designs", "name the designs that the key is for: this server has several")),
            };
        }
        let find = |name: &String| {
            served().find(|design| design.name == *name).cloned().ok_or_else(|| {
                let close = did_you_mean(name, served().map(|design| design.name.as_str()));
                let hint = close.map(|close| format!("; did you mean `{close}`?")).unwrap_or_default();
                invalid("designs", format!("this server has no design `{name}`{hint}"))
            })
        };
        names.iter().map(find).collect()
    }

    async fn read<T: for<'d> Deserialize<'d>>(&self, body: Body) -> Result<T, Problem> {
        let received = body::read(&self.api, &self.parts, &self.principal.caller, body, &[body::JSON]).await?;
        let members = JsonBody::check(&self.api, &received.bytes, Parsed::Tree).await?.object()?;
        serde_json::from_value(Value::Object(members))
            .map_err(|error| Problem::new(ProblemKind::INVALID, format!("the body is not a valid request: {error}")))
    }

    /// Works on the file off the threads of the async runtime: it may wait for the lock of another process.
    async fn with_file<T: Send + 'static>(
        &self,
        work: impl FnOnce(&MachineKeyFile) -> Result<T, KeyFileError> + Send + 'static,
    ) -> Result<T, Problem> {
        let file = Arc::clone(&self.file);
        match tokio::task::spawn_blocking(move || work(&file)).await {
            Ok(Err(error @ KeyFileError::Replaced)) => Err(self.refuse(&error.to_string()).await),
            Ok(outcome) => outcome.map_err(problem),
            Err(_) => Err(Problem::new(ProblemKind::INTERNAL, "an internal error")),
        }
    }

    async fn record_for_key(&self, verb: WriteVerb, name: &str) -> Result<(), Problem> {
        let found = name.to_owned();
        let key: MachineKey = self.with_file(move |file| file.find(&found)).await?;
        self.record(verb, name, key.tenant.as_deref(), &key.designs).await
    }

    /// Writes an entry to the audit log of each design that the key is for.
    async fn record(
        &self,
        verb: WriteVerb,
        name: &str,
        tenant: Option<&str>,
        designs: &[String],
    ) -> Result<(), Problem> {
        let is_meant = |design: &Design| designs.is_empty() || designs.contains(&design.name);
        let has_design = self.api.designs.iter().any(|served| is_meant(served.design()));
        for served in self.api.designs.iter().filter(|served| !has_design || is_meant(served.design())) {
            let act = Act {
                design: served.design(),
                principal: &self.principal,
                tenant,
                verb: verb.name(),
                entity: ENTITY,
                identity: name,
                request_id: &self.request_id.0,
            };
            self.api.change_records.record_act(act).await?;
        }
        Ok(())
    }

    async fn refuse(&self, detail: &str) -> Problem {
        self.record_denial().await;
        Problem::new(ProblemKind::NOT_ALLOWED, detail)
    }

    /// The designs of the caller have an entry of what they were denied.
    async fn record_denial(&self) {
        let verb = match (&self.parts.method, &self.name) {
            (&Method::GET, _) => LIST,
            (&Method::DELETE, _) => WriteVerb::Delete.name(),
            (_, None) => WriteVerb::Create.name(),
            (_, Some(_)) => WriteVerb::Patch.name(),
        };
        for served in &self.api.designs {
            let Ok(principal) = self.principal.clone().in_design(&served.design().name) else { continue };
            let denial = Act {
                design: served.design(),
                principal: &principal,
                tenant: None,
                verb,
                entity: ENTITY,
                identity: self.name.as_deref().unwrap_or_default(),
                request_id: &self.request_id.0,
            };
            self.api.change_records.record_denial(denial).await;
        }
    }
}

fn invalid(field: &str, detail: impl Into<String>) -> Problem {
    Problem::for_field(ProblemKind::INVALID, field, detail)
}

/// The problem of the file. What is wrong with the file itself is for the log.
fn problem(error: KeyFileError) -> Problem {
    let detail = error.to_string();
    match error {
        KeyFileError::Name(_) => invalid("name", detail),
        KeyFileError::Time(_) | KeyFileError::Expiry { .. } | KeyFileError::UnknownLifetime(_) => {
            invalid("expires", detail)
        }
        KeyFileError::Scope { .. } => invalid("scopes", detail),
        KeyFileError::NameExists(_) => Problem::new(ProblemKind::EXISTS, detail),
        // A suggestion would be for whoever mistypes on a terminal.
        KeyFileError::NoSuchKey { name, .. } => {
            Problem::new(ProblemKind::NOT_FOUND, format!("no key is named `{name}`"))
        }
        KeyFileError::NotActive(_) => invalid("name", detail),
        KeyFileError::Replaced => Problem::new(ProblemKind::NOT_ALLOWED, detail),
        KeyFileError::TooManyActive { .. } => invalid("overlapSeconds", detail),
        KeyFileError::File(_)
        | KeyFileError::List(_)
        | KeyFileError::Entry { .. }
        | KeyFileError::Member { .. }
        | KeyFileError::SameHash { .. }
        | KeyFileError::Hash(_)
        | KeyFileError::Unacceptable(_)
        | KeyFileError::NotAppendable
        | KeyFileError::NoRandomness(_) => {
            tracing::error!(cause = %detail, "the file of machine keys cannot be changed");
            Problem::new(
                ProblemKind::INTERNAL,
                "the file of machine keys cannot be read or changed; see the server log",
            )
        }
    }
}

fn respond(status: StatusCode, content: &Value) -> HandlerResult {
    let mut response = Response::new(Body::from(content.to_string()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(body::JSON));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(VARY, HeaderValue::from_static(CALLER_HEADERS));
    Ok(response)
}
