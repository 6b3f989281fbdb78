//! Entries of the audit log.

use keyfold_design::Design;
use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Attributes, Number, hexadecimal};
use keyfold_runtime::{Error, TOKEN_SUBJECT, timestamp};
use sha2::{Digest, Sha256};

use super::DENIED;
use super::chain::add_salts;
use crate::address::{encode_segment, encode_value};
use crate::change_records::Open;
use crate::change_records::hash_part::add_part;
use crate::change_records::table::{AUDIT_PREFIX, EXPIRES, ITEM, PARTITION, SORT, SUBJECT};
use crate::identity::principal::{CredentialKind, Principal};

/// The partition of a tenant with a longer name is named by its hash.
const LONGEST_PLAIN: usize = 512;
const SECONDS_OF_DAY: u64 = 24 * 60 * 60;
/// The longest identity in the entry of a denial, in bytes. Of a longer one the entry has the beginning.
const LONGEST_DENIED: usize = 1024;
pub(super) const TRUNCATED: &str = "truncated";
pub(super) const COUNT: &str = "count";
pub(super) const SINCE: &str = "since";
pub(super) const PATTERN: &str = "pattern";
pub(super) const ITEMS: &str = "items";

/// The caller of a request, as entries name them.
pub(in crate::change_records) struct Actor {
    pub(super) subject: Option<String>,
    pub(super) kind: &'static str,
    /// The tenant that the request is about.
    pub(super) tenant: Option<String>,
    /// The tenant of the caller.
    pub(super) own_tenant: Option<String>,
    pub(super) request_id: String,
}

impl Actor {
    pub(crate) fn new(design: &Design, principal: &Principal, tenant: Option<&str>, request_id: &str) -> Self {
        let kind = match principal.kind {
            CredentialKind::Anonymous => "anonymous",
            CredentialKind::Token => "token",
            CredentialKind::Key => "key",
            CredentialKind::Command => "command",
        };
        // Where a design has no tenants, the tenant of a token is of no consequence.
        let own_tenant = principal.caller.tenant.clone().filter(|_| design.tenant.is_some());
        let tenant = tenant.filter(|_| design.tenant.is_some()).map(str::to_owned).or_else(|| own_tenant.clone());
        // Where callers are users of the table, a person who has not been looked up is none of them, whatever they are
        // called.
        let unknown = principal.caller.identity.as_ref().filter(|_| design.callers.users.is_some());
        let subject = match unknown {
            Some(person) => Some(format!("{TOKEN_SUBJECT}{}", person.subject)),
            None => principal.caller.subject.clone(),
        };
        Self { subject, kind, tenant, own_tenant, request_id: request_id.to_owned() }
    }
}

/// What was done to which item.
pub(in crate::change_records) struct Action<'a> {
    pub verb: &'a str,
    pub entity: &'a str,
    pub identity: String,
}

/// An identity as in paths: a segment for each attribute but the tenant's, unless the item is the tenant.
pub(crate) fn identity_of(design: &Design, entity: &Entity, attributes: &Attributes) -> String {
    let tenant = design.implied_tenant(entity);
    let names = entity.identity.iter().filter(|name| Some(name.as_str()) != tenant);
    names.map(|name| encode_value(attributes.get(name))).collect::<Vec<String>>().join("/")
}

/// The tenant of an item; `None` where it belongs to none.
pub(in crate::change_records) fn tenant_of(design: &Design, attributes: &Attributes) -> Option<String> {
    match attributes.get(&design.tenant.as_ref()?.attribute)? {
        AttributeValue::S(tenant) => Some(tenant.clone()),
        AttributeValue::N(tenant) => Some(tenant.to_string()),
        _ => None,
    }
}

/// The partition of a tenant's log.
pub(in crate::change_records) fn partition_of(design: &str, tenant: Option<&str>) -> String {
    let plain = encode_segment(tenant.unwrap_or_default());
    if plain.len() <= LONGEST_PLAIN {
        return format!("{AUDIT_PREFIX}{design}#{plain}");
    }
    format!("{AUDIT_PREFIX}{design}##{}", hexadecimal(&Sha256::digest(plain)))
}

impl Actor {
    pub(in crate::change_records) fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// The tenant that the request is about.
    pub(in crate::change_records) fn tenant(&self) -> Option<&str> {
        self.tenant.as_deref()
    }

    /// The partition of entries about items whose tenant is not known otherwise.
    pub(in crate::change_records) fn partition(&self, design: &str) -> String {
        partition_of(design, self.tenant.as_deref())
    }
}

