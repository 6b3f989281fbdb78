//! Numbers that a seed repeats.

use keyfold_environment::{SplitMix64, SystemRandom, random_bytes};

pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A generator of its own for each writer and round.
    pub(crate) fn fork(&mut self) -> Self {
        Self::new(self.next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_word()
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low)
    }
}

/// The seed of this run: `KEYFOLD_SEED`, or a random one. It is printed, so that a failure can be repeated as
/// far as the timing of threads and kills allows.
pub(crate) fn seed() -> u64 {
    let seed = match std::env::var("KEYFOLD_SEED") {
        Ok(text) => text.parse().expect("KEYFOLD_SEED is a number"),
        Err(_) => u64::from_be_bytes(random_bytes(&SystemRandom).expect("the system has random bytes")),
    };
    println!("KEYFOLD_SEED={seed}");
    seed
}
