//! Tokens: who they say it is, and every way in which they do not count.

use std::sync::{Arc, LazyLock};

use crate::identity_support::*;
use keyfold_api::identity::{Algorithm, ClaimSettings, Identity, KeySettings, SettingsError, TokenSettings};
use keyfold_api::{Authenticator, CredentialKind};
use keyfold_environment::ManualClock;
use serde_json::{Value, json};

static RSA: LazyLock<Signer> = LazyLock::new(|| Signer::rsa("rsa-1"));
static OTHER: LazyLock<Signer> = LazyLock::new(|| Signer::rsa("rsa-1"));
static EC: LazyLock<Signer> = LazyLock::new(|| Signer::ec("ec-1"));
static ED: LazyLock<Signer> = LazyLock::new(|| Signer::ed("ed-1"));

const SECRET: &[u8] = b"0123456789abcdef0123456789abcdef";

struct Provider {
    identity: Identity,
    clock: Arc<ManualClock>,
    _folder: tempfile::TempDir,
}

fn provider_with(change: impl FnOnce(&mut TokenSettings)) -> Provider {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    std::fs::write(&file, key_set(&[&RSA, &EC, &ED])).unwrap();
    let mut settings = settings(KeySettings::File(file));
    change(&mut settings);
    let clock = clock();
    let identity = Identity::new(Some(settings), None, Arc::clone(&clock) as _).unwrap();
    Provider { identity, clock, _folder: folder }
}

fn provider() -> Provider {
    provider_with(|_| {})
}

#[tokio::test]
async fn claims_of_a_token_become_the_caller() {
    let Provider { identity, .. } = provider();
    for signer in [&*RSA, &*EC, &*ED] {
        let principal = show(&identity, &signer.sign(&claims())).await.unwrap();
        assert_eq!(principal.caller.subject.as_deref(), Some("ada"));
        assert_eq!(principal.caller.tenant.as_deref(), Some("northwind"));
        assert_eq!(principal.caller.roles, ["admin"]);
        assert!(principal.caller.groups.is_empty() && !principal.caller.superuser);
        assert_eq!(principal.kind, CredentialKind::Token);
        assert_eq!(principal.expires_at_ms, Some((NOW + 3600 + 60) * 1000));
    }
}

#[tokio::test]
async fn a_request_without_a_credential_is_anonymous() {
    let Provider { identity, .. } = provider();
    let principal = identity.authenticate(&request(&[])).await.unwrap();
    assert_eq!(principal.kind, CredentialKind::Anonymous);
    assert_eq!(*principal.caller, keyfold_runtime::Caller::default());
}

#[tokio::test]
async fn access_tokens_have_a_type_of_their_own() {
    let Provider { identity, .. } = provider();
    for kind in ["at+jwt", "AT+JWT", "application/at+jwt", "JWT", "jwt"] {
        let token = RSA.sign_with(&json!({"alg": "RS256", "typ": kind, "kid": "rsa-1"}), &claims());
        assert!(show(&identity, &token).await.is_ok(), "{kind}");
    }
    let untyped = RSA.sign_with(&json!({"alg": "RS256", "kid": "rsa-1"}), &claims());
    assert!(show(&identity, &untyped).await.is_ok());
    for kind in ["logout+jwt", "dpop+jwt", "JWE", ""] {
        let token = RSA.sign_with(&json!({"alg": "RS256", "typ": kind, "kid": "rsa-1"}), &claims());
        assert_eq!(reason(&identity, &token).await, "the token's type is not accepted", "{kind}");
    }
}

#[tokio::test]
async fn a_token_may_have_several_audiences() {
    let Provider { identity, .. } = provider();
    for audience in [json!("keyfold-console"), json!(["other", "keyfold"]), json!(["keyfold"])] {
        assert!(show(&identity, &RSA.sign(&claims_but(json!({"aud": audience})))).await.is_ok());
    }
}

