//! Signals of operators, to a server whose standard error nobody reads.

use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::crash::server::Launch;
use crate::private_files::write_privately;
use crate::serve::tls::certificate;

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
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
    let (certificate, key) = (path("server.pem"), path("server.key"));
    let files = [
        ("--log-file", &log),
        ("--credentials", &credentials),
        ("--tls-certificate", &certificate),
        ("--tls-key", &key),
    ];
    let options: Vec<&str> = files.iter().flat_map(|(option, file)| [*option, file.to_str().unwrap()]).collect();
    let (data, output) = (path("data"), path("output"));
    let server = Launch { data: &data, output: &output, options: &options, watch: None }.start_unread("info");
    wait_until("the server does not listen", || TcpStream::connect(server.address()).is_ok());

    std::fs::rename(&log, &moved).unwrap();
    server.send(libc::SIGHUP);
    wait_until("the log is not reopened", || contains(&log, "SIGHUP: the log was reopened"));
    for file in [&log, &moved] {
        assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
    wait_until("the certificate is not reloaded", || contains(&log, "the certificate was reloaded"));
    wait_until("the credentials are not reloaded", || contains(&log, "SIGHUP: the credentials were reloaded"));
    std::fs::write(&credentials, "no pair of keys\n").unwrap();
    server.send(libc::SIGHUP);
    wait_until("a bad file goes unnoticed", || contains(&log, "line 1: expected `ACCESS_KEY_ID SECRET_KEY`"));
    server.send(libc::SIGUSR1);
    wait_until("the clock is not confirmed", || contains(&log, "SIGUSR1: the time of the system's clock is accepted"));

    assert_eq!(server.stop().code(), Some(0));
    for file in [&log, &moved] {
        assert!(!contains(file, "\u{1b}"), "a log file has colour codes");
    }
}
