//! Tokens that were revoked before they expired.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::identity_support::*;
use keyfold_api::Authenticator as _;
use keyfold_api::identity::{
    Identity, KeySettings, NewRevocation, RevokedTokens, TokenSettings, check_revocations, revoke_tokens,
};
use keyfold_environment::ManualClock;
use serde_json::{Value, json};

static SIGNER: LazyLock<Signer> = LazyLock::new(|| Signer::ec("key"));
const OTHER: &str = "https://other.example.com/";
const YEAR_MS: u64 = 365 * 24 * 60 * 60_000;

struct Server {
    folder: tempfile::TempDir,
    identity: Identity,
    clock: Arc<ManualClock>,
}

impl Server {
    /// With two issuers, which have the same key.
    fn start(revocations: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let keys = folder.path().join("keys.json");
        std::fs::write(&keys, key_set(&[&SIGNER])).unwrap();
        std::fs::write(file(folder.path()), revocations).unwrap();
        let clock = clock();
        let usual = settings(KeySettings::File(keys));
        let other = TokenSettings { issuer: OTHER.to_owned(), ..usual.clone() };
        let identity = Identity::new([usual, other], None, Arc::clone(&clock) as _).unwrap();
        let identity = identity.with_revocations(&file(folder.path())).unwrap();
        Self { folder, identity, clock }
    }

