//! SIGHUP: the files of secrets are read again, without a request.

use std::time::{Duration, Instant};

use crate::private_files::write_privately;
use crate::serve::process::{Backend, designs};
use crate::serve::tls::certificate;

const TOKEN_KEYS: &str = r#"{"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "one",
    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;

#[track_caller]
fn wait_for(backend: &Backend, lines: &[&str]) {
    let begun = Instant::now();
    while !lines.iter().all(|line| backend.log().contains(line)) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{lines:?} are not all in\n{}", backend.log());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn sighup_reads_certificate_credentials_and_keys_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    certificate(folder.path());
    write_privately(&path("credentials"), "KEY SECRET\n");
    std::fs::write(path("keys.json"), TOKEN_KEYS).unwrap();
    for empty in ["machine-keys.yaml", "revocations.yaml"] {
        write_privately(&path(empty), "");
    }
    let platform = designs().join("platform");
    let backend = Backend::start(
        folder.path(),
        &[
            &[platform.to_str().unwrap(), "--log", "info", "--issuer", "https://id.test/", "--audience", "keyfold"][..],
            &["--jwks", "keys.json", "--machine-keys", "machine-keys.yaml", "--revocations", "revocations.yaml"],
            &["--tls-certificate", "server.pem", "--tls-key", "server.key"],
            &["--dynamodb-port", "0", "--dynamodb-credentials", "credentials"],
        ]
        .concat(),
    );
    backend.signal(libc::SIGHUP);
    wait_for(
        &backend,
        &[
            "the certificate was reloaded",
            "SIGHUP: the credentials were reloaded",
            "the file of token keys was read again",
            "the file of machine keys was read again",
            "the file of revocations was read again",
        ],
    );
    for broken in ["server.pem", "credentials", "keys.json", "machine-keys.yaml", "revocations.yaml"] {
        std::fs::write(path(broken), "neither this nor that").unwrap();
    }
    backend.signal(libc::SIGHUP);
    wait_for(
        &backend,
        &[
            "the new certificate is invalid",
            "line 1: expected `ACCESS_KEY_ID SECRET_KEY`",
            "invalid token keys; keeping the previous ones",
            "invalid machine keys; no machine key is accepted",
            "invalid revocations; no token is accepted",
        ],
    );
}
