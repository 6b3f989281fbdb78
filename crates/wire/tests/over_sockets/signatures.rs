//! Signed requests, with AWS's own signer as the client.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_credential_types::Credentials as Identity;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use keyfold_environment::ManualClock;
use keyfold_wire::{AccessKeys, Config, Credentials};

use crate::client::{Connection, GET_ITEM, post_with, send};
use crate::server::{Running, config, start_with};

const NOW: u64 = 1_800_000_000;
const NOW_TEXT: &str = "20270115T080000Z";

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(NOW)
}

fn protected() -> Running {
    let secrets = [("AKIDEXAMPLE".to_owned(), "the secret".to_owned())].into();
    start_with(Config {
        credentials: Credentials::Configured(AccessKeys::new(secrets)),
        clock: Arc::new(ManualClock::at_second(NOW)),
        ..config()
    })
}

/// How a request is signed.
struct Signing<'a> {
    key: &'a str,
    secret: &'a str,
    token: Option<&'a str>,
    region: &'a str,
    service: &'a str,
    time: SystemTime,
}

impl Default for Signing<'_> {
    fn default() -> Self {
        Self {
            key: "AKIDEXAMPLE",
            secret: "the secret",
            token: None,
            region: "us-east-1",
            service: "dynamodb",
            time: now(),
        }
    }
}

impl Signing<'_> {
    /// The headers that sign a GetItem with this body.
    fn headers(&self, body: SignableBody<'_>) -> Vec<(String, String)> {
        let token = self.token.map(str::to_owned);
        let identity = Identity::new(self.key, self.secret, token, None, "test").into();
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(self.region)
            .name(self.service)
            .time(self.time)
            .settings(SigningSettings::default())
            .build()
            .unwrap()
            .into();
        let signed = [
            ("host", "localhost:8000"),
            ("content-type", "application/x-amz-json-1.0"),
            ("x-amz-target", "DynamoDB_20120810.GetItem"),
        ];
        let request = SignableRequest::new("POST", "http://localhost:8000/", signed.into_iter(), body).unwrap();
        let (instructions, _) = sign(request, &parameters).unwrap().into_parts();
        let (headers, _) = instructions.into_parts();
        headers.into_iter().map(|header| (header.name().to_owned(), header.value().to_owned())).collect()
    }

    fn send(&self, server: &Running, sent_body: &[u8]) -> (u16, String) {
        self.send_signed_as(server, sent_body, SignableBody::Bytes(GET_ITEM))
    }

    fn send_signed_as(&self, server: &Running, sent_body: &[u8], signed: SignableBody<'_>) -> (u16, String) {
        send_with(server, sent_body, &self.headers(signed))
    }
}

fn send_with(server: &Running, body: &[u8], headers: &[(String, String)]) -> (u16, String) {
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let response = send(server.address, &post_with("GetItem", body, &headers));
    (response.status, response.text().to_owned())
}

