//! Commands on folders without data, and sample data with mistakes: nothing is written, and the error says what to do.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder with the design `agencies`, in `design/`, and its sample data.
fn workplace() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let design = folder.path().join("design");
    std::fs::create_dir(&design).unwrap();
    for file in ["design.yaml", "data.yaml"] {
        let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/agencies")).join(file);
        std::fs::copy(source, design.join(file)).unwrap();
    }
    folder
}

fn keyfold(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keyfold")).args(arguments).current_dir(folder).output().unwrap()
}

fn refusal(folder: &Path, arguments: &[&str]) -> String {
    let output = keyfold(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The names in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn calls_create_no_data_folder() {
    let folder = workplace();
    let calls = [
        ["get", "design", "Agency", "agencyId=a"].as_slice(),
        &["query", "design", "all agencies"],
        &["create", "design", "Agency", "name=a"],
        &["put", "design", "Agency", "name=a"],
        &["upsert", "design", "Agency", "name=a"],
        &["patch", "design", "Agency", "agencyId=a", "name=a"],
        &["delete", "design", "Agency", "agencyId=a"],
        &["explain", "design", "query", "all agencies"],
    ];
    for call in calls {
        assert_eq!(
            refusal(folder.path(), &[call, &["--data", "design"]].concat()),
            "error: `design` is not a Keyfold data folder; create the table with `keyfold load design --data design`\n"
        );
        assert_eq!(
            refusal(folder.path(), &[call, &["--data", "nothere"]].concat()),
            "error: folder `nothere` not found; create the table with `keyfold load design --data nothere`\n"
        );
    }
    assert_eq!(entries(folder.path()), ["design"]);
    assert_eq!(entries(&folder.path().join("design")), ["data.yaml", "design.yaml"]);
    assert_eq!(
        refusal(folder.path(), &["engine", "stat", "--data", "design"]),
        "error: `design` is not a Keyfold data folder\n"
    );
    assert_eq!(
        refusal(folder.path(), &["load", "design", "--data", "design/data.yaml"]),
        "error: `design/data.yaml` is a file, not a data folder\n"
    );
}

#[test]
fn a_missing_table_is_named_with_its_remedy() {
    let folder = workplace();
    assert_eq!(keyfold(folder.path(), &["new", "shop"]).status.code(), Some(0));
    assert_eq!(keyfold(folder.path(), &["load", "shop", "--data", "data"]).status.code(), Some(0));
    assert_eq!(
        refusal(folder.path(), &["query", "design", "all agencies", "--data", "data"]),
        "unavailable: table `agencies` not found on the engine in `data`; create the table with \
         `keyfold load design --data data`\n"
    );
}

#[test]
fn sample_data_with_a_mistake_creates_no_table() {
    let folder = workplace();
    let file = folder.path().join("design/data.yaml");
    let sound = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{sound}  - Member: {{agencyId: 01K9ZV0000000000000000CCCC, idpid: eve}}\n"))
        .unwrap();
    let mistake = "error: `design/data.yaml`, line 8: item 6 (Member): \
                   `agencyId` refers to a Agency that does not exist\n";
    assert_eq!(refusal(folder.path(), &["load", "design", "--data", "data"]), mistake);
    assert_eq!(refusal(folder.path(), &["test", "design"]), mistake);
    assert_eq!(refusal(folder.path(), &["generate", "markdown", "design"]), mistake);
    std::fs::write(&file, sound).unwrap();
    let output = keyfold(folder.path(), &["load", "design", "--data", "data"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "table `agencies` created\n5 items loaded\n");
}

#[test]
fn sample_data_that_cannot_be_parsed_is_reported_once() {
    let folder = workplace();
    std::fs::write(folder.path().join("design/data.yaml"), "items:\n  - Agency: {name: [}\n").unwrap();
    let output = refusal(folder.path(), &["test", "design"]);
    assert!(output.starts_with("error: `design/data.yaml` is not a valid sample data file: "), "{output}");
    assert!(output.contains("line 2") && !output.contains("<input>"), "{output}");
    assert_eq!(output.lines().count(), 1, "{output}");
}

#[test]
fn budgets_without_sample_data_are_not_passed_over() {
    let folder = workplace();
    std::fs::remove_file(folder.path().join("design/data.yaml")).unwrap();
    let output = keyfold(folder.path(), &["test", "design"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("agencies: 11 budgets not measured: the design has no data.yaml\n"), "{said}");
}

#[test]
fn a_page_has_at_least_one_result() {
    let folder = workplace();
    let output = keyfold(folder.path(), &["query", "design", "all agencies", "--take", "0"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("invalid value '0' for '--take <COUNT>'"), "{said}");
}
