//! Sign-in with a browser against a provider that sends whatever a test wants: what a well-behaved one, as in
//! tests/rest/sign_in.py, does not.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use crate::identity_support::site::Site;
use crate::identity_support::*;
use http::header::{COOKIE, SET_COOKIE};
use http::request::Parts;
use http::{HeaderMap, Request};
use keyfold_api::identity::{
    Identity, KeySettings, NewRevocation, RevokedTokens, SessionSettings, SessionToken, SignInSettings, TokenSettings,
    revoke_tokens,
};
use keyfold_api::{Authenticator as _, ResponseCookies, SignInError, SignInOutcome, SignInStep};
use keyfold_environment::{Clock as _, ManualClock, SeededRandom};
use serde_json::{Value, json};

static SIGNER: LazyLock<Signer> = LazyLock::new(|| Signer::ec("key"));
const PUBLIC_URL: &str = "https://api.example.com";

struct World {
    site: Site,
    identity: Identity,
    clock: Arc<ManualClock>,
    folder: tempfile::TempDir,
}

/// A browser, with its cookies.
#[derive(Default, Clone)]
struct Browser {
    cookies: Vec<(String, String)>,
}

/// The parameters of a URL.
fn parameters(url: &str) -> Vec<(String, String)> {
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned();
    let pairs = url.split_once('?').unwrap().1.split('&').map(|pair| pair.split_once('=').unwrap());
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

fn parameter(url: &str, name: &str) -> String {
    parameters(url).into_iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("{name} in {url}")).1
}

impl Browser {
    fn request(&self, method: &str, headers: &[(&str, &str)]) -> (Parts, ResponseCookies) {
        let mut request = Request::builder().method(method).uri("/v1/platform/me");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if !self.cookies.is_empty() {
            let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header(COOKIE, cookies.join("; "));
        }
        let cookies = ResponseCookies::default();
        (request.extension(cookies.clone()).body(()).unwrap().into_parts().0, cookies)
    }

