use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use clap::Parser;

use super::flags::Flags;
use super::resolve::{Config, Variables};
use super::{TokenSecret, settings, show};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    flags: Flags,
}

/// A configuration of flags, variables and the text of a file.
fn config(flags: &[&str], variables: &[(&str, &str)], file: &str) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keyfold.yaml");
    std::fs::write(&path, file).unwrap();
    let path = path.display().to_string();
    let given = ["keyfold", "--config", &path].into_iter().chain(flags.iter().copied());
    let command = Command::try_parse_from(given).map_err(|error| error.to_string())?;
    let variables: Variables = variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    Config::from_sources(&command.flags, &variables).map_err(|error| format!("{error:#}").replace(&path, "F"))
}

/// The line of a setting in what is shown: its value and its source.
fn show_setting(config: &Config, name: &str) -> String {
    let text = show::text(config);
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let text = words.join(" ");
    match text.split_once("file /") {
        Some((before, path)) => format!("{before}file {}", path.rsplit_once('/').unwrap().1),
        None => text,
    }
}

#[test]
fn flags_win_over_variables_and_those_over_the_file() {
    let file = "port: 1\nhost: 127.0.0.2\nmax-depth: 7\n";
    let variables = [("KEYFOLD_PORT", "2"), ("KEYFOLD_HOST", "127.0.0.3")];
    let config = config(&["--port", "3"], &variables, file).unwrap();
    assert_eq!(config.get(&settings::PORT).unwrap(), 3);
    assert_eq!(show_setting(&config, "port"), "3 flag --port");
    assert_eq!(show_setting(&config, "host"), "127.0.0.3 environment KEYFOLD_HOST");
    assert_eq!(show_setting(&config, "max-depth"), "7 file keyfold.yaml:3");
    assert_eq!(show_setting(&config, "max-page"), "1000 default");
    assert_eq!(show_setting(&config, "jwks"), "- default");
}

#[test]
fn lists_are_written_as_each_source_writes_them() {
    let file = "designs: [designs/a, /b]\naudience:\n  - x\n  - y\nrole-claims: one, two\n";
    let of_file = config(&[], &[], file).unwrap();
    let designs = of_file.find(&settings::DESIGNS).unwrap().unwrap();
    assert!(designs[0].is_absolute() && designs[0].ends_with("designs/a"), "{designs:?}");
    assert_eq!(designs[1].to_str(), Some("/b"));
    assert_eq!(of_file.get(&settings::AUDIENCE).unwrap(), ["x", "y"]);
    assert_eq!(of_file.get(&settings::ROLE_CLAIMS).unwrap(), ["one", "two"]);
    let of_flags = config(&["a", "b,c", "--audience", "p,q", "--audience", "r"], &[], file).unwrap();
    let designs: Vec<_> = of_flags.find(&settings::DESIGNS).unwrap().unwrap();
    assert_eq!(designs.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>(), ["a", "b,c"]);
    assert_eq!(of_flags.get(&settings::AUDIENCE).unwrap(), ["p", "q", "r"]);
    let of_variable = config(&[], &[("KEYFOLD_AUDIENCE", "u, v")], file).unwrap();
    assert_eq!(of_variable.get(&settings::AUDIENCE).unwrap(), ["u", "v"]);
}

#[test]
fn a_switch_needs_no_value_and_takes_one() {
    assert!(config(&["--dev", "designs/a"], &[], "").unwrap().get(&settings::DEV).unwrap());
    assert!(!config(&["--dev=off"], &[], "dev: true").unwrap().get(&settings::DEV).unwrap());
    assert!(config(&[], &[("KEYFOLD_DEV", "on")], "dev: no").unwrap().get(&settings::DEV).unwrap());
}

#[test]
fn the_development_mode_has_defaults_of_its_own() {
    assert_eq!(config(&["--dev"], &[], "").unwrap().get(&settings::DYNAMODB_PORT).unwrap(), Some(8000));
    assert_eq!(config(&[], &[], "").unwrap().get(&settings::DYNAMODB_PORT).unwrap(), None);
    assert_eq!(config(&["--dev"], &[], "").unwrap().get(&settings::LOG).unwrap(), "warn");
    assert_eq!(config(&[], &[], "").unwrap().get(&settings::LOG).unwrap(), "info");
}

