//! Random bytes.

/// The random source failed. Secrets, nonces and ids must not be made from anything else, so the call that needed them
/// fails too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the random source failed: {0}")]
pub struct RandomError(#[source] getrandom::Error);

pub trait Random: Send + Sync {
    /// Fills all of `bytes`, or fails.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError>;
}

/// An array of random bytes.
pub fn random_bytes<const N: usize>(random: &dyn Random) -> Result<[u8; N], RandomError> {
    let mut bytes = [0; N];
    random.fill(&mut bytes)?;
    Ok(bytes)
}

/// The operating system's random source, fit for secrets.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
        #[expect(clippy::disallowed_methods, reason = "the one place that draws random bytes")]
        let outcome = getrandom::fill(bytes);
        outcome.map_err(RandomError)
    }
}

/// For tests: a source that always fails.
#[derive(Debug, Clone, Copy, Default)]
pub struct FailingRandom;

impl Random for FailingRandom {
    fn fill(&self, _: &mut [u8]) -> Result<(), RandomError> {
        Err(RandomError(getrandom::Error::UNSUPPORTED))
    }
}
