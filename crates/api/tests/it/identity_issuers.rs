//! Several issuers, and issuers that publish their own configuration.

use std::sync::{Arc, LazyLock};

use crate::identity_support::site::{CONFIGURATION, Site};
use crate::identity_support::*;
use keyfold_api::Authenticator as _;
use keyfold_api::identity::{ClaimSettings, Identity, KeySettings, TokenSettings};
use serde_json::{Value, json};

const FIRST: &str = "https://one.example.com";
const SECOND: &str = "https://two.example.com";
const SECRET: &[u8] = b"0123456789abcdef0123456789abcdef";
static ONE: LazyLock<Signer> = LazyLock::new(|| Signer::ec("key"));
static TWO: LazyLock<Signer> = LazyLock::new(|| Signer::ec("key"));

/// An issuer with its keys in a file.
fn issuer(folder: &std::path::Path, name: &str, signer: &Signer) -> TokenSettings {
    let file = folder.join(format!("{}.json", &name[8..11]));
    std::fs::write(&file, key_set(&[signer])).unwrap();
    TokenSettings { issuer: name.to_owned(), ..settings(KeySettings::File(file)) }
}

fn of(name: &str, changes: Value) -> Value {
    let mut claims = claims_but(changes);
    claims["iss"] = json!(name);
    claims
}

fn served(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[tokio::test]
async fn a_token_is_verified_with_the_keys_of_the_issuer_that_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let issuers = [issuer(folder.path(), FIRST, &ONE), issuer(folder.path(), SECOND, &TWO)];
    let identity = Identity::new(issuers, None, clock()).unwrap();
    for (name, signer) in [(FIRST, &*ONE), (SECOND, &*TWO)] {
        let token = signer.sign(&of(name, json!({})));
        for _ in 0..2 {
            let principal = show(&identity, &token).await.unwrap();
            let known = principal.caller.identity.as_ref().unwrap();
            assert_eq!((known.issuer.as_str(), known.subject.as_str()), (name, "ada"));
        }
    }
    // Each signs in the name of the other.
    for (name, signer) in [(SECOND, &*ONE), (FIRST, &*TWO)] {
        let forged = signer.sign(&of(name, json!({})));
        assert_eq!(reason(&identity, &forged).await, "the token's signature is invalid");
    }
    for unknown in [json!("https://three.example.com"), json!(null), json!([FIRST]), json!("https://one.example.com/")]
    {
        let token = ONE.sign(&claims_but(json!({"iss": unknown})));
        assert_eq!(reason(&identity, &token).await, "the token is from another issuer", "{unknown}");
    }
}

#[tokio::test]
async fn audiences_algorithms_and_claims_are_those_of_the_issuer() {
    let folder = tempfile::tempdir().unwrap();
    let second = TokenSettings {
        keys: KeySettings::Secret(SECRET.to_vec()),
        issuer: SECOND.to_owned(),
        audience: vec!["second".to_owned()],
        claims: ClaimSettings {
            subject: "oid".to_owned(),
            tenant: vec!["org".to_owned()],
            roles: vec!["groups".to_owned()],
            ..ClaimSettings::default()
        },
        ..settings(KeySettings::Secret(Vec::new()))
    };
    let identity = Identity::new([issuer(folder.path(), FIRST, &ONE), second], None, clock()).unwrap();
    let hs256 = json!({"alg": "HS256", "typ": "JWT"});
    let other = json!({"oid": "7", "org": "contoso", "groups": ["editor"], "aud": "second"});
    let principal = show(&identity, &sign_with_secret(SECRET, &hs256, &of(SECOND, other.clone()))).await.unwrap();
    assert_eq!(principal.caller.subject.as_deref(), Some("7"));
    assert_eq!(principal.caller.tenant.as_deref(), Some("contoso"));
    assert_eq!(principal.caller.roles, ["editor"]);
    // The settings of one do not count for the other.
    let refused = [
        (sign_with_secret(SECRET, &hs256, &of(FIRST, other.clone())), "the token's algorithm is not accepted"),
        (ONE.sign(&of(FIRST, json!({"aud": "second"}))), "the token is for another audience"),
        (ONE.sign(&of(SECOND, other)), "the token's algorithm is not accepted"),
        (
            sign_with_secret(SECRET, &hs256, &of(SECOND, json!({"aud": "second"}))),
            "the token's claim `oid` is missing or invalid",
        ),
    ];
    for (token, expected) in refused {
        assert_eq!(reason(&identity, &token).await, expected);
    }
}

