//! How much memory a request takes once it is decoded, from a glance at its text.

use keyfold_dynamo::AttributeValue;

/// Requests up to this size take little, whatever they hold.
const SMALL_BYTES: usize = 16 * 1024;
/// The members whose content is decoded into a map of values.
const MAPS: [&[u8]; 5] = [b"M", b"Item", b"Key", b"ExclusiveStartKey", b"ExpressionAttributeValues"];
/// An element of a list that grows, or of a set that is being sorted.
const ELEMENT: usize = 2 * size_of::<AttributeValue>();
/// A node of a map has eleven places, at least five of which are in use, except for the first node.
const NODE: usize = 12 * (size_of::<AttributeValue>() + size_of::<String>()) + 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    List,
    Map,
    Other,
}

/// At most how many bytes the values of a request take; 0 for a small request.
pub(crate) fn decoded_bytes(body: &[u8]) -> usize {
    if body.len() <= SMALL_BYTES {
        return 0;
    }
    let (mut elements, mut maps, mut members) = (0, 0, 0);
    let mut open: Vec<Open> = Vec::new();
    let mut name: &[u8] = b"";
    let mut rest = body;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => (name, rest) = split_string(after),
            b'[' => {
                elements += 1;
                open.push(Open::List);
            }
            b'{' => {
                let is_map = MAPS.contains(&name) && open.last() != Some(&Open::List);
                maps += usize::from(is_map);
                open.push(if is_map { Open::Map } else { Open::Other });
            }
            b',' => match open.last() {
                Some(Open::List) => elements += 1,
                Some(Open::Map) => members += 1,
                Some(Open::Other) | None => {}
            },
            b']' | b'}' => drop(open.pop()),
            _ => {}
        }
    }
    body.len() + elements * ELEMENT + (maps + members / 5) * NODE
}

/// A string after its opening quote, and what follows its closing one.
fn split_string(text: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default()),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    (text, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(value: &str) -> String {
        format!(r#"{{"TableName":"t","Item":{{"pk":{{"S":"a"}},"v":{value}}}}}"#)
    }

    #[test]
    fn lists_sets_and_maps_are_counted() {
        let count = |text: String| decoded_bytes(text.as_bytes()) - text.len();
        let zeros = format!(r#"{{"L":[{}{{"N":"0"}}]}}"#, r#"{"N":"0"},"#.repeat(9_999));
        assert_eq!(count(item(&zeros)), 10_000 * ELEMENT + NODE);
        let set = format!(r#"{{"SS":[{}"x"]}}"#, r#""\",[{","#.repeat(9_999));
        assert_eq!(count(item(&set)), 10_000 * ELEMENT + NODE);
        let maps = format!(r#"{{"L":[{}{{"M":{{}}}}]}}"#, r#"{"M":{"a":{"N":"0"}}},"#.repeat(9_999));
        assert_eq!(count(item(&maps)), 10_000 * ELEMENT + 10_001 * NODE);
        assert_eq!(count(item(&format!(r#"{{"S":"{}"}}"#, "{[,".repeat(9_999)))), NODE);
    }

    #[test]
    fn small_requests_count_nothing_and_broken_ones_are_read_over() {
        assert_eq!(decoded_bytes(item(r#"{"N":"0"}"#).as_bytes()), 0);
        for end in ["\"", "\\", "\"\\", "]]}}", "{\"M\""] {
            assert!(decoded_bytes(format!("{}{end}", " ".repeat(20_000)).as_bytes()) >= 20_000);
        }
    }
}
