//! The canonical form of a request, which is what a signature signs.

use http::HeaderMap;
use http::request::Parts;

use crate::failure::Failure;

/// Names the operation.
const TARGET: &str = "x-amz-target";

/// `signed_headers` names the headers that are part of it, separated by semicolons.
pub(super) fn request(head: &Parts, signed_headers: &str, payload_hash: &str) -> Result<String, Failure> {
    let mut text = format!("{}\n{}\n{}\n", head.method, head.uri.path(), query(head.uri.query().unwrap_or_default()));
    let (mut names_host, mut names_target) = (false, !head.headers.contains_key(TARGET));
    for name in signed_headers.split(';') {
        names_host |= name == "host";
        names_target |= name == TARGET;
        text.push_str(name);
        text.push(':');
        push_header(&mut text, &head.headers, name);
        text.push('\n');
    }
    if !names_host {
        return Err(Failure::InvalidSignature(
            "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.".to_owned(),
        ));
    }
    // Otherwise a signature for one operation would be one for all.
    if !names_target {
        return Err(Failure::InvalidSignature(
            "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.".to_owned(),
        ));
    }
    text.push_str(&format!("\n{signed_headers}\n{payload_hash}"));
    Ok(text)
}

/// Appends the values of a header, joined by commas; white space around them is cut and within them shrunk to one
/// space.
fn push_header(text: &mut String, headers: &HeaderMap, name: &str) {
    for (index, value) in headers.get_all(name).iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        let value = String::from_utf8_lossy(value.as_bytes());
        for (index, word) in value.split_ascii_whitespace().enumerate() {
            if index > 0 {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
}

/// The parameters of the query, in the order of their names and values. They arrive encoded, and stay so.
fn query(query: &str) -> String {
    let mut parameters: Vec<(&str, &str)> = query
        .split('&')
        .filter(|parameter| !parameter.is_empty())
        .map(|parameter| parameter.split_once('=').unwrap_or((parameter, "")))
        .collect();
    parameters.sort_unstable();
    let parameters: Vec<String> = parameters.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    parameters.join("&")
}
