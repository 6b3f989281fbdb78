//! What a request attempts, as the audit log names it before the request is examined.

use http::Method;
use keyfold_design::Design;
use keyfold_design::model::{Entity, Pattern, Verb};
use keyfold_runtime::WriteVerb;

use crate::change_records::audit_log::TRANSACT;

/// The verb, and the entity or other resource that it is for.
pub(crate) struct Attempt {
    pub verb: &'static str,
    pub resource: String,
}

impl Attempt {
    /// A request about an item.
    pub(crate) fn on_item(entity: &Entity, method: &Method) -> Self {
        let verb = write_verb(method).map_or(Verb::Get.as_str(), WriteVerb::name);
        Self { verb, resource: entity.name.clone() }
    }

    /// A request for a page of an access pattern.
    pub(crate) fn on_pattern(design: &Design, pattern: &Pattern) -> Self {
        let names = pattern.entities().map(|id| design[id].name.as_str());
        Self { verb: Verb::List.as_str(), resource: names.collect::<Vec<&str>>().join(", ") }
    }

    pub(crate) fn transaction() -> Self {
        Self { verb: TRANSACT, resource: "transactions".to_owned() }
    }

    /// A question about what the caller may do.
    pub(crate) fn authorization_query() -> Self {
        Self { verb: Verb::Get.as_str(), resource: "authorize".to_owned() }
    }

    /// A request for the caller themselves.
    pub(crate) fn caller() -> Self {
        Self { verb: Verb::Get.as_str(), resource: "me".to_owned() }
    }

    pub(crate) fn audit_log() -> Self {
        Self { verb: Verb::List.as_str(), resource: "audit".to_owned() }
    }
}

/// The verb of a request that changes an item; `None` for a read.
pub(crate) fn write_verb(method: &Method) -> Option<WriteVerb> {
    match *method {
        Method::POST => Some(WriteVerb::Create),
        Method::PUT => Some(WriteVerb::Put),
        Method::PATCH => Some(WriteVerb::Patch),
        Method::DELETE => Some(WriteVerb::Delete),
        _ => None,
    }
}
