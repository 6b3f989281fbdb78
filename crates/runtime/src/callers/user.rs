//! The user item that a token's issuer and subject lead to: it is the caller, not the subject of the token.

use keyfold_design::Design;
use keyfold_design::model::{AttributeType, Entity, UserSource};
use keyfold_dynamo::{AttributeValue, Attributes};
use serde_json::Value;

use super::assigned_items::{add_once, string, typed_value};
use super::resolver::CallerResolver;
use crate::caller::{Caller, MACHINE_SUBJECT, TOKEN_SUBJECT, TokenIdentity};
use crate::error::Error;
use crate::json;
use crate::record::Record;
use crate::write::Write;

/// What designs call the subject of a token, whichever claim that is.
const SUBJECT_CLAIM: &str = "sub";

impl CallerResolver<'_> {
    /// Replaces the subject of a token by the id of the user that it leads to, and adds the role of the user. Returns
    /// the user. Operators by a role of their token need none, and are never taken for one.
    pub(super) async fn identify(&self, caller: &mut Caller) -> Result<Option<Record>, Error> {
        let (Some(identity), Some(source)) = (caller.identity.clone(), &self.design.callers.users) else {
            return Ok(None);
        };
        let Some(user) = self.user_of(source, &identity).await? else {
            if caller.is_operator(self.design) {
                // Stamps, owners and memberships name users by their ids.
                caller.subject = Some(format!("{TOKEN_SUBJECT}{}", identity.subject));
                return Ok(None);
            }
            let entity = self.design[source.entity].name.clone();
            return Err(Error::UnknownUser { entity, identity: describe(source, &identity) });
        };
        let id = user.attributes.get(&source.id).map(plain);
        let id = id.ok_or_else(|| Error::Unavailable(format!("a user has no `{}`", source.id)))?;
        if id.starts_with(MACHINE_SUBJECT) {
            return Err(Error::NotAllowed("the user of this token has the id of a machine key".to_owned()));
        }
        if id.starts_with(TOKEN_SUBJECT) {
            let refusal = format!("the user of this token has an id that starts with `{TOKEN_SUBJECT}`");
            return Err(Error::NotAllowed(refusal));
        }
        (caller.subject, caller.identity) = (Some(id), None);
        if let Some(role) = self.declared_role(source.role.as_ref(), &user) {
            add_once(&mut caller.roles, role);
        }
        Ok(Some(user))
    }

    /// The user that a token leads to.
    pub(super) async fn user_of(&self, source: &UserSource, identity: &TokenIdentity) -> Result<Option<Record>, Error> {
        let entity = &self.design[source.entity];
        if !is_trusted(entity, &source.subject, SUBJECT_CLAIM, identity) {
            return Ok(None);
        }
        let mut target = Attributes::new();
        for (name, value) in identity_values(source, identity) {
            let Some(value) = identity_value(entity, name, value) else { return Ok(None) };
            target.insert(name.to_owned(), value);
        }
        let items = self.items;
        let Some(unique) = source.unique.as_ref().and_then(|name| entity.unique(name)) else {
            // No item has an id that does not fit into a key.
            let fits = entity.layout.key(|name| target.get(name)).is_ok_and(|key| key.is_some());
            return if fits { items.find(entity, &target).await } else { Ok(None) };
        };
        let Ok(Some(key)) = unique.layout.key(|name| target.get(name)) else { return Ok(None) };
        if let Some(lookup) = items.attributes_at_key(key).await?
            && let Some(user) = items.item_of_lookup(entity, unique, lookup).await?
        {
            return Ok(Some(user));
        }
        let Some(range) = &source.without_lookup else { return Ok(None) };
        let mut found = self.items_equal_to(source.entity, range, &source.attributes(), &target, Some(2)).await?;
        // Without the lookup nothing prevents two users with one identity: then it is nobody's.
        let user = found.pop();
        Ok(user.filter(|_| found.is_empty()))
    }

    /// The role in an attribute of an item, if it is one that the design declares.
    pub(super) fn declared_role(&self, attribute: Option<&String>, item: &Record) -> Option<String> {
        let name = attribute?;
        let role = string(&item.attributes, name)?;
        let declared = &self.design[item.entity].attribute(name)?.value_type;
        matches!(declared, AttributeType::Enumeration(roles) if roles.contains(&role)).then_some(role)
    }
}

