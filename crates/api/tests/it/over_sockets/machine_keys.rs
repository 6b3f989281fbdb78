//! Machine keys over REST: for operators of the server, and for a key itself.

use std::path::PathBuf;
use std::sync::Arc;

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_api::identity::{Development, Identity, MachineKeyFile, NewMachineKey, Person, create_machine_key};
use keyfold_environment::ManualClock;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::{Setting, World};

const NOW_MS: u64 = 1_800_000_000_000;
const KEYS: &str = "/v1/machine-keys";

struct Served {
    world: World,
    development: Development,
    clock: Arc<ManualClock>,
    file: PathBuf,
    _folder: TempDir,
}

fn new(name: &str, roles: &[&str]) -> NewMachineKey {
    let roles = roles.iter().map(|role| (*role).to_owned()).collect();
    NewMachineKey { name: name.to_owned(), roles, designs: vec!["archive".to_owned()], ..NewMachineKey::default() }
}

async fn serve(manages_keys: bool) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    std::fs::write(&file, "# none yet\n").unwrap();
    let development = Development::start("127.0.0.1".parse().unwrap()).unwrap();
    let clock = Arc::new(ManualClock::at_second(NOW_MS / 1000));
    let names = ["agencies".to_owned(), "archive".to_owned()];
    let identity = Identity::new(Some(development.settings()), Some(&file), Arc::clone(&clock) as _).unwrap();
    let mut identity = identity.for_designs(&names).unwrap();
    if manages_keys {
        identity = identity.managing_machine_keys(MachineKeyFile::new(&file, None, Arc::clone(&clock) as _));
    }
    let setting = Setting {
        authenticator: Some(Arc::new(identity)),
        change_records: Some(ChangeRecordSettings::default()),
        ..Setting::default()
    };
    let world = World::made(&["agencies", "archive"], setting).await;
    Served { world, development, clock, file, _folder: folder }
}

impl Served {
    fn person(&self, roles: &[&str]) -> String {
        let roles = roles.iter().map(|role| (*role).to_owned()).collect();
        let person = Person { description: "the operator".to_owned(), subject: "olga".to_owned(), tenant: None, roles };
        format!("Bearer {}", self.development.token(&person, "archive", NOW_MS).unwrap())
    }

    fn operator(&self) -> String {
        self.person(&["server:operator"])
    }

    async fn send(&self, credential: &str, method: Method, path: &str, body: Value) -> Answered {
        let header = if credential.starts_with("kfk_") { "x-api-key" } else { "authorization" };
        let headers = [(header, credential), ("content-type", "application/json")];
        self.world.client.send("", method, path, &headers, body.to_string()).await
    }

    /// Whether a key is accepted, a second later.
    async fn accepts(&self, key: &str) -> bool {
        self.clock.advance(1000);
        self.send(key, Method::GET, "/v1/archive/audit", json!({})).await.status != 401
    }

    async fn entries(&self) -> Vec<String> {
        let mut entries: Vec<String> = self
            .world
            .change_records()
            .await
            .iter()
            .map(|item| {
                let text = |name: &str| item.get(name).and_then(|value| value.as_str()).unwrap_or("-").to_owned();
                let design = text("PK").split('#').nth(1).unwrap().to_owned();
                ["verb", "entity", "identity", "outcome", "subject", "by"].map(text).join(" ") + " " + &design
            })
            .collect();
        entries.sort();
        entries
    }
}