    fn receive(&mut self, cookies: &ResponseCookies) -> usize {
        let mut headers = HeaderMap::new();
        cookies.write_headers(&mut headers);
        for cookie in headers.get_all(SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            assert!(cookie.starts_with("__Host-keyfold-"), "{cookie}");
            assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax; Secure"), "{cookie}");
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.retain(|(own, _)| own != name);
            if !value.is_empty() {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        headers.len()
    }

    fn has_session(&self) -> bool {
        self.cookies.iter().any(|(name, _)| name == "__Host-keyfold-session")
    }
}

impl World {
    async fn start(token: SessionToken) -> Self {
        Self::start_with(token, Some("client secret")).await
    }

    async fn start_with(token: SessionToken, client_secret: Option<&str>) -> Self {
        let (site, clock, folder) = (Site::start().await, clock(), tempfile::tempdir().unwrap());
        site.publish_configuration(json!({}));
        site.publish("/keys", 200, key_set(&[&SIGNER]));
        let sign_in = SignInSettings {
            client_id: "console".to_owned(),
            client_secret: client_secret.map(str::to_owned),
            scopes: vec!["email".to_owned()],
            parameters: vec![("audience".to_owned(), "keyfold".to_owned())],
            token,
        };
        let settings = TokenSettings {
            issuer: site.issuer(),
            clock_skew_seconds: 0,
            sign_in: Some(sign_in),
            ..settings(KeySettings::Discovery)
        };
        let revocations = folder.path().join("revocations.yaml");
        std::fs::write(&revocations, "").unwrap();
        let identity = Identity::new([settings], None, Arc::clone(&clock) as _).unwrap();
        let identity = identity.with_revocations(&revocations).unwrap();
        let sessions = SessionSettings {
            public_url: PUBLIC_URL.parse().unwrap(),
            secret: vec![7; 32],
            lifetime: Duration::from_secs(3600),
        };
        let identity = identity.with_sessions(sessions, Arc::new(SeededRandom::default())).unwrap();
        Self { site, identity, clock, folder }
    }

    async fn perform(
        &self,
        browser: &mut Browser,
        step: SignInStep,
        query: &[(String, String)],
        headers: &[(&str, &str)],
    ) -> Result<SignInOutcome, SignInError> {
        let method = if matches!(step, SignInStep::Renew | SignInStep::End) { "POST" } else { "GET" };
        let (parts, cookies) = browser.request(method, headers);
        let outcome = self.identity.sign_in().unwrap().perform(step, &parts, query).await;
        browser.receive(&cookies);
        outcome
    }

    /// Begins a sign-in; gives the URL of the provider.
    async fn begin(&self, browser: &mut Browser) -> String {
        let query = [("return_to".to_owned(), "/console".to_owned())];
        match self.perform(browser, SignInStep::Begin, &query, &[]).await.unwrap() {
            SignInOutcome::Redirect(url) => url.to_str().unwrap().to_owned(),
            other => panic!("{other:?}"),
        }
    }

    /// Claims of an ID token for a sign-in, with some changed.
    fn id_claims(&self, url: &str, changes: Value) -> Value {
        let now = self.clock.now_ms() / 1000;
        let mut claims = json!({
            "iss": self.site.issuer(), "aud": "console", "sub": "ada", "nonce": parameter(url, "nonce"),
            "iat": now, "exp": now + 300, "roles": ["id-role"],
        });
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        claims
    }

    fn access_claims(&self, changes: Value) -> Value {
        let mut claims = claims_but(changes);
        claims["iss"] = json!(self.site.issuer());
        claims
    }

    /// What the token endpoint answers.
    fn publish_tokens(&self, access: &Value, id: Option<&Value>, refresh_token: Option<&str>) {
        let mut tokens = json!({"access_token": SIGNER.sign(access), "token_type": "Bearer"});
        if let Some(id) = id {
            tokens["id_token"] = json!(SIGNER.sign(id));
        }
        if let Some(token) = refresh_token {
            tokens["refresh_token"] = json!(token);
        }
        self.site.publish("/token", 200, tokens.to_string());
    }

    /// Completes a sign-in with the answer that is published.
    async fn complete(&self, browser: &mut Browser, url: &str) -> Result<SignInOutcome, SignInError> {
        let query = [("code".to_owned(), "c".to_owned()), ("state".to_owned(), parameter(url, "state"))];
        self.perform(browser, SignInStep::Complete, &query, &[]).await
    }

    async fn signed_in(&self, access: Value, refresh_token: Option<&str>) -> Browser {
        let mut browser = Browser::default();
        let url = self.begin(&mut browser).await;
        self.publish_tokens(&self.access_claims(access), Some(&self.id_claims(&url, json!({}))), refresh_token);
        let outcome = self.complete(&mut browser, &url).await.unwrap();
        assert_eq!(outcome, SignInOutcome::Redirect("/console".parse().unwrap()));
        browser
    }

    /// The roles of the caller of a request, or why there is none; and how many cookies were set.
    async fn call(&self, browser: &mut Browser) -> (Result<Vec<String>, String>, usize) {
        let (parts, cookies) = browser.request("GET", &[]);
        let outcome = self.identity.authenticate(&parts).await;
        let outcome = outcome.map(|principal| principal.caller.roles.clone()).map_err(|refused| refused.reason);
        (outcome, browser.receive(&cookies))
    }
}

fn refused(outcome: Result<SignInOutcome, SignInError>) -> String {
    match outcome {
        Err(SignInError::Refused(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

const ENDED: &str = "the session has ended; sign in again";

#[tokio::test]
async fn the_id_token_is_for_this_client_and_this_sign_in() {
    let world = World::start(SessionToken::Access).await;
    let audience = "the ID token of the identity provider is not accepted: the token is for another audience";
    let rows = [
        (json!({"nonce": "other"}), "the ID token is from another sign-in"),
        (json!({"nonce": null}), "the ID token is from another sign-in"),
        (json!({"aud": "another-client"}), audience),
        // One for this server is not one for this client.
        (json!({"aud": "keyfold"}), audience),
        (json!({"aud": ["console", "other"]}), audience),
        (json!({"aud": ["console", "other"], "azp": "other"}), audience),
        (json!({"azp": "other"}), audience),
        (json!({"exp": NOW - 1}), "the ID token of the identity provider is not accepted: the token has expired"),
        (
            json!({"iss": "https://evil.example.com"}),
            "the ID token of the identity provider is not accepted: the token is from another issuer",
        ),
    ];
    for (changes, expected) in rows {
        let mut browser = Browser::default();
        let url = world.begin(&mut browser).await;
        let id = world.id_claims(&url, changes.clone());
        world.publish_tokens(&world.access_claims(json!({})), Some(&id), None);
        assert_eq!(refused(world.complete(&mut browser, &url).await), expected, "{changes}");
        assert!(browser.cookies.is_empty(), "{changes}");
    }
    let mut browser = Browser::default();
    let url = world.begin(&mut browser).await;
    world.publish_tokens(&world.access_claims(json!({})), None, None);
    assert_eq!(refused(world.complete(&mut browser, &url).await), "the identity provider sent no ID token");
    let url = world.begin(&mut browser).await;
    let several = world.id_claims(&url, json!({"aud": ["console", "other"], "azp": "console"}));
    world.publish_tokens(&world.access_claims(json!({})), Some(&several), None);
    assert!(world.complete(&mut browser, &url).await.is_ok());
    // An ID token is not a credential of the API.
    let token = SIGNER.sign(&several);
    assert_eq!(reason(&world.identity, &token).await, "the token is for another audience");
}

#[tokio::test]
async fn the_client_authenticates_and_proves_that_it_began_the_sign_in() {
    use base64::Engine as _;
    use sha2::Digest as _;
    for (secret, body_has_client) in [(Some("client secret"), false), (None, true)] {
        let world = World::start_with(SessionToken::Access, secret).await;
        let mut browser = Browser::default();
        let url = world.begin(&mut browser).await;
        assert_eq!(parameter(&url, "redirect_uri"), "https://api.example.com/auth/callback");
        assert_eq!(parameter(&url, "scope"), "openid email");
        assert_eq!(parameter(&url, "audience"), "keyfold");
        world.publish_tokens(&world.access_claims(json!({})), Some(&world.id_claims(&url, json!({}))), None);
        world.complete(&mut browser, &url).await.unwrap();
        let sent = world.site.requests("/token").pop().unwrap();
        let sent = format!("?{sent}");
        assert_eq!(parameter(&sent, "grant_type"), "authorization_code");
        let verifier = parameter(&sent, "code_verifier");
        let challenge = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(sha2::Sha256::digest(&verifier));
        assert_eq!(parameter(&url, "code_challenge"), challenge);
        assert_eq!(sent.contains("client_id=console"), body_has_client, "{sent}");
        assert!(!sent.contains("client+secret") && !sent.contains("client%20secret"), "{sent}");
    }
}

#[tokio::test]
async fn a_session_stands_for_the_access_token_or_the_id_token() {
    let world = World::start(SessionToken::Access).await;
    assert_eq!(world.call(&mut world.signed_in(json!({}), None).await).await, (Ok(vec!["admin".to_owned()]), 0));
    // An access token that is for someone else signs nobody in.
    let mut browser = Browser::default();
    let url = world.begin(&mut browser).await;
    let other = world.access_claims(json!({"aud": "other"}));
    world.publish_tokens(&other, Some(&world.id_claims(&url, json!({}))), None);
    assert_eq!(
        refused(world.complete(&mut browser, &url).await),
        "the access token of the identity provider is not accepted: the token is for another audience"
    );
    let world = World::start(SessionToken::Id).await;
    let mut browser = world.signed_in(json!({"aud": "other"}), None).await;
    assert_eq!(world.call(&mut browser).await, (Ok(vec!["id-role".to_owned()]), 0));
}

#[tokio::test]
async fn a_session_ends_with_its_token_where_it_cannot_be_renewed() {
    let world = World::start(SessionToken::Access).await;
    let mut browser = world.signed_in(json!({"exp": NOW + 300}), None).await;
    world.clock.advance(299_000);
    assert!(world.call(&mut browser).await.0.is_ok());
    world.clock.advance(1000);
    assert_eq!(world.call(&mut browser).await.0, Err(ENDED.to_owned()));
    assert!(!browser.has_session());
}

#[tokio::test]
async fn a_session_is_renewed_before_its_token_expires() {
    let world = World::start(SessionToken::Access).await;
    let mut browser = world.signed_in(json!({"exp": NOW + 300}), Some("first")).await;
    let before = browser.clone();
    world.clock.advance(239_000);
    assert_eq!(world.call(&mut browser).await.1, 0);
    world.clock.advance(1000);
    // Requests at the same time share one renewal.
    world.publish_tokens(&world.access_claims(json!({"exp": NOW + 600, "roles": ["new"]})), None, Some("second"));
    let asked = world.site.asked("/token");
    let calls = (0..20).map(|_| async { world.call(&mut before.clone()).await.0 });
    let outcomes = futures_util::future::join_all(calls).await;
    assert!(outcomes.iter().all(|outcome| *outcome == Ok(vec!["new".to_owned()])), "{outcomes:?}");
    assert_eq!(world.site.asked("/token"), asked + 1);
    assert!(world.site.requests("/token").pop().unwrap().contains("refresh_token=first"));
    assert!(world.call(&mut browser).await.1 > 0);
    assert_eq!(world.call(&mut browser).await, (Ok(vec!["new".to_owned()]), 0));
    // The next one uses the new refresh token. Whatever the provider says, the session has an end.
    world.publish_tokens(&world.access_claims(json!({"exp": NOW + 9000})), None, Some("third"));
    world.clock.advance(300_000);
    assert!(world.call(&mut browser).await.0.is_ok());
    assert!(world.site.requests("/token").pop().unwrap().contains("refresh_token=second"));
    world.clock.advance(3_600_000 - 540_000);
    assert_eq!(world.call(&mut browser).await.0, Err(ENDED.to_owned()));
}

#[tokio::test]
async fn a_provider_that_keeps_the_refresh_token_gets_it_again() {
    let world = World::start(SessionToken::Access).await;
    let mut browser = world.signed_in(json!({"exp": NOW + 300}), Some("first")).await;
    for renewal in 1..=3 {
        let claims = json!({"exp": NOW + 300 * (renewal + 1), "roles": [format!("role-{renewal}")]});
        world.publish_tokens(&world.access_claims(claims), None, None);
        world.clock.advance(if renewal == 1 { 250_000 } else { 300_000 });
        let asked = world.site.asked("/token");
        assert_eq!(world.call(&mut browser).await.0, Ok(vec![format!("role-{renewal}")]));
        assert_eq!(world.site.asked("/token"), asked + 1);
        assert!(world.site.requests("/token").pop().unwrap().contains("refresh_token=first"));
    }
}

#[tokio::test]
async fn the_provider_ends_a_session_and_its_failure_does_not() {
    let world = World::start(SessionToken::Access).await;
    let mut browser = world.signed_in(json!({"exp": NOW + 300}), Some("first")).await;
    world.site.publish("/token", 500, "");
    world.clock.advance(250_000);
    // The token is still valid.
    assert!(world.call(&mut browser).await.0.is_ok());
    let asked = world.site.asked("/token");
    assert!(world.call(&mut browser).await.0.is_ok());
    assert_eq!(world.site.asked("/token"), asked, "the provider is not asked again at once");
    world.clock.advance(50_000);
    let unavailable = "the identity provider cannot be reached; try again later";
    assert_eq!(world.call(&mut browser).await.0, Err(unavailable.to_owned()));
    assert!(browser.has_session());
    world.site.publish("/token", 400, r#"{"error": "invalid_grant"}"#);
    world.clock.advance(10_000);
    assert_eq!(world.call(&mut browser).await.0, Err(ENDED.to_owned()));
    assert!(!browser.has_session());
}

#[tokio::test]
async fn a_renewed_session_is_of_the_same_person() {
    let world = World::start(SessionToken::Access).await;
    let mut browser = world.signed_in(json!({"exp": NOW + 300}), Some("first")).await;
    world.publish_tokens(&world.access_claims(json!({"sub": "mallory", "exp": NOW + 600})), None, Some("second"));
    world.clock.advance(290_000);
    assert_eq!(world.call(&mut browser).await.0, Err(ENDED.to_owned()));
}

#[tokio::test]
async fn revocations_end_sessions_and_are_not_renewed_away() {
    let world = World::start(SessionToken::Access).await;
    let file = world.folder.path().join("revocations.yaml");
    let revoke = |tokens: RevokedTokens, now_ms: u64| {
        revoke_tokens(&file, NewRevocation { tokens, issuer: None, expires: None }, now_ms).unwrap();
        world.clock.advance(2000);
    };
    let mut by_id = world.signed_in(json!({"jti": "leaked"}), Some("first")).await;
    let mut by_subject = world.signed_in(json!({"jti": "other"}), Some("second")).await;
    revoke(RevokedTokens::Id("leaked".to_owned()), NOW * 1000);
    // A thief who has a copy of the cookie cannot get another token.
    let thief = by_id.clone();
    world.publish_tokens(&world.access_claims(json!({"jti": "fresh"})), None, Some("stolen"));
    let csrf = [("keyfold-csrf", "1")];
    let renewed = world.perform(&mut thief.clone(), SignInStep::Renew, &[], &csrf).await;
    assert_eq!(refused(renewed), "the token was revoked");
    assert_eq!(world.call(&mut by_id).await.0, Err("the token was revoked".to_owned()));
    assert!(!by_id.has_session());
    // Nor when the revocation is forgotten, which it is when the token has expired.
    std::fs::write(&file, "# none\n").unwrap();
    world.clock.advance(2000);
    assert_eq!(world.call(&mut thief.clone()).await.0, Err(ENDED.to_owned()));
    assert!(world.call(&mut by_subject).await.0.is_ok());
    let subject = || RevokedTokens::Subject { subject: "ada".to_owned(), issued_before: None };
    revoke(subject(), NOW * 1000 + 4000);
    // A token that the provider issues later does not bring the session back.
    world.publish_tokens(&world.access_claims(json!({"iat": NOW + 60, "exp": NOW + 600})), None, Some("third"));
    let renewed = world.perform(&mut by_subject.clone(), SignInStep::Renew, &[], &csrf).await;
    assert_eq!(refused(renewed), "the token was revoked");
    assert_eq!(world.call(&mut by_subject).await.0, Err("the token was revoked".to_owned()));
    // Whoever signs in again is admitted.
    let mut again = world.signed_in(json!({"iat": NOW + 60}), None).await;
    assert!(world.call(&mut again).await.0.is_ok());
}

#[tokio::test]
async fn cookies_of_another_secret_or_purpose_are_rejected() {
    let world = World::start(SessionToken::Access).await;
    let browser = world.signed_in(json!({}), None).await;
    let session = browser.cookies.iter().find(|(name, _)| name == "__Host-keyfold-session").unwrap().1.clone();
    let mut pending = Browser::default();
    world.begin(&mut pending).await;
    let sign_in = pending.cookies[0].1.clone();
    for value in [sign_in, format!("{session}A"), session[1..].to_owned(), "A".repeat(2000), "é".to_owned()] {
        let mut forged = Browser { cookies: vec![("__Host-keyfold-session".to_owned(), value.clone())] };
        assert_eq!(world.call(&mut forged).await.0, Err(ENDED.to_owned()), "{value}");
    }
    // A session is not a sign-in under way.
    let mut swapped = Browser { cookies: vec![("__Host-keyfold-sign-in".to_owned(), session.clone())] };
    let query = [("code".to_owned(), "c".to_owned()), ("state".to_owned(), String::new())];
    let outcome = world.perform(&mut swapped, SignInStep::Complete, &query, &[]).await;
    assert!(refused(outcome).starts_with("the sign-in did not start in this browser"));
    // Names without the prefix are not looked at: other hosts of the domain can set them.
    let mut unprefixed = Browser { cookies: vec![("keyfold-session".to_owned(), session)] };
    assert_eq!(world.call(&mut unprefixed).await.0, Ok(Vec::new()));
}

#[tokio::test]
async fn the_issuer_of_a_sign_in_is_chosen_where_there_are_several() {
    let (one, two) = (Site::start().await, Site::start().await);
    let issuer = |site: &Site, client_id: &str| {
        site.publish_configuration(json!({}));
        site.publish("/keys", 200, key_set(&[&SIGNER]));
        let (client_id, client_secret, token) = (client_id.to_owned(), None, SessionToken::Access);
        let client = SignInSettings { client_id, client_secret, scopes: Vec::new(), parameters: Vec::new(), token };
        TokenSettings { issuer: site.issuer(), sign_in: Some(client), ..settings(KeySettings::Discovery) }
    };
    let without = TokenSettings { issuer: "partner".to_owned(), ..settings(KeySettings::Secret(vec![7; 32])) };
    let identity = Identity::new([issuer(&one, "first"), issuer(&two, "second"), without], None, clock()).unwrap();
    let (public_url, lifetime) = (PUBLIC_URL.parse().unwrap(), Duration::from_secs(60));
    let sessions = SessionSettings { public_url, secret: vec![7; 32], lifetime };
    let identity = identity.with_sessions(sessions, Arc::new(SeededRandom::default())).unwrap();
    let begin = async |issuer: Option<&str>| {
        let query: Vec<(String, String)> =
            issuer.map(|issuer| ("issuer".to_owned(), issuer.to_owned())).into_iter().collect();
        let (parts, _) = Browser::default().request("GET", &[]);
        identity.sign_in().unwrap().perform(SignInStep::Begin, &parts, &query).await
    };
    for (site, client) in [(&one, "first"), (&two, "second")] {
        let Ok(SignInOutcome::Redirect(url)) = begin(Some(&site.issuer())).await else { panic!("{client}") };
        assert!(url.to_str().unwrap().starts_with(&format!("{}/authorize?", site.issuer())), "{url:?}");
        assert_eq!(parameter(url.to_str().unwrap(), "client_id"), client);
    }
    let names = format!("`issuer` has to be one of `{}`, `{}`", one.issuer(), two.issuer());
    for wrong in [None, Some("partner"), Some("https://evil.example.com")] {
        assert_eq!(begin(wrong).await, Err(SignInError::Parameter("issuer", names.clone())), "{wrong:?}");
    }
    // One provider could send the browser on to another and get its code: responses have to say whose they are.
    let mut browser = Browser::default();
    let (parts, cookies) = browser.request("GET", &[]);
    let query = [("issuer".to_owned(), one.issuer())];
    let begun = identity.sign_in().unwrap().perform(SignInStep::Begin, &parts, &query).await;
    browser.receive(&cookies);
    let Ok(SignInOutcome::Redirect(url)) = begun else { panic!("{begun:?}") };
    let query = [("code".to_owned(), "c".to_owned()), ("state".to_owned(), parameter(url.to_str().unwrap(), "state"))];
    let (parts, _) = browser.request("GET", &[]);
    let completed = identity.sign_in().unwrap().perform(SignInStep::Complete, &parts, &query).await;
    assert_eq!(refused(completed), "the response to the sign-in does not state its identity provider (`iss`)");
    assert_eq!(one.asked("/token"), 0);
}

#[tokio::test]
async fn a_session_of_an_issuer_that_is_not_configured_any_more_has_ended() {
    let (before, after) = (World::start(SessionToken::Access).await, World::start(SessionToken::Access).await);
    let browser = before.signed_in(json!({}), Some("first")).await;
    assert!(before.call(&mut browser.clone()).await.0.is_ok());
    // It has the same secret, and another issuer.
    let mut same = browser.clone();
    assert_eq!(after.call(&mut same).await.0, Err(ENDED.to_owned()));
    assert!(!same.has_session());
}

#[tokio::test]
async fn a_sign_in_has_ten_minutes() {
    let world = World::start(SessionToken::Access).await;
    let mut browser = Browser::default();
    let url = world.begin(&mut browser).await;
    world.clock.advance(10 * 60_000);
    assert!(refused(world.complete(&mut browser, &url).await).starts_with("the sign-in did not start in this browser"));
}

#[tokio::test]
async fn settings_of_sign_in_are_checked() {
    let make = |change: &dyn Fn(&mut TokenSettings, &mut SignInSettings, &mut SessionSettings)| {
        let mut client = SignInSettings {
            client_id: "console".to_owned(),
            client_secret: None,
            scopes: Vec::new(),
            parameters: Vec::new(),
            token: SessionToken::Access,
        };
        let mut tokens = settings(KeySettings::Secret(vec![7; 32]));
        let lifetime = Duration::from_secs(60);
        let mut sessions = SessionSettings { public_url: PUBLIC_URL.parse().unwrap(), secret: vec![7; 32], lifetime };
        change(&mut tokens, &mut client, &mut sessions);
        tokens.sign_in = Some(client).filter(|client| !client.client_id.is_empty());
        let identity = Identity::new([tokens], None, clock());
        let identity =
            identity.and_then(|identity| identity.with_sessions(sessions, Arc::new(SeededRandom::default())));
        identity.err().map(|error| error.to_string())
    };
    assert_eq!(make(&|_, _, _| {}), None);
    assert_eq!(
        make(&|_, _, sessions| sessions.secret.truncate(31)).unwrap(),
        "the session secret has 31 bytes; it needs at least 32, from a source of randomness"
    );
    assert_eq!(
        make(&|_, client, _| client.parameters.push(("state".to_owned(), "x".to_owned()))).unwrap(),
        "`state` is set by the server and cannot be a parameter of the sign-in"
    );
    assert_eq!(
        make(&|tokens, _, _| tokens.issuer = "partner".to_owned()).unwrap(),
        "the issuer `partner` publishes no configuration at an https URL, which sign-in needs"
    );
    assert_eq!(
        make(&|_, client, _| client.client_id.clear()).unwrap(),
        "no issuer has a client for sign-in: set `sign-in-client-id`"
    );
}
