//! Items by their identity, and new ones.

use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LOCATION, VARY};
use http::{Method, Response, StatusCode};
use keyfold_design::model::{Entity, Scope, Verb};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, Record, Write, json};
use serde_json::{Map, Value};

use super::Answer;
use super::replacement::replacement;
use crate::body;
use crate::etag::{self, Expected};
use crate::exchange::Exchange;
use crate::problem::{Kind, Problem};
use crate::query_string;
use crate::resource::{Resource, scalar};
use crate::shown;
use crate::whole_numbers::refuse_large;

/// What a request is about.
struct Target<'x> {
    exchange: &'x Exchange,
    entity: &'x Entity,
    resource: &'x Resource,
}

/// `POST` to a collection.
pub async fn create(exchange: Exchange, place: usize, body: Body) -> Answer {
    let target = Target::of(&exchange, place)?;
    target.exchange.require(target.entity, Verb::Create)?;
    let parameters: &[&str] = if target.resource.tenant.is_some() { &["tenant"] } else { &[] };
    query_string::only(&exchange.query, parameters)?;
    let object = target.body(body, &[body::JSON]).await?;
    let mut attributes = target.attributes(&object)?;
    target.add_tenant(&mut attributes)?;
    let record = target.write_one(Write::Create { entity: target.entity.name.clone(), attributes }).await?;
    target.shown(&record, StatusCode::CREATED)
}

/// `GET`, `PUT`, `PATCH` and `DELETE` of one item.
pub async fn item(mut exchange: Exchange, place: usize, body: Body) -> Answer {
    let captured = RawPathParams::from_request_parts(&mut exchange.parts, &()).await;
    let captured = captured.map_err(|_| Problem::nothing_here())?;
    let target = Target::of(&exchange, place)?;
    let identity = target.resource.identity(target.entity, captured.iter().map(|(_, text)| text));
    match exchange.parts.method {
        Method::PUT => target.put(identity?, body).await,
        Method::PATCH => target.patch(identity?, body).await,
        Method::DELETE => target.delete(identity?).await,
        _ => target.get(identity).await,
    }
}

impl<'x> Target<'x> {
    fn of(exchange: &'x Exchange, place: usize) -> Result<Self, Problem> {
        let resource = exchange.served.resources.get(place).ok_or_else(Problem::nothing_here)?;
        let entity = exchange.served.design().entity(resource.entity).ok_or_else(Problem::nothing_here)?;
        Ok(Self { exchange, entity, resource })
    }

    async fn get(&self, identity: Result<Attributes, Problem>) -> Answer {
        // Whoever may not read such things learns nothing from how they spell an identity.
        let mut identity = match identity {
            Ok(identity) => identity,
            Err(absent) => return Err(self.exchange.require(self.entity, Verb::Get).err().unwrap_or(absent)),
        };
        self.only(&[])?;
        self.bind(&mut identity)?;
        match self.exchange.served.runtime.get(&self.exchange.caller, &self.entity.name, identity).await {
            Ok(Some(record)) => self.shown(&record, StatusCode::OK),
            // An identity that no key can hold is that of no item.
            Ok(None) | Err(Error::Constraint(_)) => Err(self.absent()),
            Err(error) => Err(self.exchange.refused(&[self.entity.id], error)),
        }
    }

    async fn put(&self, identity: Attributes, body: Body) -> Answer {
        self.exchange.require(self.entity, Verb::Update)?;
        self.only(&[])?;
        let expected = self.expected()?;
        let object = self.body(body, &[body::JSON]).await?;
        let mut attributes = self.attributes(&object)?;
        self.join(&mut attributes, identity)?;
        let entity = self.entity.name.clone();
        let write = match expected {
            Expected::Nothing => {
                self.demand()?;
                Write::Put { entity, attributes }
            }
            Expected::Absent => Write::Create { entity, attributes },
            Expected::Never => return Err(self.mismatch()),
            Expected::Present => self.replace(attributes, PatchOptions::default()).await?,
            Expected::Version(version) => {
                self.replace(attributes, PatchOptions { expected_version: Some(version) }).await?
            }
        };
        let record = self.write_one(write).await.map_err(|problem| unmet(problem, expected))?;
        // The first version is that of an item that was not there before.
        let created = expected == Expected::Absent || etag::version(self.entity, &record.attributes) == Some(1);
        self.shown(&record, if created { StatusCode::CREATED } else { StatusCode::OK })
    }

