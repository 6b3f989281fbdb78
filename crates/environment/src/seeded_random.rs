//! Random numbers that are the same in every run.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::random::{Random, RandomError};
use crate::split_mix::SplitMix64;

/// For tests and scenarios; not fit for secrets. Two sources with the same seed give the same bytes.
#[derive(Debug, Default)]
pub struct SeededRandom {
    next: AtomicU64,
}

impl SeededRandom {
    pub fn new(seed: u64) -> Self {
        Self { next: AtomicU64::new(seed) }
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
        for chunk in bytes.chunks_mut(8) {
            let word = SplitMix64::new(self.next.fetch_add(1, Ordering::Relaxed)).next_word();
            chunk.iter_mut().zip(word.to_be_bytes()).for_each(|(byte, drawn)| *byte = drawn);
        }
        Ok(())
    }
}