#[tokio::test]
async fn invalid_claims_are_rejected_with_their_name() {
    let Provider { identity, .. } = provider();
    let wrong_claim = |name: &str| format!("the token's claim `{name}` is missing or invalid");
    let rows: Vec<(Value, String)> = vec![
        (json!({"exp": NOW - 61}), "the token has expired".to_owned()),
        (json!({"exp": NOW - 60}), "the token has expired".to_owned()),
        (json!({"exp": 0}), "the token has expired".to_owned()),
        (json!({"exp": null}), wrong_claim("exp")),
        (json!({"exp": "tomorrow"}), wrong_claim("exp")),
        (json!({"exp": (NOW + 60).to_string()}), wrong_claim("exp")),
        (json!({"exp": -1}), wrong_claim("exp")),
        (json!({"nbf": NOW + 61}), "the token is not valid yet".to_owned()),
        (json!({"nbf": "now"}), wrong_claim("nbf")),
        (json!({"iss": "https://evil.example.com/"}), "the token is from another issuer".to_owned()),
        (json!({"iss": "https://id.example.com"}), "the token is from another issuer".to_owned()),
        (json!({"iss": ["https://id.example.com/"]}), "the token is from another issuer".to_owned()),
        (json!({"iss": null}), "the token is from another issuer".to_owned()),
        (json!({"aud": "other"}), "the token is for another audience".to_owned()),
        (json!({"aud": ["other", "keyfold-"]}), "the token is for another audience".to_owned()),
        (json!({"aud": []}), "the token is for another audience".to_owned()),
        (json!({"aud": {"keyfold": true}}), "the token is for another audience".to_owned()),
        (json!({"aud": null}), "the token is for another audience".to_owned()),
        (json!({"sub": null}), wrong_claim("sub")),
        (
            json!({"sub": "machine:nightly-import"}),
            "the token's subject starts with `machine:`, which is reserved for machine keys".to_owned(),
        ),
        (json!({"sub": ""}), wrong_claim("sub")),
        (json!({"tenant": ["northwind", "contoso"]}), wrong_claim("tenant")),
        (json!({"roles": {"admin": true}}), wrong_claim("roles")),
        // What cannot be revoked is not accepted.
        (json!({"jti": 7}), wrong_claim("jti")),
        (json!({"jti": ["7"]}), wrong_claim("jti")),
        (json!({"jti": ""}), wrong_claim("jti")),
        (json!({"jti": "7".repeat(1025)}), wrong_claim("jti")),
    ];
    for (changes, expected) in rows {
        assert_eq!(reason(&identity, &RSA.sign(&claims_but(changes.clone()))).await, expected, "{changes}");
    }
    for changes in [json!({"exp": NOW - 59}), json!({"nbf": NOW + 60}), json!({"exp": NOW as f64 + 1.5})] {
        assert!(show(&identity, &RSA.sign(&claims_but(changes.clone()))).await.is_ok(), "{changes}");
    }
}

