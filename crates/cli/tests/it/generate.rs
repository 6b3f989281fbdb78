//! `keyfold generate`: files beside a design, and whether they still are what it gives.

use std::path::Path;
use std::process::{Command, Output};

const DESIGN: &str = "\
design: notes
table: notes
indexes:
  GSI1: {purpose: notes of an author}
entities:
  Note:
    PK: NOTE#<noteId>
    SK: METADATA
    GSI1PK: AUTHOR#<author>
    GSI1SK: <noteId>
    attributes: {noteId: ulid, author: string, text: string}
patterns:
  notes of an author: GSI1PK = AUTHOR#<author>
allow:
  - role editor: everything
";

fn generate(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keyfold")).arg("generate").args(arguments).current_dir(folder).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("design.yaml"), DESIGN).unwrap();
    folder
}

#[test]
fn generated_files_are_current_until_the_design_changes() {
    let folder = folder();
    let written = generate(&["all", "."], folder.path());
    assert_eq!((written.status.code(), printed(&written)), (Some(0), "23 files in ./generated\n".to_owned()));
    let checked = generate(&["all", ".", "--check"], folder.path());
    assert_eq!((checked.status.code(), printed(&checked)), (Some(0), "23 files are up to date\n".to_owned()));

    let changed = DESIGN.replace("text: string", "text: \"string, optional\"");
    std::fs::write(folder.path().join("design.yaml"), changed).unwrap();
    let stale = generate(&["typescript", ".", "--check"], folder.path());
    assert_eq!(stale.status.code(), Some(1));
    assert_eq!(
        printed(&stale),
        "--- ./generated/typescript/entities.ts\n+++ generated from the design\n@@ line 6 @@\n export interface Note {\n   \
         noteId: string;\n   author: string;\n-  text: string;\n+  text?: string;\n }\n1 out of date; run the same command \
         without --check\n"
    );
}

#[test]
fn a_file_that_is_no_longer_generated_is_reported() {
    let folder = folder();
    generate(&["iam", "."], folder.path());
    std::fs::write(folder.path().join("design.yaml"), DESIGN.replace("role editor", "role author")).unwrap();
    generate(&["iam", "."], folder.path());
    let left = generate(&["iam", ".", "--check"], folder.path());
    assert_eq!(left.status.code(), Some(1));
    assert_eq!(
        printed(&left),
        "./generated/iam/role-editor.json: the design no longer produces this file\n1 out of date; run the same command \
         without --check\n"
    );
}

#[test]
fn the_same_design_gives_the_same_bytes() {
    let (one, other) = (folder(), folder());
    generate(&["all", "."], one.path());
    generate(&["all", "design.yaml", "--out", "generated"], other.path());
    let mut compared = 0;
    for target in std::fs::read_dir(one.path().join("generated")).unwrap() {
        for file in std::fs::read_dir(target.unwrap().path()).unwrap() {
            let file = file.unwrap().path();
            let twin = other.path().join(file.strip_prefix(one.path()).unwrap());
            assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(twin).unwrap(), "{}", file.display());
            compared += 1;
        }
    }
    assert_eq!(compared, 23);
}

#[test]
fn an_unknown_target_lists_the_known_ones() {
    let output = generate(&["kotlin", "."], folder().path());
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    let targets = "targets are cloudformation, terraform, cdk, iam, markdown, html, typescript, rust, json-schema, openapi, \
                   cedar and all";
    assert!(told.contains(targets), "{told}");
}
