//! Cursors: the position at which a page ended, encrypted so that clients can neither read nor change it, and bound to
//! the pattern, its arguments and the tenant, so that none can be used elsewhere.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::item::codec;

use crate::sealed_text::{NONCE_BYTES, Sealer};

/// Why a cursor is rejected, or cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CursorError {
    /// It was changed, or made for another query.
    #[error(
        "the cursor does not belong to this pattern, these arguments and this tenant; request the first page again"
    )]
    OtherQuery,
    /// It holds another number of partitions.
    #[error("the cursor does not belong to this pattern")]
    OtherPattern,
    /// The keys in it are larger than the cipher accepts.
    #[error("the cursor would be too large")]
    TooLarge,
}

/// How far one of the partitions of a pattern has been read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Position {
    Start,
    After(Attributes),
    End,
}

/// Encrypts and decrypts cursors with one secret.
pub(crate) struct CursorCodec {
    sealer: Sealer,
}

impl CursorCodec {
    pub(crate) fn new(secret: &[u8]) -> Self {
        Self { sealer: Sealer::new(secret) }
    }

    /// Encrypts positions; the cursor is bound to `context`.
    pub(crate) fn encrypt(
        &self,
        positions: &[Position],
        context: &[u8],
        nonce: [u8; NONCE_BYTES],
    ) -> Result<String, CursorError> {
        self.sealer.seal(&write_positions(positions)?, context, nonce).ok_or(CursorError::TooLarge)
    }

    /// Decrypts a cursor that was made in the same context.
    pub(crate) fn decrypt(&self, cursor: &str, context: &[u8]) -> Result<Vec<Position>, CursorError> {
        let plain = self.sealer.open(cursor, context).ok_or(CursorError::OtherQuery)?;
        read_positions(&plain).ok_or(CursorError::OtherQuery)
    }
}

fn write_positions(positions: &[Position]) -> Result<Vec<u8>, CursorError> {
    let mut plain = Vec::new();
    for position in positions {
        match position {
            Position::Start => plain.push(0),
            Position::End => plain.push(1),
            Position::After(key) => {
                let key = codec::encode(key);
                let length = u32::try_from(key.len()).map_err(|_| CursorError::TooLarge)?;
                plain.push(2);
                plain.extend_from_slice(&length.to_be_bytes());
                plain.extend_from_slice(&key);
            }
        }
    }
    Ok(plain)
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
