//! Every write of what a caller makes of a stored item, against what the rules say of it.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_design::model::{AttributeType, Entity, Verb};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Caller, DeleteOptions, Error, PatchOptions, Write};

use crate::access::table::{Case, Side, Sides, identity_of, never, seen};

/// What the rules say of a write.
#[derive(Debug, PartialEq, Clone, Copy)]
pub(super) enum Verdict {
    Permitted,
    /// The caller knows of the item, or would if there were one.
    Denied,
    /// There is no such item, for this caller.
    Missing,
    /// There is one that they must not see, where they could have created it.
    Taken,
}

pub(super) fn verdict(case: &Case, caller: &Caller, write: &Write, stored: Option<&Attributes>) -> Verdict {
    let (entity, given, verb) = match write {
        Write::Create { entity, attributes } => (entity, attributes, Verb::Create),
        Write::Put { entity, attributes } | Write::Upsert { entity, attributes } => (entity, attributes, Verb::Update),
        Write::Patch { entity, attributes, .. } => (entity, attributes, Verb::Update),
        Write::Delete { entity, identity, .. } => (entity, identity, Verb::Delete),
    };
    let entity = case.design.entity_named(entity).unwrap();
    let permit = |allowed: bool| if allowed { Verdict::Permitted } else { Verdict::Denied };
    if !case.allows_some(caller, verb, entity) {
        return Verdict::Denied;
    }
    let creates = permit(case.allows(caller, Verb::Create, entity, given));
    match (write, stored) {
        (Write::Create { .. }, _) | (Write::Put { .. } | Write::Upsert { .. }, None) => creates,
        (_, None) => Verdict::Missing,
        (_, Some(stored)) if case.allows(caller, verb, entity, stored) => Verdict::Permitted,
        (_, Some(stored)) if case.allows(caller, Verb::Get, entity, stored) => Verdict::Denied,
        (Write::Patch { .. } | Write::Delete { .. }, _) => Verdict::Missing,
        (_, _) if creates == Verdict::Permitted => Verdict::Taken,
        (_, _) => Verdict::Denied,
    }
}

