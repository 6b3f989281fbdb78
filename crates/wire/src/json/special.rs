//! The search that reading and writing strings have in common.

/// Where the first byte lies that may not stand for itself in a JSON string: a quote, a backslash or a control
/// character. Looks at eight bytes at a time.
pub(super) fn first_special(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = special_marks(u64::from_le_bytes(*word));
        if marks != 0 {
            return Some(index * 8 + (marks.trailing_zeros() / 8) as usize);
        }
    }
    let tail = rest.iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\')?;
    Some(words.len() * 8 + tail)
}

/// The top bit of each special byte. Bits above the lowest one may be false alarms, caused by a borrow: only the lowest
/// one is used.
fn special_marks(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([0x01; 8]);
    const TOPS: u64 = u64::from_le_bytes([0x80; 8]);
    let zero_bytes = |word: u64| word.wrapping_sub(ONES) & !word;
    let quotes = zero_bytes(word ^ (ONES * b'"' as u64));
    let backslashes = zero_bytes(word ^ (ONES * b'\\' as u64));
    let controls = word.wrapping_sub(ONES * 0x20) & !word;
    (quotes | backslashes | controls) & TOPS
}
