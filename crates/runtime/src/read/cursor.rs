//! Cursors: where a page ended, sealed, so that clients can neither read nor change it, and bound to the pattern, its
//! arguments and the tenant, so that none can be used elsewhere.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit, Nonce};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::item::codec;
use keyfold_environment::random_bytes;
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::runtime::Runtime;

/// How far one of the key ranges of a pattern has been read.
#[derive(Debug, Clone, PartialEq)]
pub enum Position {
    Start,
    After(Attributes),
    End,
}

const NONCE_BYTES: usize = 12;

impl Runtime {
    /// Seals the positions; `context` is what the cursor is bound to.
    pub(super) fn seal(&self, positions: &[Position], context: &[u8]) -> Result<String, Error> {
        let mut plain = Vec::new();
        for position in positions {
            match position {
                Position::Start => plain.push(0),
                Position::End => plain.push(1),
                Position::After(key) => {
                    let key = codec::encode(key);
                    plain.push(2);
                    plain.extend_from_slice(&u32::try_from(key.len()).unwrap_or(u32::MAX).to_be_bytes());
                    plain.extend_from_slice(&key);
                }
            }
        }
        let nonce: [u8; NONCE_BYTES] = random_bytes(self.random.as_ref())?;
        let payload = Payload { msg: &plain, aad: context };
        // Sealing fails for messages of many gigabytes only.
        let sealed = self.cipher().encrypt(&Nonce::from(nonce), payload).unwrap_or_default();
        Ok(URL_SAFE_NO_PAD.encode([nonce.as_slice(), &sealed].concat()))
    }

    pub(super) fn unseal(&self, cursor: &str, context: &[u8]) -> Result<Vec<Position>, Error> {
        let refused = || {
            Error::Invalid(
                "the cursor is not one of this pattern, these arguments and this tenant; ask for the first page again"
                    .to_owned(),
            )
        };
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| refused())?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or_else(refused)?;
        let payload = Payload { msg: sealed, aad: context };
        let plain = self.cipher().decrypt(&Nonce::from(*nonce), payload).map_err(|_| refused())?;
        read_positions(&plain).ok_or_else(refused)
    }

    fn cipher(&self) -> ChaCha20Poly1305 {
        let key: [u8; 32] = Sha256::digest(&self.cursor_secret).into();
        ChaCha20Poly1305::new(&key.into())
    }
}

fn read_positions(mut plain: &[u8]) -> Option<Vec<Position>> {
    let mut positions = Vec::new();
    while let Some((&tag, rest)) = plain.split_first() {
        plain = rest;
        positions.push(match tag {
            0 => Position::Start,
            1 => Position::End,
            2 => {
                let (length, rest) = plain.split_first_chunk::<4>()?;
                let (key, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
                plain = rest;
                Position::After(codec::decode(key).ok()?)
            }
            _ => return None,
        });
    }
    Some(positions)
}
