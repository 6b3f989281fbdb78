//! Request ids, for logs and support.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use keyfold_environment::{Random, RandomError, random_bytes};

/// The id of a request, in its extensions.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub Arc<str>);

/// Ids of one process: hashes of a counter with a secret seed, so that they do not reveal the number of requests.
pub(crate) struct RequestIds {
    seed: u64,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new(random: &dyn Random) -> Result<Self, RandomError> {
        Ok(Self { seed: u64::from_be_bytes(random_bytes(random)?), next: AtomicU64::new(0) })
    }

    pub(crate) fn next(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let id = xxhash_rust::xxh3::xxh3_128_with_seed(&number.to_be_bytes(), self.seed) >> 32;
        format!("req_{id:024x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_ids_are_unique() {
        let ids = RequestIds::new(&keyfold_environment::SeededRandom::default()).unwrap();
        let made: std::collections::HashSet<String> = (0..10_000).map(|_| ids.next()).collect();
        assert_eq!(made.len(), 10_000);
        assert!(made.iter().all(|id| id.len() == 28 && id.starts_with("req_")));
    }
}
