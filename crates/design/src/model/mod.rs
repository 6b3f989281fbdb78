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
mod grantee_spelling;
mod ids;
mod inputs;
mod json_number;
mod layout;
mod needs;
mod pattern;
pub(crate) mod recognise;
mod reference;
mod resource;
mod rule;
mod table;
mod table_input;
mod unique;
mod value_check;
mod value_type;

pub use attribute::{Attribute, Bound, Storage, TextPattern, Unit};
pub use budget::{Budget, BudgetTarget, Capacity};
pub use caller::{Callers, GroupSource, PermissionSource};
pub use derivation::{Collects, Derivation, Each, Over, words};
pub use design::{Acceptance, Convention, Design, Target, Tenant};
pub use entity::{Constraint, DeleteRule, Entity, Scope, TenantBinding};
pub use example::{Example, ExampleCaller, ExampleItem, Expectation, Step};
pub use filter::{Filter, Operand};
pub use ids::{EntityId, IndexId, PatternId};
pub use json_number::{LARGEST_EXACT_INTEGER, exact_json_number};
pub(crate) use layout::layouts_can_meet;
pub use layout::{Computed, IndexKey, KeyPart, Layout};
pub use needs::{Feature, Need};
pub use pattern::{
    FanOut, FanOutUnit, KeyCondition, Order, Parameter, Pattern, Returned, SortCondition, SortOperator, TenantMode,
    slug,
};
pub(crate) use recognise::specificity;
pub use reference::{AccessPath, IncomingReference, OnDelete, Reference};
pub use resource::{PAGING_PARAMETERS, RESERVED_SEGMENTS, Resource};
pub use rule::{Grantee, Rule, Verb};
pub use table::{Billing, Encryption, Index, KeyAttribute, Projection, StreamView, Table};
pub use unique::Unique;
pub use value_check::ConstraintViolation;
pub use value_type::{AttributeType, Expiry, Generator, Stamp};
