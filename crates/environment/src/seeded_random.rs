//! Random numbers that are the same in every run.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::random::{Random, RandomError};

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
            let word = mix(self.next.fetch_add(1, Ordering::Relaxed));
            chunk.iter_mut().zip(word.to_be_bytes()).for_each(|(byte, drawn)| *byte = drawn);
        }
        Ok(())
    }
}

/// SplitMix64's output function: a bijection, so that different counts give different words.
fn mix(count: u64) -> u64 {
    let word = count.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}
