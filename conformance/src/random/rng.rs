//! Choices that a seed repeats.

use keyfold_environment::SplitMix64;

pub(crate) struct Rng(SplitMix64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number below `bound`; 0 when the bound is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // A `usize` has 64 bits at most, and what is below one fits it.
        self.0.below(bound as u64) as usize
    }

    /// True in one of `of` cases.
    pub(crate) fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// One of the choices.
    pub(crate) fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices.get(self.below(choices.len())).copied().unwrap_or_default()
    }

    /// One element of a list that is not empty.
    pub(crate) fn choose<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        choices.get(self.below(choices.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_sequence() {
        let draw = |seed| {
            let mut rng = Rng::new(seed);
            (0..5).map(|_| rng.below(100)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(draw(3).iter().all(|number| *number < 100));
    }
}
