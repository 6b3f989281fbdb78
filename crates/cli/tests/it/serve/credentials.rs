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
    // The limit of the tenant is for those whom the design admits.
    assert!(head.contains("ratelimit: \"subject\";r=3;t=900\r\n"), "{head}");
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

#[test]
fn keys_are_listed_rotated_and_revoked_while_a_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let platform = designs().join("platform");
    let platform = platform.to_str().unwrap();
    let keyfold_ok = |arguments: &[&str]| {
        let output =
            keyfold(folder.path()).arg("machine-key").args(arguments).args(["--machine-keys", "keys.yaml"]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let misspelt =
        ["machine-key", "create", "x", "--machine-keys", "keys.yaml", "--design", platform, "--scope", "Acount:read"];
    assert_eq!(
        refused(folder.path(), &misspelt),
        "error: cannot add a key to `keys.yaml`: the key `x`: unknown entity `Acount` in the scope `Acount:read`; \
         did you mean `Account`?\n"
    );
    let more =
        ["--role", "operator", "--design", platform, "--scope", "Account:read", "--expires", "2090-01-01T00:00:00Z"];
    let first = create_key(folder.path(), "operations", &more);
    let backend = Backend::start(folder.path(), &[platform, "--machine-keys", "keys.yaml"]);
    let status = |key: &str, path: &str| ask(&backend, key, path).0;
    let accounts = "/v1/platform/patterns/all-accounts";
    assert_eq!(status(&first, accounts), 200);
    assert_eq!(status(&first, "/v1/platform/licenses/x?tenant=northwind"), 404);
    assert_eq!(status(&first, "/metrics"), 404);
    let second = keyfold_ok(&["rotate", "operations", "--overlap", "1h"]).trim_end().to_owned();
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_eq!((status(&first, accounts), status(&second, accounts)), (200, 200));
    let listed = keyfold_ok(&["list"]);
    assert!(
        !listed.contains("kfk_") && listed.starts_with("NAME        STATE   TENANT  ROLES     DESIGNS   SCOPES"),
        "{listed}"
    );
    let keys: Value = serde_json::from_str(&keyfold_ok(&["list", "--json"])).unwrap();
    assert_eq!(keys.as_array().unwrap().len(), 2);
    assert_eq!((&keys[0]["name"], &keys[0]["designs"]), (&json!("operations"), &json!(["platform"])));
    assert!(keys[0]["lastUsed"].is_string() && keys[0].get("hash").is_none(), "{keys}");
    assert_eq!(
        keyfold_ok(&["revoke", "operations"]),
        "revoked `operations`: servers that use the file reject it within two seconds\n"
    );
    std::thread::sleep(std::time::Duration::from_millis(2000));
    assert_eq!((status(&first, accounts), status(&second, accounts)), (401, 401));
    assert_eq!(keyfold_ok(&["revoke", "operations"]), "`operations` was revoked or had expired already\n");
    backend.stop();
    // A scope that the design does not have is an error at startup, too.
    std::fs::write(
        folder.path().join("keys.yaml"),
        format!("- {{name: a, hash: {}, scopes: ['X:read']}}\n", "0".repeat(64)),
    )
    .unwrap();
    let told = refused(folder.path(), &["serve", platform, "--machine-keys", "keys.yaml", "--port", "0"]);
    assert!(
        told.contains("the key `a`: unknown entity `X` in the scope `X:read`; name an entity of the design"),
        "{told}"
    );
}

#[test]
fn a_revocation_beside_a_mistyped_entry_takes_effect_and_reports_the_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let leaked = create_key(folder.path(), "leaked", &["--role", "operator"]);
    let platform = designs().join("platform");
    let backend = Backend::start(folder.path(), &[platform.to_str().unwrap(), "--machine-keys", "keys.yaml"]);
    let path = "/v1/platform/patterns/all-accounts";
    assert_eq!(ask(&backend, &leaked, path).0, 200);
    let file = folder.path().join("keys.yaml");
    let text = std::fs::read_to_string(&file).unwrap() + "- {name: other, hash: abc}\n";
    std::fs::write(&file, text).unwrap();
    let on_file = |arguments: &[&str]| {
        refused(folder.path(), &[&["machine-key"], arguments, &["--machine-keys", "keys.yaml"]].concat())
    };
    let mistake = "line 3: the hash of `other` is not a hexadecimal SHA-256\n";
    assert_eq!(
        on_file(&["revoke", "leaked"]),
        format!(
            "error: `leaked` is revoked, but `keys.yaml` has to be corrected: no server could start with the file: {mistake}"
        )
    );
    assert_eq!(
        on_file(&["create", "new"]),
        format!("error: cannot add a key to `keys.yaml`: no server could start with the file: {mistake}")
    );
    std::thread::sleep(std::time::Duration::from_millis(2000));
    assert_eq!(ask(&backend, &leaked, path).0, 401);
    assert_eq!(ask(&backend, "", "/readyz").0, 200);
    // What was meant to revoke everything does not leave it valid.
    std::fs::write(&file, "- name: leaked\n  hash: [\n").unwrap();
    let told = on_file(&["revoke", "leaked"]);
    assert!(told.starts_with("error: cannot revoke a key of `keys.yaml`: line 3: invalid YAML: "), "{told}");
    std::thread::sleep(std::time::Duration::from_millis(2000));
    assert_eq!((ask(&backend, &leaked, path).0, ask(&backend, "", "/readyz").0), (503, 503));
    let log = backend.stop();
    assert!(log.contains("a machine key is disabled: its entry has a mistake"), "{log}");
    assert!(log.contains("invalid machine keys; no machine key is accepted"), "{log}");
}

#[test]
fn keys_and_tokens_are_managed_beside_entries_with_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    create_key(folder.path(), "nightly", &["--role", "operator"]);
    let keys = folder.path().join("keys.yaml");
    std::fs::write(&keys, std::fs::read_to_string(&keys).unwrap() + "- {name: other, rolles: [admin]}\n").unwrap();
    let run = |arguments: &[&str]| {
        let output = keyfold(folder.path()).args(arguments).output().unwrap();
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let mistake = "line 3: the key `other`: unknown member `rolles`; did you mean `roles`?\n";
    let [listed, told] = run(&["machine-key", "list", "--machine-keys", "keys.yaml"]);
    let states: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(states, [["NAME", "STATE"], ["nightly", "active"], ["other", "invalid"]]);
    assert_eq!(told, format!("keyfold: `keys.yaml`, {mistake}"));
    let [key, told] = run(&["machine-key", "rotate", "nightly", "--machine-keys", "keys.yaml"]);
    assert!(key.starts_with("kfk_"), "{key}");
    let rest = format!("`keys.yaml` has to be corrected: no server could start with the file: {mistake}");
    assert_eq!(told, format!("error: `nightly` is rotated, but {rest}"));

    std::fs::write(folder.path().join("revocations.yaml"), "- subjct: mallory\n").unwrap();
    let told = refused(folder.path(), &["token", "revoke", "--jti", "leaked", "--revocations", "revocations.yaml"]);
    assert_eq!(
        told,
        "error: the tokens are revoked, but `revocations.yaml` has to be corrected: no server could start with it: \
         line 1: unknown member `subjct`; did you mean `subject`?\n"
    );
    let text = std::fs::read_to_string(folder.path().join("revocations.yaml")).unwrap();
    assert!(text.starts_with("- subjct: mallory\n- {\"jti\":\"leaked\""), "{text}");
}