#[test]
fn of_settings_that_exclude_each_other_the_strongest_counts() {
    let config = |flags: &[&str], variables: &[(&str, &str)], file: &str| config(flags, variables, file);
    let over = config(&["--data", "x"], &[], "endpoint: http://a:1").unwrap();
    assert!(over.find(&settings::ENDPOINT).unwrap().is_none());
    assert_eq!(show_setting(&over, "endpoint"), "- overridden by `data`");
    assert_eq!(show_setting(&over, "data"), "x flag --data");
    let aws = config(&[], &[("KEYFOLD_AWS", "on")], "data: x").unwrap();
    assert_eq!(show_setting(&aws, "data"), "- overridden by `aws`");
    assert!(!config(&["--aws=off", "--data", "x"], &[], "").unwrap().get(&settings::AWS).unwrap());
    // A secret that is not on this machine is in nobody's way.
    assert!(config(&["--dev"], &[], "token-secret-file: /nowhere/x").is_ok());
    let both = config(&["--dev", "--jwks", "keys.json"], &[], "");
    assert_eq!(both.err().unwrap(), "`dev` and `jwks` are mutually exclusive");
}

#[test]
fn every_error_is_reported_with_its_position() {
    let file = "prot: 1\nport: x\nmax-body: 6MB\ntoken-secret: hunter2\nhost: [a, b]\n";
    assert_eq!(
        config(&["--max-page", "0"], &[("KEYFOLD_LOG_FORMAT", "xml")], file).err().unwrap(),
        "7 invalid settings:
  F:1: unknown setting `prot`; did you mean `port`?
  F:4: secrets are not allowed in this file; use `token-secret-file` to name a file that contains it
  F:5: `host` is a single value, not a list
  F:2: `port`: expected a port from 0 to 65535, found `x`
  F:3: `max-body`: `6MB` is not a valid size; examples: 65536, 64KiB, 6MiB
  --max-page: must be at least 1
  KEYFOLD_LOG_FORMAT: expected `text` or `json`, found `xml`"
    );
}

#[test]
fn invalid_configuration_files_are_rejected() {
    let refused = |file: &str| config(&[], &[], file).err().unwrap();
    assert_eq!(refused("- port"), "F:1: expected lines like `port: 8080`");
    assert_eq!(
        refused("\nlimits:\n  body: 1\n"),
        "F:3: a setting is a string, a number or a list of these, without nesting"
    );
    assert_eq!(refused("port: 1\nport: 2\n"), "F:2: `port` appears twice");
    assert_eq!(
        refused("config: other.yaml\n"),
        "F:1: unknown setting `config`; `keyfold config show` lists all settings"
    );
    assert!(refused("port: [1\n").contains("invalid YAML"));
    assert!(config(&[], &[], "# nothing yet\n").is_ok());
}

#[test]
fn secrets_are_in_files_or_variables_and_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, "correct horse battery staple\n").unwrap();
    std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    let path = file.to_str().unwrap();
    let of_file = config(&["--token-secret-file", path], &[], "").unwrap();
    // The server watches the file of this one, and reads those of others once.
    assert_eq!(of_file.get(&settings::TOKEN_SECRET).unwrap(), TokenSecret::File(file.clone()));
    let of_sessions = config(&["--session-secret-file", path], &[], "").unwrap();
    assert_eq!(of_sessions.get(&settings::SESSION_SECRET).unwrap().0, b"correct horse battery staple");
    assert!(show::text(&of_file).contains(&format!("(set, from file {path})")), "{}", show::text(&of_file));
    let of_variable = config(&[], &[("KEYFOLD_TOKEN_SECRET", "hunter2, or so")], "").unwrap();
    assert_eq!(of_variable.get(&settings::TOKEN_SECRET).unwrap(), TokenSecret::Stated(b"hunter2, or so".to_vec()));
    assert_eq!(show_setting(&of_variable, "token-secret-file"), "(set) environment KEYFOLD_TOKEN_SECRET");
    for config in [of_file, of_variable] {
        let text = show::text(&config);
        assert!(!text.contains("hunter2") && !text.contains("horse"), "{text}");
    }
    let both = [("KEYFOLD_TOKEN_SECRET", "a"), ("KEYFOLD_TOKEN_SECRET_FILE", path)];
    assert_eq!(
        config(&[], &both, "").err().unwrap(),
        "environment KEYFOLD_TOKEN_SECRET_FILE and environment KEYFOLD_TOKEN_SECRET are both set"
    );
    assert!(config(&["--token-secret", "hunter2"], &[], "").is_err());
    assert_eq!(
        config(&["--token-secret-file", "/nowhere/x"], &[], "").err().unwrap(),
        "--token-secret-file: cannot read `/nowhere/x`: No such file or directory (os error 2)"
    );
}

