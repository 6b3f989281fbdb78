//! Items by their identity, and new ones.

use axum::body::Body;
use bytes::Bytes;
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, LOCATION, VARY};
use keyfold_design::model::Verb;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Record, Write, WriteVerb, json_operators};

use super::HandlerResult;
use super::item_request::ItemRequest;
use super::replacement::replacement;
use crate::address::{href, identity};
use crate::change::{AdmittedChange, ResponseContent};
use crate::change_records::{PendingChange, ShownItem, StoredResponse};
use crate::identity::principal::CALLER_HEADERS;
use crate::request::attempt::write_verb;
use crate::request::body::{self, JsonBody, Parsed};
use crate::request::etag::{self, Expected};
use crate::request::exact_integers::{require_exact_amounts, require_exact_integers};
use crate::request::exchange::Exchange;
use crate::request::query_string;
use crate::response::item_json::item_bytes;
use crate::response::problem::{Problem, ProblemKind};

/// `POST` to a collection; `GET`, `PUT`, `PATCH` and `DELETE` of one item. `position` is that of the resource.
pub(super) async fn handle(exchange: Exchange, position: usize, body: Body) -> HandlerResult {
    let request = ItemRequest::new(&exchange, position)?;
    let outcome = request.handle(body).await;
    if outcome.as_ref().is_err_and(|problem| problem.denied) {
        exchange.record_denied_attempt().await;
    }
    outcome
}