/// What callers can set.
pub(super) fn settable(case: &Case, entity: &Entity, attributes: &Attributes) -> Attributes {
    let counters: BTreeSet<&str> =
        case.design.references_to(entity).filter_map(|(_, reference)| reference.counted_as.as_deref()).collect();
    let can_set = |name: &&String| {
        let Some(attribute) = entity.attribute(name) else { return entity.open };
        let kept = matches!(attribute.value_type, AttributeType::Stamp(_) | AttributeType::Expiry(_));
        !kept && attribute.same_as.is_none() && !counters.contains(name.as_str())
    };
    let chosen = attributes.iter().filter(|(name, _)| can_set(name));
    chosen.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Items that a caller makes of a stored one: as it is, under another id, and as their own.
pub(super) fn forgeries(case: &Case, caller: &Caller, entity: &Entity, known: &Attributes) -> Vec<Attributes> {
    let as_seen = case.seen(caller, entity, known.clone());
    let whole = settable(case, entity, &as_seen);
    let mut own = whole.clone();
    if let (Some(owner), Some(subject)) = (&entity.owner, &caller.subject) {
        own.insert(owner.clone(), AttributeValue::S(subject.clone()));
    }
    let mut forged = Vec::new();
    for base in [whole, own] {
        let mut fresh = base.clone();
        let tenant = case.design.tenant.as_ref().map(|tenant| tenant.attribute.as_str());
        // An id of its own; what an item belongs to stays.
        let kept = |name: &str| {
            let referred = entity.references.iter().flat_map(|reference| &reference.mapping);
            tenant == Some(name)
                || entity.owner.as_deref() == Some(name)
                || referred.into_iter().any(|(_, own)| own == name)
        };
        for name in entity.identity.iter().filter(|name| !kept(name)) {
            fresh.insert(name.clone(), never(&base[name]));
        }
        for item in [base, fresh] {
            if !forged.contains(&item) {
                forged.push(item);
            }
        }
    }
    forged
}

pub(super) fn writes_of(entity: &Entity, item: &Attributes) -> Vec<Write> {
    let name = || entity.name.clone();
    let identity = identity_of(entity, item);
    let attributes = || item.clone();
    let mut writes = vec![
        Write::Create { entity: name(), attributes: attributes() },
        Write::Put { entity: name(), attributes: attributes() },
        Write::Upsert { entity: name(), attributes: attributes() },
        Write::Patch { entity: name(), attributes: attributes(), options: PatchOptions::default() },
        Write::Patch { entity: name(), attributes: identity.clone(), options: PatchOptions::default() },
        Write::Delete { entity: name(), identity: identity.clone(), options: DeleteOptions::default() },
        Write::Delete {
            entity: name(),
            identity: identity.clone(),
            options: DeleteOptions { cascade: true, ..DeleteOptions::default() },
        },
    ];
    if entity.version().is_some() {
        let expected_version = Some(99);
        writes.push(Write::Patch {
            entity: name(),
            attributes: identity.clone(),
            options: PatchOptions::expecting(expected_version),
        });
        writes.push(Write::Delete {
            entity: name(),
            identity,
            options: DeleteOptions { expected_version, cascade: false },
        });
    }
    writes
}

pub(super) type Answer = Result<Option<(String, Attributes)>, Error>;

pub(super) async fn write(side: &Side, caller: &Caller, write: Write) -> Answer {
    let record = match write {
        Write::Delete { entity, identity, options } => {
            side.runtime.delete(caller, &entity, identity, options).await.map(|()| None)
        }
        write => side.runtime.transact(caller, vec![write]).await.map(|mut records| records.remove(0)),
    };
    Ok(record?.map(|record| seen(side.runtime.design(), &record)))
}

/// What may be told, since the design cannot keep it secret.
pub(super) fn is_told_anyway(write: &Write, left: &Answer, right: &Answer) -> bool {
    let (Write::Create { entity, .. } | Write::Put { entity, .. } | Write::Upsert { entity, .. }) = write else {
        return false;
    };
    let dangling = |name: &str| matches!(right, Err(Error::Constraint(violation)) if violation.name == name && violation.message.contains("does not exist"));
    // albums: who adds a member is told whether there is such a user.
    entity == "Membership" && left.is_err() && dangling("userId")
}

pub(super) async fn attempt(sides: &mut Sides<'_>, call: Write, stored: Option<&Attributes>) -> &'static str {
    let (case, caller) = (sides.case, sides.caller);
    let expected = verdict(case, caller, &call, stored);
    let place = || format!("{caller:?} tries {call:?}, which is {expected:?}");
    let explained = sides.real.runtime.explain_writes(caller, vec![call.clone()]).await;
    let control = sides.control.runtime.explain_writes(caller, vec![call.clone()]).await;
    let left = write(&sides.real, caller, call.clone()).await;
    let right = write(&sides.control, caller, call.clone()).await;
    if left != right {
        assert!(is_told_anyway(&call, &left, &right), "{}\nwith the rest: {left:?}\nwithout: {right:?}", place());
    }
    if left == right {
        assert_eq!(explained, control, "{}", place());
    }
    sides.keeps_secrets(&format!("{left:?} {explained:?}"), &place);
    let tenant = case.design.tenant.as_ref().map(|tenant| tenant.attribute.as_str());
    match (&left, expected) {
        (
            Ok(_) | Err(Error::Constraint(_) | Error::Exists { .. } | Error::Conflict { .. } | Error::Invalid(_)),
            Verdict::Permitted,
        ) => {}
        (Err(Error::Exists { .. }), Verdict::Taken) => {}
        // Who chooses ids, and who assigns roles, is not a matter of the rules.
        (Err(Error::NotSettable(_)), Verdict::Permitted | Verdict::Taken) => {}
        (Err(Error::NotAllowed(_)), Verdict::Denied) | (Err(Error::NotFound { .. }), Verdict::Missing) => {}
        // Whether an entity offers a cascade is looked at before the item.
        (Err(Error::Invalid(text)), Verdict::Missing | Verdict::Denied)
            if text.starts_with("`cascade` does not apply") => {}
        // The tenant of what members write is their own.
        (Err(Error::Constraint(violation)), Verdict::Denied) if tenant == Some(violation.name.as_str()) => {}
        // Whether an item is whole is looked at before whose it is.
        (Err(Error::Constraint(violation)), Verdict::Denied) if violation.message.contains("must hold") => {}
        (answer, _) => panic!("{}\nand got {answer:?}", place()),
    }
    if expected == Verdict::Permitted {
        if sides.harmless.is_none() && left.is_ok() && !matches!(call, Write::Delete { .. }) {
            sides.harmless = Some(call);
        }
        sides.begin_again().await;
        return left.map_or("refused", |_| "done");
    }
    assert!(expected != Verdict::Denied || explained.is_err(), "{} {explained:?}", place());
    let batch = sides.real.runtime.batch_write(caller, vec![call.clone()]).await.remove(0);
    let gone = matches!(call, Write::Delete { .. }) && matches!(left, Err(Error::NotFound { .. }));
    assert_eq!(batch.err(), left.err().filter(|_| !gone), "{}", place());
    if let Some(harmless) = sides.harmless.clone() {
        for both in [vec![harmless.clone(), call.clone()], vec![call.clone(), harmless]] {
            let together = sides.real.runtime.transact(caller, both).await;
            assert!(together.is_err(), "with another that is permitted: {}", place());
        }
    }
    sides.assert_untouched(&place).await;
    match expected {
        Verdict::Denied => "denied",
        Verdict::Missing => "missing",
        _ => "taken",
    }
}

/// Which of the stored items are attacked: the caller's own, and some of others.
pub(super) fn targets<'c>(case: &'c Case, caller: &Caller) -> Vec<(&'c Entity, Attributes)> {
    let mut taken: BTreeMap<(&str, bool, bool), usize> = BTreeMap::new();
    let mut targets = Vec::new();
    for (entity, known) in case.entities().filter(|(entity, _)| entity.is_written_directly() && !entity.keeps_sequences)
    {
        let kind = (entity.name.as_str(), case.owns(caller, entity, &known), case.reads(caller, entity, &known));
        let count = taken.entry(kind).or_default();
        *count += 1;
        if *count <= 2 {
            targets.push((entity, known));
        }
    }
    targets
}

pub(super) async fn write_items(case: &Case) -> BTreeMap<&'static str, usize> {
    let mut verdicts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for caller in &case.callers {
        let mut sides = Sides::of(case, caller).await;
        for (entity, known) in targets(case, caller) {
            for item in forgeries(case, caller, entity, &known) {
                let identity = identity_of(entity, &item);
                let mut same = case.entities().filter(|(other, _)| other.id == entity.id);
                let stored = same.find(|(_, stored)| identity_of(entity, stored) == identity).map(|(_, stored)| stored);
                for call in writes_of(entity, &item) {
                    let name = attempt(&mut sides, call, stored.as_ref()).await;
                    *verdicts.entry(name).or_default() += 1;
                }
            }
        }
    }
    verdicts
}
