//! Decisions that were made before: a caller with the same roles gets the same one, which is asked at every call.

use std::collections::HashMap;

use keyfold_runtime::{Access, Caller, Decision};
use parking_lot::RwLock;

use crate::slice::{Set, Slice};
use crate::tree::CallerPart;

/// Beyond this many the cache begins anew: callers whose subject matters would otherwise fill the memory.
const MOST_ENTRIES: usize = 20_000;

/// Decisions by everything that the policies read, so that none is ever out of date.
#[derive(Default)]
pub struct Cache {
    decisions: RwLock<HashMap<Vec<u8>, Decision>>,
}

impl Cache {
    pub fn get_or(&self, at: usize, slice: &Slice, access: &Access<'_>, decide: impl FnOnce() -> Decision) -> Decision {
        let key = key(at, slice, access);
        if let Some(known) = self.decisions.read().get(&key) {
            return *known;
        }
        let decision = decide();
        let mut decisions = self.decisions.write();
        if decisions.len() >= MOST_ENTRIES {
            decisions.clear();
        }
        decisions.insert(key, decision);
        decision
    }
}

fn key(at: usize, slice: &Slice, access: &Access<'_>) -> Vec<u8> {
    let mut key = Vec::with_capacity(64);
    key.extend_from_slice(&at.to_le_bytes());
    let sets = || std::iter::once(&slice.sure).chain(&slice.possible);
    for part in CallerPart::ALL {
        if sets().any(|set| reads_value(set, part)) {
            part_into(access.caller, part, &mut key);
        } else if sets().any(|set| set.reads.presence.contains(&part)) {
            key.push(u8::from(is_present(access.caller, part)));
        }
    }
    if sets().any(|set| set.reads.pattern) {
        text_into(access.pattern.map(|pattern| pattern.name.as_str()), &mut key);
    }
    key
}

fn reads_value(set: &Set, part: CallerPart) -> bool {
    set.reads.caller.contains(&part) || (set.reads.identity && part == CallerPart::Subject)
}

fn is_present(caller: &Caller, part: CallerPart) -> bool {
    match part {
        CallerPart::Subject => caller.subject.is_some(),
        CallerPart::Tenant => caller.tenant.is_some(),
        CallerPart::Roles | CallerPart::Groups | CallerPart::Permissions => true,
    }
}

fn part_into(caller: &Caller, part: CallerPart, key: &mut Vec<u8>) {
    let list = match part {
        CallerPart::Subject => return text_into(caller.subject.as_deref(), key),
        CallerPart::Tenant => return text_into(caller.tenant.as_deref(), key),
        CallerPart::Roles => &caller.roles,
        CallerPart::Groups => &caller.groups,
        CallerPart::Permissions => &caller.permissions,
    };
    key.extend_from_slice(&list.len().to_le_bytes());
    list.iter().for_each(|text| text_into(Some(text), key));
}

/// With its length, so that no two callers share a key.
fn text_into(text: Option<&str>, key: &mut Vec<u8>) {
    match text {
        None => key.push(0),
        Some(text) => {
            key.push(1);
            key.extend_from_slice(&text.len().to_le_bytes());
            key.extend_from_slice(text.as_bytes());
        }
    }
}