#[tokio::test]
async fn an_issuer_of_one_design_grants_nothing_in_another() {
    let folder = tempfile::tempdir().unwrap();
    let limited = TokenSettings { designs: served(&["shop"]), ..issuer(folder.path(), FIRST, &ONE) };
    let issuers = [limited.clone(), issuer(folder.path(), SECOND, &TWO)];
    let identity = Identity::new(issuers, None, clock()).unwrap().for_designs(&served(&["shop", "desk"])).unwrap();
    let all = json!({"designs": ["shop", "desk"], "roles": ["shop:owner", "desk:clerk", "server:operator"]});
    let grants = show(&identity, &ONE.sign(&of(FIRST, all.clone()))).await.unwrap().grants.unwrap();
    assert_eq!(grants.callers.keys().collect::<Vec<_>>(), ["shop"]);
    assert_eq!(grants.callers["shop"].roles, ["owner"]);
    assert!(grants.server_roles.is_empty());
    let grants = show(&identity, &TWO.sign(&of(SECOND, all))).await.unwrap().grants.unwrap();
    assert_eq!(grants.callers.keys().collect::<Vec<_>>(), ["desk", "shop"]);
    assert_eq!(grants.server_roles, ["operator"]);
    // Without the claim, a token of the first can only mean its design.
    let grants = show(&identity, &ONE.sign(&of(FIRST, json!({})))).await.unwrap().grants.unwrap();
    assert_eq!(grants.callers["shop"].roles, ["admin"]);
    assert_eq!(grants.callers.len(), 1);
    // The limit also holds where the server does not say which designs it has.
    let identity = Identity::new([limited.clone()], None, clock()).unwrap();
    let grants = show(&identity, &ONE.sign(&of(FIRST, json!({"designs": ["desk"]})))).await.unwrap().grants.unwrap();
    assert!(grants.callers.is_empty());
    let unserved = Identity::new([limited], None, clock()).unwrap().for_designs(&served(&["desk"])).err().unwrap();
    assert_eq!(
        unserved.to_string(),
        "the issuer `https://one.example.com` is limited to the design `shop`, which is not served; served are: desk"
    );
}

#[tokio::test]
async fn the_keys_of_one_issuer_are_withdrawn_without_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let issuers = [issuer(folder.path(), FIRST, &ONE), issuer(folder.path(), SECOND, &TWO)];
    let identity = Identity::new(issuers, None, Arc::clone(&clock) as _).unwrap();
    let (first, second) = (ONE.sign(&of(FIRST, json!({}))), TWO.sign(&of(SECOND, json!({}))));
    assert!(show(&identity, &first).await.is_ok() && show(&identity, &second).await.is_ok());
    assert_eq!(identity.fault(), None);
    std::fs::remove_file(folder.path().join("two.json")).unwrap();
    clock.advance(2000);
    assert!(show(&identity, &first).await.is_ok());
    let refused = show(&identity, &second).await.unwrap_err();
    assert!(refused.temporary, "{refused}");
    assert!(identity.fault().unwrap().ends_with("two.json` cannot be read"));
}