    fn file(&self) -> PathBuf {
        file(self.folder.path())
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    async fn accepts(&self, changes: Value) -> bool {
        match show(&self.identity, &SIGNER.sign(&claims_but(changes))).await {
            Ok(_) => true,
            Err(refused) => {
                assert_eq!((refused.reason.as_str(), refused.temporary), ("the token was revoked", false));
                false
            }
        }
    }

    /// Adds an entry, as the command does, and waits until the file is read again.
    fn revoke(&self, tokens: RevokedTokens, issuer: Option<&str>) {
        let new = NewRevocation { tokens, issuer: issuer.map(str::to_owned), expires: None };
        revoke_tokens(&self.file(), new, NOW * 1000).unwrap();
        self.clock.advance(2000);
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("revocations.yaml")
}

fn subject(name: &str) -> RevokedTokens {
    RevokedTokens::Subject { subject: name.to_owned(), issued_before: None }
}

#[tokio::test]
async fn a_token_is_revoked_by_its_id_within_two_seconds() {
    let server = Server::start("");
    let (leaked, other) = (json!({"jti": "leaked"}), json!({"jti": "other"}));
    assert!(server.accepts(leaked.clone()).await && server.accepts(other.clone()).await);
    server.revoke(RevokedTokens::Id("leaked".to_owned()), None);
    // It was verified before, and is cached.
    assert!(!server.accepts(leaked).await);
    assert!(server.accepts(other).await);
    assert!(server.accepts(json!({})).await);
    assert!(server.text().starts_with("# Revoked tokens."), "{}", server.text());
    assert!(server.text().contains("- {\"jti\":\"leaked\",\"expires\":"), "{}", server.text());
}

#[tokio::test]
async fn the_tokens_of_a_subject_are_revoked_and_a_later_sign_in_works() {
    let server = Server::start("");
    assert!(server.accepts(json!({"iat": NOW - 100})).await);
    server.revoke(subject("ada"), None);
    for issued in [json!(NOW - 100), json!(NOW), json!(NOW + 59), json!(null), json!("yesterday")] {
        // The clock of the issuer may be a minute ahead.
        assert!(!server.accepts(json!({"iat": issued})).await, "{issued}");
    }
    assert!(server.accepts(json!({"iat": NOW + 60})).await);
    assert!(server.accepts(json!({"sub": "grace"})).await);
}

#[tokio::test]
async fn a_revocation_can_be_for_one_issuer() {
    let server = Server::start("");
    server.revoke(subject("ada"), Some(OTHER));
    server.revoke(RevokedTokens::Id("leaked".to_owned()), Some(OTHER));
    for changes in [json!({}), json!({"jti": "leaked", "sub": "grace"})] {
        assert!(server.accepts(changes.clone()).await, "{changes}");
        let mut of_other = changes;
        of_other["iss"] = json!(OTHER);
        assert!(!server.accepts(of_other).await);
    }
}

#[tokio::test]
async fn nobody_is_admitted_while_revocations_cannot_be_read() {
    let server = Server::start("# none yet\n");
    assert!(server.accepts(json!({})).await);
    assert_eq!(server.identity.fault(), None);
    std::fs::remove_file(server.file()).unwrap();
    server.clock.advance(2000);
    let refused = show(&server.identity, &SIGNER.sign(&claims())).await.unwrap_err();
    assert_eq!(refused.reason, "revoked tokens are not known at the moment; try again later");
    assert!(refused.temporary);
    assert!(server.identity.fault().unwrap().ends_with("revocations.yaml` cannot be read"));
    std::fs::write(server.file(), "- subject: grace\n").unwrap();
    server.clock.advance(2000);
    assert!(server.accepts(json!({})).await);
    assert!(!server.accepts(json!({"sub": "grace"})).await);
    assert_eq!(server.identity.fault(), None);
    // Nor while there is no telling what the file revokes.
    for mistake in ["- subject: [grace\n", "subject: grace\n", "grace"] {
        std::fs::write(server.file(), mistake).unwrap();
        server.clock.advance(2000);
        for subject in ["ada", "grace"] {
            let token = SIGNER.sign(&claims_but(json!({"sub": subject})));
            assert!(show(&server.identity, &token).await.unwrap_err().temporary, "{mistake}");
        }
        assert!(server.identity.fault().unwrap().ends_with("revocations.yaml` is invalid"), "{mistake}");
        std::fs::write(server.file(), "- subject: grace\n").unwrap();
        server.clock.advance(2000);
        assert!(server.accepts(json!({})).await && !server.accepts(json!({"sub": "grace"})).await);
    }
}

#[tokio::test]
async fn an_entry_with_a_mistake_admits_nobody_whom_it_may_revoke() {
    let server = Server::start("");
    for mistake in [
        "- subjct: grace",
        "- subject: grace\n  isuer: https://other.example.com/",
        "- subject: [eve, grace]",
        "- {jti: grace, subject: grace}",
        "- {subject: grace, issued-before: yesterday}",
        "- {subject: grace, expires: [never]}",
        "- subject:grace",
        "- subject: grace\n  subject: mallory",
        "- grace",
        "- {grace}",
        "- - grace",
        "- issuer:\n    subject: grace",
        "- expires: [grace]",
        "- subject grace",
        "- subject=grace",
        "- subject = grace",
    ] {
        std::fs::write(server.file(), format!("- subject: mallory\n{mistake}\n- jti: leaked\n")).unwrap();
        server.clock.advance(2000);
        for revoked in [json!({"sub": "grace"}), json!({"sub": "mallory"}), json!({"jti": "leaked"})] {
            assert!(!server.accepts(revoked.clone()).await, "{mistake}: {revoked}");
        }
        assert!(server.accepts(json!({})).await, "{mistake}");
        assert_eq!(server.identity.fault(), None);
        // Others can still be revoked, and the entry stays as it is.
        server.revoke(subject("eve"), None);
        assert!(!server.accepts(json!({"sub": "eve"})).await, "{mistake}");
        assert!(!server.accepts(json!({"sub": "grace"})).await, "{mistake}");
        assert!(server.text().contains(mistake), "{}", server.text());
        let told = check_revocations(&server.file()).unwrap_err().to_string();
        assert!(told.starts_with("line 2: "), "{told}");
    }
}

#[tokio::test]
async fn a_file_that_lost_all_its_entries_admits_nobody() {
    let server = Server::start("");
    assert!(server.accepts(json!({})).await, "no token has been revoked yet");
    server.revoke(subject("grace"), None);
    assert!(!server.accepts(json!({"sub": "grace"})).await);
    std::fs::write(server.file(), "").unwrap();
    server.clock.advance(2000);
    let refused = show(&server.identity, &SIGNER.sign(&claims_but(json!({})))).await.unwrap_err();
    assert!(refused.temporary, "{refused:?}");
    assert!(server.identity.fault().unwrap().ends_with(" is invalid"));
    std::fs::write(server.file(), "# none\n").unwrap();
    server.clock.advance(2000);
    assert!(server.accepts(json!({"sub": "grace"})).await);
}

#[test]
fn entries_are_removed_once_their_tokens_have_expired() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let revoke = |id: &str, expires: Option<&str>, now_ms: u64| {
        let tokens = RevokedTokens::Id(id.to_owned());
        let new = NewRevocation { tokens, issuer: None, expires: expires.map(str::to_owned) };
        revoke_tokens(&path, new, now_ms).unwrap()
    };
    let ids = || -> Vec<String> {
        let text = std::fs::read_to_string(&path).unwrap();
        let ids = text.lines().filter_map(|line| line.split("\"jti\":\"").nth(1)?.split('"').next());
        ids.map(str::to_owned).collect()
    };
    // NOW is in January 2027.
    assert_eq!(revoke("a", Some("2027-02-01T00:00:00Z"), NOW * 1000), 0);
    assert_eq!(revoke("b", None, NOW * 1000), 0);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}# by hand\n- subject: grace\n  expires: 2027-01-20T00:00:00Z\n")).unwrap();
    let february = 1_801_440_000_000;
    // Clocks differ: an hour passes before an entry is removed.
    assert_eq!(revoke("c", None, february + 3_599_000), 0);
    assert_eq!(ids(), ["a", "b", "c"]);
    assert_eq!(revoke("d", None, february + 3_600_000), 1);
    assert_eq!(ids(), ["b", "c", "d"]);
    assert_eq!(revoke("e", None, NOW * 1000 + YEAR_MS + 3_600_000), 1);
    assert_eq!(ids(), ["c", "d", "e"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("# by hand\n- subject: grace\n  expires: 2027-01-20T00:00:00Z\n"), "{text}");
}

#[test]
fn invalid_revocations_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path());
    let refuse = |tokens: RevokedTokens, expires: Option<&str>| {
        let new = NewRevocation { tokens, issuer: None, expires: expires.map(str::to_owned) };
        revoke_tokens(&path, new, NOW * 1000).unwrap_err().to_string()
    };
    assert_eq!(refuse(RevokedTokens::Id(String::new()), None), "`` is not the id or the subject of a token");
    assert_eq!(
        refuse(subject("machine:nightly"), None),
        "`machine:nightly` is a machine key, not a token: remove its line from the file of machine keys"
    );
    assert_eq!(refuse(subject("ada"), Some("tomorrow")), "`tomorrow` is not a timestamp such as 2027-01-01T00:00:00Z");
    assert!(!path.exists());
    for (text, expected) in [
        ("- {}\n", "an entry has either a `jti` or a `subject`"),
        ("- {jti: a, subject: b}\n", "an entry has either a `jti` or a `subject`"),
        ("- {jti: a, issued-before: 2027-01-01T00:00:00Z}\n", "`issued-before` belongs to an entry with a `subject`"),
        ("- {subject: a, issued-before: now}\n", "`now` is not a timestamp such as 2027-01-01T00:00:00Z"),
        ("- {subject: a, until: now}\n", "line 1: unknown member `until`"),
        ("subject: a\n", "line 1: expected a list"),
    ] {
        std::fs::write(&path, text).unwrap();
        let keys = KeySettings::Secret(vec![7; 32]);
        let error = Identity::new([settings(keys)], None, clock()).unwrap().with_revocations(&path).err().unwrap();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}
