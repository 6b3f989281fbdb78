//! `entities:`, in steps: words and attributes first, then what names other entities, then keys.

use std::collections::BTreeMap;

use super::codes::{BAD_ATTRIBUTE_LINE, BAD_NAME, BAD_VALUE, NO_SCOPE, NO_SEQUENCE, NO_TENANT_ATTRIBUTE, UNKNOWN_KEY};
use super::entity_draft::{EntityDraft, unknown_attribute};
use super::reader::{Reader, keyword};
use super::{
    attributes, computed_attributes, derivation, entity_keys, entry_condition, expression, kinds, references,
    sentinels, uniques,
};
use crate::diagnostic::did_you_mean;
use crate::entity_keyword::EntityKeyword;
use crate::model::{
    Attribute, AttributeType, DeleteRule, Design, Entity, EntityId, Generator, Index, Scope, TenantBinding,
};
use crate::span::Span;
use crate::syntax::{Entry, NodeKind};
use crate::wording::plural_of;

pub(super) fn build_all(declared: &[Entry], design: &mut Design, reader: &mut Reader<'_>) {
    let mut drafts: Vec<EntityDraft<'_>> = declared.iter().map(|entry| read(entry, design, reader)).collect();
    derivation::resolve(declared, &mut drafts, reader);
    for (position, draft) in drafts.iter().enumerate() {
        let entity = build(EntityId::new(position), draft, design, reader);
        design.entities.push(entity);
    }
    for (position, draft) in drafts.iter().enumerate() {
        let id = EntityId::new(position);
        let uniques = uniques::build(id, draft, design, reader);
        if let Some(entity) = design.entities.get_mut(position) {
            entity.uniques = uniques;
        }
    }
    references::resolve(declared, &drafts, design, reader);
    check_sequences(design, reader);
    entry_condition::refuse_counters(design, reader);
    if design.table.ttl.is_none() {
        // An `expiry` is what the table's time to live is for.
        design.table.ttl = design.entities.iter().find_map(Entity::expiry).map(|attribute| attribute.name.clone());
    }
    kinds::resolve(design, reader);
    entity_keys::set_rivals(design);
    sentinels::refuse_rivals(design, reader);
}

fn read<'n>(declared: &'n Entry, design: &Design, reader: &mut Reader<'_>) -> EntityDraft<'n> {
    let name = declared.name();
    let is_name = name.starts_with(|first: char| first.is_alphabetic())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && name.len() <= 100;
    if !is_name {
        let help = "use letters, digits and `_`, beginning with a letter";
        reader.fault(&BAD_NAME, declared.key.span, format!("`{name}` cannot name an entity"), help);
    }
    let entries =
        reader.mapping(&declared.value, &format!("the entity `{name}`"), &format!("{name}: {{PK: …, SK: …}}"));
    let (attributes, references) = match keyword(entries, EntityKeyword::Attributes) {
        Some(stated) => attributes::read(stated, reader),
        None => (Vec::new(), Vec::new()),
    };
    let scope = keyword(entries, EntityKeyword::Scope).map(|stated| stated_scope(stated, reader));
    let templates = entries
        .iter()
        .filter(|entry| !EntityKeyword::is_keyword(entry.name()))
        .filter(|entry| is_attribute(entry, design, reader))
        .collect();
    EntityDraft {
        name: &declared.key,
        entries,
        attributes,
        references,
        derivation: None,
        borrowed: Vec::new(),
        scope,
        templates,
    }
}

fn stated_scope(stated: &Entry, reader: &mut Reader<'_>) -> Scope {
    match stated.value.scalar() {
        Some("tenant") => Scope::Tenant,
        Some("global") => Scope::Global,
        Some("tenant or global") => Scope::TenantOrGlobal,
        other => {
            let choices = ["tenant", "global", "tenant or global"];
            reader.bad_word(stated.value.span, other.unwrap_or("this"), "scope", &choices);
            Scope::Global
        }
    }
}

