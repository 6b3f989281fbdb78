//! A proxy between client and service that loses responses: the service has carried the request out and answered, and
//! the client does not hear of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What becomes of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The connection is cut before its first byte.
    Cut,
    /// The connection is cut within it.
    CutInTheMiddle,
    /// A gateway says that something failed.
    ServerError,
}

pub(crate) struct Proxy {
    pub url: String,
    state: Arc<State>,
}

struct State {
    fault: Fault,
    to_lose: AtomicU32,
    responses: AtomicU32,
}

impl Proxy {
    pub(crate) async fn before(service: &str, fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let service = service.strip_prefix("http://").unwrap().to_owned();
        let state = Arc::new(State { fault, to_lose: AtomicU32::new(0), responses: AtomicU32::new(0) });
        let serving = state.clone();
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let service = TcpStream::connect(&service).await.unwrap();
                tokio::spawn(relay(client, service, serving.clone()));
            }
        });
        Self { url, state }
    }

    /// Loses the next responses.
    pub(crate) fn lose(&self, responses: u32) {
        self.state.to_lose.store(responses, Ordering::SeqCst);
        self.state.responses.store(0, Ordering::SeqCst);
    }

    /// How many responses the service gave since responses began to be lost.
    pub(crate) fn responses(&self) -> u32 {
        self.state.responses.load(Ordering::SeqCst)
    }
}

/// Answers are small: each arrives in one piece.
async fn relay(mut client: TcpStream, mut service: TcpStream, state: Arc<State>) {
    let (mut sent, mut received) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut sent) => match read {
                Ok(0) | Err(_) => return,
                Ok(count) => service.write_all(&sent[..count]).await.unwrap(),
            },
            read = service.read(&mut received) => {
                let Ok(count @ 1..) = read else { return };
                state.responses.fetch_add(1, Ordering::SeqCst);
                let loses = state.to_lose.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
                match (loses, state.fault) {
                    (Err(_), _) => client.write_all(&received[..count]).await.unwrap(),
                    (Ok(_), Fault::Cut) => return,
                    (Ok(_), Fault::CutInTheMiddle) => {
                        client.write_all(&received[..count - 1]).await.unwrap();
                        return;
                    }
                    (Ok(_), Fault::ServerError) => {
                        let body = r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"lost"}"#;
                        let head = "HTTP/1.1 500 Internal Server Error\r\ncontent-type: application/x-amz-json-1.0";
                        let response = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
                        client.write_all(response.as_bytes()).await.unwrap();
                    }
                }
            },
        }
    }
}
