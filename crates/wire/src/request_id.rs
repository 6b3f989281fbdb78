//! Request ids in the style of the service: 52 capital letters and digits.

use std::sync::atomic::{AtomicU64, Ordering};

use keyfold_environment::SplitMix64;

const LENGTH: usize = 52;
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHIJKLMNOPQRSTUV";
/// Five bits a letter.
const LETTERS_PER_WORD: usize = 12;

/// Makes ids that do not repeat, out of a random seed and a counter.
pub(crate) struct RequestIds {
    seed: [u64; 2],
    count: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new(seed: [u8; 16]) -> Self {
        let words = u128::from_le_bytes(seed);
        Self { seed: [words as u64, (words >> 64) as u64], count: AtomicU64::new(0) }
    }

    pub(crate) fn next(&self) -> [u8; LENGTH] {
        let [first, second] = self.seed;
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let mut words = SplitMix64::new(SplitMix64::new(first.wrapping_add(count)).next_word() ^ second);
        let mut id = [b'0'; LENGTH];
        for letters in id.chunks_mut(LETTERS_PER_WORD) {
            let mut word = words.next_word();
            for letter in letters {
                if let Some(&drawn) = ALPHABET.get((word & 31) as usize) {
                    *letter = drawn;
                }
                word >>= 5;
            }
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::RequestIds;

    #[test]
    fn ids_look_like_the_services_and_do_not_repeat() {
        let ids = RequestIds::new([9; 16]);
        let drawn: HashSet<[u8; 52]> = (0..10_000).map(|_| ids.next()).collect();
        assert_eq!(drawn.len(), 10_000);
        for id in drawn {
            assert!(id.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()));
        }
    }

    #[test]
    fn another_seed_gives_other_ids() {
        assert_ne!(RequestIds::new([1; 16]).next(), RequestIds::new([2; 16]).next());
        assert_eq!(RequestIds::new([1; 16]).next(), RequestIds::new([1; 16]).next());
    }
}
