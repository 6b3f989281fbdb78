//! Bytes as text.

/// Bytes as lower-case hexadecimal digits, two for each byte.
///
/// ```
/// assert_eq!(keyfold_dynamo::hexadecimal(&[1, 255]), "01ff");
/// ```
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(if value < 10 { b'0' + value } else { b'a' + value - 10 });
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}
