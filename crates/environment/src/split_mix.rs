//! A small generator of pseudo-random numbers.

/// The generator SplitMix64: the same seed gives the same sequence on every machine. Not fit for secrets.
///
/// ```
/// use keyfold_environment::SplitMix64;
///
/// let mut one = SplitMix64::new(7);
/// let mut other = SplitMix64::new(7);
/// assert_eq!(one.next_word(), other.next_word());
/// assert!(one.below(10) < 10);
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits. Different seeds give different first words.
    pub fn next_word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let word = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// A number below `bound`; 0 if the bound is 0. Small bounds only: large ones would favour small numbers.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next_word() % bound.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first words of the reference implementation, <https://prng.di.unimi.it/splitmix64.c>, for the seed 1234567.
    #[test]
    fn the_sequence_is_that_of_the_reference() {
        let mut random = SplitMix64::new(1_234_567);
        let drawn = [random.next_word(), random.next_word(), random.next_word()];
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
