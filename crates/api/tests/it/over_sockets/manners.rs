//! Rates of requests, and pages of other origins.

use http::Method;
use keyfold_api::{Cors, Limits, RateLimits};

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::{Setting, World};

const ADA: &str = "subject=ada;tenant=northwind";
const GRACE: &str = "subject=grace;tenant=northwind";
const JOAN: &str = "subject=joan;tenant=contoso";
const PAGE: &str = "https://app.example.com";

async fn limited(rates: RateLimits) -> World {
    World::with(&["platform"], Limits { rates, ..Limits::default() }, false).await
}

async fn open_to(cors: Cors) -> World {
    World::with(&["platform"], Limits { cors, ..Limits::default() }, false).await
}

async fn ask(world: &World, who: &str) -> Answered {
    world.client.get(who, "/v1/platform/accounts/northwind").await
}

/// Some of the time has passed already, on a busy machine perhaps a while.
#[track_caller]
fn assert_waits(refused: &Answered, most: u32) {
    let seconds: u32 = refused.header("retry-after").parse().unwrap();
    assert!((most - 60..=most).contains(&seconds), "{refused:?}");
}

#[tokio::test]
async fn each_subject_has_its_own_rate_limit() {
    let world = limited(RateLimits { subject: Some("3/h".parse().unwrap()), ..RateLimits::default() }).await;
    for left in ["\"subject\";r=2;t=1200", "\"subject\";r=1;t=2400", "\"subject\";r=0;t=3600"] {
        let response = ask(&world, ADA).await.expect(200);
        assert_eq!(response.header("ratelimit"), left);
        assert_eq!(response.header("ratelimit-policy"), "\"subject\";q=3;w=3600");
    }
    let refused = ask(&world, ADA).await;
    assert_waits(&refused, 1200);
    assert_eq!(refused.header("ratelimit"), "\"subject\";r=0;t=3600");
    assert_eq!(refused.problem(429, "rate-limited")["detail"], "the limit of this subject is reached");
    // Others, whoever they are, and those who say nothing are not concerned.
    ask(&world, GRACE).await.expect(200);
    ask(&world, "").await.problem(401, "unauthenticated");
    world.client.get(ADA, "/healthz").await.expect(200);
}

#[tokio::test]
async fn the_members_of_a_tenant_share_its_rate_limit() {
    let rates = RateLimits {
        subject: Some("10/h".parse().unwrap()),
        tenant: Some("2/h".parse().unwrap()),
        ..RateLimits::default()
    };
    let world = limited(rates).await;
    let first = ask(&world, ADA).await.expect(200);
    assert_eq!(first.header("ratelimit-policy"), "\"subject\";q=10;w=3600, \"tenant\";q=2;w=3600");
    assert_eq!(first.header("ratelimit"), "\"subject\";r=9;t=360, \"tenant\";r=1;t=1800");
    ask(&world, GRACE).await.expect(200);
    let detail = ask(&world, ADA).await.problem(429, "rate-limited")["detail"].clone();
    assert_eq!(detail, "the limit of this tenant is reached");
    // Someone of another tenant sees nothing there, and is still answered.
    ask(&world, JOAN).await.problem(404, "not-found");
}

#[tokio::test]
async fn strangers_neither_use_nor_see_the_rate_limit_of_a_tenant() {
    let rates = RateLimits { tenant: Some("2/h".parse().unwrap()), ..RateLimits::default() };
    let setting = Setting { limits: Limits { rates, ..Limits::default() }, ..Setting::default() };
    let world = World::made(&["platform", "agencies"], setting).await;
    // The token states a tenant of which the caller is no member.
    for _ in 0..5 {
        let refused = ask(&world, "subject=eve;tenant=northwind").await;
        assert!(!refused.headers.contains_key("ratelimit"), "{refused:?}");
        refused.problem(403, "not-allowed");
    }
    // A tenant of the same name in another design is another tenant.
    let operator = "subject=olga;role=operator;tenant=northwind";
    for _ in 0..2 {
        world.client.get(operator, "/v1/agencies/patterns/all-agencies").await.expect(200);
    }
    assert_eq!(ask(&world, ADA).await.expect(200).header("ratelimit"), "\"tenant\";r=1;t=1800");
}

