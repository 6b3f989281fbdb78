//! Query strings.

use keyfold_design::diagnostic::did_you_mean;
use percent_encoding::percent_decode_str;

use crate::response::problem::{Problem, ProblemKind};

/// Names and values in the order given. What is not UTF-8 is refused; `+` is a space, as forms write it.
pub(crate) fn parse(query: Option<&str>) -> Result<Vec<(String, String)>, Problem> {
    let parts = query.unwrap_or_default().split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            Ok((decode(name)?, decode(value)?))
        })
        .collect()
}

fn decode(text: &str) -> Result<String, Problem> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8();
    decoded
        .map(|text| text.into_owned())
        .map_err(|_| Problem::new(ProblemKind::BAD_PARAMETER, "the query string is not UTF-8"))
}

/// The one value of a parameter that may be given once.
pub(crate) fn once<'q>(query: &'q [(String, String)], name: &str) -> Result<Option<&'q str>, Problem> {
    let mut values = query.iter().filter(|(given, _)| given == name).map(|(_, value)| value.as_str());
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        _ => Err(Problem::for_field(ProblemKind::BAD_PARAMETER, name, format!("`{name}` is given more than once"))),
    }
}

/// Refuses what is not one of the parameters: a misspelt one would be ignored otherwise.
pub(crate) fn only(query: &[(String, String)], known: &[&str]) -> Result<(), Problem> {
    match query.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some((name, _)) => {
            let detail = match did_you_mean(name, known.iter().copied()) {
                Some(close) => format!("unknown parameter `{name}`; did you mean `{close}`?"),
                None if known.is_empty() => format!("unknown parameter `{name}`; expected: none"),
                None => format!("unknown parameter `{name}`; expected: {}", known.join(", ")),
            };
            Err(Problem::for_field(ProblemKind::BAD_PARAMETER, name, detail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_decoded() {
        let pairs = parse(Some("a=1&b=x+y%26&a=%C3%A9&c")).unwrap();
        let expected = [("a", "1"), ("b", "x y&"), ("a", "é"), ("c", "")];
        assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(parse(None).unwrap(), []);
    }

    #[test]
    fn invalid_queries_are_reported() {
        assert_eq!(parse(Some("a=%FF")).unwrap_err().kind, ProblemKind::BAD_PARAMETER);
        let pairs = parse(Some("a=1&a=2")).unwrap();
        assert_eq!(once(&pairs, "a").unwrap_err().detail, "`a` is given more than once");
        assert_eq!(once(&pairs, "b").unwrap(), None);
        assert_eq!(
            only(&pairs, &["take", "limit"]).unwrap_err().detail,
            "unknown parameter `a`; expected: take, limit"
        );
    }
}
