//! `keyfold serve` as a process of its own, and requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A running backend. Dropping it kills it.
pub(super) struct Backend {
    process: Child,
    /// `http://127.0.0.1:1234`, as it was printed.
    pub url: String,
    /// The DynamoDB endpoint, where there is one.
    pub dynamodb: Option<String>,
    out: Arc<Mutex<String>>,
    log: Arc<Mutex<String>>,
}

pub(crate) fn designs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs")
}

/// `keyfold` in a folder, without any settings of the machine the test runs on.
pub(crate) fn keyfold(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("KEYFOLD_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// What a command prints that ends by itself.
pub(crate) fn refused(folder: &Path, arguments: &[&str]) -> String {
    let Output { status, stderr, stdout } = keyfold(folder).args(arguments).output().unwrap();
    assert_eq!(status.code(), Some(1), "{}", String::from_utf8_lossy(&stdout));
    String::from_utf8(stderr).unwrap()
}

impl Backend {
    pub(super) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = keyfold(folder);
        command.arg("serve").args(arguments).args(["--port", "0"]);
        Self::spawn(command)
    }

    pub(super) fn spawn(mut command: Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("start keyfold");
        let out = collect(process.stdout.take().unwrap());
        let log = collect(process.stderr.take().unwrap());
        let mut backend = Self { process, url: String::new(), dynamodb: None, out, log };
        backend.wait_until_ready();
        backend
    }

    fn wait_until_ready(&mut self) {
        let begun = Instant::now();
        loop {
            let out = self.printed();
            let url = word_after(&out, "REST API at ").map(str::to_owned);
            // What is printed after it is printed at once; a request shows that it answers.
            if let Some(url) = url
                && TcpStream::connect(url.split_once("://").unwrap().1).is_ok()
            {
                std::thread::sleep(Duration::from_millis(100));
                self.dynamodb = word_after(&self.printed(), "DynamoDB endpoint at ").map(str::to_owned);
                self.url = url;
                return;
            }
            if let Some(status) = self.process.try_wait().unwrap() {
                panic!("it ended with {status}:\n{out}{}", self.log());
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "not ready for a minute:\n{out}{}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(super) fn printed(&self) -> String {
        self.out.lock().unwrap().clone()
    }

    pub(super) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub(super) fn address(&self) -> &str {
        self.url.split_once("://").unwrap().1
    }

    /// The token that was printed for someone: `platform: an operator`.
    pub(super) fn token(&self, whom: &str) -> String {
        let out = self.printed();
        let (_, rest) = out.split_once(&format!("# {whom}")).unwrap_or_else(|| panic!("no `{whom}` in\n{out}"));
        word_after(rest, "TOKEN=").unwrap().to_owned()
    }

    /// A request; the status and the body.
    pub(super) fn ask(&self, token: &str, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let stream = TcpStream::connect(self.address()).unwrap();
        let (status, _, body) = exchange(stream, &bearer(token), method, path, body);
        (status, body)
    }

    pub(super) fn terminate(&self) {
        self.signal(libc::SIGTERM);
    }

    pub(super) fn signal(&self, signal: i32) {
        let process = i32::try_from(self.process.id()).unwrap();
        #[expect(unsafe_code, reason = "the standard library sends no signal but SIGKILL")]
        // SAFETY: the process is our child and has not been waited for, so its id is its own.
        let sent = unsafe { libc::kill(process, signal) };
        assert_eq!(sent, 0);
    }

    pub(super) fn wait(&mut self) -> ExitStatus {
        self.process.wait().unwrap()
    }

    /// Asks it to end, and waits for it.
    pub(super) fn stop(mut self) -> String {
        self.terminate();
        assert!(self.wait().success(), "{}", self.log());
        // The threads that read have seen the end by then, or see it at once.
        std::thread::sleep(Duration::from_millis(50));
        self.log()
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        // Both fail harmlessly if it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The header line of a token; none for an empty one.
pub(super) fn bearer(token: &str) -> String {
    if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") }
}

/// Sends one request with a header line over a connection and reads its answer: status, head and body.
pub(super) fn exchange(
    mut stream: impl Read + Write,
    credential: &str,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> (u16, String, Value) {
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: keyfold\r\nconnection: close\r\n{credential}");
    let body = body.map(Value::to_string).unwrap_or_default();
    if !body.is_empty() {
        head += &format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    }
    stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    let response = String::from_utf8(response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {response:?}"));
    let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
    let body = if body.is_empty() { Value::Null } else { serde_json::from_str(body).unwrap() };
    (status, head.to_owned(), body)
}

fn collect(stream: impl Read + Send + 'static) -> Arc<Mutex<String>> {
    let collected = Arc::new(Mutex::new(String::new()));
    let into = Arc::clone(&collected);
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { return };
            *into.lock().unwrap() += &format!("{line}\n");
        }
    });
    collected
}

fn word_after<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    rest.split([' ', ',', '\n']).next()
}
