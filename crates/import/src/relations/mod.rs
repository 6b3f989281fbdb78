//! What entities have to do with each other: the tenant, references, items made from others. All of it is told in comments, but
//! for a tenant that is plain to see.

mod derived;
mod references;
mod tenant;

pub use derived::note as note_derived;
pub use references::note as note_references;
pub use tenant::{Tenant, tenant};
