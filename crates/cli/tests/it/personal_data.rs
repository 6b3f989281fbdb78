//! `keyfold person export|erase|reapply`: the personal data of a subject, wherever they are.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use http::{HeaderMap, Method, StatusCode};
use keyfold_api::change_records::{
    Admission, ChangeRecordSettings, ChangeRecords, ChangeRequest, Fingerprint, StoredResponse,
};
use keyfold_api::{CredentialKind, Principal};
use keyfold_design::Design;
use keyfold_dynamo::operation::ScanInput;
use keyfold_dynamo::{AttributeValue, Attributes, Backend};
use keyfold_engine::Engine;
use keyfold_environment::{Clock, ManualClock, SystemClock, SystemRandom};
use keyfold_runtime::{Caller, Options, PatchOptions, Record, Runtime, Write, json};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The sample data of `platform`, and a change of a user by another with an idempotency key.
struct Platform {
    folder: TempDir,
}

const DESIGN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs/platform");
/// What the tables hold of Ada.
const ADA: [&str; 3] = ["ada@northwind.example", "Lovelace", "Countess"];

impl Platform {
    async fn new() -> Self {
        let platform = Self { folder: tempfile::tempdir().unwrap() };
        let loaded = platform.keyfold(&["load", DESIGN]);
        assert_eq!(loaded.status.code(), Some(0), "{loaded:?}");
        let secret = platform.path("secret");
        fs::write(&secret, [7; 32]).unwrap();
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
        platform
            .served(async |records, design, runtime| {
                assert!(rename(records, design, runtime).await.is_none());
            })
            .await;
        platform
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn keyfold(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
        command.args(arguments).arg("--data").arg(self.path("data")).output().unwrap()
    }

    fn person(&self, arguments: &[&str]) -> String {
        let output = self.keyfold(&[&["person"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn erasing(&self, verb: &str, more: &[&str]) -> String {
        let (erasures, secret) = (self.path("erasures.jsonl"), self.path("secret"));
        let record = ["--erasures", erasures.to_str().unwrap(), "--pseudonym-secret-file", secret.to_str().unwrap()];
        self.person(&[&[verb, DESIGN], &record[..], more].concat())
    }

    /// What a server does with the data, three hours ago; it seals the audit log in the end.
    async fn served(&self, act: impl AsyncFnOnce(&ChangeRecords, &Arc<Design>, &Runtime)) {
        let clock = Arc::new(ManualClock::at_ms(SystemClock.now_ms() - 3 * 60 * 60 * 1000));
        let backend: Arc<dyn Backend> = Arc::new(Engine::open(self.path("data"), Default::default()).unwrap());
        let text = fs::read_to_string(Path::new(DESIGN).join("design.yaml")).unwrap();
        let design = Arc::new(Design::load("design.yaml", &text).unwrap().0);
        let runtime = Runtime::new(Arc::clone(&design), Arc::clone(&backend), Options::standard(&design).unwrap());
        let settings = ChangeRecordSettings::default();
        let records = ChangeRecords::open(backend, settings, Arc::clone(&clock) as _, Arc::new(SystemRandom));
        let records = records.await.unwrap();
        act(&records, &design, &runtime).await;
        clock.advance(60 * 60 * 1000);
        records.seal_if_due().await;
    }

    /// Everything that is stored, as text.
    async fn stored(&self) -> String {
        let engine = Engine::open(self.path("data"), Default::default()).unwrap();
        let mut text = String::new();
        for table_name in ["app_data", "keyfold_audit"] {
            let page =
                engine.scan(ScanInput { table_name: table_name.to_owned(), ..ScanInput::default() }).await.unwrap();
            assert_eq!(page.last_evaluated_key, None);
            let items = page.items.unwrap();
            let lines = items.iter().map(|item| json!(json::object(item.attributes().unwrap())).to_string() + "\n");
            text.extend(lines);
        }
        text
    }
}

fn principal(caller: Caller) -> Principal {
    Principal { caller: caller.into(), kind: CredentialKind::Token, ..Principal::default() }
}

fn response(left: &[Option<Record>]) -> StoredResponse {
    let body = json!(json::object(&left[0].as_ref().unwrap().attributes)).to_string().into();
    let headers = vec![(http::header::LOCATION, "/v1/platform/users/ada".into())];
    StoredResponse { status: StatusCode::OK, headers, body }
}

/// Ada changes her own name; the replayed response if she did before.
async fn rename(records: &ChangeRecords, design: &Arc<Design>, runtime: &Runtime) -> Option<StoredResponse> {
    rename_with_key(records, design, runtime, ["northwind", "ada", "ada"], "k-1").await
}

/// A caller of a tenant gives Ada's name to a user; the replayed response if they did before.
async fn rename_with_key(
    records: &ChangeRecords,
    design: &Arc<Design>,
    runtime: &Runtime,
    [tenant, caller, user]: [&str; 3],
    key: &str,
) -> Option<StoredResponse> {
    let principal = principal(Caller { superuser: true, ..Caller::member(tenant, caller) });
    let fingerprint = Fingerprint::new(&Method::PATCH, &format!("/v1/platform/users/{user}"), &HeaderMap::new(), b"");
    let key = Some((key, fingerprint));
    let request = ChangeRequest { design, principal: &principal, tenant: None, key, request_id: "r-1" };
    let pending = match records.begin(request).await.unwrap() {
        Admission::Execute(pending) => pending,
        Admission::Replay(response) => return Some(response),
    };
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let pairs = [("userId", user), ("accountId", tenant), ("firstName", "Countess")];
    let attributes: Attributes = pairs.map(|(name, value)| (name.to_owned(), text(value))).into();
    let writes = vec![Write::Patch { entity: "User".to_owned(), attributes, options: PatchOptions::default() }];
    let side_writes = pending.side_writes(&writes, &response);
    runtime.transact_with(&principal.caller, writes, &side_writes).await.unwrap();
    None
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn everything_about_a_subject_is_exported() {
    let platform = Platform::new().await;
    let exported = lines(&platform.person(&["export", DESIGN, "--subject", "ada"]));
    let of_kind = |kind: &str| exported.iter().filter(|line| line["kind"] == kind).collect::<Vec<_>>();
    let items: Vec<(&str, &str)> = of_kind("item")
        .iter()
        .map(|line| (line["entity"].as_str().unwrap(), line["relation"].as_str().unwrap()))
        .collect();
    assert_eq!(items[0], ("User", "person"));
    assert_eq!(items.iter().filter(|item| **item == ("NotificationAudit", "reference")).count(), 2);
    let user = of_kind("item")[0];
    assert_eq!(
        (&user["item"]["email"], &user["item"]["firstName"]),
        (&json!("ada@northwind.example"), &json!("Countess"))
    );
    assert_eq!(of_kind("audit").len(), 1);
    assert_eq!(of_kind("audit")[0]["entry"]["subject"], "ada");
    assert_eq!(of_kind("response")[0]["body"]["lastName"], "Lovelace");
    assert!(lines(&platform.person(&["export", DESIGN, "--subject", "nobody"])).is_empty());
}

#[tokio::test]
async fn responses_are_those_of_the_person_and_no_namesake() {
    let platform = Platform::new().await;
    let requests = [
        // Of another tenant, of the same one, and about Ada by someone else.
        ["contoso", "joan", "edith"],
        ["northwind", "grace", "ken"],
        ["northwind", "grace", "ada"],
        // By Ada about someone else.
        ["northwind", "ada", "grace"],
    ];
    platform
        .served(async |records, design, runtime| {
            for request in requests {
                let response = rename_with_key(records, design, runtime, request, &request.join("-")).await;
                assert!(response.is_none());
            }
        })
        .await;
    let exported = lines(&platform.person(&["export", DESIGN, "--subject", "ada"]));
    let responses = exported.iter().filter(|line| line["kind"] == "response");
    let mut users: Vec<&str> = responses.map(|line| line["body"]["userId"].as_str().unwrap()).collect();
    users.sort_unstable();
    assert_eq!(users, ["ada", "ada", "grace"]);
    let output = platform.erasing("erase", &["--subject", "ada"]);
    assert!(output.ends_with(" and 3 stored responses erased\n"), "{output}");
    platform
        .served(async |records, design, runtime| {
            for (request, is_kept) in requests.into_iter().zip([true, true, false, false]) {
                let replayed = rename_with_key(records, design, runtime, request, &request.join("-")).await.unwrap();
                assert_eq!(!replayed.body.is_empty(), is_kept, "{request:?}");
            }
        })
        .await;
}

#[tokio::test]
async fn an_erased_subject_is_in_no_table() {
    let platform = Platform::new().await;
    let before = platform.stored().await;
    assert!(ADA.iter().all(|text| before.contains(text)));
    let output = platform.erasing("erase", &["--subject", "ada"]);
    assert_eq!(output, "3 items, 1 audit entry and 1 stored response erased\n");
    let after = platform.stored().await;
    for text in ADA {
        assert!(!after.contains(text), "{text}");
    }
    // Others are as they were.
    assert!(after.contains("grace@northwind.example"));
    let record = lines(&fs::read_to_string(platform.path("erasures.jsonl")).unwrap());
    let pseudonym = record[0]["pseudonym"].as_str().unwrap();
    assert_eq!((record.len(), pseudonym.len(), &record[0]["design"]), (1, 32, &json!("platform")));
    let entries = platform.keyfold(&["audit", "export", "--entity", "User"]);
    let entry = &lines(&String::from_utf8(entries.stdout).unwrap())[0];
    let erased = json!(format!("erased:{pseudonym}"));
    assert_eq!((&entry["subject"], &entry["identity"]), (&erased, &erased));
    // The chain still holds, and says what was erased.
    let erasures = platform.path("erasures.jsonl");
    let verified = platform.keyfold(&["audit", "verify", "--erasures", erasures.to_str().unwrap()]);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
    assert!(String::from_utf8(verified.stdout).unwrap().contains("1 entry from which a person was erased"));
    // Whoever hides behind an erasure that never was is found.
    fs::write(&erasures, "").unwrap();
    let verified = platform.keyfold(&["audit", "verify", "--erasures", erasures.to_str().unwrap()]);
    assert_eq!(verified.status.code(), Some(2), "{verified:?}");
}

#[tokio::test]
async fn a_retry_after_an_erasure_is_neither_executed_nor_shown() {
    let platform = Platform::new().await;
    platform.erasing("erase", &["--subject", "ada"]);
    platform
        .served(async |records, design, runtime| {
            let replayed = rename(records, design, runtime).await.unwrap();
            assert_eq!((replayed.status, replayed.headers.len(), replayed.body.len()), (StatusCode::OK, 0, 0));
        })
        .await;
    assert!(!platform.stored().await.contains("Countess"));
}

#[tokio::test]
async fn an_erasure_is_applied_again_after_a_restore() {
    let platform = Platform::new().await;
    let backup = platform.path("backup");
    let copy = |from: &Path, to: &Path| {
        assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
    };
    copy(&platform.path("data"), &backup);
    platform.erasing("erase", &["--subject", "ada"]);
    fs::remove_dir_all(platform.path("data")).unwrap();
    copy(&backup, &platform.path("data"));
    assert!(platform.stored().await.contains("Lovelace"));
    assert_eq!(platform.erasing("reapply", &[]), "3 items, 1 audit entry and 1 stored response erased\n");
    let after = platform.stored().await;
    for text in ADA {
        assert!(!after.contains(text), "{text}");
    }
    assert_eq!(platform.erasing("reapply", &[]), "0 items, 0 audit entries and 0 stored responses erased\n");
}

#[test]
fn users_and_members_stand_for_their_person() {
    let shell = Platform { folder: tempfile::tempdir().unwrap() };
    for (design, subject, entities) in [
        ("agencies", "ada", &["Member"][..]),
        ("albums", "01K9ZV00000000000000000ADA", &["User", "Membership"]),
        ("archive", "01K9ZV0000000000000000ADA0", &["User"]),
    ] {
        let folder = Path::new(DESIGN).parent().unwrap().join(design);
        let folder = folder.to_str().unwrap();
        let loaded = shell.keyfold(&["load", folder]);
        assert_eq!(loaded.status.code(), Some(0), "{loaded:?}");
        let exported = lines(&shell.person(&["export", folder, "--subject", subject]));
        for entity in entities {
            let stands = |line: &Value| line["entity"] == *entity && line["relation"] == "person";
            assert!(exported.iter().any(stands), "{design}: {exported:?}");
        }
    }
}

#[test]
fn an_erased_administrator_no_longer_signs_in() {
    let shell = Platform { folder: tempfile::tempdir().unwrap() };
    let secret = shell.path("secret");
    fs::write(&secret, [7; 32]).unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let erase = |design: &str, subject: &str| {
        let folder = Path::new(DESIGN).parent().unwrap().join(design);
        let folder = folder.to_str().unwrap();
        assert_eq!(shell.keyfold(&["load", folder]).status.code(), Some(0));
        let (erasures, secret) = (shell.path("erasures.jsonl"), shell.path("secret"));
        let record = ["--erasures", erasures.to_str().unwrap(), "--pseudonym-secret-file", secret.to_str().unwrap()];
        let erased = shell.keyfold(&[&["person", "erase", folder, "--subject", subject][..], &record].concat());
        assert_eq!(erased.status.code(), Some(0), "{erased:?}");
        String::from_utf8(erased.stderr).unwrap()
    };
    assert_eq!(erase("albums", "01K9ZV00000000000000000ADA"), "");
    let albums = Path::new(DESIGN).parent().unwrap().join("albums");
    let by_token =
        ["query", albums.to_str().unwrap(), "user by oidc subject", "issuer=https://id.example.com", "subject=auth0|7"];
    let found = shell.keyfold(&[&by_token[..], &["--json"]].concat());
    assert_eq!(serde_json::from_slice::<Value>(&found.stdout).unwrap()["count"], 0, "{found:?}");
    // Where the item remains that lets them in, whoever erases is told.
    assert_eq!(
        erase("agencies", "ada"),
        "warning: they can still sign in: `idpid` of Member is not `personal` and leads to their Member, which remains; \
         delete it\n"
    );
}
