//! Relations between entities: the tenant, references, derived items. All of it is written in comments, but
//! for a tenant that is plain to see.

mod derived;
mod references;
mod tenant;

pub(crate) use derived::note as note_derived;
pub(crate) use references::note as note_references;
pub(crate) use tenant::{Tenant, tenant};