/// Whether a key of an entity is an attribute, and not a misspelt word or key.
fn is_attribute(entry: &Entry, design: &Design, reader: &mut Reader<'_>) -> bool {
    let name = entry.name();
    let keys = key_names(design);
    if keys.contains(&name) {
        return true;
    }
    let close_key = did_you_mean(name, keys.iter().copied()).filter(|key| key.len().abs_diff(name.len()) <= 1);
    let close_word = did_you_mean(name, EntityKeyword::ALL.map(EntityKeyword::as_str))
        .filter(|word| word.len().abs_diff(name.len()) <= 1);
    let looks_like_key = name.ends_with("PK") || name.ends_with("SK");
    let is_text = matches!(entry.value.kind, NodeKind::Scalar(_));
    let is_plain_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let help = match (close_word, close_key) {
        _ if is_text
            && is_plain_name
            && close_word.is_none()
            && (!looks_like_key || close_key.is_none() && keys.is_empty()) =>
        {
            return true;
        }
        (Some(word), _) => format!("did you mean `{word}`? an attribute of this name goes under `attributes:`"),
        (None, Some(key)) if looks_like_key => {
            format!("did you mean `{key}`? indexes and their keys are under `indexes:`")
        }
        _ if looks_like_key => "no index has this key; add the index under `indexes:`".to_owned(),
        _ => format!(
            "an entity has `{}`, the keys of the table and its indexes, and attributes with a text",
            EntityKeyword::ALL.map(EntityKeyword::as_str).join("`, `")
        ),
    };
    reader.fault(&UNKNOWN_KEY, entry.key.span, format!("unknown key `{name}` in an entity"), help);
    reader.entities_incomplete = true;
    false
}

fn key_names(design: &Design) -> Vec<&str> {
    let table = std::iter::once(&design.table.partition).chain(&design.table.sort);
    let mut names: Vec<&str> = Vec::new();
    for key in table.chain(design.indexes.iter().flat_map(Index::keys)) {
        if !names.contains(&key.name.as_str()) {
            names.push(&key.name);
        }
    }
    names
}

fn build(id: EntityId, draft: &EntityDraft<'_>, design: &Design, reader: &mut Reader<'_>) -> Entity {
    let name = &draft.name.value;
    let mut attributes = draft.attributes.clone();
    computed_attributes::resolve(name, &mut attributes, draft.derivation.is_some(), reader);
    let layout = entity_keys::build(draft, design, reader);
    // Values that only the keys of a derived item contain are attributes as well, read from the keys.
    let used: Vec<String> =
        layout.computed.iter().flat_map(|computed| computed.template.attributes()).map(str::to_owned).collect();
    for borrowed in draft.borrowed.iter().filter(|borrowed| used.contains(&borrowed.name)) {
        if !attributes.iter().any(|attribute| attribute.name == borrowed.name) {
            attributes.push(Attribute::key_only(&borrowed.name, borrowed.span, borrowed.value_type.clone()));
        }
    }
    let text = |word: EntityKeyword, reader: &mut Reader<'_>| {
        let stated = keyword(draft.entries, word)?;
        let word = word.as_str();
        reader.text(&stated.value, &format!("`{word}`"), &format!("{word}: …")).map(str::to_owned)
    };
    let key_attributes: Vec<String> = layout.key_attributes().into_iter().map(str::to_owned).collect();
    let scope = scope(draft, design, reader);
    let mut entity = Entity {
        id,
        name: name.clone(),
        span: draft.name.span,
        plural: text(EntityKeyword::Plural, reader).unwrap_or_else(|| plural_of(name)),
        description: text(EntityKeyword::Description, reader),
        scope,
        tenant: TenantBinding::None,
        layout,
        kind: None,
        attributes,
        identity: key_attributes,
        uniques: Vec::new(),
        references: Vec::new(),
        referenced_by: Vec::new(),
        counters: Vec::new(),
        derivation: draft.derivation.clone(),
        derived: Vec::new(),
        owner: None,
        delete: delete_rule(draft, reader),
        append_only: keyword(draft.entries, EntityKeyword::AppendOnly).is_some_and(|entry| reader.flag(entry)),
        open: keyword(draft.entries, EntityKeyword::Open).is_some_and(|entry| reader.flag(entry))
            || keyword(draft.entries, EntityKeyword::Strict).is_some_and(|entry| !reader.flag(entry)),
        audit_reads: keyword(draft.entries, EntityKeyword::AuditReads).is_some_and(|entry| reader.flag(entry)),
        keeps_sequences: keeps_sequences(draft, reader),
        must_hold: Vec::new(),
        helpers: helpers(draft, design, reader),
    };
    if let Some(stated) = keyword(draft.entries, EntityKeyword::Identity) {
        let names = reader.list(&stated.value, "`identity`", "identity: id");
        entity.identity = known_attributes(&entity, &names, reader);
    }
    if let Some(stated) = keyword(draft.entries, EntityKeyword::Owner) {
        let names = reader.list(&stated.value, "`owner`", "owner: userId");
        entity.owner = known_attributes(&entity, &names, reader).into_iter().next();
    }
    forget_generators(&mut entity, design);
    entity.must_hold = expression::must_hold(draft, &entity, reader);
    check_attributes(&entity, reader);
    entity.tenant = tenant_binding(&entity, design, reader);
    entity
}