#[tokio::test]
async fn forged_tokens_are_rejected() {
    let Provider { identity, .. } = provider();
    let good = RSA.sign(&claims());
    let parts: Vec<&str> = good.split('.').collect();
    let unsigned = |algorithm: &str, signature: &str| {
        let header = json!({"alg": algorithm, "typ": "JWT"}).to_string();
        format!("{}.{}.{signature}", part(header), part(claims().to_string()))
    };
    let header = "the token's header is malformed or names an unsupported algorithm";
    let malformed = "the token is malformed: a signed JWT with three parts is required";
    let algorithm = "the token's algorithm is not accepted";
    let signature = "the token's signature is invalid";
    let hs256 = |kid: &str| json!({"alg": "HS256", "typ": "JWT", "kid": kid});
    let changed = part(claims_but(json!({"sub": "grace"})).to_string());
    let rows: Vec<(&str, String, &str)> = vec![
        ("none, without a signature", unsigned("none", ""), malformed),
        ("none, with one", unsigned("none", "AAAA"), header),
        ("NoNe", unsigned("NoNe", "AAAA"), header),
        ("no algorithm", format!("{}.{}.AAAA", part(r#"{"typ":"JWT"}"#), parts[1]), header),
        ("without its signature", format!("{}.{}.", parts[0], parts[1]), malformed),
        ("without the part of its signature", format!("{}.{}", parts[0], parts[1]), malformed),
        ("another signature", format!("{}.{}.{}", parts[0], parts[1], part([7; 256])), signature),
        ("a short signature", format!("{}.{}.AAAA", parts[0], parts[1]), signature),
        ("a signature that is no base64", format!("{}.{}.!!!!", parts[0], parts[1]), signature),
        ("other claims", format!("{}.{changed}.{}", parts[0], parts[2]), signature),
        ("another's key of the same name", OTHER.sign(&claims()), signature),
        ("the public key as a secret", sign_with_secret(&RSA.public_der(), &hs256("rsa-1"), &claims()), algorithm),
        (
            "the key set as a secret",
            sign_with_secret(key_set(&[&RSA]).as_bytes(), &hs256("rsa-1"), &claims()),
            algorithm,
        ),
        ("a key of another kind", EC.sign_with(&json!({"alg": "ES256", "kid": "rsa-1"}), &claims()), algorithm),
        ("a curve the key is not of", EC.sign_with(&json!({"alg": "ES384", "kid": "ec-1"}), &claims()), algorithm),
        (
            "an unknown key",
            RSA.sign_with(&json!({"alg": "RS256", "kid": "rsa-2"}), &claims()),
            "the token was signed with an unknown key",
        ),
        (
            "a path as a key",
            RSA.sign_with(&json!({"alg": "RS256", "kid": "../../../../dev/null"}), &claims()),
            "the token was signed with an unknown key",
        ),
        (
            "a statement as a key",
            RSA.sign_with(&json!({"alg": "RS256", "kid": "' OR 1=1 --"}), &claims()),
            "the token was signed with an unknown key",
        ),
        ("a number as a key", RSA.sign_with(&json!({"alg": "RS256", "kid": 7}), &claims()), header),
        (
            "a key of its own",
            OTHER.sign_with(&json!({"alg": "RS256", "kid": "rsa-1", "jwk": OTHER.jwk()}), &claims()),
            signature,
        ),
        (
            "a place for keys of its own",
            OTHER.sign_with(
                &json!({"alg": "RS256", "kid": "rsa-1", "jku": "https://evil.example.com/jwks.json"}),
                &claims(),
            ),
            signature,
        ),
        (
            "demands",
            RSA.sign_with(&json!({"alg": "RS256", "kid": "rsa-1", "crit": ["b64"], "b64": false}), &claims()),
            "the token requires unsupported extensions",
        ),
        ("claims that are no object", RSA.sign_with(&json!({"alg": "RS256", "kid": "rsa-1"}), &json!([1])), signature),
        ("four parts", format!("{good}.AAAA"), malformed),
        ("five parts, as encrypted ones have", "a.b.c.d.e".to_owned(), malformed),
        ("dots", "..".to_owned(), malformed),
        ("garbage", "garbage".to_owned(), malformed),
        ("garbage of three parts", "a.b.c".to_owned(), header),
        ("a header of garbage", format!("{}.{}.{}", part([0xff, 0xfe]), parts[1], parts[2]), header),
        ("a deep header", format!("{}.{}.{}", part("[".repeat(4000)), "e30", "AAAA"), header),
        (
            "an oversized one",
            RSA.sign(&claims_but(json!({"roles": "x".repeat(10_000)}))),
            "the token is longer than 8192 bytes",
        ),
    ];
    for (name, token, expected) in rows {
        assert_eq!(reason(&identity, &token).await, expected, "{name}");
    }
    assert!(show(&identity, &good).await.is_ok());
}

#[tokio::test]
async fn a_request_with_two_credentials_is_rejected() {
    let Provider { identity, .. } = provider();
    let good = RSA.sign(&claims());
    let bearer = format!("Bearer {good}");
    let several = "the request has more than one credential";
    let rows: Vec<(Vec<(&str, &str)>, &str)> = vec![
        (vec![("authorization", &bearer), ("authorization", &bearer)], several),
        (vec![("authorization", &bearer), ("authorization", "Bearer other")], several),
        (vec![("authorization", &bearer), ("x-api-key", "kfk_x")], several),
        (vec![("authorization", "Basic YTpi")], "only `Authorization: Bearer …` is accepted"),
        (vec![("authorization", &good)], "only `Authorization: Bearer …` is accepted"),
        (vec![("authorization", "Bearer")], "`Authorization: Bearer` needs one token"),
        (vec![("authorization", "Bearer a b")], "`Authorization: Bearer` needs one token"),
        (vec![("authorization", "Bearer a,Bearer b")], "`Authorization: Bearer` needs one token"),
        (vec![("authorization", "Bearer é")], "the credential is not plain text"),
        (vec![("x-api-key", "kfk_x")], "machine keys are not accepted"),
    ];
    for (headers, expected) in rows {
        let refused = identity.authenticate(&request(&headers)).await.unwrap_err();
        assert_eq!(refused.reason, expected, "{headers:?}");
        assert!(!refused.temporary);
    }
    let lower = format!("bearer {good}");
    assert!(identity.authenticate(&request(&[("authorization", &lower)])).await.is_ok());
}

#[tokio::test]
async fn a_token_that_was_verified_still_expires() {
    let Provider { identity, clock, _folder } = provider();
    let token = RSA.sign(&claims());
    assert!(show(&identity, &token).await.is_ok());
    clock.advance((3600 + 59) * 1000);
    assert!(show(&identity, &token).await.is_ok());
    clock.advance(1000);
    assert_eq!(reason(&identity, &token).await, "the token has expired");
}

#[tokio::test]
async fn algorithms_outside_the_allow_list_are_rejected() {
    let Provider { identity, .. } = provider_with(|settings| settings.algorithms = vec![Algorithm::PS256]);
    let ps256 = RSA.sign_with(&json!({"alg": "PS256", "kid": "rsa-1"}), &claims());
    assert!(show(&identity, &ps256).await.is_ok());
    assert_eq!(reason(&identity, &RSA.sign(&claims())).await, "the token's algorithm is not accepted");
    assert_eq!(reason(&identity, &EC.sign(&claims())).await, "the token's algorithm is not accepted");
}

#[tokio::test]
async fn a_key_is_used_with_the_algorithm_it_names_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    let mut bound = RSA.jwk();
    bound["alg"] = json!("PS256");
    std::fs::write(&file, json!({"keys": [bound]}).to_string()).unwrap();
    let identity = Identity::new(Some(settings(KeySettings::File(file))), None, clock()).unwrap();
    let ps256 = RSA.sign_with(&json!({"alg": "PS256", "kid": "rsa-1"}), &claims());
    assert!(show(&identity, &ps256).await.is_ok());
    assert_eq!(reason(&identity, &RSA.sign(&claims())).await, "the token's algorithm is not accepted");
}

#[tokio::test]
async fn a_token_without_a_key_id_needs_exactly_one_matching_key() {
    let Provider { identity, .. } = provider();
    let unnamed = RSA.sign_with(&json!({"alg": "RS256"}), &claims());
    assert!(show(&identity, &unnamed).await.is_ok());

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    let second = Signer::rsa("rsa-2");
    std::fs::write(&file, key_set(&[&RSA, &second])).unwrap();
    let identity = Identity::new(Some(settings(KeySettings::File(file))), None, clock()).unwrap();
    assert_eq!(reason(&identity, &unnamed).await, "the token's algorithm is not accepted");
    assert!(show(&identity, &second.sign(&claims())).await.is_ok());
}

#[tokio::test]
async fn a_shared_secret_verifies_only_its_own_signatures() {
    let keys = KeySettings::Secret(SECRET.to_vec());
    let identity = Identity::new(Some(settings(keys)), None, clock()).unwrap();
    let header = json!({"alg": "HS256", "typ": "JWT"});
    assert!(show(&identity, &sign_with_secret(SECRET, &header, &claims())).await.is_ok());
    let named = json!({"alg": "HS256", "typ": "JWT", "kid": "whatever"});
    assert!(show(&identity, &sign_with_secret(SECRET, &named, &claims())).await.is_ok());
    let other = sign_with_secret(b"another", &header, &claims());
    assert_eq!(reason(&identity, &other).await, "the token's signature is invalid");
    let empty = sign_with_secret(b"", &header, &claims());
    assert_eq!(reason(&identity, &empty).await, "the token's signature is invalid");
    assert_eq!(reason(&identity, &RSA.sign(&claims())).await, "the token's algorithm is not accepted");
}

#[tokio::test]
async fn claims_are_found_where_the_settings_say() {
    let Provider { identity, .. } = provider_with(|settings| {
        settings.claims = ClaimSettings {
            subject: "oid".to_owned(),
            tenant: vec!["org.id".to_owned()],
            roles: vec!["realm_access.roles".to_owned(), "scope".to_owned()],
            ..ClaimSettings::default()
        };
    });
    let claims = claims_but(json!({
        "oid": "7", "org": {"id": "contoso"}, "realm_access": {"roles": ["editor"]}, "scope": "read write",
    }));
    let principal = show(&identity, &RSA.sign(&claims)).await.unwrap();
    assert_eq!(principal.caller.subject.as_deref(), Some("7"));
    assert_eq!(principal.caller.tenant.as_deref(), Some("contoso"));
    assert_eq!(principal.caller.roles, ["editor", "read", "write"]);
}

#[test]
fn insecure_settings_are_rejected() {
    let refuse = |change: &dyn Fn(&mut TokenSettings)| {
        let mut settings = settings(KeySettings::Secret(SECRET.to_vec()));
        change(&mut settings);
        Identity::new(Some(settings), None, clock()).err().map(|error: SettingsError| error.to_string())
    };
    assert_eq!(refuse(&|_| {}), None);
    assert_eq!(
        refuse(&|settings| settings.issuer.clear()).unwrap(),
        "the token issuer is not configured: set `issuer`"
    );
    assert_eq!(
        refuse(&|settings| settings.audience.clear()).unwrap(),
        "the token audience is not configured: tokens for other services would be accepted"
    );
    assert_eq!(
        refuse(&|settings| settings.keys = KeySettings::Secret(b"secret".to_vec())).unwrap(),
        "the secret has 6 bytes; it needs at least 32, from a source of randomness"
    );
    assert_eq!(
        refuse(&|settings| settings.algorithms = vec![Algorithm::RS256]).unwrap(),
        "`RS256` is not an algorithm for a shared secret"
    );
    let url = |text: &'static str| {
        move |settings: &mut TokenSettings| settings.keys = KeySettings::Url(http::Uri::from_static(text))
    };
    assert_eq!(
        refuse(&url("http://id.example.com/jwks.json")).unwrap(),
        "`http://id.example.com/jwks.json` does not use https: an attacker on the network could replace the keys"
    );
    assert_eq!(refuse(&url("https://id.example.com/jwks.json")), None);
    assert_eq!(refuse(&url("http://127.0.0.1:9/jwks.json")), None);
    let published = refuse(&|settings| {
        url("https://id.example.com/jwks.json")(settings);
        settings.algorithms = vec![Algorithm::HS256];
    });
    assert_eq!(published.unwrap(), "`HS256` is not an algorithm for published keys");
    assert_eq!(format!("{:?}", KeySettings::Secret(SECRET.to_vec())), "a shared secret");
}
