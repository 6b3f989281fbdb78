//! Settings of files, variables and flags, and what is said where they do not fit.

use std::path::Path;

use crate::private_files::write_privately;
use crate::serve::process::{Backend, designs, keyfold, refused};

fn folder(file: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    if !file.is_empty() {
        std::fs::write(folder.path().join("keyfold.yaml"), file).unwrap();
    }
    folder
}

#[test]
fn each_value_is_shown_with_its_source() {
    let folder = folder("port: 1\nmax-page: 50\njwks: keys.json\n");
    write_privately(&folder.path().join("secret"), "correct horse battery staple, and more");
    let mut command = keyfold(folder.path());
    command.args(["config", "show", "designs/platform", "--host", "::1"]);
    command.env("KEYFOLD_PORT", "2").env("KEYFOLD_CURSOR_SECRET_FILE", "secret");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |name: &str| {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("designs"), "designs/platform flag <DESIGN>");
    assert_eq!(line("config"), "keyfold.yaml default");
    assert_eq!(line("host"), "::1 flag --host");
    assert_eq!(line("port"), "2 environment KEYFOLD_PORT");
    assert_eq!(line("max-page"), "50 file keyfold.yaml:2");
    assert_eq!(line("jwks"), "keys.json file keyfold.yaml:3");
    assert_eq!(line("dev"), "- overridden by `jwks`");
    assert_eq!(line("max-depth"), "40 default");
    assert_eq!(line("cursor-secret-file"), "(set, from file secret) environment KEYFOLD_CURSOR_SECRET_FILE");
    assert!(!text.contains("horse"));
}

const ISSUER: &[&str] = &["serve", "--issuer", "https://id.example.com", "--audience", "keyfold"];

#[test]
fn invalid_arguments_are_reported() {
    let platform = designs().join("platform");
    let platform = platform.to_str().unwrap();
    let dev: &[&str] = &["serve", "--dev", platform];
    let keys: &[&str] = &["serve", platform, "--machine-keys", "keys.yaml"];
    let cases: &[(&str, &[&str], &[&str], &str)] = &[
        (
            "",
            &["serve"],
            &[],
            "error: no designs to serve: name them on the command line, or under `designs` in keyfold.yaml\n",
        ),
        (
            "",
            &["serve", platform],
            &[],
            "error: no authentication is configured: use --dev, --issuer, --issuers or --machine-keys\n",
        ),
        (
            "",
            dev,
            &["--host", "0.0.0.0"],
            "error: development mode is for this machine only: listen on a loopback address, not on 0.0.0.0\n",
        ),
        (
            "",
            keys,
            &["--host", "0.0.0.0"],
            "error: tokens would be sent unencrypted to 0.0.0.0: use --tls-certificate and --tls-key, or --plain-http behind a proxy that terminates TLS\n",
        ),
        ("", keys, &["--tls-key", "x.pem"], "error: `tls-key` requires `tls-certificate`\n"),
        ("isuer: x\n", dev, &[], "error: keyfold.yaml:1: unknown setting `isuer`; did you mean `issuer`?\n"),
        (
            "",
            dev,
            &["--config", "none.yaml"],
            "error: cannot read the configuration file `none.yaml`: No such file or directory (os error 2)\n",
        ),
        (
            "",
            dev,
            &["--rate-subject", "many"],
            "error: --rate-subject: `many` is not a rate; write it as 50/s, 3000/m or 100000/h\n",
        ),
        (
            "cors-origins: [https://a.example/]\n",
            dev,
            &[],
            "error: keyfold.yaml:1: `cors-origins`: `https://a.example/` is not an origin; write it as https://app.example.com, without a path\n",
        ),
        (
            "",
            dev,
            &["--endpoint", "nowhere"],
            "error: --endpoint: `nowhere` is not a valid service URL; example: http://127.0.0.1:8000\n",
        ),
        (
            "",
            &["serve", platform, "--jwks", "keys.json"],
            &[],
            "error: the token issuer is not configured: set `issuer`\n",
        ),
        (
            "",
            &["serve", platform, "--jwks", "keys.json", "--issuer", "i"],
            &[],
            "error: the token audience is not configured: tokens for other services would be accepted\n",
        ),
        (
            "",
            &["serve", platform, "--issuer", "partner", "--audience", "keyfold"],
            &[],
            "error: the keys of the issuer `partner` are not configured: set `jwks` or `token-secret-file`, or name the issuer by the https URL below which it publishes `.well-known/openid-configuration`\n",
        ),
        (
            "",
            &["serve", platform, "--issuers", "issuers.yaml", "--audience", "keyfold"],
            &[],
            "error: `audience` is a setting of each issuer: write it into the file `issuers`\n",
        ),
        (
            "",
            &["serve", platform, "--issuers", "issuers.yaml", "--jwks", "keys.json"],
            &[],
            "error: `jwks` and `issuers` are mutually exclusive\n",
        ),
        (
            "",
            &["serve", platform, "--issuers", "issuers.yaml"],
            &[],
            "error: 2 invalid settings of issuers:\n  issuers.yaml:1: unknown setting `audienc`; did you mean `audience`?\n  issuers.yaml:1: this issuer has no `audience`, which is required\n",
        ),
        (
            "",
            ISSUER,
            &["--revocations", "none.yaml", platform],
            "error: `none.yaml` cannot be read: No such file or directory (os error 2)\n",
        ),
        (
            "",
            ISSUER,
            &["--sign-in-client-id", "console", platform],
            "error: `sign-in-client-id` requires `public-url` and `session-secret-file`\n",
        ),
        (
            "",
            ISSUER,
            &["--sign-in-scopes", "email", platform],
            "error: `sign-in-scopes` requires `sign-in-client-id`\n",
        ),
        ("", keys, &["--public-url", "https://api.example.com"], "error: `public-url` requires `sign-in-client-id`\n"),
        (
            "",
            keys,
            &["--public-url", "http://api.example.com"],
            "error: --public-url: `http://api.example.com` does not use https: cookies would be sent unencrypted\n",
        ),
        (
            "token-secret: abc\n",
            dev,
            &[],
            "error: keyfold.yaml:1: secrets are not allowed in this file; use `token-secret-file` to name a file that contains it\n",
        ),
    ];
    for (file, command, flags, told) in cases {
        let folder = folder(file);
        std::fs::write(folder.path().join("keys.yaml"), "[]").unwrap();
        std::fs::write(folder.path().join("issuers.yaml"), "- {issuer: https://id.example.com, audienc: keyfold}\n")
            .unwrap();
        let arguments = [*command, *flags].concat();
        assert_eq!(refused(folder.path(), &arguments), *told, "{arguments:?}");
        assert!(!Path::exists(&folder.path().join("data")), "{arguments:?} opened the data");
    }
}

