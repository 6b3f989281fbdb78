//! Where two normalized responses differ.

use std::collections::BTreeSet;

use serde_json::Value;

/// One place where two responses disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `outcome` for success against failure or different errors, otherwise the member's path.
    pub path: String,
    pub left: String,
    pub right: String,
}

/// All differences of two normalized responses. Different outcomes are one difference: their bodies have nothing to
/// compare.
#[must_use]
pub fn differences(left: &Value, right: &Value) -> Vec<Difference> {
    let (left_outcome, right_outcome) = (outcome(left), outcome(right));
    if left_outcome != right_outcome {
        return vec![Difference { path: "outcome".to_owned(), left: left_outcome, right: right_outcome }];
    }
    let mut found = Vec::new();
    collect("", left, right, &mut found);
    found
}

/// `200`, or the error's status, type and text.
#[must_use]
pub fn outcome(response: &Value) -> String {
    let status = response.get("status").map(Value::to_string).unwrap_or_default();
    let member = |name: &str| response.get("body").and_then(|body| body.get(name)).and_then(Value::as_str);
    match (member("__type"), member("message")) {
        (Some(name), Some(message)) => format!("{status} {name}: {message}"),
        (Some(name), None) => format!("{status} {name}"),
        _ => status,
    }
}

/// The members that `expected` names and `actual` does not have so.
#[must_use]
pub fn unmet(expected: &Value, actual: &Value) -> Option<Difference> {
    let mut found = Vec::new();
    collect_unmet("", expected, actual, &mut found);
    found.into_iter().next()
}

fn collect(path: &str, left: &Value, right: &Value, found: &mut Vec<Difference>) {
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            for key in a.keys().chain(b.keys()).collect::<BTreeSet<_>>() {
                match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => collect(&format!("{path}/{key}"), a, b, found),
                    (a, b) => found.push(Difference { path: format!("{path}/{key}"), left: text(a), right: text(b) }),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                collect(&format!("{path}/{index}"), a, b, found);
            }
        }
        (a, b) if a == b => {}
        (a, b) => found.push(Difference { path: path.to_owned(), left: text(Some(a)), right: text(Some(b)) }),
    }
}

fn collect_unmet(path: &str, expected: &Value, actual: &Value, found: &mut Vec<Difference>) {
    match (expected, actual) {
        (Value::Object(members), Value::Object(present)) => {
            for (key, value) in members {
                match present.get(key) {
                    Some(actual) => collect_unmet(&format!("{path}/{key}"), value, actual, found),
                    None if value.is_null() => {}
                    None => collect_unmet(&format!("{path}/{key}"), value, &Value::Null, found),
                }
            }
        }
        // A whole number is written without its fraction.
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                collect_unmet(&format!("{path}/{index}"), a, b, found);
            }
        }
        (a, b) if a == b => {}
        (a, b) => found.push(Difference { path: path.to_owned(), left: text(Some(a)), right: text(Some(b)) }),
    }
}

fn text(value: Option<&Value>) -> String {
    match value {
        None => "(absent)".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn difference(path: &str, left: &str, right: &str) -> Difference {
        Difference { path: path.to_owned(), left: left.to_owned(), right: right.to_owned() }
    }

    #[test]
    fn equal_responses_have_none() {
        let response = json!({"status": 200, "body": {"Item": {"a": {"S": "x"}}}});
        assert_eq!(differences(&response, &response), []);
    }

    #[test]
    fn different_errors_are_one_difference() {
        let error = |kind: &str, text: &str| json!({"status": 400, "body": {"__type": kind, "message": text}});
        assert_eq!(differences(&error("A", "x"), &error("A", "y")), [difference("outcome", "400 A: x", "400 A: y")]);
        assert_eq!(
            differences(&error("A", "x"), &json!({"status": 200, "body": {}})),
            [difference("outcome", "400 A: x", "200")]
        );
    }

    #[test]
    fn every_differing_member_is_named_by_its_path() {
        let left = json!({"status": 200, "body": {"Item": {"a": {"S": "x"}, "b": {"N": "1"}}, "l": [1, 2]}});
        let right = json!({"status": 200, "body": {"Item": {"a": {"S": "y"}}, "l": [1, 3]}});
        assert_eq!(
            differences(&left, &right),
            [
                difference("/body/Item/a/S", "x", "y"),
                difference("/body/Item/b", "{\"N\":\"1\"}", "(absent)"),
                difference("/body/l/1", "2", "3"),
            ]
        );
    }

    #[test]
    fn an_expectation_names_what_it_cares_about() {
        let actual = json!({"status": 200.0, "body": {"Count": 3, "Items": []}});
        assert_eq!(unmet(&json!({"status": 200, "body": {"Count": 3}}), &actual), None);
        assert_eq!(unmet(&json!({"body": {"LastEvaluatedKey": null}}), &actual), None);
        assert_eq!(unmet(&json!({"body": {"Count": 4}}), &actual), Some(difference("/body/Count", "4", "3")));
    }
}
