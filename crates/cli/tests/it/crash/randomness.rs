//! Numbers that a seed repeats.

use keyfold_environment::{SystemRandom, random_bytes};

/// SplitMix64: small, and good enough to choose what to do next.
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A generator of its own for each writer and round.
    pub(crate) fn fork(&mut self) -> Self {
        Self::new(self.next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
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