#[tokio::test]
async fn an_operator_of_the_server_creates_lists_rotates_and_revokes_keys() {
    let served = serve(true).await;
    let operator = served.operator();
    let body = json!({"name": "nightly", "roles": ["admin"], "designs": ["archive"], "scopes": ["audit"], "expires": "2027-02-01T00:00:00Z"});
    let created = served.send(&operator, Method::POST, KEYS, body).await.expect(201);
    assert_eq!(created.header("location"), "/v1/machine-keys/nightly");
    assert_eq!(created.header("cache-control"), "private, no-store");
    let first = created.json()["key"].as_str().unwrap().to_owned();
    assert_eq!(created.json()["subject"], "machine:nightly");
    assert!(served.accepts(&first).await);
    let rotated =
        served.send(&operator, Method::POST, "/v1/machine-keys/nightly/rotate", json!({"overlapSeconds": 60}));
    let second = rotated.await.expect(200).json()["key"].as_str().unwrap().to_owned();
    assert!(served.accepts(&first).await && served.accepts(&second).await);
    let listed = served.send(&operator, Method::GET, KEYS, json!({})).await.expect(200);
    let text = String::from_utf8(listed.bytes.to_vec()).unwrap();
    let hash = std::fs::read_to_string(&served.file).unwrap().split("\"hash\":\"").nth(1).unwrap()[..64].to_owned();
    assert!(!text.contains(&first[4..]) && !text.contains(&second[4..]) && !text.contains(&hash), "{text}");
    let keys = listed.json();
    assert_eq!(keys["count"], 2);
    assert_eq!((&keys["items"][0]["state"], &keys["items"][0]["scopes"]), (&json!("active"), &json!(["audit"])));
    assert_eq!(keys["items"][0]["expires"], "2027-01-15T08:01:01Z");
    served.clock.advance(60_000);
    assert!(!served.accepts(&first).await && served.accepts(&second).await);
    served.send(&operator, Method::DELETE, "/v1/machine-keys/nightly", json!({})).await.expect(204);
    assert!(!served.accepts(&second).await);
    served.send(&operator, Method::DELETE, "/v1/machine-keys/nightli", json!({})).await.problem(404, "not-found");
    assert_eq!(
        served.entries().await,
        [
            "create machine-key nightly allowed olga token archive",
            "delete machine-key nightly allowed olga token archive",
            "patch machine-key nightly allowed olga token archive",
        ]
    );
}

#[tokio::test]
async fn requests_for_keys_are_checked() {
    let served = serve(true).await;
    let operator = served.operator();
    for (body, field) in [
        (json!({"name": "a b", "designs": ["archive"]}), "name"),
        (json!({"name": "one"}), "designs"),
        (json!({"name": "one", "designs": ["archiv"]}), "designs"),
        (json!({"name": "one", "designs": ["archive"], "scopes": ["Usr:read"]}), "scopes"),
        (json!({"name": "one", "designs": ["archive"], "scopes": ["raed"]}), "scopes"),
        (json!({"name": "one", "designs": ["archive"], "expires": "soon"}), "expires"),
    ] {
        let problem = served.send(&operator, Method::POST, KEYS, body.clone()).await.problem(400, "invalid");
        assert_eq!(problem["field"], field, "{body}");
    }
    served.send(&operator, Method::POST, KEYS, json!({"name": "one", "role": "x"})).await.problem(400, "invalid");
    create_machine_key(&served.file, new("one", &[])).unwrap();
    let same = json!({"name": "one", "designs": ["archive"]});
    served.send(&operator, Method::POST, KEYS, same).await.problem(409, "exists");
    let long = json!({"overlapSeconds": 999_999_999});
    served.send(&operator, Method::POST, "/v1/machine-keys/one/rotate", long).await.problem(400, "invalid");
    // Nothing of this was recorded as done.
    assert!(served.entries().await.iter().all(|entry| !entry.contains(" allowed ")), "{:?}", served.entries().await);
}

#[tokio::test]
async fn nobody_but_an_operator_of_the_server_manages_keys() {
    let served = serve(true).await;
    served.world.client.get("", KEYS).await.problem(401, "unauthenticated");
    for roles in [&["admin"][..], &["archive:operator"], &["operator"], &[]] {
        let person = served.person(roles);
        for (method, path) in [
            (Method::GET, KEYS),
            (Method::POST, KEYS),
            (Method::DELETE, "/v1/machine-keys/x"),
            (Method::POST, "/v1/machine-keys/x/rotate"),
        ] {
            served
                .send(&person, method, path, json!({"name": "x", "designs": ["archive"]}))
                .await
                .problem(404, "not-found");
        }
    }
    assert_eq!(std::fs::read_to_string(&served.file).unwrap(), "# none yet\n");
    let denied = served.entries().await;
    assert!(
        denied.contains(&"create machine-key - denied olga token archive".to_owned())
            || denied.contains(&"create machine-key  denied olga token archive".to_owned()),
        "{denied:?}"
    );
}

