//! The REST backend of a design: who calls, what they may ask for, and how it is answered over HTTP.

mod principal;

pub use principal::{Authenticating, Authenticator, Kind, Principal, Unauthenticated};
