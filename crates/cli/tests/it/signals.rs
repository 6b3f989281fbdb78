//! Signals of operators, to a server whose standard error nobody reads.

use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::private_files::write_privately;
use crate::serve::tls::certificate;

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn send(process: &Child, signal: i32) {
    let id = i32::try_from(process.id()).unwrap();
    #[expect(unsafe_code, reason = "the standard library sends no signal but SIGKILL")]
    // SAFETY: it only sends a signal, to a child that has not been waited for.
    let sent = unsafe { libc::kill(id, signal) };
    assert_eq!(sent, 0);
}

fn contains(log: &Path, text: &str) -> bool {
    std::fs::read_to_string(log).is_ok_and(|lines| lines.contains(text))
}

#[test]
fn logs_are_rotated_and_credentials_replaced_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (log, moved, credentials) = (path("log"), path("log.1"), path("credentials"));
    write_privately(&credentials, "KEY SECRET\n");
    certificate(folder.path());
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut server = Command::new(env!("CARGO_BIN_EXE_keyfold"))
        .args(["engine", "serve", "--port", &port.to_string(), "--data"])
        .arg(path("data"))
        .arg("--log-file")
        .arg(&log)
        .arg("--credentials")
        .arg(&credentials)
        .arg("--tls-certificate")
        .arg(path("server.pem"))
        .arg("--tls-key")
        .arg(path("server.key"))
        .env("KEYFOLD_LOG", "info")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Nobody reads what it prints: writing to these pipes fails.
    drop(server.stdout.take());
    drop(server.stderr.take());
    wait_until("the server does not listen", || TcpStream::connect(("127.0.0.1", port)).is_ok());

    std::fs::rename(&log, &moved).unwrap();
    send(&server, libc::SIGHUP);
    wait_until("the log is not reopened", || contains(&log, "SIGHUP: the log was reopened"));
    for file in [&log, &moved] {
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
    wait_until("the certificate is not reloaded", || contains(&log, "the certificate was reloaded"));
    wait_until("the credentials are not reloaded", || contains(&log, "SIGHUP: the credentials were reloaded"));
    std::fs::write(&credentials, "no pair of keys\n").unwrap();
    send(&server, libc::SIGHUP);
    wait_until("a bad file goes unnoticed", || contains(&log, "line 1: expected `ACCESS_KEY_ID SECRET_KEY`"));
    send(&server, libc::SIGUSR1);
    wait_until("the clock is not confirmed", || contains(&log, "SIGUSR1: the time of the system's clock is accepted"));

    send(&server, libc::SIGTERM);
    assert_eq!(server.wait().unwrap().code(), Some(0));
    for file in [&log, &moved] {
        assert!(!contains(file, "\u{1b}"), "a log file has colour codes");
    }
}