#[test]
fn issuers_have_different_names_and_safe_settings() {
    let error = |issuers: Vec<TokenSettings>| Identity::new(issuers, None, clock()).err().unwrap().to_string();
    let secret = || settings(KeySettings::Secret(SECRET.to_vec()));
    assert_eq!(error(vec![secret(), secret()]), "duplicate issuer `https://id.example.com/`");
    let second = TokenSettings { issuer: "b".to_owned(), audience: Vec::new(), ..secret() };
    assert_eq!(
        error(vec![secret(), second]),
        "issuer `b`: the token audience is not configured: tokens for other services would be accepted"
    );
    let discovery = |issuer: &str| TokenSettings { issuer: issuer.to_owned(), ..settings(KeySettings::Discovery) };
    for issuer in ["id.example.com", "http://id.example.com", "https://id.example.com/?a"] {
        assert_eq!(
            error(vec![discovery(issuer)]),
            format!(
                "the keys of the issuer `{issuer}` are not configured: set `jwks` or `token-secret-file`, or name the issuer by \
                 the https URL below which it publishes `.well-known/openid-configuration`"
            )
        );
    }
}

/// An identity with the configuration of a site.
fn discovering(site: &Site, clock: &Arc<keyfold_environment::ManualClock>) -> Identity {
    let settings = TokenSettings { issuer: site.issuer(), ..settings(KeySettings::Discovery) };
    Identity::new([settings], None, Arc::clone(clock) as _).unwrap()
}

#[tokio::test]
async fn keys_are_found_through_the_configuration_of_the_issuer() {
    let (site, clock) = (Site::start().await, clock());
    let identity = discovering(&site, &clock);
    let token = ONE.sign(&of(&site.issuer(), json!({})));
    // The server starts without its provider.
    assert!(show(&identity, &token).await.unwrap_err().temporary);
    site.publish_configuration(json!({}));
    site.publish("/keys", 200, key_set(&[&ONE]));
    clock.advance(2000);
    for _ in 0..3 {
        assert!(show(&identity, &token).await.is_ok());
    }
    assert_eq!((site.asked(CONFIGURATION), site.asked("/keys")), (2, 1));
    // The keys move, and a new one is added.
    let new = Signer::ec("new");
    site.publish_configuration(json!({"jwks_uri": format!("{}/moved", site.issuer())}));
    site.publish("/moved", 200, key_set(&[&ONE, &new]));
    clock.advance(30_000);
    assert!(show(&identity, &new.sign(&of(&site.issuer(), json!({})))).await.is_ok());
    assert_eq!((site.asked(CONFIGURATION), site.asked("/keys"), site.asked("/moved")), (3, 1, 1));
}

#[tokio::test]
async fn the_configuration_of_another_issuer_does_not_count() {
    for (changes, status) in [
        (json!({"issuer": "https://id.example.com"}), 200),
        (json!({"jwks_uri": "http://id.example.com/keys"}), 200),
        (json!({"token_endpoint": "http://id.example.com/token"}), 200),
        (json!({}), 302),
        (json!({}), 500),
    ] {
        let (site, clock) = (Site::start().await, clock());
        site.publish_configuration(changes.clone());
        if status != 200 {
            site.publish(CONFIGURATION, status, "{}");
        }
        site.publish("/keys", 200, key_set(&[&ONE]));
        let identity = discovering(&site, &clock);
        let refused = show(&identity, &ONE.sign(&of(&site.issuer(), json!({})))).await.unwrap_err();
        assert!(refused.temporary, "{changes} {status}");
        assert_eq!((site.asked("/keys"), site.asked("/other")), (0, 0), "{changes} {status}");
    }
}

#[tokio::test]
async fn discovered_keys_that_could_not_be_fetched_for_a_day_no_longer_count() {
    let (site, clock) = (Site::start().await, clock());
    site.publish_configuration(json!({}));
    site.publish("/keys", 200, key_set(&[&ONE]));
    let identity = discovering(&site, &clock);
    let claims = of(&site.issuer(), json!({"exp": NOW + 1_000_000}));
    assert!(show(&identity, &ONE.sign(&claims)).await.is_ok());
    site.publish(CONFIGURATION, 500, "");
    clock.advance(24 * 60 * 60_000 - 1);
    assert!(show(&identity, &ONE.sign(&claims)).await.is_ok());
    clock.advance(31_000);
    assert!(show(&identity, &ONE.sign(&claims)).await.unwrap_err().temporary);
    assert!(identity.fault().unwrap().ends_with("could not be fetched for a day"));
}
