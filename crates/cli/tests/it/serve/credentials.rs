//! Outside the development mode: keys of machines, and rates that hold by default.

use std::net::TcpStream;
use std::path::Path;

use serde_json::{Value, json};

use crate::serve::process::{Backend, designs, exchange, keyfold, refused};

fn create_key(folder: &Path, name: &str, more: &[&str]) -> String {
    let arguments = ["machine-key", "create", name, "--machine-keys", "keys.yaml"];
    let output = keyfold(folder).args(arguments).args(more).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// A request with a key: the status, the head and the body.
fn ask(backend: &Backend, key: &str, path: &str) -> (u16, String, Value) {
    let stream = TcpStream::connect(backend.address()).unwrap();
    exchange(stream, &format!("x-api-key: {key}\r\n"), "GET", path, None)
}

#[test]
fn a_machine_gets_a_key_and_uses_it() {
    let folder = tempfile::tempdir().unwrap();
    let key = create_key(folder.path(), "nightly", &["--tenant", "northwind", "--role", "importer"]);
    assert!(key.starts_with("kfk_"), "{key}");
    let operator = create_key(folder.path(), "operations", &["--role", "operator"]);
    let file = std::fs::read_to_string(folder.path().join("keys.yaml")).unwrap();
    assert!(file.contains("nightly") && !file.contains(&key), "{file}");
    assert_eq!(
        refused(folder.path(), &["machine-key", "create", "nightly", "--machine-keys", "keys.yaml"]),
        "error: cannot add a key to `keys.yaml`: a key named `nightly` already exists\n"
    );

    let platform = designs().join("platform");
    let flags = ["--machine-keys", "keys.yaml", "--rate-subject", "4/h"];
    let backend = Backend::start(folder.path(), &[&[platform.to_str().unwrap()][..], &flags].concat());
    // No tokens, no sample data, and no way past the rules.
    assert!(!backend.printed().contains("TOKEN") && !backend.printed().contains("sample"), "{}", backend.printed());
    assert_eq!(backend.dynamodb, None);
    // Callers need an account that is not closed, and there is none yet.
    let (status, head, problem) = ask(&backend, &key, "/v1/platform/accounts/northwind");
    assert_eq!((status, &problem["code"]), (403, &json!("not-allowed")));
    assert!(head.contains("ratelimit: \"subject\";r=3;t=900, \"tenant\";r=59999;t=1"), "{head}");
    let (status, _, page) = ask(&backend, &operator, "/v1/platform/patterns/all-accounts");
    assert_eq!((status, &page["count"]), (200, &json!(0)), "{page}");
    let (status, _, problem) = ask(&backend, "kfk_guessed", "/v1/platform/accounts/northwind");
    assert_eq!((status, &problem["code"]), (401, &json!("unauthenticated")));
    (0..3).for_each(|_| assert_eq!(ask(&backend, &key, "/v1/platform/accounts/northwind").0, 403));
    let (status, head, problem) = ask(&backend, &key, "/v1/platform/accounts/northwind");
    assert_eq!((status, &problem["code"]), (429, &json!("rate-limited")));
    let (_, wait) = head.split_once("retry-after: ").unwrap();
    let wait: u32 = wait.lines().next().unwrap().parse().unwrap();
    assert!((840..=900).contains(&wait), "{head}");
    // One line for each request, as text, without the key or the account.
    let log = backend.stop();
    assert_eq!(log.matches("keyfold_api::access").count(), 7, "{log}");
    assert!(!log.contains("kfk_") && !log.contains("northwind"), "{log}");
}
