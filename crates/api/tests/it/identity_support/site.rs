//! A provider's web site, for tests: documents by path, and how often each was asked for.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// The status of a document whose request is never answered.
pub(crate) const SILENT: u16 = 0;
/// The status of a document that is sent with 200 after a while.
pub(crate) const SLOW: u16 = 1;

#[derive(Clone)]
pub(crate) struct Site {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    documents: HashMap<String, (u16, String)>,
    /// Each request: its first line without the version, and its body.
    asked: Vec<(String, String)>,
}

impl Site {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let site = Self { address: listener.local_addr().unwrap(), state: Arc::default() };
        let serving = site.clone();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") {
                    request.push(stream.read_u8().await.unwrap());
                }
                let head = String::from_utf8(request).unwrap();
                let length =
                    head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
                let mut body = vec![0; length.unwrap_or(0)];
                stream.read_exact(&mut body).await.unwrap();
                let (status, body) = serving.response(&head, String::from_utf8(body).unwrap());
                if status == SILENT {
                    std::future::pending::<()>().await;
                }
                if status == SLOW {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
                let status = status.max(200);
                let address = serving.address;
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nlocation: http://{address}/other\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(head.as_bytes()).await;
                let _ = stream.write_all(body.as_bytes()).await;
            }
        });
        site
    }

    fn response(&self, head: &str, body: String) -> (u16, String) {
        let mut state = self.state.lock().unwrap();
        let line = head.lines().next().unwrap().rsplit_once(' ').unwrap().0;
        let path = line.split_once(' ').unwrap().1;
        state.asked.push((line.to_owned(), body));
        state.documents.get(path).cloned().unwrap_or((404, String::new()))
    }

    /// The URL that is the name of the provider.
    pub(crate) fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn publish(&self, path: &str, status: u16, body: impl Into<String>) {
        self.state.lock().unwrap().documents.insert(path.to_owned(), (status, body.into()));
    }

    /// How often a path was asked for.
    pub(crate) fn asked(&self, path: &str) -> usize {
        self.requests(path).len()
    }

    /// The bodies of requests to a path.
    pub(crate) fn requests(&self, path: &str) -> Vec<String> {
        let state = self.state.lock().unwrap();
        let of_path = state.asked.iter().filter(|(line, _)| line.split_once(' ').unwrap().1 == path);
        of_path.map(|(_, body)| body.clone()).collect()
    }

    /// Publishes a configuration, with some members changed.
    pub(crate) fn publish_configuration(&self, changes: Value) {
        let issuer = self.issuer();
        let mut document = json!({
            "issuer": issuer, "jwks_uri": format!("{issuer}/keys"),
            "authorization_endpoint": format!("{issuer}/authorize"), "token_endpoint": format!("{issuer}/token"),
            "end_session_endpoint": format!("{issuer}/end"), "code_challenge_methods_supported": ["S256"],
        });
        for (name, value) in changes.as_object().unwrap() {
            document[name] = value.clone();
        }
        self.publish(CONFIGURATION, 200, document.to_string());
    }
}

pub(crate) const CONFIGURATION: &str = "/.well-known/openid-configuration";
