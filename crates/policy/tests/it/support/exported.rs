//! The exported Cedar text, evaluated by Cedar alone: what any other user of the export would do with it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cedar_policy::{
    Authorizer as Cedar, Context, Entities, Entity as CedarEntity, EntityUid, PolicySet, Request, RestrictedExpression,
};
use keyfold_design::Design;
use keyfold_design::constraint::CallerView;
use keyfold_design::model::{Attribute, AttributeType, Entity, Stamp};
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_policy::Policies;
use keyfold_runtime::{Access, Caller};

pub(crate) struct Exported {
    design: Arc<Design>,
    schema: String,
    text: String,
    set: PolicySet,
    ids: Vec<String>,
}

impl Exported {
    pub(crate) fn new(design: &Arc<Design>, policies: &Policies) -> Self {
        let text = policies.policies_text().to_owned();
        Self {
            design: Arc::clone(design),
            schema: policies.schema_text().to_owned(),
            set: text.parse().unwrap(),
            text,
            ids: policies.statements().iter().map(|statement| statement.id.clone()).collect(),
        }
    }

    /// `None` where Cedar has no value for an attribute that the policies read.
    pub(crate) fn allows(&self, access: &Access<'_>, item: &Attributes) -> Option<bool> {
        let resource = self.resource(access.entity, item)?;
        let principal = principal(access.caller);
        let action: EntityUid = format!("Action::{:?}", access.verb.as_str()).parse().unwrap();
        let context = Context::from_pairs([("holds".to_owned(), self.holding(access.caller, item))]).unwrap();
        let request = Request::new(principal.uid(), action, resource.uid(), context, None).unwrap();
        let entities = [principal, resource].into_iter().chain(actions());
        let entities = Entities::from_entities(entities, None).unwrap();
        let response = Cedar::new().is_authorized(&request, &self.set, &entities);
        assert_eq!(response.diagnostics().errors().count(), 0, "an exported condition never fails");
        Some(response.decision() == cedar_policy::Decision::Allow)
    }

    fn resource(&self, entity: &Entity, item: &Attributes) -> Option<CedarEntity> {
        let taken = !self.schema.contains(&format!("entity {} =", entity.name));
        let name = if taken { format!("{}_", entity.name) } else { entity.name.clone() };
        let mut attributes = HashMap::new();
        for attribute in entity.attributes.iter().filter(|attribute| self.reads(attribute)) {
            match item.get(&attribute.name) {
                None | Some(AttributeValue::Null) => {}
                Some(value) => {
                    let is_owner = entity.owner.as_ref() == Some(&attribute.name);
                    let declared = if is_owner { &AttributeType::String } else { &attribute.value_type };
                    attributes.insert(attribute.name.clone(), cedar_value(value, declared)?);
                }
            }
        }
        let uid = format!("{name}::\"item\"").parse().unwrap();
        CedarEntity::new(uid, attributes, HashSet::new()).ok()
    }

    /// Exported conditions ask for the presence of everything that they read.
    fn reads(&self, attribute: &Attribute) -> bool {
        let name = &attribute.name;
        self.text.contains(&format!("resource has {name}")) || self.text.contains(&format!("resource has {name:?}"))
    }

    /// The ids of the rules whose condition holds, by the design's own expressions.
    fn holding(&self, caller: &Caller, item: &Attributes) -> RestrictedExpression {
        let view = CallerView {
            subject: caller.subject.as_deref(),
            tenant: caller.tenant.as_deref(),
            roles: &caller.roles,
            groups: &caller.groups,
        };
        let holding = self.ids.iter().zip(&self.design.rules).filter(|(_, rule)| {
            let when = rule.when.as_ref();
            when.is_some_and(|when| when.evaluate_for(|name| item.get(name), view).unwrap_or(false))
        });
        RestrictedExpression::new_set(holding.map(|(id, _)| RestrictedExpression::new_string(id.clone())))
    }
}

/// The actions with the groups that the schema puts them in.
fn actions() -> Vec<CedarEntity> {
    [("get", "read"), ("list", "read"), ("create", "write"), ("update", "write"), ("delete", "write")]
        .map(|(verb, group)| {
            let uid = |name: &str| -> EntityUid { format!("Action::{name:?}").parse().unwrap() };
            CedarEntity::new_no_attrs(uid(verb), HashSet::from([uid(group)]))
        })
        .to_vec()
}

fn principal(caller: &Caller) -> CedarEntity {
    let texts = |list: &[String]| {
        RestrictedExpression::new_set(list.iter().map(|text| RestrictedExpression::new_string(text.clone())))
    };
    let mut attributes = HashMap::from([
        ("roles".to_owned(), texts(&caller.roles)),
        ("groups".to_owned(), texts(&caller.groups)),
        ("permissions".to_owned(), texts(&caller.permissions)),
    ]);
    for (name, value) in [("subject", &caller.subject), ("tenant", &caller.tenant)] {
        attributes.extend(value.clone().map(|value| (name.to_owned(), RestrictedExpression::new_string(value))));
    }
    CedarEntity::new("Keyfold::Caller::\"caller\"".parse().unwrap(), attributes, HashSet::new()).unwrap()
}

fn cedar_value(value: &AttributeValue, declared: &AttributeType) -> Option<RestrictedExpression> {
    let elements = |values: Vec<AttributeValue>| {
        let element = declared.element()?;
        let values: Option<Vec<_>> = values.iter().map(|value| cedar_value(value, &element)).collect();
        values.map(RestrictedExpression::new_set)
    };
    let instant = matches!(
        declared,
        AttributeType::Date
            | AttributeType::DateTime(_)
            | AttributeType::Stamp(Stamp::CreatedAt(_) | Stamp::ModifiedAt(_))
    );
    match value {
        AttributeValue::L(values) => elements(values.clone()),
        AttributeValue::Ss(texts) => elements(texts.iter().cloned().map(AttributeValue::S).collect()),
        _ if declared.element().is_some() => None,
        AttributeValue::S(text) if instant => {
            declared.check("", value).ok().map(|()| RestrictedExpression::new_datetime(text))
        }
        AttributeValue::S(text) if is_text(declared) => Some(RestrictedExpression::new_string(text.clone())),
        AttributeValue::Bool(flag) if *declared == AttributeType::Boolean => {
            Some(RestrictedExpression::new_bool(*flag))
        }
        AttributeValue::N(number) if is_integer(declared) => Number::to_i64(number).map(RestrictedExpression::new_long),
        _ => None,
    }
}

fn is_text(declared: &AttributeType) -> bool {
    matches!(
        declared,
        AttributeType::String
            | AttributeType::Ulid
            | AttributeType::Uuid
            | AttributeType::Url
            | AttributeType::Email
            | AttributeType::Enumeration(_)
            | AttributeType::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy)
    )
}

fn is_integer(declared: &AttributeType) -> bool {
    matches!(
        declared,
        AttributeType::Integer
            | AttributeType::Sequence(_)
            | AttributeType::Expiry(_)
            | AttributeType::Stamp(Stamp::Version)
    )
}
