//! The checked model of a design: names are resolved, types are known, and what cannot run cannot be built.

pub mod access;
mod attribute;
mod budget;
mod caller;
mod derivation;
mod design;
mod entity;
mod example;
mod filter;
mod grantee_logic;
mod grantee_spelling;
mod ids;
mod inputs;
mod json_number;
mod layout;
mod needs;
mod pattern;
mod per_id;
pub(crate) mod recognize;
mod reference;
mod resource;
mod results;
mod rule;
mod sort_range;
mod table;
mod table_input;
mod unique;
mod value_check;
mod value_path;
mod value_type;

pub use attribute::{Attribute, Bound, Storage, TextPattern, Unit};
pub use budget::{Budget, BudgetTarget, Capacity};
pub use caller::{
    CallerItem, CallerItemKey, CallerRequirement, Callers, ClaimedAttribute, GroupSource, MemberSource, NewItem,
    NewValue, PermissionSource, UserSource,
};
pub use derivation::{Collects, Derivation, Each, Over, words};
pub use design::{Acceptance, BackendKind, Convention, Design, Tenant};
pub use entity::{Constraint, DeleteRule, Entity, Scope, TenantBinding};
pub use example::{Example, ExampleCaller, ExampleItem, ExampleOperators, Expectation, Step};
pub use filter::{Filter, ItemFilter, Operand};
pub use ids::{EntityId, IndexId, PatternId};
pub use json_number::{LARGEST_EXACT_INTEGER, exact_json_number, is_exact_in_json};
pub(crate) use layout::layouts_can_meet;
pub use layout::{Computed, IndexKey, KeyPart, Layout};
pub use needs::{Feature, Need};
pub(crate) use pattern::Parameter;
pub use pattern::{Pattern, Returned};
pub(crate) use pattern::{SortCondition, slug};
pub use per_id::{PerEntity, PerPattern};
pub(crate) use recognize::specificity;
pub(crate) use reference::IncomingReference;
pub use reference::{OnDelete, Reference, ReferenceRange};
pub use resource::{PAGING_PARAMETERS, RESERVED_SEGMENTS, Resource, default_segment};
pub use results::{Order, TenantMode};
pub use rule::{Grantee, Rule, Verb};
pub(crate) use sort_range::SortRange;
pub use table::{Billing, Encryption, Index, KeyAttribute, Projection, StreamView, Table};
pub use unique::Unique;
pub use value_check::ConstraintViolation;
pub use value_path::{Declared, PathError, path_text};
pub use value_type::{AttributeType, Expiry, Generator, Stamp};
