//! One access key.

use std::collections::HashMap;
use std::sync::Arc;

use super::secret::Secret;
use crate::access::Permissions;

pub(super) struct AccessKey {
    pub(super) secret: Secret,
    pub(super) permissions: Permissions,
}

/// By access key id.
pub(super) type Keys = HashMap<String, Arc<AccessKey>>;