#[tokio::test]
async fn a_machine_key_manages_itself_only() {
    let served = serve(true).await;
    let roles = ["server:operator", "admin"];
    let expires = Some("2027-01-15T09:00:00Z".to_owned());
    let own = NewMachineKey { expires, ..new("own", &roles) };
    let own = create_machine_key(&served.file, own).unwrap();
    let other = create_machine_key(&served.file, new("other", &["admin"])).unwrap();
    let scoped = NewMachineKey { scopes: Some(vec!["read".to_owned()]), ..new("scoped", &roles) };
    let scoped = create_machine_key(&served.file, scoped).unwrap();
    assert!(served.accepts(&own).await);
    // It cannot make one with more rights, take over another, or remove one.
    let more = json!({"name": "more", "designs": ["agencies"], "roles": ["operator"]});
    served.send(&own, Method::POST, KEYS, more).await.problem(403, "not-allowed");
    served.send(&own, Method::POST, "/v1/machine-keys/other/rotate", json!({})).await.problem(403, "not-allowed");
    served.send(&own, Method::DELETE, "/v1/machine-keys/other", json!({})).await.problem(403, "not-allowed");
    served.send(&scoped, Method::GET, KEYS, json!({})).await.problem(404, "not-found");
    served.send(&other, Method::GET, KEYS, json!({})).await.problem(404, "not-found");
    assert!(served.accepts(&other).await);
    // It can replace itself, for no longer than it would have lived.
    let later = json!({"expires": "2030-01-01T00:00:00Z"});
    served.send(&own, Method::POST, "/v1/machine-keys/own/rotate", later).await.problem(400, "invalid");
    // Once it was replaced, the old one decides nothing, although it is valid for a while.
    let during = served.send(&own, Method::POST, "/v1/machine-keys/own/rotate", json!({"overlapSeconds": 600})).await;
    let during = during.expect(200).json()["key"].as_str().unwrap().to_owned();
    assert!(served.accepts(&own).await && served.accepts(&during).await);
    let at_once = || json!({"overlapSeconds": 0});
    served.send(&own, Method::POST, "/v1/machine-keys/own/rotate", at_once()).await.problem(403, "not-allowed");
    served.send(&own, Method::DELETE, "/v1/machine-keys/own", json!({})).await.problem(403, "not-allowed");
    let next = served.send(&during, Method::POST, "/v1/machine-keys/own/rotate", at_once()).await;
    let next = next.expect(200).json()["key"].as_str().unwrap().to_owned();
    assert!(!served.accepts(&own).await && served.accepts(&next).await);
    let listed = served.send(&next, Method::GET, KEYS, json!({})).await.expect(200).json();
    let active =
        listed["items"].as_array().unwrap().iter().find(|key| key["name"] == "own" && key["state"] == "active");
    assert_eq!(active.unwrap()["expires"], "2027-01-15T09:00:00Z", "{listed}");
    served.send(&next, Method::DELETE, "/v1/machine-keys/own", json!({})).await.expect(204);
    assert!(!served.accepts(&next).await);
}

impl Served {
    /// Rotates a key of this name, and returns the new one.
    async fn rotate(&self, credential: &str, name: &str, overlap_seconds: u64) -> Answered {
        let path = format!("{KEYS}/{name}/rotate");
        self.send(credential, Method::POST, &path, json!({"overlapSeconds": overlap_seconds})).await
    }
}

fn key_of(rotated: Answered) -> String {
    rotated.expect(200).json()["key"].as_str().unwrap().to_owned()
}

const REPLACED: &str = "this machine key was replaced: use the one that replaced it";

