//! What a process takes from its machine: the clock, the random source, files with secrets, and files that change while
//! it runs.
//!
//! Other crates take clock and random source as a parameter, so that expiry, ids, cursors and retries are reproducible
//! in tests; ARCHITECTURE.md ("Invariants") lists the exceptions. This is the only crate that asks the operating system
//! for the time of day or for random bytes.
//!
//! ```
//! use keyfold_environment::{Clock, ManualClock, Random, SeededRandom, random_bytes};
//!
//! let clock = ManualClock::at_second(1_800_000_000);
//! clock.advance(250);
//! assert_eq!(clock.now_ms(), 1_800_000_000_250);
//!
//! let one: [u8; 16] = random_bytes(&SeededRandom::new(7))?;
//! assert_eq!(one, random_bytes(&SeededRandom::new(7))?);
//! # Ok::<(), keyfold_environment::RandomError>(())
//! ```

mod atomic_file;
mod backoff;
mod clock;
mod error_chain;
mod file_stamp;
mod jitter;
mod manual_clock;
mod plain_file;
mod random;
mod secret_file;
mod seeded_random;
mod split_mix;
mod watched_file;

pub use atomic_file::{create_file, update_file};
pub use backoff::Backoff;
pub use clock::{Clock, Sleep, SystemClock};
pub use error_chain::{error_chain, find_in_chain};
pub use jitter::jitter;
pub use manual_clock::ManualClock;
pub use plain_file::read_plain_file;
pub use random::{FailingRandom, Random, RandomError, SystemRandom, random_bytes};
pub use secret_file::{SecretFileError, read_secret_file};
pub use seeded_random::SeededRandom;
pub use split_mix::SplitMix64;
pub use watched_file::{FileChange, WatchedFile};