impl ItemRequest<'_> {
    async fn handle(&self, body: Body) -> HandlerResult {
        let identity = identity(self.resource, self.entity, self.exchange.segments.iter().map(String::as_str));
        let Some(verb) = write_verb(&self.exchange.parts.method) else { return self.get(identity).await };
        let types: &[&str] = match verb {
            WriteVerb::Create | WriteVerb::Put | WriteVerb::Upsert => &[body::JSON],
            WriteVerb::Patch => &[body::MERGE_PATCH, body::JSON, body::UPDATE],
            WriteVerb::Delete => &[],
        };
        let authorized = self.exchange.require(self.entity, verb.required());
        let (pending, received) = match self.exchange.admit(authorized, body, types, self.content()).await? {
            AdmittedChange::Replay(response) => return Ok(response),
            AdmittedChange::Execute(pending, received) => (pending, received),
        };
        let bytes = &received.bytes;
        match verb {
            WriteVerb::Create => self.create(&pending, bytes).await,
            WriteVerb::Put | WriteVerb::Upsert => self.put(&pending, identity?, bytes).await,
            WriteVerb::Patch => self.patch(&pending, identity?, bytes).await,
            WriteVerb::Delete => self.delete(&pending, identity?).await,
        }
    }

    async fn create(&self, pending: &PendingChange<'_>, bytes: &[u8]) -> HandlerResult {
        self.only(&[])?;
        let body = self.json(bytes).await?;
        let mut attributes = self.attributes(&body)?;
        self.add_tenant(&mut attributes)?;
        let write = Write::Create { entity: self.entity.name.clone(), attributes };
        self.change(pending, write, |_| StatusCode::CREATED).await
    }

    async fn get(&self, identity: Result<Attributes, Problem>) -> HandlerResult {
        // A caller who may not read the entity learns nothing from the spelling of an identity.
        let mut identity = match identity {
            Ok(identity) => identity,
            Err(absent) => return Err(self.exchange.require(self.entity, Verb::Get).err().unwrap_or(absent)),
        };
        self.only(&[])?;
        self.bind(&mut identity)?;
        if !self.is_in_stated_tenant(&identity).await? {
            return Err(self
                .exchange
                .require(self.entity, Verb::Get)
                .err()
                .unwrap_or_else(|| self.not_found_problem()));
        }
        let runtime = &self.exchange.served.runtime;
        match runtime.get_as_stored(&self.exchange.caller, &self.entity.name, identity.clone()).await {
            Ok(Some(record)) => {
                // A problem shows that there is the item, and what is wrong with it.
                self.exchange.record_records(&[&record]).await?;
                self.read(&runtime.require_fit(record).map_err(|error| self.read_problem(error))?)
            }
            Err(error @ Error::Undecodable { .. }) => {
                let item = ShownItem { entity: self.entity.id, attributes: &identity };
                self.exchange.record_read(&[item]).await?;
                Err(self.read_problem(error))
            }
            // An identity that no key can hold identifies no item.
            Ok(None) | Err(Error::ImpossibleIdentity(_)) => Err(self.not_found_problem()),
            Err(error) => Err(self.read_problem(error)),
        }
    }

    /// The problem of reading an item.
    fn read_problem(&self, error: Error) -> Problem {
        match error {
            // The runtime tells it to nobody who may not know of the item.
            Error::Undecodable { .. } => Problem::new(ProblemKind::UNDECODABLE, error.to_string()),
            error => self.exchange.problem(&[self.entity.id], error),
        }
    }

    async fn put(&self, pending: &PendingChange<'_>, identity: Attributes, bytes: &[u8]) -> HandlerResult {
        self.only(&[])?;
        let expected = self.precondition()?;
        let body = self.json(bytes).await?;
        let mut attributes = self.attributes(&body)?;
        self.join(&mut attributes, identity)?;
        self.add_stated_tenant(&mut attributes)?;
        let entity = self.entity.name.clone();
        let created = self.creates(expected, &attributes).await?;
        let write = match expected {
            Expected::Nothing => {
                self.require_version()?;
                Write::Put { entity, attributes }
            }
            Expected::Absent => Write::Create { entity, attributes },
            Expected::Never => return Err(self.mismatch()),
            Expected::Present | Expected::Version(_) => {
                let options = PatchOptions::expecting(expected.version());
                let replaced = self.replace(attributes, options).await;
                replaced.map_err(|problem| self.replacement_problem(problem, expected))?
            }
        };
        let status = |record: &Record| {
            // The first version is that of an item that was not there before.
            let is_first = etag::version(self.entity, &record.attributes) == Some(1);
            if created || is_first { StatusCode::CREATED } else { StatusCode::OK }
        };
        let changed = self.change(pending, write, status).await;
        changed.map_err(|problem| self.replacement_problem(problem, expected))
    }

    /// Whether a replacement creates the item, if its version does not show this.
    async fn creates(&self, expected: Expected, attributes: &Attributes) -> Result<bool, Problem> {
        match expected {
            Expected::Absent => Ok(true),
            Expected::Nothing if self.entity.version().is_none() => match self.stored(attributes).await {
                Ok(_) => Ok(false),
                Err(problem) if problem.kind == ProblemKind::NOT_FOUND => Ok(true),
                // A caller who may not read the item does not learn whether it was there.
                Err(problem) if problem.kind == ProblemKind::NOT_ALLOWED => Ok(false),
                Err(problem) => Err(problem),
            },
            Expected::Nothing | Expected::Present | Expected::Version(_) | Expected::Never => Ok(false),
        }
    }

    /// A replacement of an item that is there.
    async fn replace(&self, attributes: Attributes, options: PatchOptions) -> Result<Write, Problem> {
        let stored = if self.entity.open { self.stored(&attributes).await? } else { Attributes::new() };
        let (runtime, name) = (&self.exchange.served.runtime, &self.entity.name);
        let kept = runtime.attributes_kept_by_put(&self.exchange.caller, name, attributes.clone()).await;
        let kept = kept.map_err(|error| self.exchange.problem(&[self.entity.id], error))?;
        let attributes = replacement(self.exchange.served.design(), self.entity, attributes, &stored, &kept);
        Ok(Write::Patch { entity: self.entity.name.clone(), attributes, options })
    }

    /// The item as it is before a replacement.
    async fn stored(&self, attributes: &Attributes) -> Result<Attributes, Problem> {
        let identity = attributes.iter().filter(|(name, _)| self.entity.identity.contains(name));
        let identity = identity.map(|(name, value)| (name.clone(), value.clone())).collect();
        let runtime = &self.exchange.served.runtime;
        let found = runtime.get_as_stored(&self.exchange.caller, &self.entity.name, identity).await;
        let found = found.map_err(|error| self.read_problem(error))?;
        found.map(|record| record.attributes).ok_or_else(|| self.not_found_problem())
    }

    async fn patch(&self, pending: &PendingChange<'_>, identity: Attributes, bytes: &[u8]) -> HandlerResult {
        self.only(&[])?;
        let expected_version = self.expected_version()?;
        let headers = &self.exchange.parts.headers;
        let (mut attributes, options) = if body::is_of(headers, body::UPDATE) {
            (Attributes::new(), self.update(bytes).await?)
        } else {
            (self.attributes(&self.json(bytes).await?)?, PatchOptions::default())
        };
        if body::is_of(headers, body::MERGE_PATCH)
            && let Some((name, _)) = attributes.iter().find(|(_, value)| matches!(value, AttributeValue::M(_)))
        {
            let detail = format!("`{name}` is replaced as a whole here: send the patch as {}", body::JSON);
            return Err(Problem::for_field(ProblemKind::CONSTRAINT, name, detail));
        }
        if !self.is_in_stated_tenant(&identity).await? {
            return Err(self.not_found_problem());
        }
        self.join(&mut attributes, identity)?;
        let options = PatchOptions { expected_version, ..options };
        let write = Write::Patch { entity: self.entity.name.clone(), attributes, options };
        let changed = self.change(pending, write, |_| StatusCode::OK).await;
        changed.map_err(|problem| self.change_problem(problem, expected_version))
    }

    /// The operators and the condition of a body.
    async fn update(&self, bytes: &[u8]) -> Result<PatchOptions, Problem> {
        let mut members = JsonBody::check(&self.exchange.api, bytes, Parsed::Tree).await?.object()?;
        let mut options = json_operators::take(self.entity, &mut members)?;
        options.operators.require_exact_integers();
        if let Some(name) = members.keys().next() {
            let known = json_operators::OPERATORS.join("`, `");
            let detail = format!("unknown member `{name}`: an update has `{known}`, `if` and `with`");
            return Err(Problem::for_field(ProblemKind::INVALID, name, detail));
        }
        require_exact_amounts(self.entity, &options.operators)?;
        Ok(options)
    }

    async fn delete(&self, pending: &PendingChange<'_>, mut identity: Attributes) -> HandlerResult {
        self.only(&["cascade"])?;
        let cascade = match query_string::once(&self.exchange.query, "cascade")? {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => return Err(bad_cascade("`cascade` must be `true` or `false`")),
        };
        let options = DeleteOptions { expected_version: self.expected_version()?, cascade };
        // Checked here as well, so that the problem names the parameter.
        options.require_offered(self.entity).map_err(|error| bad_cascade(error.to_string()))?;
        self.bind(&mut identity)?;
        if !self.is_in_stated_tenant(&identity).await? {
            return Err(self.not_found_problem());
        }
        let deleted = self.exchange.delete(pending, &self.entity.name, identity, options, &|_| no_content()).await;
        deleted.map_err(|problem| self.change_problem(problem, options.expected_version))
    }

    async fn json<'b>(&self, bytes: &'b [u8]) -> Result<JsonBody<'b>, Problem> {
        JsonBody::check(&self.exchange.api, bytes, Parsed::Item).await
    }

    fn attributes(&self, body: &JsonBody<'_>) -> Result<Attributes, Problem> {
        let attributes = body.item(self.entity)?;
        require_exact_integers(self.entity, &attributes)?;
        Ok(attributes)
    }

    fn precondition(&self) -> Result<Expected, Problem> {
        etag::precondition(&self.exchange.parts.headers, self.entity)
    }

    /// The version that a change of an item that is there is for.
    fn expected_version(&self) -> Result<Option<u64>, Problem> {
        match self.precondition()? {
            Expected::Version(version) => Ok(Some(version)),
            Expected::Present => Ok(None),
            Expected::Nothing => self.require_version().map(|()| None),
            Expected::Never => Err(self.mismatch()),
            Expected::Absent => {
                Err(Problem::new(ProblemKind::INVALID, "a change of an existing item does not accept If-None-Match"))
            }
        }
    }

    /// Rejects a change without a version, where the server requires versions.
    fn require_version(&self) -> Result<(), Problem> {
        if self.exchange.api.require_versions && self.entity.version().is_some() {
            let detail = "state the version with If-Match, or `*` for any version";
            return Err(Problem::new(ProblemKind::PRECONDITION_REQUIRED, detail));
        }
        Ok(())
    }

    fn mismatch(&self) -> Problem {
        let detail = match etag::names_weak_tag(&self.exchange.parts.headers) {
            true => "If-Match never matches a weak tag (`W/\"…\"`)".to_owned(),
            false => format!("{} never had the version that If-Match names", self.entity.name),
        };
        Problem::new(ProblemKind::PRECONDITION_FAILED, detail)
    }

    /// The problem of a change of an item that has to be there.
    fn change_problem(&self, problem: Problem, version: Option<u64>) -> Problem {
        // The address names the item, so its identity need not be repeated.
        if problem.kind == ProblemKind::NOT_FOUND && !problem.denied {
            return self.not_found_problem();
        }
        self.failed_precondition(problem, version.map_or(Expected::Nothing, Expected::Version))
    }

    /// The problem of a replacement. Without `If-Match` it would have created a missing item, so that the precondition
    /// is what failed (RFC 9110, section 13.2.1).
    fn replacement_problem(&self, problem: Problem, expected: Expected) -> Problem {
        let must_exist = matches!(expected, Expected::Present | Expected::Version(_));
        if must_exist && problem.kind == ProblemKind::NOT_FOUND && !problem.denied {
            return Problem { kind: ProblemKind::PRECONDITION_FAILED, ..self.not_found_problem() };
        }
        self.failed_precondition(problem, expected)
    }

    /// A conflict is a failed precondition, where the request had one.
    fn failed_precondition(&self, mut problem: Problem, expected: Expected) -> Problem {
        let failed = match expected {
            Expected::Version(_) => problem.kind == ProblemKind::CONFLICT,
            Expected::Absent => problem.kind == ProblemKind::EXISTS,
            Expected::Nothing | Expected::Present | Expected::Never => false,
        };
        if !failed {
            return problem;
        }
        let current = problem.current.as_ref().zip(self.entity.version());
        let current = current.and_then(|(current, version)| current.get(&version.name)).cloned();
        if let (Some(current), Expected::Version(version)) = (current, expected) {
            problem.detail = format!("{} has version {current}, not {version}", self.entity.name);
        }
        Problem { kind: ProblemKind::PRECONDITION_FAILED, ..problem }
    }

    /// Executes a change, and responds with the item after it.
    async fn change(
        &self,
        pending: &PendingChange<'_>,
        write: Write,
        status: impl Fn(&Record) -> StatusCode + Send + Sync,
    ) -> HandlerResult {
        let respond = |left: &[Option<Record>]| match left {
            [Some(record)] => self.response(record, status(record)),
            // A write that leaves no item has none to show.
            _ => no_content(),
        };
        self.exchange.change(pending, vec![write], &respond, self.content()).await
    }

    /// What the responses of this resource show.
    fn content(&self) -> ResponseContent<'_> {
        ResponseContent::Item(self.entity)
    }

    fn not_found_problem(&self) -> Problem {
        Problem::new(ProblemKind::NOT_FOUND, format!("{} not found", self.entity.name))
    }

    /// The response to a reader, who may have the item already.
    fn read(&self, record: &Record) -> HandlerResult {
        let mut response = self.response(record, StatusCode::OK);
        let tag = response.headers.iter().find(|(name, _)| *name == ETAG);
        if let Some((_, tag)) = tag
            && etag::is_known(&self.exchange.parts.headers, tag)?
        {
            response.status = StatusCode::NOT_MODIFIED;
            response.headers.retain(|(name, _)| *name == ETAG);
            response.body = Bytes::new();
        }
        response.try_into()
    }

    /// The response with an item; without a body, if the caller may not read the item.
    fn response(&self, record: &Record, status: StatusCode) -> StoredResponse {
        let mut headers = vec![(CACHE_CONTROL, "private, no-cache".into()), (VARY, CALLER_HEADERS.into())];
        let (body, tag) = match record.is_readable {
            true => {
                headers.push((CONTENT_TYPE, body::JSON.into()));
                let body = item_bytes(&record.attributes);
                let tag = etag::compute(self.entity, &record.attributes, &body);
                (body, Some(tag))
            }
            false => (Vec::new(), etag::version_alone(self.entity, &record.attributes)),
        };
        headers.extend(tag.map(|tag| (ETAG, tag.into())));
        if status == StatusCode::CREATED {
            let (design, operator) = (self.exchange.served.design(), self.exchange.is_operator());
            let href = href(design, self.resource, &record.attributes, operator);
            headers.push((LOCATION, href.into()));
        }
        StoredResponse { status, headers, body: body.into() }
    }
}

/// The response without an item.
fn no_content() -> StoredResponse {
    StoredResponse { status: StatusCode::NO_CONTENT, headers: Vec::new(), body: Bytes::new() }
}

fn bad_cascade(detail: impl Into<String>) -> Problem {
    Problem::for_field(ProblemKind::BAD_PARAMETER, "cascade", detail)
}
