//! What is on disk is for its owner: data folders, and files with secrets.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::serve::process::{designs, keyfold, refused};

/// Writes a file that only its owner can read.
pub(crate) fn write_privately(path: &Path, text: impl AsRef<[u8]>) {
    std::fs::write(path, text).unwrap();
    set_mode(path, 0o600);
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn load(folder: &Path) -> Output {
    run(folder, "load", &[])
}

fn query(folder: &Path) -> Output {
    run(folder, "query", &["all agencies"])
}

/// A command on the data of `agencies`.
fn run(folder: &Path, command: &str, arguments: &[&str]) -> Output {
    let agencies = designs().join("agencies");
    let output = keyfold(folder).arg(command).arg(agencies).args(arguments).args(["--data", "data"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

/// Everything in a folder, and the folder.
fn all_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(all_in(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn a_new_data_folder_is_private() {
    let folder = tempfile::tempdir().unwrap();
    load(folder.path());
    let found = all_in(&folder.path().join("data"));
    assert!(found.iter().any(|path| path.extension().is_some_and(|extension| extension == "jnl")), "{found:?}");
    for path in found {
        assert_eq!(mode(&path), if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
}

#[test]
fn an_open_data_folder_is_closed_to_others_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    load(folder.path());
    let data = folder.path().join("data");
    set_mode(&data, 0o2755);
    let log = String::from_utf8(query(folder.path()).stderr).unwrap();
    assert!(
        log.contains("other users had access to the data folder `data` (mode 2755); it is closed to them now"),
        "{log}"
    );
    assert_eq!(mode(&data), 0o2700);
    assert_eq!(String::from_utf8(query(folder.path()).stderr).unwrap(), "", "the second time there is nothing to say");
}

/// What is not part of the data has the mode that the user's umask gives.
#[test]
fn a_draft_of_a_design_is_not_private() {
    let folder = tempfile::tempdir().unwrap();
    load(folder.path());
    let public = folder.path().join("public");
    std::fs::write(&public, "").unwrap();
    let arguments = ["import", "table", "agencies", "--data", "data", "--out", "draft.yaml"];
    let output = keyfold(folder.path()).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(mode(&folder.path().join("draft.yaml")), mode(&public));
}

#[test]
fn an_open_log_file_is_closed_to_others_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    std::fs::write(&log, "of yesterday\n").unwrap();
    set_mode(&log, 0o644);
    // It logs, and then fails to read the credentials.
    let serve = ["engine", "serve", "--in-memory", "--credentials", "none", "--log-file", "log"];
    refused(folder.path(), &serve);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.starts_with("of yesterday\n"), "{text}");
    assert!(
        text.contains("other users had access to the log file `log` (mode 644); it is closed to them now"),
        "{text}"
    );
    assert_eq!(mode(&log), 0o640, "its group may be that of a log collector");
    std::fs::write(&log, "").unwrap();
    refused(folder.path(), &serve);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "", "the second time there is nothing to say");
    refused(folder.path(), &["engine", "serve", "--in-memory", "--credentials", "none", "--log-file", "new"]);
    assert_eq!(mode(&folder.path().join("new")), 0o600);
}

/// Closing a folder that is used by others would be worse than an open one.
#[test]
fn a_folder_with_other_files_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let shared = folder.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    std::fs::write(shared.join("letter.txt"), "of someone else").unwrap();
    set_mode(&shared, 0o1777);
    let agencies = designs().join("agencies");
    refused(folder.path(), &["load", agencies.to_str().unwrap(), "--data", "shared"]);
    assert_eq!(mode(&shared), 0o1777);
}

#[test]
fn secrets_that_others_can_read_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    for name in ["secret", "credentials", "server.pem", "server.key"] {
        std::fs::write(folder.path().join(name), made.signing_key.serialize_pem()).unwrap();
        set_mode(&folder.path().join(name), 0o644);
    }
    std::fs::write(folder.path().join("server.pem"), made.cert.pem()).unwrap();
    let refusal =
        |file: &str| format!("every user of this machine has access to `{file}` (mode 644); run: chmod 600 '{file}'\n");
    let platform = designs().join("platform");
    let platform = platform.to_str().unwrap();
    for setting in ["token-secret-file", "cursor-secret-file"] {
        let flag = format!("--{setting}");
        let printed = refused(folder.path(), &["serve", platform, &flag, "secret"]);
        assert_eq!(printed, format!("error: {flag}: {}", refusal("secret")));
    }
    let tls = ["serve", "--dev", platform, "--tls-certificate", "server.pem", "--tls-key", "server.key"];
    assert_eq!(refused(folder.path(), &tls), format!("error: {}", refusal("server.key")));
    let credentials = ["engine", "serve", "--in-memory", "--credentials", "credentials"];
    assert_eq!(refused(folder.path(), &credentials), format!("error: {}", refusal("credentials")));
    assert!(!folder.path().join("data").exists());
}
