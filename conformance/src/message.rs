//! Error texts, without what DynamoDB lists in no particular order.

const ERRORS_DETECTED: &str = " validation errors detected: ";

/// Lists that are printed in the order of a hash table, and the sign that ends them.
const UNORDERED: [(&str, char); 4] =
    [("keys: {", '}'), ("operand type: {", '}'), ("does not project [", ']'), ("filter attributes: [", ']')];

/// `text` with ARNs masked, names in braces sorted and detected errors sorted.
pub(crate) fn normalize(text: &str) -> String {
    let masked = mask_arns(text);
    let text = UNORDERED.iter().fold(masked, |text, (start, end)| sort_list(&text, start, *end));
    match text.split_once(ERRORS_DETECTED) {
        Some((count, errors)) => {
            let mut errors: Vec<_> = errors.split("; ").collect();
            errors.sort_unstable();
            format!("{count}{ERRORS_DETECTED}{}", errors.join("; "))
        }
        None => text,
    }
}

/// The region and account of an ARN belong to the server.
fn mask_arns(text: &str) -> String {
    const START: &str = "arn:aws:dynamodb:";
    let mut parts = text.split(START);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str(START);
        match part.splitn(3, ':').collect::<Vec<_>>().as_slice() {
            [_, _, rest] => {
                result.push_str("<region>:<account>:");
                result.push_str(rest);
            }
            _ => result.push_str(part),
        }
    }
    result
}

/// The names between `start` and `end` in the order of the alphabet.
fn sort_list(text: &str, start: &str, end: char) -> String {
    let Some((before, rest)) = text.split_once(start) else {
        return text.to_owned();
    };
    let Some((inside, after)) = rest.split_once(end) else {
        return text.to_owned();
    };
    let comma = if inside.contains(", ") { ", " } else { "," };
    let mut names: Vec<_> = inside.split(comma).collect();
    names.sort_unstable();
    format!("{before}{start}{}{end}{after}", names.join(comma))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_sorted() {
        assert_eq!(normalize("attribute_type, operand type: {NS,B,SS}"), "attribute_type, operand type: {B,NS,SS}");
        assert_eq!(
            normalize("Value provided in ExpressionAttributeNames unused in expressions: keys: {#c, #a, #b}"),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b, #c}"
        );
    }

    #[test]
    fn attributes_that_an_index_lacks_are_sorted() {
        assert_eq!(
            normalize("Global secondary index g-keys does not project [l, gone]"),
            "Global secondary index g-keys does not project [gone, l]"
        );
    }

    #[test]
    fn detected_errors_are_sorted() {
        assert_eq!(normalize("2 validation errors detected: b; a"), "2 validation errors detected: a; b");
    }

    #[test]
    fn regions_and_accounts_are_masked() {
        assert_eq!(
            normalize("no arn:aws:dynamodb:ddblocal:000000000000:table/x here"),
            "no arn:aws:dynamodb:<region>:<account>:table/x here"
        );
    }

    #[test]
    fn other_text_is_kept() {
        let text = "Invalid UpdateExpression: Syntax error; token: \"{\", near: \"{ a, b }\"";
        assert_eq!(normalize(text), text);
    }
}