#[test]
fn people_of_several_issuers_are_not_taken_for_each_other() {
    let folder = tempfile::tempdir().unwrap();
    write_privately(&folder.path().join("staff.secret"), "the secret of the staff: 32 bytes or more");
    write_privately(&folder.path().join("partner.secret"), "the secret of the partner: 32 bytes or more");
    let issuers = |more: &str| {
        let issuer =
            |name: &str| format!("- {{issuer: {name}, audience: keyfold, token-secret-file: {name}.secret{more}}}\n");
        let text = issuer("staff") + &issuer("partner");
        std::fs::write(folder.path().join("issuers.yaml"), text).unwrap();
    };
    let (agencies, albums) = (designs().join("agencies"), designs().join("albums"));
    let (agencies, albums) = (agencies.to_str().unwrap(), albums.to_str().unwrap());
    let serve = |design| ["--issuers", "issuers.yaml", "--data", "data", design];
    issuers("");
    let error = refused(folder.path(), &[&["serve"], &serve(agencies)[..]].concat());
    let expected =
        "error: the design `agencies` does not tell the people of several issuers apart: `staff`, `partner`. ";
    assert!(error.starts_with(expected) && error.contains("`shares-subjects: true`"), "{error}");
    // This design looks for its users by issuer and subject.
    Backend::start(folder.path(), &serve(albums)).stop();
    issuers(", shares-subjects: true");
    Backend::start(folder.path(), &serve(agencies)).stop();
}

#[test]
fn a_role_that_is_powerful_in_several_designs_is_reported_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("keys.yaml"), "[]").unwrap();
    let [agencies, archive, platform] = ["agencies", "archive", "platform"].map(|name| designs().join(name));
    let warnings = |paths: &[&Path]| {
        let mut arguments: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
        arguments.extend(["--machine-keys", "keys.yaml", "--data", "data"]);
        let log = Backend::start(folder.path(), &arguments).stop();
        log.lines().filter(|line| line.contains("may write in several designs")).map(str::to_owned).collect::<Vec<_>>()
    };
    let warning = |role: &str, others: &str| {
        format!(
            "keyfold: warning: the role `{role}` may write in several designs: agencies, {others}; a token for more than one \
             design has to name the design: `agencies:{role}`"
        )
    };
    assert_eq!(
        warnings(&[&agencies, &platform, &archive]),
        [warning("admin", "archive"), warning("operator", "platform")]
    );
    assert_eq!(warnings(&[&platform]), Vec::<String>::new());
}