#[tokio::test]
async fn repeated_invalid_credentials_from_an_address_are_rate_limited() {
    let world = limited(RateLimits { address: Some("2/h".parse().unwrap()), ..RateLimits::default() }).await;
    let guess = [("authorization", "Bearer guessed")];
    let path = "/v1/platform/accounts/northwind";
    world.client.send("", Method::GET, path, &guess, "").await.problem(401, "unauthenticated");
    ask(&world, "").await.problem(401, "unauthenticated");
    let refused = world.client.send("", Method::GET, path, &guess, "").await;
    assert_waits(&refused, 1800);
    assert_eq!(refused.problem(429, "rate-limited")["detail"], "the limit of this address is reached");
    // What a client says about itself changes nothing.
    let elsewhere = [("x-forwarded-for", "203.0.113.9")];
    world.client.send("", Method::GET, path, &elsewhere, "").await.problem(429, "rate-limited");
    // Those who show who they are are counted by that.
    ask(&world, ADA).await.expect(200);
}

#[tokio::test]
async fn without_rate_limits_responses_have_no_rate_limit_headers() {
    let world = limited(RateLimits::default()).await;
    let response = ask(&world, ADA).await.expect(200);
    assert!(!response.headers.contains_key("ratelimit") && !response.headers.contains_key("ratelimit-policy"));
}

fn varies_by_origin(answered: &Answered) -> bool {
    answered.headers.get_all("vary").iter().any(|value| value == "Origin")
}

async fn preflight(world: &World, origin: &str) -> Answered {
    let headers = [("origin", origin), ("access-control-request-method", "PATCH")];
    world.client.send("", Method::OPTIONS, "/v1/platform/accounts/northwind", &headers, "").await
}

#[tokio::test]
async fn listed_origins_pass_preflight() {
    let world = open_to(Cors::Origins(vec![PAGE.parse().unwrap()])).await;
    let allowed = preflight(&world, PAGE).await.expect(204);
    assert_eq!(allowed.header("access-control-allow-origin"), PAGE);
    assert_eq!(allowed.header("access-control-allow-methods"), "GET, POST, PUT, PATCH, DELETE");
    assert_eq!(
        allowed.header("access-control-allow-headers"),
        "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Keyfold-Tenant, X-Api-Key"
    );
    assert_eq!(allowed.header("access-control-max-age"), "600");
    assert!(varies_by_origin(&allowed));
    assert!(!allowed.headers.contains_key("access-control-allow-credentials"));
    for other in ["https://evil.example.com", "https://app.example.com.evil.com", "http://app.example.com", "null"] {
        let refused = preflight(&world, other).await;
        assert!(!refused.headers.contains_key("access-control-allow-origin"), "{other}");
        refused.problem(403, "origin-not-allowed");
    }
}

#[tokio::test]
async fn responses_and_problems_are_readable_by_listed_origins_only() {
    let world = open_to(Cors::Origins(vec![PAGE.parse().unwrap()])).await;
    let path = "/v1/platform/accounts/northwind";
    for (who, status) in [(ADA, 200), ("", 401), (JOAN, 404)] {
        let response = world.client.send(who, Method::GET, path, &[("origin", PAGE)], "").await.expect(status);
        assert_eq!(response.header("access-control-allow-origin"), PAGE);
        assert_eq!(
            response.header("access-control-expose-headers"),
            "ETag, Link, Location, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Idempotency-Replayed, WWW-Authenticate"
        );
        assert!(varies_by_origin(&response));
    }
    let other =
        world.client.send(ADA, Method::GET, path, &[("origin", "https://evil.example.com")], "").await.expect(200);
    assert!(!other.headers.contains_key("access-control-allow-origin"));
    // A cache must not give it to a page.
    assert!(varies_by_origin(&ask(&world, ADA).await.expect(200)));
}

#[tokio::test]
async fn no_origin_is_allowed_by_default_and_all_can_be() {
    let world = open_to(Cors::Everyone).await;
    assert_eq!(preflight(&world, "https://any.example").await.expect(204).header("access-control-allow-origin"), "*");
    let world = open_to(Cors::Off).await;
    preflight(&world, PAGE).await.problem(405, "method-not-allowed");
    let path = "/v1/platform/accounts/northwind";
    let response = world.client.send(ADA, Method::GET, path, &[("origin", PAGE)], "").await.expect(200);
    assert!(!response.headers.contains_key("access-control-allow-origin"));
    assert!(!varies_by_origin(&response));
}