    /// A replacement of an item that is there.
    async fn replace(&self, attributes: Attributes, options: PatchOptions) -> Result<Write, Problem> {
        let stored = if self.entity.open { self.stored(&attributes).await? } else { Attributes::new() };
        let attributes = replacement(self.exchange.served.design(), self.entity, attributes, &stored);
        Ok(Write::Patch { entity: self.entity.name.clone(), attributes, options })
    }

    /// An open entity's item, of which a replacement leaves nothing.
    async fn stored(&self, attributes: &Attributes) -> Result<Attributes, Problem> {
        let identity = attributes.iter().filter(|(name, _)| self.entity.identity.contains(name));
        let identity = identity.map(|(name, value)| (name.clone(), value.clone())).collect();
        let found = self.exchange.served.runtime.get(&self.exchange.caller, &self.entity.name, identity).await;
        let found = found.map_err(|error| self.exchange.refused(&[self.entity.id], error))?;
        found.map(|record| record.attributes).ok_or_else(|| self.absent())
    }

    async fn patch(&self, identity: Attributes, body: Body) -> Answer {
        self.exchange.require(self.entity, Verb::Update)?;
        self.only(&[])?;
        let options = PatchOptions { expected_version: self.expected_version()? };
        let object = self.body(body, &[body::MERGE_PATCH, body::JSON]).await?;
        if body::media_type(&self.exchange.parts.headers) == Some(body::MERGE_PATCH)
            && let Some((name, _)) = object.iter().find(|(_, value)| value.is_object())
        {
            let detail = format!("`{name}` is replaced as a whole here: send the patch as {}", body::JSON);
            return Err(Problem::of_field(Kind::CONSTRAINT, name, detail));
        }
        let mut attributes = self.attributes(&object)?;
        self.join(&mut attributes, identity)?;
        let write = Write::Patch { entity: self.entity.name.clone(), attributes, options };
        let record = self.write_one(write).await.map_err(|problem| self.unmet(problem, options.expected_version))?;
        self.shown(&record, StatusCode::OK)
    }

    async fn delete(&self, mut identity: Attributes) -> Answer {
        self.exchange.require(self.entity, Verb::Delete)?;
        self.only(&["cascade"])?;
        let cascade = match query_string::once(&self.exchange.query, "cascade")? {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => {
                return Err(Problem::of_field(Kind::BAD_PARAMETER, "cascade", "`cascade` is `true` or `false`"));
            }
        };
        let options = DeleteOptions { expected_version: self.expected_version()?, cascade };
        self.bind(&mut identity)?;
        let deleted = self.exchange.delete(&self.entity.name, identity, options).await;
        deleted.map_err(|problem| self.unmet(problem, options.expected_version))?;
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        Ok(response)
    }

    /// Refuses parameters that are not those of an item's address.
    fn only(&self, more: &[&str]) -> Result<(), Problem> {
        let mut known = more.to_vec();
        if self.resource.found_by_tenant {
            known.push("tenant");
        }
        query_string::only(&self.exchange.query, &known)
    }

    async fn body(&self, body: Body, types: &[&str]) -> Result<Map<String, Value>, Problem> {
        let limits = &self.exchange.api.limits;
        let bytes = body::read(&self.exchange.parts.headers, body, types, limits).await?;
        body::object(&bytes, limits)
    }

    fn attributes(&self, object: &Map<String, Value>) -> Result<Attributes, Problem> {
        let attributes = json::attributes(self.entity, object)?;
        refuse_large(self.entity, &attributes)?;
        Ok(attributes)
    }

    fn expected(&self) -> Result<Expected, Problem> {
        etag::expected(&self.exchange.parts.headers, self.entity)
    }

    /// The version that a change of an item that is there is for.
    fn expected_version(&self) -> Result<Option<u64>, Problem> {
        match self.expected()? {
            Expected::Version(version) => Ok(Some(version)),
            Expected::Present => Ok(None),
            Expected::Nothing => self.demand().map(|()| None),
            Expected::Never => Err(self.mismatch()),
            Expected::Absent => {
                Err(Problem::new(Kind::INVALID, "what is changed has to be there: If-None-Match does not fit"))
            }
        }
    }

    /// Where versions are demanded, a change without one is refused.
    fn demand(&self) -> Result<(), Problem> {
        if self.exchange.api.demand_versions && self.entity.version().is_some() {
            let detail = "a change has to say with If-Match which version it is for, or `*` for any";
            return Err(Problem::new(Kind::PRECONDITION_REQUIRED, detail));
        }
        Ok(())
    }

    fn mismatch(&self) -> Problem {
        Problem::new(
            Kind::PRECONDITION_FAILED,
            format!("{} never had the version that If-Match names", self.entity.name),
        )
    }