#[tokio::test]
async fn a_replaced_key_with_the_expiry_of_its_successor_decides_nothing() {
    let served = serve(true).await;
    let expires = Some("2027-01-15T09:00:00Z".to_owned());
    let first = NewMachineKey { expires, ..new("own", &["server:operator"]) };
    let first = create_machine_key(&served.file, first).unwrap();
    assert!(served.accepts(&first).await);
    // The overlap is longer than the key was to live, so that both expire when it was to.
    let second = key_of(served.rotate(&first, "own", 7_776_000).await);
    assert!(served.accepts(&first).await && served.accepts(&second).await);
    for overlap in [0, 60] {
        let problem = served.rotate(&first, "own", overlap).await.problem(403, "not-allowed");
        assert_eq!(problem["detail"], REPLACED);
    }
    served.send(&first, Method::DELETE, "/v1/machine-keys/own", json!({})).await.problem(403, "not-allowed");
    assert!(served.accepts(&second).await);
    assert_eq!(std::fs::read_to_string(&served.file).unwrap().matches("\"hash\"").count(), 2);
    let third = key_of(served.rotate(&second, "own", 0).await);
    assert!(!served.accepts(&first).await && !served.accepts(&second).await && served.accepts(&third).await);
}

#[tokio::test]
async fn a_key_decides_nothing_from_the_moment_it_is_replaced() {
    let served = serve(true).await;
    let operator = served.operator();
    let leaked = create_machine_key(&served.file, new("leaked", &["server:operator"])).unwrap();
    assert!(served.accepts(&leaked).await);
    // The clock stands still, so that the server still accepts the leaked key.
    let successor = key_of(served.rotate(&operator, "leaked", 0).await);
    let problem = served.rotate(&leaked, "leaked", 0).await.problem(403, "not-allowed");
    assert_eq!(problem["detail"], REPLACED);
    served.send(&leaked, Method::DELETE, "/v1/machine-keys/leaked", json!({})).await.problem(403, "not-allowed");
    assert!(served.accepts(&successor).await && !served.accepts(&leaked).await);
    // Nor does one that was revoked.
    served.send(&operator, Method::DELETE, "/v1/machine-keys/leaked", json!({})).await.expect(204);
    served.rotate(&successor, "leaked", 0).await.problem(400, "invalid");
    assert!(!served.accepts(&successor).await);
}

#[tokio::test]
async fn of_several_rotations_by_one_key_one_succeeds() {
    let served = serve(true).await;
    let key = create_machine_key(&served.file, new("own", &["server:operator"])).unwrap();
    assert!(served.accepts(&key).await);
    let rotations = futures_util::future::join_all((0..8).map(|_| served.rotate(&key, "own", 60))).await;
    let mut statuses: Vec<u16> = rotations.iter().map(|rotation| rotation.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403, 403, 403, 403, 403, 403, 403]);
    assert_eq!(std::fs::read_to_string(&served.file).unwrap().matches("\"hash\"").count(), 2);
}

#[tokio::test]
async fn a_name_has_few_keys_at_once() {
    let served = serve(true).await;
    let mut newest = create_machine_key(&served.file, new("own", &["server:operator"])).unwrap();
    for _ in 1..10 {
        assert!(served.accepts(&newest).await);
        newest = key_of(served.rotate(&newest, "own", 7_776_000).await);
    }
    assert!(served.accepts(&newest).await);
    for credential in [&newest, &served.operator()] {
        let problem = served.rotate(credential, "own", 7_776_000).await.problem(400, "invalid");
        assert_eq!(problem["field"], "overlapSeconds");
        assert!(problem["detail"].as_str().unwrap().starts_with("10 keys named `own` are accepted"), "{problem}");
    }
    let last = key_of(served.rotate(&newest, "own", 0).await);
    assert!(!served.accepts(&newest).await && served.accepts(&last).await);
}

#[tokio::test]
async fn keys_are_not_managed_unless_the_server_may_write_the_file() {
    let served = serve(false).await;
    let operator = served.operator();
    served.send(&operator, Method::GET, KEYS, json!({})).await.problem(404, "not-found");
    let body = json!({"name": "one", "designs": ["archive"]});
    served.send(&operator, Method::POST, KEYS, body).await.problem(404, "not-found");
    assert_eq!(std::fs::read_to_string(&served.file).unwrap(), "# none yet\n");
}
