//! The server as a process of its own.

use std::fs::{File, OpenOptions};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use keyfold_conformance::Endpoint;
use keyfold_power_loss::Watch;
use serde_json::json;

const PROGRAM: &str = env!("CARGO_BIN_EXE_keyfold");

/// A running `keyfold engine serve`. Dropping it kills it.
pub(crate) struct Server {
    process: Child,
    url: String,
    output: PathBuf,
}

/// How a server is started.
pub(crate) struct Launch<'a> {
    pub data: &'a Path,
    /// Where what the server prints is added.
    pub output: &'a Path,
    pub options: &'a [&'a str],
    /// Notes what the server does not sync.
    pub watch: Option<&'a Watch>,
}

impl Launch<'_> {
    /// Starts the process; it may not listen yet.
    pub(crate) fn start(&self) -> Server {
        self.spawn(Command::new(PROGRAM), self.log(), self.log())
    }

    /// Starts the process in a shell, after another command of it, such as a limit.
    pub(crate) fn start_after(&self, first: &str) -> Server {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{first} && exec \"$@\"")).args(["sh", PROGRAM]);
        self.spawn(shell, self.log(), self.log())
    }

    /// Starts a process whose output nobody reads: writing it fails. `filter` selects what it logs to its file.
    pub(crate) fn start_unread(&self, filter: &str) -> Server {
        let mut command = Command::new(PROGRAM);
        command.env("KEYFOLD_LOG", filter);
        let mut server = self.spawn(command, Stdio::piped(), Stdio::piped());
        drop((server.process.stdout.take(), server.process.stderr.take()));
        server
    }

    fn spawn(&self, mut command: Command, out: impl Into<Stdio>, errors: impl Into<Stdio>) -> Server {
        let port = free_port();
        command.args(["engine", "serve", "--data"]).arg(self.data).arg("--port").arg(port.to_string());
        command.args(self.options).stdin(Stdio::null()).stdout(out).stderr(errors);
        if let Some(watch) = self.watch {
            watch.preload(&mut command).expect("the preload library");
        }
        let process = command.spawn().expect("start keyfold");
        Server { process, url: format!("http://127.0.0.1:{port}"), output: self.output.to_path_buf() }
    }

    fn log(&self) -> File {
        OpenOptions::new().create(true).append(true).open(self.output).expect("the server's log file")
    }
}

impl Server {
    pub(crate) fn endpoint(&self) -> Endpoint {
        Endpoint::new(&self.url).expect("a URL").with_response_timeout(Duration::from_secs(30))
    }

    /// Waits until the server answers; returns how long that took.
    pub(crate) fn wait_until_ready(&mut self) -> Duration {
        let started = Instant::now();
        let endpoint = self.endpoint();
        loop {
            if endpoint.call("ListTables", &json!({})).is_ok_and(|response| response.is_success()) {
                return started.elapsed();
            }
            if let Some(status) = self.process.try_wait().expect("the server's state") {
                panic!("the server ended with {status} before it answered:\n{}", self.last_output());
            }
            assert!(started.elapsed() < Duration::from_secs(60), "no answer for a minute:\n{}", self.last_output());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends it as a crash would: at once, wherever it is.
    pub(crate) fn kill(&mut self) {
        if let Some(status) = self.process.try_wait().expect("the server's state") {
            panic!("the server ended by itself with {status}:\n{}", self.last_output());
        }
        self.process.kill().expect("kill the server");
        self.process.wait().expect("the killed server");
    }

    /// Asks it to end, as an operator would.
    pub(crate) fn stop(mut self) -> ExitStatus {
        self.terminate();
        self.process.wait().expect("the stopped server")
    }

    /// The same, without waiting for its end.
    pub(crate) fn terminate(&self) {
        self.send(libc::SIGTERM);
    }

    pub(crate) fn send(&self, signal: i32) {
        let process = i32::try_from(self.process.id()).expect("a process id");
        #[expect(unsafe_code, reason = "the standard library sends no signal but SIGKILL")]
        // SAFETY: the process is our child and has not been waited for, so its id is its own.
        let sent = unsafe { libc::kill(process, signal) };
        assert_eq!(sent, 0);
    }

    /// The exit code of a server that ends by itself.
    pub(crate) fn wait_for_exit(&mut self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().expect("the server's state") {
                return status.code();
            }
            assert!(started.elapsed() < Duration::from_secs(90), "it does not end:\n{}", self.last_output());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.process.try_wait().expect("the server's state").is_none()
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn address(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    pub(crate) fn last_output(&self) -> String {
        let text = std::fs::read(&self.output).unwrap_or_default();
        String::from_utf8_lossy(&text[text.len().saturating_sub(4000)..]).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail harmlessly if it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Asserts that `keyfold engine check` finds nothing wrong with the data of a server that does not run.
pub(crate) fn check(data: &Path) {
    let output =
        Command::new(PROGRAM).args(["engine", "check", "--data"]).arg(data).output().expect("run keyfold engine check");
    assert!(
        output.status.success(),
        "keyfold engine check ended with {}:\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}