/// Ids are made when absent, unless they are another's: the tenant's within its items, a copy of the source's, or one
/// that an item may well lack.
fn forget_generators(entity: &mut Entity, design: &Design) {
    let tenant = design.tenant.as_ref().map(|tenant| tenant.attribute.as_str());
    let is_derived = entity.derivation.is_some();
    for attribute in &mut entity.attributes {
        let is_tenants = tenant == Some(attribute.name.as_str());
        let identifies_alone = matches!(entity.identity.as_slice(), [only] if *only == attribute.name);
        if attribute.optional || is_derived || (is_tenants && !identifies_alone) {
            attribute.generator = None;
        }
    }
}

fn scope(draft: &EntityDraft<'_>, design: &Design, reader: &mut Reader<'_>) -> Scope {
    match (draft.scope, &design.tenant) {
        (Some(scope), _) => scope,
        (None, None) => Scope::Global,
        (None, Some(_)) if draft.derivation.is_some() || draft.is_unresolved() => Scope::Global,
        (None, Some(_)) => {
            let message = format!("`{}` does not state whether its items belong to a tenant", draft.name.value);
            reader.fault(&NO_SCOPE, draft.name.span, message, "add `scope: tenant` or `scope: global`");
            Scope::Global
        }
    }
}

fn tenant_binding(entity: &Entity, design: &Design, reader: &mut Reader<'_>) -> TenantBinding {
    let Some(tenant) = design.tenant.as_ref().filter(|_| entity.scope.has_tenant()) else {
        return TenantBinding::None;
    };
    let holds = |names: Vec<&str>| names.contains(&tenant.attribute.as_str());
    if tenant.entity == Some(entity.id) {
        return TenantBinding::IsTenant;
    }
    if holds(entity.layout.partition.template.attributes()) {
        return TenantBinding::InPartitionKey;
    }
    if entity.layout.sort.as_ref().is_some_and(|sort| holds(sort.template.attributes())) {
        return TenantBinding::InKey;
    }
    match entity.attribute(&tenant.attribute) {
        Some(_) if entity.scope == Scope::TenantOrGlobal => return TenantBinding::StoredOptionally,
        Some(attribute) if !attribute.may_be_absent() && attribute.is_stored() => return TenantBinding::Stored,
        Some(attribute) if !attribute.is_stored() => {
            let message = format!("`{}` of `{}` is not stored in an attribute of its own", attribute.name, entity.name);
            let help = format!("declare `{}` under `attributes:`, without `key only`", attribute.name);
            reader.fault(&NO_TENANT_ATTRIBUTE, entity.span, message, help);
        }
        Some(attribute) => {
            let message =
                format!("`{}` of `{}` is optional, but identifies the tenant of an item", attribute.name, entity.name);
            reader.fault(&NO_TENANT_ATTRIBUTE, attribute.span, message, "make it required, or write `scope: global`");
        }
        None => {
            let message = format!("`{}` has `scope: tenant`, but no `{}`", entity.name, tenant.attribute);
            let help = format!("add the attribute `{}`, or write `scope: global`", tenant.attribute);
            reader.fault(&NO_TENANT_ATTRIBUTE, entity.span, message, help);
        }
    }
    TenantBinding::Stored
}

/// Names in modifiers that have to be attributes (`same as`, `expiry … after`), and what modifiers promise.
fn check_attributes(entity: &Entity, reader: &mut Reader<'_>) {
    for attribute in &entity.attributes {
        if let Some(Err(violation)) = attribute.default.as_ref().map(|value| attribute.check(value)) {
            let message =
                format!("the default of `{}` must be {} but is {}", attribute.name, violation.rule, violation.value);
            reader.fault(&BAD_VALUE, attribute.span, message, "give a default that the attribute can have");
        }
        let in_key = entity
            .layout
            .computed
            .iter()
            .flat_map(|computed| computed.template.placeholders())
            .any(|placeholder| placeholder.attribute == attribute.name && placeholder.is_reversible());
        if !attribute.is_stored() && !in_key && entity.derivation.is_none() && !reader.entities_incomplete {
            let message = format!("`{}` is `key only`, and no key of `{}` holds it", attribute.name, entity.name);
            reader.fault(&BAD_ATTRIBUTE_LINE, attribute.span, message, "remove `key only`, or put it into a key");
        }
        let same = attribute.same_as.as_ref().and_then(|other| entity.attribute(other));
        if let Some(other) = same.filter(|other| other.value_type.stored() != attribute.value_type.stored()) {
            let message = format!(
                "`{}` is {}, but the same as `{}`, which is {}",
                attribute.name,
                attribute.value_type.rule(),
                other.name,
                other.value_type.rule()
            );
            reader.fault(&BAD_ATTRIBUTE_LINE, attribute.span, message, "give both the same type");
        }
        let after = match &attribute.value_type {
            AttributeType::Expiry(Some(expiry)) => Some(&expiry.after),
            _ => None,
        };
        for name in attribute.same_as.iter().chain(after) {
            if entity.attribute(name).is_none() {
                unknown_attribute(entity, name, attribute.span, reader);
            }
        }
    }
}