    fn unmet(&self, problem: Problem, version: Option<u64>) -> Problem {
        unmet(problem, version.map_or(Expected::Nothing, Expected::Version))
    }

    /// The tenant of a new item, where the address says it and the body does not.
    fn add_tenant(&self, attributes: &mut Attributes) -> Result<(), Problem> {
        let Some(name) = &self.resource.tenant else { return Ok(()) };
        let said = query_string::once(&self.exchange.query, "tenant")?.is_some();
        // What may belong to all does so unless the request itself says whose it is.
        if !said && self.entity.scope == Scope::TenantOrGlobal {
            return Ok(());
        }
        let Some(value) = self.tenant(name)? else { return Ok(()) };
        self.join(attributes, Attributes::from([(name.clone(), value)]))
    }

    fn tenant(&self, name: &str) -> Result<Option<AttributeValue>, Problem> {
        let Some(tenant) = self.exchange.stated_tenant()? else { return Ok(None) };
        let value_type = self.entity.attribute(name).map(|attribute| &attribute.value_type);
        let value = value_type.and_then(|value_type| scalar(name, value_type, tenant));
        value.map(Some).ok_or_else(|| Problem::of_field(Kind::BAD_PARAMETER, "tenant", "there is no such tenant"))
    }

    /// Puts the tenant into an identity that has it.
    fn bind(&self, identity: &mut Attributes) -> Result<(), Problem> {
        let Some(name) = self.resource.tenant.as_ref().filter(|_| self.resource.found_by_tenant) else { return Ok(()) };
        match self.tenant(name)? {
            Some(tenant) => drop(identity.insert(name.clone(), tenant)),
            None if self.exchange.is_operator() && !identity.contains_key(name) => {
                let detail = format!("{} belongs to a tenant: say which with `?tenant=`", self.entity.name);
                return Err(Problem::of_field(Kind::BAD_PARAMETER, "tenant", detail));
            }
            None => {}
        }
        Ok(())
    }

    /// Puts the identity of the address into a body, which may repeat it and not contradict it.
    fn join(&self, attributes: &mut Attributes, mut identity: Attributes) -> Result<(), Problem> {
        if let Some(name) = self.resource.tenant.as_ref().filter(|_| self.resource.found_by_tenant)
            && let Some(given) = attributes.get(name)
        {
            identity.entry(name.clone()).or_insert_with(|| given.clone());
        }
        self.bind(&mut identity)?;
        for (name, value) in identity {
            match attributes.get(&name) {
                Some(given) if *given != value => {
                    let detail = format!("`{name}` of the body is not the one of the address");
                    return Err(Problem::of_field(Kind::INVALID, &name, detail));
                }
                _ => drop(attributes.insert(name, value)),
            }
        }
        Ok(())
    }

    async fn write_one(&self, write: Write) -> Result<Record, Problem> {
        let records = self.exchange.change(vec![write]).await?;
        records.into_iter().next().flatten().ok_or_else(|| Problem::unavailable("the write gave no item"))
    }

    fn absent(&self) -> Problem {
        Problem::new(Kind::NOT_FOUND, format!("there is no such {}", self.entity.name))
    }

    /// An item as the answer.
    fn shown(&self, record: &Record, status: StatusCode) -> Answer {
        let body = shown::bytes(&record.attributes);
        let tag = etag::of(self.entity, &record.attributes, &body);
        let reads = matches!(self.exchange.parts.method, Method::GET | Method::HEAD);
        if reads && etag::is_known(&self.exchange.parts.headers, &tag)? {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            etag::put(&mut response, &tag);
            return Ok(response);
        }
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        etag::put(&mut response, &tag);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(body::JSON));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(VARY, HeaderValue::from_static("authorization"));
        if status == StatusCode::CREATED {
            let (design, operator) = (self.exchange.served.design(), self.exchange.is_operator());
            let href = self.resource.href(design, &record.attributes, operator);
            headers.extend(HeaderValue::from_str(&href).ok().map(|href| (LOCATION, href)));
        }
        Ok(response)
    }
}

/// What the runtime calls a conflict is a precondition that did not hold, where there was one.
fn unmet(problem: Problem, expected: Expected) -> Problem {
    let failed = match expected {
        Expected::Version(_) => problem.kind == Kind::CONFLICT,
        Expected::Absent => problem.kind == Kind::EXISTS,
        _ => false,
    };
    if failed { Problem { kind: Kind::PRECONDITION_FAILED, ..problem } } else { problem }
}
