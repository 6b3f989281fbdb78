//! Error texts, without what DynamoDB lists in no particular order.

const ERRORS_DETECTED: &str = " validation errors detected: ";

/// `text` with ARNs masked, names in braces sorted and detected errors sorted.
pub(crate) fn normalise(text: &str) -> String {
    let text = sort_braces(&mask_arns(text));
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

/// Unused names and values are listed as `keys: {#b, #a}` in the order of a hash table.
fn sort_braces(text: &str) -> String {
    const START: &str = "keys: {";
    let Some((before, rest)) = text.split_once(START) else {
        return text.to_owned();
    };
    let Some((inside, after)) = rest.split_once('}') else {
        return text.to_owned();
    };
    let mut names: Vec<_> = inside.split(", ").collect();
    names.sort_unstable();
    format!("{before}{START}{}}}{after}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_sorted() {
        assert_eq!(
            normalise("Value provided in ExpressionAttributeNames unused in expressions: keys: {#c, #a, #b}"),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b, #c}"
        );
    }

    #[test]
    fn detected_errors_are_sorted() {
        assert_eq!(normalise("2 validation errors detected: b; a"), "2 validation errors detected: a; b");
    }

    #[test]
    fn regions_and_accounts_are_masked() {
        assert_eq!(
            normalise("no arn:aws:dynamodb:ddblocal:000000000000:table/x here"),
            "no arn:aws:dynamodb:<region>:<account>:table/x here"
        );
    }

    #[test]
    fn other_text_is_kept() {
        let text = "Invalid UpdateExpression: Syntax error; token: \"{\", near: \"{ a, b }\"";
        assert_eq!(normalise(text), text);
    }
}
