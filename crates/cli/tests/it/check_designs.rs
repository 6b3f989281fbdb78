//! `keyfold check` and `keyfold new`, as scripts and editors use them.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn keyfold(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_keyfold")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn designs() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs"))
}

#[test]
fn a_clean_design_is_silent_and_succeeds() {
    let output = keyfold(&["check", "agencies", "platform"], designs());
    assert_eq!(text(&output.stdout), "2 designs checked, no problems found\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_new_design_is_clean_and_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(keyfold(&["new", "my-shop"], folder.path()).status.code(), Some(0));
    let output = keyfold(&["check", "my-shop", "--deny", "warnings"], folder.path());
    assert_eq!(
        (output.status.code(), text(&output.stdout).as_str()),
        (Some(0), "1 design checked, no problems found\n")
    );
    let again = keyfold(&["new", "my-shop"], folder.path());
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(text(&again.stderr), "error: `my-shop/design.yaml` already exists\n");
    assert_eq!(keyfold(&["new", "My Shop"], folder.path()).status.code(), Some(2));
}

#[test]
fn an_error_is_shown_in_its_place_and_fails() {
    let folder = tempfile::tempdir().unwrap();
    let broken =
        include_str!("../../../../designs/agencies/design.yaml").replace("SK: MEMBER#<idpid>", "SK: MEMBER#<idpId>");
    std::fs::write(folder.path().join("design.yaml"), broken).unwrap();
    let output = keyfold(&["check", "."], folder.path());
    assert_eq!(output.status.code(), Some(1));
    let expected = "error[KF012]: `Member` has no attribute `idpid`".replace("idpid", "idpId")
        + "\n  --> ./design.yaml:30:16\n   |\n30 |     SK: MEMBER#<idpId>\n   |                ^^^^^^^\n   |\n   = help: did you mean `idpid`?\n";
    assert!(text(&output.stdout).starts_with(&expected), "{}", text(&output.stdout));
    assert!(text(&output.stdout).ends_with("1 design checked, 1 error\n"));
}

#[test]
fn json_has_code_range_help_and_how_to_accept() {
    let folder = tempfile::tempdir().unwrap();
    let hot = include_str!("../../../../designs/agencies/design.yaml")
        .replace("  KF031 Agency: agencies are created a few times a day\n", "");
    std::fs::write(folder.path().join("design.yaml"), hot).unwrap();
    let output = keyfold(&["check", "design.yaml", "--format", "json"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(found[0]["code"], "KF031");
    assert_eq!(found[0]["severity"], "warning");
    assert_eq!(found[0]["file"], "design.yaml");
    assert_eq!(found[0]["accept"], "KF031 Agency");
    assert_eq!(found[0]["range"]["start"]["line"], 15);
    assert_eq!(found[0]["range"]["start"]["column"], 11);
    let denied = keyfold(&["check", "design.yaml", "--format", "json", "--deny", "warnings"], folder.path());
    assert_eq!(denied.status.code(), Some(1));
}

#[test]
fn unreadable_files_and_unknown_codes_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    let missing = keyfold(&["check", "nowhere.yaml"], folder.path());
    assert_eq!(missing.status.code(), Some(2));
    assert_eq!(text(&missing.stdout), "0 designs checked, 1 file could not be read\n");
    assert_eq!(keyfold(&["check"], folder.path()).status.code(), Some(2));
    assert_eq!(keyfold(&["check", "--explain", "KF999"], folder.path()).status.code(), Some(2));
}

#[test]
fn codes_explain_themselves_and_the_schema_is_json() {
    let folder = tempfile::tempdir().unwrap();
    let output = keyfold(&["check", "--explain", "kf012"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("KF012 (error): unknown attribute\n\n"));
    let output = keyfold(&["check", "--explain", "KF206"], folder.path());
    assert!(text(&output.stdout).starts_with("KF206 (warning): policy that is probably a mistake\n\n"));
    let schema: Value = serde_json::from_slice(&keyfold(&["check", "--schema"], folder.path()).stdout).unwrap();
    assert_eq!(schema["title"], "Keyfold design");
}

/// A `forbid` that is not read would be thought to hold, and a scenario that is not run to pass.
#[test]
fn policies_and_scenarios_that_would_not_be_read_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let within = |name: &str| folder.path().join(name);
    std::fs::write(within("design.yaml"), include_str!("../../../../designs/agencies/design.yaml")).unwrap();
    let policy = "forbid (principal, action, resource is Agency);\n";
    let fails = |command: &str, said: &str| {
        let output = keyfold(&[command, "."], folder.path());
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    };
    std::fs::write(within("freeze.cedar"), policy).unwrap();
    fails("check", "`./freeze.cedar` has no effect here: move it to the folder `policies`");
    std::fs::remove_file(within("freeze.cedar")).unwrap();
    for folder in ["policies", "scenarios"] {
        std::fs::create_dir(within(folder)).unwrap();
        std::fs::write(within(folder).join("README.md"), "Why.\n").unwrap();
        std::fs::write(within(folder).join(".keep"), "").unwrap();
    }
    assert_eq!(keyfold(&["check", "."], folder.path()).status.code(), Some(0));
    std::fs::write(within("policies/freeze.cdr"), policy).unwrap();
    fails("check", "`./policies/freeze.cdr` is not read: the files in this folder end in .cedar");
    std::fs::remove_file(within("policies/freeze.cdr")).unwrap();
    std::fs::write(within("scenarios/more.yml"), "[]\n").unwrap();
    fails("test", "`./scenarios/more.yml` is not read: the files in this folder end in .yaml");
}

#[test]
fn policies_beside_a_design_are_checked_and_count() {
    let folder = tempfile::tempdir().unwrap();
    let within = |name: &str| folder.path().join(name);
    std::fs::write(within("design.yaml"), include_str!("../../../../designs/agencies/design.yaml")).unwrap();
    std::fs::create_dir(within("policies")).unwrap();
    let forbid = |condition: &str| {
        let policy = format!("forbid (principal, action, resource is Agency)\nwhen {{ {condition} }};\n");
        std::fs::write(within("policies/freeze.cedar"), policy).unwrap();
    };
    forbid("resource.state == \"inactive\"");
    let output = keyfold(&["check", "."], folder.path());
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let expected = "\
error[KF202]: attribute `state` on entity type `Agency` not found
 --> ./policies/freeze.cedar:2:8
  |
2 | when { resource.state == \"inactive\" };
  |        ^^^^^^^^^^^^^^
  |
  = help: did you mean `status`?
";
    assert!(said.starts_with(expected), "{said}");
    assert!(said.ends_with("1 design checked, 1 error\n"), "{said}");
    let output = keyfold(&["check", ".", "--format", "json"], folder.path());
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found[0]["severity"], &found[0]["code"]), (&"error".into(), &"KF202".into()));
    assert_eq!(found[0]["file"], "./policies/freeze.cedar");
    assert_eq!((&found[0]["range"]["start"]["line"], &found[0]["range"]["start"]["column"]), (&2.into(), &8.into()));

    forbid("resource is Member");
    let output = keyfold(&["check", "."], folder.path());
    let said = text(&output.stdout);
    assert!(said.starts_with("warning[KF206]: "), "{said}");
    assert!(said.contains(" --> ./policies/freeze.cedar:1:1\n"), "{said}");
    assert!(said.ends_with("1 design checked, 1 warning\n"), "{said}");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(keyfold(&["check", ".", "--deny", "warnings"], folder.path()).status.code(), Some(1));

    forbid("resource.status == \"inactive\"");
    assert_eq!(keyfold(&["check", "."], folder.path()).status.code(), Some(0));
    let run = |arguments: &[&str]| keyfold(&[arguments, &["--data", "data"]].concat(), folder.path());
    assert_eq!(run(&["load", "."]).status.code(), Some(0));
    for (id, status) in [("a", "active"), ("b", "inactive")] {
        let agency = [format!("agencyId={id}"), format!("status={status}")];
        assert_eq!(run(&["create", ".", "Agency", &agency[0], "name=x", &agency[1]]).status.code(), Some(0));
        assert_eq!(run(&["create", ".", "Member", &agency[0], "idpid=ada"]).status.code(), Some(0));
    }
    let get =
        |id: &str| run(&["get", ".", "Agency", &format!("agencyId={id}"), "--as", &format!("tenant={id},subject=ada")]);
    assert_eq!(get("a").status.code(), Some(0));
    assert_eq!((get("b").status.code(), text(&get("b").stderr).as_str()), (Some(1), "Agency not found\n"));
}