fn failure(name: &str, message: &str) -> (u16, String) {
    (400, format!(r#"{{"__type":"com.amazon.coral.service#{name}","message":"{message}"}}"#))
}

fn invalid(message: &str) -> (u16, String) {
    failure("InvalidSignatureException", message)
}

const MISMATCH: &str = "The request signature we calculated does not match the signature you provided. Check your AWS \
                        Secret Access Key and signing method. Consult the service documentation for details.";

#[test]
fn a_request_signed_by_awss_signer_is_answered() {
    let server = protected();
    assert_eq!(Signing::default().send(&server, GET_ITEM), (200, "{}".to_owned()));
    assert_eq!(Signing { token: Some("session"), ..Default::default() }.send(&server, GET_ITEM).0, 200);
}

#[test]
fn a_signature_covers_the_body_and_the_operation() {
    let server = protected();
    // The signer signs a word instead of the body.
    let mut headers = Signing::default().headers(SignableBody::UnsignedPayload);
    assert_eq!(send_with(&server, GET_ITEM, &headers), invalid(MISMATCH));
    headers.push(("x-amz-content-sha256".to_owned(), "UNSIGNED-PAYLOAD".to_owned()));
    assert_eq!(send_with(&server, GET_ITEM, &headers), invalid(MISMATCH));
    let credential = "Credential=AKIDEXAMPLE/20270115/us-east-1/dynamodb/aws4_request";
    let with = |authorization: String| {
        let headers = [("authorization".to_owned(), authorization), ("x-amz-date".to_owned(), NOW_TEXT.to_owned())];
        send_with(&server, GET_ITEM, &headers)
    };
    assert_eq!(
        with(format!("AWS4-HMAC-SHA256 {credential}, SignedHeaders=host;x-amz-date, Signature=d")),
        invalid("'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.")
    );
    let incomplete = |text: &str| failure("IncompleteSignatureException", text);
    assert_eq!(
        with(format!("AWS4-HMAC-SHA1 {credential}, SignedHeaders=host, Signature=d")),
        incomplete("Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1'.")
    );
    let (status, text) = with(format!("AWS4-HMAC-SHA256 {credential}, {credential}, SignedHeaders=host, Signature=d"));
    assert!(status == 400 && text.contains("Authorization header has several 'Credential' parameters."), "{text}");
    let mut headers = Signing::default().headers(SignableBody::Bytes(GET_ITEM));
    headers.push(("authorization".to_owned(), "AWS4-HMAC-SHA256 Credential=a".to_owned()));
    assert_eq!(send_with(&server, GET_ITEM, &headers).0, 400);
    assert_eq!(server.backend.calls(), Vec::<String>::new());
}

#[test]
fn what_was_changed_after_signing_is_refused() {
    let server = protected();
    let other_body = br#"{"TableName":"table","Key":{"p":{"S":"kez"}}}"#;
    assert_eq!(Signing::default().send(&server, other_body), invalid(MISMATCH));
    assert_eq!(Signing { secret: "another", ..Default::default() }.send(&server, GET_ITEM), invalid(MISMATCH));
    let mut headers = Signing::default().headers(SignableBody::Bytes(GET_ITEM));
    for (name, value) in &mut headers {
        if name == "authorization" {
            let flipped = if value.ends_with('0') { "1" } else { "0" };
            value.replace_range(value.len() - 1.., flipped);
        }
    }
    assert_eq!(send_with(&server, GET_ITEM, &headers), invalid(MISMATCH));
    let mut headers = Signing::default().headers(SignableBody::Bytes(GET_ITEM));
    headers.push(("x-amz-content-sha256".to_owned(), "0".repeat(64)));
    assert_eq!(send_with(&server, GET_ITEM, &headers), invalid(MISMATCH));
    assert_eq!(server.backend.calls(), Vec::<String>::new());
}

#[test]
fn keys_that_are_not_configured_are_unknown() {
    let server = protected();
    assert_eq!(
        Signing { key: "AKIDOTHER", ..Default::default() }.send(&server, GET_ITEM),
        failure("UnrecognizedClientException", "The security token included in the request is invalid.")
    );
}

#[test]
fn replaced_keys_count_at_once() {
    let keys = AccessKeys::new([("AKIDEXAMPLE".to_owned(), "the secret".to_owned())].into());
    let server = start_with(Config {
        credentials: Credentials::Configured(keys.clone()),
        clock: Arc::new(ManualClock::at_second(NOW)),
        ..config()
    });
    let other = Signing { key: "AKIDOTHER", secret: "another secret", ..Signing::default() };
    assert_eq!(Signing::default().send(&server, GET_ITEM).0, 200);
    assert_eq!(other.send(&server, GET_ITEM).0, 400);
    keys.replace([("AKIDOTHER".to_owned(), "another secret".to_owned())].into());
    assert_eq!(Signing::default().send(&server, GET_ITEM).0, 400);
    assert_eq!(other.send(&server, GET_ITEM).0, 200);
}

#[test]
fn signatures_for_elsewhere_are_refused() {
    let server = protected();
    assert_eq!(
        Signing { region: "eu-west-1", ..Default::default() }.send(&server, GET_ITEM),
        invalid("Credential should be scoped to a valid region, not 'eu-west-1'.")
    );
    assert_eq!(
        Signing { service: "s3", ..Default::default() }.send(&server, GET_ITEM),
        invalid("Credential should be scoped to correct service: 'dynamodb'.")
    );
}

#[test]
fn clocks_may_be_a_quarter_of_an_hour_apart() {
    let server = protected();
    let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
    for time in [now() - minutes(15), now() + minutes(15)] {
        assert_eq!(Signing { time, ..Default::default() }.send(&server, GET_ITEM).0, 200);
    }
    assert_eq!(
        Signing { time: now() - minutes(16), ..Default::default() }.send(&server, GET_ITEM),
        invalid(&format!(
            "Signature expired: 20270115T074400Z is now earlier than 20270115T074500Z ({NOW_TEXT} - 15 min.)"
        ))
    );
    assert_eq!(
        Signing { time: now() + minutes(16), ..Default::default() }.send(&server, GET_ITEM),
        invalid(&format!(
            "Signature not yet current: 20270115T081600Z is still later than 20270115T081500Z ({NOW_TEXT} + 15 min.)"
        ))
    );
}

#[test]
fn requests_that_are_not_signed() {
    let server = protected();
    let missing = failure("MissingAuthenticationTokenException", "Request is missing Authentication Token");
    let with = |headers: &[(&str, &str)]| {
        let headers: Vec<(String, String)> =
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        send_with(&server, GET_ITEM, &headers)
    };
    assert_eq!(with(&[]), missing);
    assert_eq!(with(&[("Authorization", "AWS4")]), missing);
    assert_eq!(with(&[("Authorization", "Basic abc")]), missing);
    let incomplete = |text: &str| failure("IncompleteSignatureException", text);
    assert_eq!(
        with(&[("Authorization", "AWS4-")]),
        incomplete(
            "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' \
             parameter. Authorization header requires 'SignedHeaders' parameter. Authorization header requires \
             existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4-"
        )
    );
    assert_eq!(
        with(&[("Authorization", "AWS4- Signature=b, Credential=a"), ("Date", "a")]),
        incomplete(
            "Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- Signature=b, Credential=a"
        )
    );
    assert_eq!(
        with(&[("Authorization", "AWS4-HMAC-SHA256 Credential"), ("Date", "a")]),
        incomplete(
            "'Credential' not a valid key=value pair (missing equal-sign) in Authorization header: \
             'AWS4-HMAC-SHA256 Credential'."
        )
    );
    const WHOLE: &str = "AWS4-HMAC-SHA256 Credential=a/b/c, SignedHeaders=host, Signature=d";
    assert_eq!(
        with(&[("Authorization", WHOLE), ("X-Amz-Date", NOW_TEXT)]),
        incomplete(
            "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got 'a/b/c'"
        )
    );
    let no_host = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20270115/us-east-1/dynamodb/aws4_request, \
                   SignedHeaders=x-amz-date, Signature=d";
    assert_eq!(
        with(&[("Authorization", no_host), ("X-Amz-Date", NOW_TEXT)]),
        invalid("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.")
    );
    assert_eq!(
        with(&[("Authorization", &no_host.replace("20270115", "20270114")), ("X-Amz-Date", NOW_TEXT)]),
        invalid(
            "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20270114' != \
             '20270115', from '20270115T080000Z'."
        )
    );
    assert_eq!(server.backend.calls(), Vec::<String>::new());
}

#[test]
fn an_unknown_operation_is_reported_before_the_signature_is_checked() {
    let server = protected();
    let response = send(server.address, &post_with("Nope", b"{}", &[]));
    assert_eq!(response.text(), r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#);
}

#[test]
fn strangers_are_refused_before_their_bodies_are_read() {
    let server = protected();
    let mut connection = Connection::open(server.address);
    connection.send(
        b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.PutItem\r\nContent-Length: 10000000\r\n\r\n",
    );
    let response = connection.read_response();
    assert_eq!(
        (response.status, response.text().to_owned()),
        failure("MissingAuthenticationTokenException", "Request is missing Authentication Token")
    );
    assert_eq!(response.header("connection"), "close");
    assert!(connection.is_closed_silently());
}

#[test]
fn a_refusal_leaves_the_connection_open_for_the_next_request() {
    let server = protected();
    let mut connection = Connection::open(server.address);
    for _ in 0..3 {
        let request = post_with("GetItem", GET_ITEM, &[]);
        let (head, body) = request.split_at(request.len() - GET_ITEM.len());
        connection.send(head);
        std::thread::sleep(Duration::from_millis(50));
        connection.send(body);
        assert_eq!(connection.read_response().status, 400);
    }
    let headers = Signing::default().headers(SignableBody::Bytes(GET_ITEM));
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    connection.send(&post_with("GetItem", GET_ITEM, &headers));
    assert_eq!(connection.read_response().status, 200);
}

#[test]
fn secrets_are_not_in_the_debug_text() {
    let secrets = [("AKIDEXAMPLE".to_owned(), "the secret".to_owned())].into();
    assert_eq!(format!("{:?}", Credentials::Configured(AccessKeys::new(secrets))), "Configured(AccessKeys(1))");
}
