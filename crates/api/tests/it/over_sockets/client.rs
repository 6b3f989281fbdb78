//! Requests as a client sends them.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

pub(super) struct Client {
    address: SocketAddr,
    client: hyper_util::client::legacy::Client<HttpConnector, Full<Bytes>>,
}

#[derive(Debug)]
pub(super) struct Answered {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Bytes,
}

impl Answered {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("{self:?}"))
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name} in {self:?}")).to_str().unwrap()
    }

    /// Panics with the whole answer where it is not as it should be.
    #[track_caller]
    pub(super) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        self
    }

    /// A problem with a code, told as RFC 9457 says.
    #[track_caller]
    pub(super) fn problem(self, status: u16, code: &str) -> Value {
        let response = self.expect(status);
        assert_eq!(response.header("content-type"), "application/problem+json");
        let body = response.json();
        assert_eq!(body["code"], code, "{body}");
        assert_eq!(body["status"], status);
        assert_eq!(body["type"], format!("/problems/{code}"));
        assert_eq!(body["requestId"], response.header("x-request-id"));
        body
    }
}

impl Client {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self { address, client: hyper_util::client::legacy::Client::builder(TokioExecutor::new()).build_http() }
    }

    /// A request by someone: `subject=ada;role=admin`, or an empty text for nobody.
    pub(super) async fn send(
        &self,
        who: &str,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Answered {
        let mut request = Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        if !who.is_empty() {
            request = request.header("authorization", format!("Test {who}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(body.into())).unwrap();
        let response = self.client.request(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answered { status: parts.status, headers: parts.headers, bytes }
    }

    pub(super) async fn get(&self, who: &str, path: &str) -> Answered {
        self.send(who, Method::GET, path, &[], "").await
    }

    pub(super) async fn delete(&self, who: &str, path: &str) -> Answered {
        self.send(who, Method::DELETE, path, &[], "").await
    }

    pub(super) async fn json(&self, who: &str, method: Method, path: &str, body: Value) -> Answered {
        self.send(who, method, path, &[("content-type", "application/json")], body.to_string()).await
    }

    pub(super) async fn post(&self, who: &str, path: &str, body: Value) -> Answered {
        self.json(who, Method::POST, path, body).await
    }

    pub(super) async fn put(&self, who: &str, path: &str, body: Value) -> Answered {
        self.json(who, Method::PUT, path, body).await
    }

    pub(super) async fn patch(&self, who: &str, path: &str, body: Value) -> Answered {
        self.json(who, Method::PATCH, path, body).await
    }
}