#[test]
fn a_misspelt_variable_is_reported() {
    let config = config(&[], &[("KEYFOLD_PROT", "1"), ("KEYFOLD_SOMETHING_ELSE", "1")], "").unwrap();
    assert_eq!(config.warnings, ["unknown setting KEYFOLD_PROT; did you mean KEYFOLD_PORT?"]);
}

#[test]
fn times_and_sizes_are_written_with_their_units() {
    let of = |flags: &[&str]| config(flags, &[], "");
    let time = |text: &str| of(&["--drain-timeout", text]).map(|config| config.get(&settings::DRAIN_TIMEOUT).unwrap());
    assert_eq!(time("250ms").unwrap().as_millis(), 250);
    assert_eq!(time("3s").unwrap().as_millis(), 3000);
    assert_eq!(time("2m").unwrap().as_millis(), 120_000);
    for wrong in ["", "5", "s", "5h", "5 s", "-1s", "5ss", "1.5s"] {
        assert!(time(wrong).is_err(), "{wrong}");
    }
    let size = |text: &str| of(&["--max-body", text]).map(|config| config.get(&settings::MAX_BODY).unwrap());
    assert_eq!((size("17").unwrap(), size("2KiB").unwrap(), size("1MiB").unwrap()), (17, 2048, 1_048_576));
    for wrong in ["", "0", "1GB", "KiB", "99999999999999999999MiB"] {
        assert!(size(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn every_default_is_a_value() {
    for flags in [&["--dev"][..], &[]] {
        let config = config(flags, &[], "").unwrap();
        for setting in settings::ALL {
            if let Some(found) = config.found(setting.about()) {
                assert_eq!(setting.check(found), Ok(()), "{}", setting.about().name);
            }
        }
    }
}

/// The settings tables of docs/configuration.md, generated from the settings themselves.
fn manual() -> String {
    let mut lines = Vec::new();
    let mut section = "";
    for about in settings::about() {
        if about.section != section {
            section = about.section;
            lines.push(format!("\n### {section}\n\n| Setting | Value | Default | Meaning |\n|---|---|---|---|"));
        }
        let value = about.value.replace('|', "\\|");
        let default = match about.default_value {
            super::setting::DefaultValue::None => String::new(),
            super::setting::DefaultValue::Always(text) => format!("`{text}`"),
            super::setting::DefaultValue::Mode { dev, otherwise } => format!("`{otherwise}`; with `--dev` `{dev}`"),
        };
        lines.push(format!("| `{}` | {value} | {default} | {} |", about.name, about.help.replace('|', "\\|")));
    }
    lines.join("\n").trim_start().to_owned()
}

#[test]
fn the_documented_settings_are_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once("## Settings\n\n").unwrap();
    let (tables, after) = rest.split_once("\n\n## ").unwrap();
    if std::env::var_os("KEYFOLD_UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{before}## Settings\n\n{}\n\n## {after}", manual())).unwrap();
    } else {
        assert!(
            tables == manual(),
            "docs/configuration.md is outdated: KEYFOLD_UPDATE_DOCS=1 cargo test -p keyfold-cli the_documented_settings"
        );
    }
}