/// The partition of one item's or one subject's part of a tenant's log.
pub(in crate::change_records) fn part_of(partition: &str, what: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in [partition].iter().chain(what) {
        add_part(&mut hash, part.as_bytes());
    }
    hexadecimal(&hash.finalize())
}

/// Requests that one entry stands for.
pub(super) struct EntryCount {
    pub count: u64,
    /// The time of the first of them.
    pub since_ms: u64,
}

/// What a read through an access pattern returned.
pub(super) struct Listed<'a> {
    pub pattern: &'a str,
    pub items: u64,
    /// Whether the identity names all of them.
    pub is_complete: bool,
}

/// What an entry says.
pub(in crate::change_records) struct EntryContent<'a> {
    pub design: &'a str,
    pub actor: &'a Actor,
    /// The tenant of the item, where that is known: tenants see what operators did. Otherwise it is the actor's.
    pub tenant: Option<String>,
    pub action: Action<'a>,
    pub outcome: &'static str,
    /// Distinguishes entries of the same millisecond.
    pub unique: ([u8; 8], usize),
}

impl EntryContent<'_> {
    /// The entry of one request. Its time is a text that sorts as times do.
    pub(in crate::change_records) fn item(self, open: &Open) -> Result<Attributes, Error> {
        let Self { design, actor, tenant, action, outcome, unique: (random, position) } = self;
        let now = open.table.clock.now_ms();
        let tenant = tenant.or_else(|| actor.tenant.clone());
        let partition = partition_of(design, tenant.as_deref());
        let at = timestamp(now)?;
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let expires = now / 1000 + u64::from(open.settings.audit_days) * SECONDS_OF_DAY;
        // Stored items have keys of a limited size; a denied request may name anything.
        let limit = if outcome == DENIED { LONGEST_DENIED } else { usize::MAX };
        let identity = beginning(&action.identity, limit);
        let mut item = Attributes::from([
            (SORT.to_owned(), AttributeValue::S(format!("{at}#{}#{position:03}", hexadecimal(&random)))),
            (ITEM.to_owned(), AttributeValue::S(part_of(&partition, &["item", action.entity, &action.identity]))),
            (EXPIRES.to_owned(), AttributeValue::N(Number::from(expires))),
            ("at".to_owned(), AttributeValue::S(at)),
            ("by".to_owned(), text(actor.kind)),
            ("verb".to_owned(), text(action.verb)),
            ("entity".to_owned(), text(action.entity)),
            ("identity".to_owned(), text(identity)),
            ("outcome".to_owned(), text(outcome)),
            ("requestId".to_owned(), text(&actor.request_id)),
        ]);
        if identity.len() < action.identity.len() {
            item.insert(TRUNCATED.to_owned(), AttributeValue::Bool(true));
        }
        if let Some(subject) = &actor.subject {
            item.insert(SUBJECT.to_owned(), AttributeValue::S(part_of(&partition, &["subject", subject])));
            item.insert("subject".to_owned(), text(subject));
        }
        if let Some(tenant) = &tenant {
            item.insert("tenant".to_owned(), text(tenant));
        }
        open.note_partition(&partition);
        item.insert(PARTITION.to_owned(), AttributeValue::S(partition));
        add_salts(&mut item, open.random.as_ref())?;
        Ok(item)
    }

    /// The entry of a read through an access pattern. Its identity names the items, with commas between them.
    pub(super) fn listed_item(self, open: &Open, listed: &Listed<'_>) -> Result<Attributes, Error> {
        let mut item = self.item(open)?;
        item.insert(PATTERN.to_owned(), AttributeValue::S(listed.pattern.to_owned()));
        item.insert(ITEMS.to_owned(), AttributeValue::N(Number::from(listed.items)));
        if !listed.is_complete {
            item.insert(TRUNCATED.to_owned(), AttributeValue::Bool(true));
        }
        Ok(item)
    }

    /// The entry of several requests.
    pub(super) fn counted_item(self, open: &Open, counted: &EntryCount) -> Result<Attributes, Error> {
        let mut item = self.item(open)?;
        item.insert(COUNT.to_owned(), AttributeValue::N(Number::from(counted.count)));
        item.insert(SINCE.to_owned(), AttributeValue::S(timestamp(counted.since_ms)?));
        Ok(item)
    }
}

/// The beginning of a text, of at most so many bytes.
fn beginning(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}