/// The write that creates the user of a token.
pub(super) fn new_user(design: &Design, identity: &TokenIdentity) -> Result<Write, Error> {
    let refused = |reason: String| Error::NotAllowed(reason);
    let source = design.callers.users.as_ref();
    let Some((source, claimed)) = source.and_then(|source| Some((source, source.created_with.as_ref()?))) else {
        return Err(refused("the design does not create users".to_owned()));
    };
    let entity = &design[source.entity];
    let unfit = |name: &str| refused(format!("{} cannot have the `{name}` of this token", entity.name));
    if !is_trusted(entity, &source.subject, SUBJECT_CLAIM, identity) {
        return Err(unfit(&source.subject));
    }
    let mut attributes = Attributes::new();
    for (name, value) in identity_values(source, identity) {
        attributes.insert(name.to_owned(), identity_value(entity, name, value).ok_or_else(|| unfit(name))?);
    }
    for claimed in claimed {
        let name = &claimed.attribute;
        // A claim that does not fit leaves the place to the next.
        let stated = claimed.claims.iter().filter(|claim| is_trusted(entity, name, claim, identity));
        let mut values = stated.filter_map(|claim| match claim.as_str() {
            SUBJECT_CLAIM => claimed_value(entity, name, &identity.subject),
            claim => claimed_value(entity, name, identity.claims.get(claim)?),
        });
        match values.next() {
            Some(value) => drop(attributes.insert(name.clone(), value)),
            None if is_optional(entity, name) => {}
            None => {
                let claims = claimed.claims.iter().map(|claim| format!("`{claim}`")).collect::<Vec<_>>();
                let (article, claims) = (&entity.name, claims.join(" or "));
                return Err(refused(format!("the token has no valid claim {claims}, which a new {article} needs")));
            }
        }
    }
    Ok(Write::Create { entity: entity.name.clone(), attributes })
}

/// The attributes of a user with the values of a token.
fn identity_values<'a>(source: &'a UserSource, identity: &'a TokenIdentity) -> Vec<(&'a str, &'a str)> {
    let issuer = source.issuer.as_ref().map(|name| (name.as_str(), identity.issuer.as_str()));
    issuer.into_iter().chain([(source.subject.as_str(), identity.subject.as_str())]).collect()
}

/// An issuer or a subject; `None` if no user can have it, because of its length for example.
fn identity_value(entity: &Entity, name: &str, value: &str) -> Option<AttributeValue> {
    let value = typed_value(entity, name, value)?;
    entity.attribute(name)?.check(&value).is_ok().then_some(value)
}

fn describe(source: &UserSource, identity: &TokenIdentity) -> String {
    let values = identity_values(source, identity).into_iter().map(|(name, value)| format!("{name} `{value}`"));
    values.collect::<Vec<_>>().join(" and ")
}

/// Whether a claim may be the value of an attribute: an e-mail address that the issuer has not verified may be
/// anyone's.
fn is_trusted(entity: &Entity, name: &str, claim: &str, identity: &TokenIdentity) -> bool {
    let is_address = entity.attribute(name).is_some_and(|attribute| attribute.value_type == AttributeType::Email);
    match claim {
        _ if !is_address => true,
        SUBJECT_CLAIM => identity.has_verified_subject,
        claim => identity.verified.contains(claim),
    }
}

/// The value of a claim; `None` if the attribute cannot hold it.
fn claimed_value(entity: &Entity, name: &str, stated: &str) -> Option<AttributeValue> {
    let attribute = entity.attribute(name)?;
    let value = json::value_of(name, &attribute.value_type, &Value::String(stated.to_owned())).ok()?;
    attribute.check(&value).is_ok().then_some(value)
}

fn is_optional(entity: &Entity, name: &str) -> bool {
    entity.attribute(name).is_some_and(|attribute| attribute.optional || attribute.default.is_some())
}

fn plain(value: &AttributeValue) -> String {
    match json::plain(value) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
