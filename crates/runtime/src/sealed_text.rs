//! Texts that clients keep for the server: encrypted, so that they can neither read nor change them, and bound to a
//! context, so that none can be used elsewhere.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit, Nonce};
use sha2::{Digest, Sha256};

/// The bytes that make each sealed text unique; they have to be random.
pub const NONCE_BYTES: usize = 12;

/// Seals and opens texts with one secret.
pub struct Sealer {
    cipher: ChaCha20Poly1305,
}

impl Sealer {
    /// A secret of any length, which is hashed.
    pub fn new(secret: &[u8]) -> Self {
        let key: [u8; 32] = Sha256::digest(secret).into();
        Self { cipher: ChaCha20Poly1305::new(&key.into()) }
    }

    /// The sealed text, in letters that URLs and cookies may contain; `None` if there are more bytes than the cipher
    /// accepts.
    pub fn seal(&self, plain: &[u8], context: &[u8], nonce: [u8; NONCE_BYTES]) -> Option<String> {
        let payload = Payload { msg: plain, aad: context };
        let sealed = self.cipher.encrypt(&Nonce::from(nonce), payload).ok()?;
        Some(URL_SAFE_NO_PAD.encode([nonce.as_slice(), &sealed].concat()))
    }

    /// What was sealed with the same secret in the same context; `None` for any other text.
    pub fn open(&self, sealed: &str, context: &[u8]) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload { msg: sealed, aad: context };
        self.cipher.decrypt(&Nonce::from(*nonce), payload).ok()
    }
}
