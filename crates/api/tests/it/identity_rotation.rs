//! Keys that come and go while the server runs.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::time::Duration;

use crate::identity_support::site::{SILENT, SLOW, Site};
use crate::identity_support::*;
use keyfold_api::Authenticator as _;
use keyfold_api::identity::{Identity, KeySettings};
use keyfold_environment::ManualClock;

const KEYS: &str = "/jwks.json";

/// An identity provider that publishes its keys, and an identity that fetches them.
struct Publisher {
    site: Site,
    identity: Identity,
    clock: Arc<ManualClock>,
}

impl Publisher {
    async fn start(status: u16, body: &str) -> Self {
        let site = Site::start().await;
        site.publish(KEYS, status, body);
        let url = format!("{}{KEYS}", site.issuer()).parse().unwrap();
        let clock = clock();
        let identity = Identity::new(Some(settings(KeySettings::Url(url))), None, Arc::clone(&clock) as _).unwrap();
        Self { site, identity, clock }
    }

    fn publish(&self, status: u16, body: &str) {
        self.site.publish(KEYS, status, body);
    }

    fn asked(&self) -> usize {
        self.site.asked(KEYS)
    }

    /// Waits for a fetch that nobody waits for.
    async fn until_asked(&self, times: usize) {
        for _ in 0..500 {
            if self.asked() >= times {
                tokio::time::sleep(Duration::from_millis(50)).await;
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("asked {} times", self.asked());
    }
}

const UNKNOWN: &str = "the token was signed with an unknown key";

#[tokio::test]
async fn concurrent_requests_fetch_the_key_set_once() {
    let one = Signer::ec("one");
    let publisher = Publisher::start(200, &key_set(&[&one])).await;
    assert_eq!(publisher.asked(), 0);
    let token = one.sign(&claims());
    let shown = (0..50).map(|_| show(&publisher.identity, &token));
    assert!(futures_util::future::join_all(shown).await.iter().all(Result::is_ok));
    assert_eq!(publisher.asked(), 1);
}

#[tokio::test]
async fn the_first_fetch_completes_although_its_request_is_dropped() {
    let one = Signer::ec("one");
    let publisher = Publisher::start(SLOW, &key_set(&[&one])).await;
    let token = one.sign(&claims());
    // A client that leaves before the keys are there.
    let dropped = tokio::time::timeout(Duration::from_millis(50), show(&publisher.identity, &token)).await;
    assert!(dropped.is_err());
    assert!(show(&publisher.identity, &token).await.is_ok());
    assert_eq!(publisher.asked(), 1);
}

#[tokio::test]
async fn a_token_with_a_new_key_id_refetches_the_key_set() {
    let (one, two) = (Signer::ec("one"), Signer::ec("two"));
    let publisher = Publisher::start(200, &key_set(&[&one])).await;
    assert!(show(&publisher.identity, &one.sign(&claims())).await.is_ok());
    publisher.publish(200, &key_set(&[&one, &two]));
    // The provider has just been asked.
    assert_eq!(reason(&publisher.identity, &two.sign(&claims())).await, UNKNOWN);
    assert_eq!(publisher.asked(), 1);
    publisher.clock.advance(30 * 1000);
    assert!(show(&publisher.identity, &two.sign(&claims())).await.is_ok());
    assert!(show(&publisher.identity, &one.sign(&claims())).await.is_ok());
    assert_eq!(publisher.asked(), 2);
}

#[tokio::test]
async fn unknown_key_ids_do_not_refetch_the_key_set_every_time() {
    let one = Signer::ec("one");
    let publisher = Publisher::start(200, &key_set(&[&one])).await;
    assert!(show(&publisher.identity, &one.sign(&claims())).await.is_ok());
    publisher.clock.advance(30 * 1000);
    for number in 0..100 {
        let forged = one.sign_with(&serde_json::json!({"alg": "ES256", "kid": format!("x{number}")}), &claims());
        assert_eq!(reason(&publisher.identity, &forged).await, UNKNOWN);
    }
    assert_eq!(publisher.asked(), 2);
}

#[tokio::test]
async fn tokens_of_a_withdrawn_key_are_rejected() {
    let (one, two) = (Signer::ec("one"), Signer::ec("two"));
    let publisher = Publisher::start(200, &key_set(&[&one, &two])).await;
    let stolen = one.sign(&claims());
    assert!(show(&publisher.identity, &stolen).await.is_ok());
    publisher.publish(200, &key_set(&[&two]));
    publisher.clock.advance(599 * 1000);
    assert!(show(&publisher.identity, &stolen).await.is_ok());
    publisher.clock.advance(1000);
    // The one who finds the keys old does not wait for new ones.
    assert!(show(&publisher.identity, &stolen).await.is_ok());
    publisher.until_asked(2).await;
    assert_eq!(reason(&publisher.identity, &stolen).await, UNKNOWN);
    assert!(show(&publisher.identity, &two.sign(&claims())).await.is_ok());
}

#[tokio::test]
async fn cached_keys_are_used_while_the_provider_fails() {
    let one = Signer::ec("one");
    let publisher = Publisher::start(200, &key_set(&[&one])).await;
    assert!(show(&publisher.identity, &one.sign(&claims())).await.is_ok());
    let failures = [
        (500, String::new()),
        (302, String::new()),
        (200, "<html>".to_owned()),
        (200, r#"{"keys": []}"#.to_owned()),
        (200, r#"{"keys": [{"kty": "oct", "kid": "one", "k": "AAAA"}]}"#.to_owned()),
        (200, " ".repeat(600 * 1024)),
    ];
    for (place, (status, body)) in failures.iter().enumerate() {
        publisher.publish(*status, body);
        publisher.clock.advance(600 * 1000);
        let forged = one.sign_with(&serde_json::json!({"alg": "ES256", "kid": "other"}), &claims_but_later());
        assert_eq!(reason(&publisher.identity, &forged).await, UNKNOWN, "{status}");
        assert_eq!(publisher.asked(), place + 2);
        assert!(show(&publisher.identity, &one.sign(&claims_but_later())).await.is_ok(), "{status}");
    }
}

fn claims_but_later() -> serde_json::Value {
    claims_but(serde_json::json!({"exp": NOW + 100_000}))
}

#[tokio::test]
async fn without_any_keys_authentication_is_unavailable() {
    let one = Signer::ec("one");
    let publisher = Publisher::start(503, "").await;
    let refused = show(&publisher.identity, &one.sign(&claims())).await.unwrap_err();
    assert!(refused.temporary);
    assert_eq!(refused.reason, "the keys for verifying tokens are not available yet; try again later");
    publisher.publish(200, &key_set(&[&one]));
    assert!(show(&publisher.identity, &one.sign(&claims())).await.unwrap_err().temporary);
    assert_eq!(publisher.asked(), 1);
    publisher.clock.advance(2 * 1000);
    assert!(show(&publisher.identity, &one.sign(&claims())).await.is_ok());
}

#[tokio::test]
async fn a_provider_that_hangs_does_not_delay_requests_with_known_keys() {
    let one = Signer::ec("one");
    let publisher = Publisher::start(200, &key_set(&[&one])).await;
    assert!(show(&publisher.identity, &one.sign(&claims())).await.is_ok());
    publisher.publish(SILENT, "");
    publisher.clock.advance(600 * 1000);
    let token = one.sign(&claims());
    for _ in 0..2 {
        let shown = tokio::time::timeout(Duration::from_secs(1), show(&publisher.identity, &token)).await;
        assert!(shown.unwrap().is_ok());
        publisher.until_asked(2).await;
    }
}

#[tokio::test]
async fn the_key_set_file_is_reloaded_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    let (one, two) = (Signer::ec("one"), Signer::ed("second"));
    std::fs::write(&file, key_set(&[&one])).unwrap();
    let clock = clock();
    let settings = settings(KeySettings::File(file.clone()));
    let identity = Identity::new(Some(settings), None, Arc::clone(&clock) as _).unwrap();
    assert!(show(&identity, &one.sign(&claims())).await.is_ok());
    std::fs::write(&file, key_set(&[&two])).unwrap();
    assert_eq!(reason(&identity, &two.sign(&claims())).await, UNKNOWN);
    clock.advance(1000);
    assert!(show(&identity, &two.sign(&claims())).await.is_ok());
    assert_eq!(reason(&identity, &one.sign(&claims())).await, UNKNOWN);
    // A file that is being written changes nothing.
    std::fs::write(&file, "{").unwrap();
    clock.advance(1000);
    assert!(show(&identity, &two.sign(&claims())).await.is_ok());
    assert_eq!(identity.fault(), None);
    std::fs::write(&file, key_set(&[&two])).unwrap();
    clock.advance(1000);
    assert!(show(&identity, &two.sign(&claims())).await.is_ok());
}

#[tokio::test]
async fn a_mistake_in_a_key_file_keeps_no_removed_key() {
    for broken in ["{", ""] {
        let folder = tempfile::tempdir().unwrap();
        let (file, secret) = (folder.path().join("jwks.json"), folder.path().join("secret"));
        let one = Signer::ec("one");
        std::fs::write(&file, key_set(&[&one])).unwrap();
        std::fs::write(&secret, "the leaked secret of 32 bytes or more").unwrap();
        std::fs::set_permissions(&secret, Permissions::from_mode(0o600)).unwrap();
        for settings in [settings(KeySettings::File(file.clone())), settings(KeySettings::SecretFile(secret.clone()))] {
            let (clock, is_secret) = (clock(), matches!(settings.keys, KeySettings::SecretFile(_)));
            let identity = Identity::new(Some(settings), None, Arc::clone(&clock) as _).unwrap();
            assert_eq!(identity.fault(), None);
            let path = if is_secret { &secret } else { &file };
            std::fs::write(path, broken).unwrap();
            clock.advance(1000);
            assert_eq!(identity.fault(), None, "it may be half written");
            clock.advance(1000);
            let fault = identity.fault().unwrap();
            assert!(fault.ends_with(" is invalid"), "{fault}");
            if !is_secret {
                assert!(show(&identity, &one.sign(&claims())).await.unwrap_err().temporary);
            }
        }
    }
}

#[tokio::test]
async fn removing_the_key_set_file_disables_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    let one = Signer::ec("one");
    std::fs::write(&file, key_set(&[&one])).unwrap();
    let clock = clock();
    let settings = settings(KeySettings::File(file.clone()));
    let identity = Identity::new(Some(settings), None, Arc::clone(&clock) as _).unwrap();
    let token = one.sign(&claims());
    assert!(show(&identity, &token).await.is_ok());
    std::fs::remove_file(&file).unwrap();
    clock.advance(1000);
    // Also for a token that has been verified before.
    assert!(show(&identity, &token).await.unwrap_err().temporary);
    assert_eq!(identity.fault(), Some(format!("the key file `{}` cannot be read", file.display())));
    // What was known before does not come back by a file with a mistake.
    std::fs::write(&file, "{").unwrap();
    clock.advance(1000);
    assert!(show(&identity, &token).await.unwrap_err().temporary);
    assert_eq!(identity.fault(), Some(format!("the key file `{}` is invalid", file.display())));
    std::fs::write(&file, key_set(&[&one])).unwrap();
    clock.advance(1000);
    assert!(show(&identity, &token).await.is_ok());
    assert_eq!(identity.fault(), None);
}

#[tokio::test]
async fn the_file_of_the_token_secret_is_reloaded_and_its_removal_disables_it() {
    const SECRETS: [&str; 2] = ["the first secret of 32 bytes or more", "the second secret of 32 bytes or more"];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    let write = |secret: &str, mode: u32| {
        std::fs::write(&file, secret).unwrap();
        std::fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
    };
    let [first, second] =
        SECRETS.map(|secret| sign_with_secret(secret.as_bytes(), &serde_json::json!({"alg": "HS256"}), &claims()));
    write(SECRETS[0], 0o600);
    let clock = clock();
    let identity =
        Identity::new(Some(settings(KeySettings::SecretFile(file.clone()))), None, Arc::clone(&clock) as _).unwrap();
    assert!(show(&identity, &first).await.is_ok());
    // An editor adds a newline. Tokens of the old secret no longer count, although they have been verified.
    write(&format!("{}\n", SECRETS[1]), 0o600);
    clock.advance(1000);
    assert!(show(&identity, &first).await.is_err());
    assert!(show(&identity, &second).await.is_ok());
    // It can be read at once.
    write(SECRETS[0], 0o600);
    identity.reload();
    assert!(show(&identity, &first).await.is_ok());
    write(SECRETS[1], 0o600);
    identity.reload();
    assert!(show(&identity, &second).await.is_ok());
    // One that is too short changes nothing.
    write("short", 0o600);
    clock.advance(1000);
    assert!(show(&identity, &second).await.is_ok());
    let fault = || identity.fault().map(|fault| fault.replace(&file.display().to_string(), "F"));
    for make_unreadable in [&(|| std::fs::remove_file(&file).unwrap()) as &dyn Fn(), &|| write(SECRETS[1], 0o644)] {
        write(SECRETS[1], 0o600);
        clock.advance(1000);
        assert!(show(&identity, &second).await.is_ok());
        assert_eq!(fault(), None);
        make_unreadable();
        clock.advance(1000);
        assert!(show(&identity, &second).await.unwrap_err().temporary);
        assert_eq!(fault().as_deref(), Some("the file of the token secret `F` cannot be read"));
    }
}

#[test]
fn a_file_without_a_token_secret_fails_at_startup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    let error = || {
        let error = Identity::new(Some(settings(KeySettings::SecretFile(file.clone()))), None, clock()).err();
        error.unwrap().to_string().replace(&file.display().to_string(), "F")
    };
    assert_eq!(error(), "cannot read `F`");
    std::fs::write(&file, "short\n").unwrap();
    std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    assert_eq!(error(), "the secret has 5 bytes; it needs at least 32, from a source of randomness");
}

#[tokio::test]
async fn keys_that_could_not_be_fetched_for_a_day_no_longer_count() {
    const HOUR_MS: u64 = 60 * 60 * 1000;
    let one = Signer::ec("one");
    let publisher = Publisher::start(200, &key_set(&[&one])).await;
    let token = one.sign(&claims_but_later());
    assert!(show(&publisher.identity, &token).await.is_ok());
    publisher.publish(500, "");
    publisher.clock.advance(24 * HOUR_MS - 1);
    assert!(show(&publisher.identity, &token).await.is_ok());
    publisher.until_asked(2).await;
    assert_eq!(publisher.identity.fault(), None);
    publisher.clock.advance(1);
    assert!(show(&publisher.identity, &token).await.unwrap_err().temporary);
    assert!(publisher.identity.fault().unwrap().ends_with("could not be fetched for a day"));
    publisher.publish(200, &key_set(&[&one]));
    publisher.clock.advance(2 * 1000);
    assert!(show(&publisher.identity, &token).await.is_ok());
    assert_eq!(publisher.identity.fault(), None);
}

#[tokio::test]
async fn a_day_without_tokens_is_not_a_fault() {
    let one = Signer::ec("one");
    let publisher = Publisher::start(200, &key_set(&[&one])).await;
    let token = one.sign(&claims_but_later());
    assert!(show(&publisher.identity, &token).await.is_ok());
    publisher.clock.advance(25 * 60 * 60 * 1000);
    // The probe of readiness fetches the keys, although nobody needs them.
    assert_eq!(publisher.identity.fault(), None);
    publisher.until_asked(2).await;
    assert_eq!(publisher.identity.fault(), None);
    assert!(show(&publisher.identity, &token).await.is_ok());
    assert_eq!(publisher.asked(), 2);
}

#[test]
fn a_key_set_file_without_keys_fails_at_startup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    let error = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let error = Identity::new(Some(settings(KeySettings::File(file.clone()))), None, clock()).err();
        error.unwrap().to_string().replace(&file.display().to_string(), "F")
    };
    assert_eq!(
        error(r#"{"keys": []}"#),
        "`F` cannot be read: none of its 0 keys can verify signatures of the allowed algorithms"
    );
    assert_eq!(
        error(r#"{"keys": [{"kty": "oct", "k": "AAAA"}, {"kty": "new"}, 7]}"#),
        "`F` cannot be read: none of its 3 keys can verify signatures of the allowed algorithms"
    );
    assert!(error("{").starts_with("`F` cannot be read: it is not a valid JSON Web Key Set: "));
}