fn known_attributes(entity: &Entity, names: &[(&str, Span)], reader: &mut Reader<'_>) -> Vec<String> {
    let mut known = Vec::new();
    for (name, span) in names {
        match entity.attribute(name) {
            Some(_) => known.push((*name).to_owned()),
            None => unknown_attribute(entity, name, *span, reader),
        }
    }
    known
}

fn delete_rule(draft: &EntityDraft<'_>, reader: &mut Reader<'_>) -> DeleteRule {
    let Some(stated) = keyword(draft.entries, EntityKeyword::Delete) else { return DeleteRule::ByReference };
    match stated.value.scalar() {
        Some("refused") => DeleteRule::ByReference,
        Some("cascade when asked") => DeleteRule::CascadeWhenAsked,
        Some("never") => DeleteRule::Never,
        other => {
            let choices = ["refused", "cascade when asked", "never"];
            reader.bad_word(stated.value.span, other.unwrap_or("this"), "delete rule", &choices);
            DeleteRule::ByReference
        }
    }
}

fn keeps_sequences(draft: &EntityDraft<'_>, reader: &mut Reader<'_>) -> bool {
    let Some(stated) = keyword(draft.entries, EntityKeyword::Keeps) else { return false };
    match stated.value.scalar() {
        Some("sequences") => true,
        other => {
            reader.bad_word(stated.value.span, other.unwrap_or("this"), "value of `keeps`", &["sequences"]);
            false
        }
    }
}

fn helpers(draft: &EntityDraft<'_>, design: &Design, reader: &mut Reader<'_>) -> BTreeMap<String, String> {
    let Some(stated) = keyword(draft.entries, EntityKeyword::Helpers) else { return BTreeMap::new() };
    let mut targets: Vec<&str> = key_names(design);
    targets.extend(design.indexes.iter().map(|index| index.name.as_str()));
    targets.extend(
        keyword(draft.entries, EntityKeyword::Unique)
            .and_then(|unique| unique.value.entries())
            .unwrap_or_default()
            .iter()
            .map(Entry::name),
    );
    targets.extend(["lookup partition", "lookup sort"]);
    let entries = reader.mapping(&stated.value, "`helpers`", "helpers: {PK: pkTenant}");
    for unknown in entries.iter().filter(|entry| !targets.contains(&entry.name())) {
        reader.unknown_key(unknown, &targets, "`helpers`");
    }
    entries
        .iter()
        .filter_map(|entry| {
            let name = reader.text(&entry.value, "a helper's name", "PK: pkTenant")?;
            Some((entry.name().to_owned(), name.to_owned()))
        })
        .collect()
}

/// Every sequence has a counter.
fn check_sequences(design: &Design, reader: &mut Reader<'_>) {
    for entity in &design.entities {
        for attribute in &entity.attributes {
            let Some(Generator::Sequence(name)) = &attribute.generator else { continue };
            match design.sequence_keeper() {
                Some(keeper)
                    if keeper.attribute(name).is_some_and(|counter| counter.value_type == AttributeType::Integer) => {}
                Some(keeper) => {
                    let message = format!("`{}` keeps no counter for the sequence `{name}`", keeper.name);
                    let help = format!("add `{name}: integer, optional` to the attributes of `{}`", keeper.name);
                    reader.fault(&NO_SEQUENCE, attribute.span, message, help);
                }
                None => {
                    let message = format!("no entity keeps the sequence `{name}`");
                    let help = format!(
                        "add a singleton entity with `keeps: sequences` and the attribute `{name}: integer, optional`"
                    );
                    reader.fault(&NO_SEQUENCE, attribute.span, message, help);
                }
            }
        }
    }
}
