//! `keyfold import`, as people use it: on a data folder, on a service, on templates.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::crash::server::Launch;

fn keyfold(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AWS_")) {
        command.env_remove(name);
    }
    command.env_remove("KEYFOLD_CURSOR_SECRET").env_remove("XDG_STATE_HOME").env("HOME", folder);
    command.env("AWS_EC2_METADATA_DISABLED", "true");
    command.args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn succeeds(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = keyfold(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn fails(folder: &Path, arguments: &[&str]) -> String {
    let output = keyfold(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn design(name: &str) -> String {
    repository().join("designs").join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_table_in_a_folder_and_the_same_table_behind_a_url() {
    let home = TempDir::new().unwrap();
    let folder = home.path();
    succeeds(folder, &["load", &design("platform"), "--data", "data"]);
    let (out, told) = succeeds(folder, &["import", "table", "app_data", "--data", "data", "--out", "draft.yaml"]);
    assert_eq!(out, "");
    let held = "`draft.yaml`: 17 entities, 35 patterns, 13 warnings; review the guesses, then run `keyfold check`\n";
    assert_eq!(told, held);
    let draft = std::fs::read_to_string(folder.join("draft.yaml")).unwrap();
    for line in [
        "# A draft of a design, from the table `app_data` and all 82 items of it.\n",
        "  tags: {Application: multi-tenant-platform, Environment: production}\n",
        "tenant: {attribute: accountId, entity: Account}  # guess: in the partition key of 5 entities, in 66 of 82 items\n",
        "    GSI3SK: <endDate or 9999-12-31>#<userId>  # guess: 8 of 8 items\n",
        "  licenses by status: GSI3PK = LICENSE#STATUS#<status>, own tenant only -> License\n",
    ] {
        assert!(draft.contains(line), "{line}\n{draft}");
    }
    let (checked, _) = succeeds(folder, &["check", "draft.yaml"]);
    assert!(checked.ends_with("1 design checked, 13 warnings\n"), "{checked}");
    // The draft is what the table is, and runs on it.
    let (plan, _) = succeeds(folder, &["table", "plan", "draft.yaml", "--data", "data"]);
    assert_eq!(plan, "table `app_data` matches the design `app-data`\n");
    let (found, _) = succeeds(
        folder,
        &["query", "draft.yaml", "licenses by enterprise", "enterpriseId=umbrella", "--data", "data", "--json"],
    );
    assert!(found.contains("\"nw-6\"") && found.contains("\"ct-4\"") && !found.contains("\"nw-1\""), "{found}");

    let (data, output) = (folder.join("data"), folder.join("output"));
    let mut served = Launch { data: &data, output: &output, options: &[], watch: None }.start();
    served.wait_until_ready();
    let (there, _) = succeeds(folder, &["import", "table", "app_data", "--endpoint", served.url()]);
    assert_eq!(there, draft);
}

#[test]
fn a_sample_is_from_everywhere_and_says_so() {
    let home = TempDir::new().unwrap();
    let folder = home.path();
    succeeds(folder, &["load", &design("catalogue"), "--data", "data"]);
    let (draft, _) = succeeds(folder, &["import", "table", "fus-main", "--data", "data", "--sample", "40"]);
    assert!(draft.starts_with("# A draft of a design, from the table `fus-main` and a sample of 40 items of it.\n"));
    // Every kind is there, though a scan's first 40 items are of few partitions.
    for template in ["PK: SITE#<site>", "PK: SQUASH#PLAYER#<playerId>", "SK: TAG#<tag>", "SK: MATCH#<matchId>"] {
        assert!(draft.contains(template), "{template}\n{draft}");
    }
}

#[test]
fn nothing_is_written_over() {
    let home = TempDir::new().unwrap();
    let folder = home.path();
    std::fs::write(folder.join("mine.yaml"), "my work").unwrap();
    let template = repository().join("designs/albums/generated/cloudformation/template.yaml");
    let output = fails(folder, &["import", "cloudformation", template.to_str().unwrap(), "--out", "mine.yaml"]);
    assert_eq!(output, "error: `mine.yaml` already exists\n");
    let output = fails(folder, &["import", "table", "albums", "--out", "mine.yaml"]);
    assert_eq!(output, "error: `mine.yaml` already exists\n");
    assert_eq!(std::fs::read_to_string(folder.join("mine.yaml")).unwrap(), "my work");
}

#[test]
fn templates_that_cannot_be_imported_are_reported() {
    let home = TempDir::new().unwrap();
    let folder = home.path();
    succeeds(folder, &["load", &design("agencies"), "--data", "data"]);
    let output = fails(folder, &["import", "table", "nothing", "--data", "data"]);
    assert!(output.starts_with("error: the engine in `data`: "), "{output}");
    assert!(output.contains("nothing"), "{output}");
    std::fs::write(folder.join("t.yaml"), "Resources:\n  Queue: {Type: AWS::SQS::Queue}\n").unwrap();
    let output = fails(folder, &["import", "cloudformation", "t.yaml"]);
    assert_eq!(output, "error: t.yaml:2:3: the template has no DynamoDB table\n");
    let output = fails(folder, &["import", "cloudformation", "absent.yaml"]);
    assert!(output.starts_with("error: cannot read `absent.yaml`: "), "{output}");
}

/// Without its comments, and with the lines that tell a table's purpose taken away.
fn stripped(template: &str) -> Vec<String> {
    template
        .lines()
        .filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty())
        .map(str::to_owned)
        .collect()
}

/// From a design to its template, from the template to a draft, and from the draft to the same template.
#[test]
fn templates_come_back_from_drafts() {
    let home = TempDir::new().unwrap();
    let folder = home.path();
    for name in ["agencies", "platform", "albums", "archive", "catalogue"] {
        let template = repository().join("designs").join(name).join("generated/cloudformation/template.yaml");
        let draft = format!("{name}.yaml");
        succeeds(folder, &["import", "cloudformation", template.to_str().unwrap(), "--out", &draft]);
        succeeds(folder, &["check", &draft]);
        succeeds(folder, &["generate", "cloudformation", &draft, "--out", name]);
        let again = std::fs::read_to_string(folder.join(name).join("cloudformation/template.yaml")).unwrap();
        assert_eq!(stripped(&again), stripped(&std::fs::read_to_string(template).unwrap()), "{name}");
    }
}
