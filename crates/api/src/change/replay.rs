//! Replays of stored responses: their caller gets what they may still read.

use axum::body::Body;
use http::Response;
use http::header::{CONTENT_TYPE, ETAG, HeaderName, HeaderValue};
use keyfold_design::model::Entity;
use keyfold_dynamo::Attributes;
use keyfold_runtime::json;
use serde_json::{Map, Value};

use crate::change_records::{REPLAYED_HEADER, ShownItem, StoredResponse};
use crate::request::etag;
use crate::request::exchange::Exchange;
use crate::response::problem::{Problem, ProblemKind};

/// What the body of a response shows.
#[derive(Clone, Copy)]
pub(crate) enum ResponseContent<'e> {
    Nothing,
    /// An item of the entity.
    Item(&'e Entity),
    /// The items of a transaction, each with its entity.
    Items,
}

impl Exchange {
    /// The stored response of a request, marked as a replay, without what the caller may no longer read.
    pub(crate) async fn replay(
        &self,
        mut stored: StoredResponse,
        content: ResponseContent<'_>,
    ) -> Result<Response<Body>, Problem> {
        if !stored.body.is_empty() {
            match content {
                ResponseContent::Nothing => {}
                ResponseContent::Item(entity) => self.reduce_item(&mut stored, entity).await?,
                ResponseContent::Items => self.reduce_items(&mut stored).await?,
            }
        }
        let mut response = Response::try_from(stored)?;
        let name = HeaderName::from_static(REPLAYED_HEADER);
        response.headers_mut().insert(name, HeaderValue::from_static("true"));
        Ok(response)
    }

    async fn reduce_item(&self, stored: &mut StoredResponse, entity: &Entity) -> Result<(), Problem> {
        let mut item: Map<String, Value> = serde_json::from_slice(&stored.body).map_err(|_| unreadable())?;
        let count = item.len();
        let shown = self.hide(entity, &mut item).await?;
        let is_readable = shown.is_some();
        self.record_shown(entity, shown.as_ref()).await?;
        if is_readable && item.len() == count {
            return Ok(());
        }
        // The tag of a readable item may hold counters, or a hash of its content.
        let tag = stored.headers.iter().find(|(name, _)| *name == ETAG);
        let tag = tag.and_then(|(_, tag)| etag::without_counters(tag));
        stored.headers.retain(|(name, _)| *name != ETAG);
        stored.headers.extend(tag.map(|tag| (ETAG, tag.into())));
        if is_readable {
            stored.body = Value::Object(item).to_string().into();
        } else {
            stored.headers.retain(|(name, _)| *name != CONTENT_TYPE);
            stored.body = Default::default();
        }
        Ok(())
    }

    async fn reduce_items(&self, stored: &mut StoredResponse) -> Result<(), Problem> {
        let mut content: Value = serde_json::from_slice(&stored.body).map_err(|_| unreadable())?;
        let items = content.get_mut("items").and_then(Value::as_array_mut).ok_or_else(unreadable)?;
        let mut is_reduced = false;
        for shown in items.iter_mut().filter_map(Value::as_object_mut) {
            let entity = shown.get("type").and_then(Value::as_str);
            let entity = entity.and_then(|name| self.served.design().entity_named(name));
            let Some(Value::Object(item)) = shown.get_mut("item") else { continue };
            let count = item.len();
            // The design may have no such entity any more.
            let is_readable = match entity {
                Some(entity) => {
                    let shown = self.hide(entity, item).await?;
                    self.record_shown(entity, shown.as_ref()).await?;
                    shown.is_some()
                }
                None => false,
            };
            is_reduced |= !is_readable || item.len() < count;
            if !is_readable {
                let version = entity.and_then(Entity::version).and_then(|version| item.get(&version.name)).cloned();
                shown.insert("item".to_owned(), Value::Null);
                shown.insert("version".to_owned(), version.unwrap_or(Value::Null));
            }
        }
        if is_reduced {
            stored.body = content.to_string().into();
        }
        Ok(())
    }

    /// A replay shows the item once more.
    async fn record_shown(&self, entity: &Entity, shown: Option<&Attributes>) -> Result<(), Problem> {
        match shown {
            Some(attributes) => self.record_read(&[ShownItem { entity: entity.id, attributes }]).await,
            None => Ok(()),
        }
    }

    /// Removes the attributes that are hidden from the caller by now. Returns identity and tenant of the item; `None`
    /// if they may not read it at all.
    async fn hide(&self, entity: &Entity, item: &mut Map<String, Value>) -> Result<Option<Attributes>, Problem> {
        let tenant = self.served.design().tenant.as_ref().map(|tenant| &tenant.attribute);
        let owner: Map<String, Value> = item
            .iter()
            .filter(|(name, _)| tenant == Some(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let identity: Map<String, Value> = item
            .iter()
            .filter(|(name, _)| entity.identity.contains(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        // An identity that is hidden as well does not lead to the item.
        if identity.len() < entity.identity.len() {
            return Ok(None);
        }
        let mut identity = json::attributes(entity, identity)?;
        let hidden = self.served.runtime.hidden_attributes(&self.caller, &entity.name, &identity).await;
        let hidden = hidden.map_err(|error| self.problem(&[entity.id], error))?;
        let Some(hidden) = hidden else { return Ok(None) };
        item.retain(|name, _| !hidden.contains(name));
        identity.extend(json::attributes(entity, owner)?);
        Ok(Some(identity))
    }
}

fn unreadable() -> Problem {
    tracing::error!("a stored response cannot be read");
    Problem::new(ProblemKind::INTERNAL, "an internal error")
}
