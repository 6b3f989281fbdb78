//! What can be proven about a design before anything runs. One file per check: its code, its explanation, its logic
//! and its tests.

mod accepted;
mod attribute_as_text;
mod bleeding_prefix;
mod caller_lookup;
mod caller_roles;
mod colliding_keys;
mod collision_through_delimiter;
mod computed_attribute;
mod derived_actions;
mod dynamo_limits;
mod entity_without_rule;
mod eventual_reference;
mod expiring_children;
mod expiry_attribute;
mod growing_set;
mod gsi_names;
mod hidden_copy;
mod hidden_order;
mod hot_partition;
mod item_collection;
mod lookup_scopes;
mod missing_projection;
mod missing_target_feature;
mod optional_in_rule;
mod public_rule;
mod reference_type;
mod reserved_rest_name;
mod settable_attribute;
mod shared_derived_key;
mod shared_id;
mod short_value;
mod sort_order;
mod tenant_leak;
#[cfg(test)]
mod testing;
mod unaudited_copy;
mod unfindable_reference;
mod unique_collision;
mod unreachable_entity;
mod unsettable_required;
mod unstable_identity;
mod unused_index;

use crate::build::Draft;
use crate::diagnostic::{Code, Findings};

type Check = (&'static Code, fn(&Draft, &mut Findings));

/// Adding a check is adding a file and its line here.
static CHECKS: &[Check] = &[
    (&attribute_as_text::CODE, attribute_as_text::check),
    (&reserved_rest_name::CODE, reserved_rest_name::check),
    (&reference_type::CODE, reference_type::check),
    (&sort_order::CODE, sort_order::check),
    (&tenant_leak::CODE, tenant_leak::check),
    (&hot_partition::CODE, hot_partition::check),
    (&colliding_keys::CODE, colliding_keys::check),
    (&collision_through_delimiter::CODE, collision_through_delimiter::check),
    (&item_collection::CODE, item_collection::check),
    (&dynamo_limits::CODE, dynamo_limits::check),
    (&growing_set::CODE, growing_set::check),
    (&bleeding_prefix::CODE, bleeding_prefix::check),
    (&unused_index::CODE, unused_index::check),
    (&unreachable_entity::CODE, unreachable_entity::check),
    (&unfindable_reference::CODE, unfindable_reference::check),
    (&eventual_reference::CODE, eventual_reference::check),
    (&derived_actions::CODE, derived_actions::check),
    (&shared_derived_key::CODE, shared_derived_key::check),
    (&unique_collision::CODE, unique_collision::check),
    (&unstable_identity::CODE, unstable_identity::check),
    (&optional_in_rule::CODE, optional_in_rule::check),
    (&entity_without_rule::CODE, entity_without_rule::check),
    (&public_rule::CODE, public_rule::check),
    (&missing_projection::CODE, missing_projection::check),
    (&expiry_attribute::CODE, expiry_attribute::check),
    (&expiring_children::CODE, expiring_children::check),
    (&short_value::CODE, short_value::check),
    (&computed_attribute::CODE, computed_attribute::check),
    (&settable_attribute::CODE, settable_attribute::check),
    (&shared_id::CODE, shared_id::check),
    (&unsettable_required::CODE, unsettable_required::check),
    (&caller_lookup::CODE, caller_lookup::check),
    (&caller_roles::CODE, caller_roles::check),
    (&hidden_order::CODE, hidden_order::check),
    (&hidden_copy::CODE, hidden_copy::check),
    (&unaudited_copy::CODE, unaudited_copy::check),
    (&gsi_names::CODE, gsi_names::check),
    (&lookup_scopes::CODE, lookup_scopes::check),
    (&missing_target_feature::CODE, missing_target_feature::check),
];

/// Every code there is, in order.
pub fn codes() -> Vec<&'static Code> {
    let raised_while_reading = crate::syntax::CODES.iter().chain(crate::build::CODES).copied();
    let mut codes: Vec<&'static Code> = raised_while_reading.chain(CHECKS.iter().map(|(code, _)| *code)).collect();
    codes.sort_by_key(|code| code.id);
    codes
}

/// The code of an id such as `KF031`.
pub fn code(id: &str) -> Option<&'static Code> {
    codes().into_iter().find(|code| code.id == id)
}

/// Runs every check, then takes out what the design accepts.
pub(crate) fn run(draft: &Draft, findings: &mut Findings) {
    for (_, check) in CHECKS {
        check(draft, findings);
    }
    accepted::take_out(draft, findings);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_given_once() {
        let codes = codes();
        for pair in codes.windows(2) {
            assert!(pair[0].id < pair[1].id, "{} and {}", pair[0].id, pair[1].id);
        }
    }

    #[test]
    fn every_code_explains_itself() {
        for code in codes() {
            assert!(code.id.len() == 5 && code.id.starts_with("KF"), "{}", code.id);
            assert!(code.title.starts_with(|c: char| c.is_lowercase() || c == '`'), "{}", code.id);
            assert!(code.explanation.len() > 60 && code.fix.len() > 15, "{}", code.id);
        }
    }
}
