//! OpenAPI, the page for people, and the probes.

use std::collections::BTreeSet;
use std::sync::Arc;

use keyfold_api::Limits;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_connections::Readiness;
use serde_json::Value;

use crate::over_sockets::world::{DESIGNS, Setting, World, operator};

#[tokio::test]
async fn every_reference_of_a_document_leads_somewhere_and_every_operation_has_a_name() {
    let world = World::start().await;
    for name in DESIGNS {
        let document = world.client.get("", &format!("/v1/{name}/openapi.json")).await.expect(200).json();
        assert_eq!(document["openapi"], "3.1.0");
        let text = document.to_string();
        for part in text.split("\"$ref\":\"#").skip(1) {
            let pointer = &part[..part.find('"').unwrap()];
            assert!(document.pointer(pointer).is_some(), "{name}: {pointer}");
        }
        let mut names = BTreeSet::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap().iter().filter(|(method, _)| *method != "parameters") {
                let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{name} {method} {path}"));
                assert!(names.insert(id.to_owned()), "{name}: {id} twice");
            }
        }
        let design = &world.design(name).0;
        assert!(names.len() > design.entities.len() + design.patterns.len(), "{name}");
    }
}

#[tokio::test]
async fn the_schema_of_a_license_matches_the_design() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let document = world.client.get("", "/v1/platform/openapi.json").await.expect(200).json();
    let schemas = &document["components"]["schemas"];
    let required = |name: &str| -> Vec<String> {
        let list = schemas[name]["required"].as_array();
        list.into_iter().flatten().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(required("NewLicense"), ["enterpriseId", "endDate", "seats"]);
    assert_eq!(required("LicensePatch"), [] as [&str; 0]);
    let license = &schemas["License"];
    assert_eq!(license["additionalProperties"], false);
    assert_eq!(license["properties"]["seats"]["minimum"], 1);
    assert_eq!(license["properties"]["endDate"]["format"], "date");
    assert_eq!(license["properties"]["status"]["enum"], serde_json::json!(["active", "expired"]));
    assert_eq!(schemas["NewLicense"]["properties"]["version"], Value::Null);
    assert_eq!(schemas["LicensePatch"]["properties"]["note"]["type"], serde_json::json!(["string", "null"]));
    let parameters = document["paths"]["/licenses/{licenseId}"]["parameters"].as_array().unwrap();
    let names: Vec<&Value> = parameters.iter().map(|parameter| &parameter["name"]).collect();
    assert_eq!(names, ["licenseId", "tenant"]);
}

#[tokio::test]
async fn the_page_names_every_address() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    let page = world.client.get("", "/v1/platform/docs").await.expect(200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    assert_eq!(page.header("content-security-policy"), policy);
    let text = String::from_utf8(page.bytes.to_vec()).unwrap();
    for address in ["GET /licenses/{licenseId}", "POST /tech-users", "GET /patterns/expiring-licenses"] {
        assert!(text.contains(address), "{address}");
    }
    for wording in ["All paths are relative to <code>/v1/platform</code>", "<th>Path<th>Parameters<th>Returns"] {
        assert!(text.contains(wording), "{wording}");
    }
}

/// The routes of a page: what it shows as code and begins with a method.
fn routes_of_page(page: &str) -> BTreeSet<String> {
    let codes = page.split("<code>").skip(1).map(|rest| rest.split("</code>").next().unwrap());
    let is_route = |code: &&str| ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(&code.split(' ').next().unwrap());
    codes.filter(is_route).map(str::to_owned).collect()
}

fn routes_of_openapi(document: &Value) -> BTreeSet<String> {
    let mut routes = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys().filter(|method| *method != "parameters") {
            routes.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    routes
}

#[tokio::test]
async fn the_page_lists_the_routes_of_openapi() {
    for change_records in [Some(ChangeRecordSettings::default()), None] {
        let keeps_audit_log = change_records.is_some();
        let world = World::made(&DESIGNS, Setting { change_records, ..Setting::default() }).await;
        for name in DESIGNS {
            let document = world.client.get("", &format!("/v1/{name}/openapi.json")).await.expect(200).json();
            let page = world.client.get("", &format!("/v1/{name}/docs")).await.expect(200);
            let shown = routes_of_page(std::str::from_utf8(&page.bytes).unwrap());
            assert_eq!(shown, routes_of_openapi(&document), "{name}");
            for route in ["POST /transactions", "POST /authorize"] {
                assert!(shown.contains(route), "{name}: {route}");
            }
            assert_eq!(shown.contains("GET /audit"), keeps_audit_log, "{name}");
        }
    }
}

#[tokio::test]
async fn probes_and_metrics_are_served() {
    let world = World::with(&["platform"], Limits::default(), false).await;
    assert_eq!(world.client.get("", "/healthz").await.expect(200).json()["status"], "ok");
    assert_eq!(world.client.get("", "/readyz").await.expect(200).json()["status"], "ready");
    world.client.get("subject=olga;role=operator", "/v1/platform/products/portal").await.expect(200);
    world.client.get("", "/v1/platform/products/secret-name").await.expect(401);
    let text = String::from_utf8(world.client.get("", "/metrics").await.expect(200).bytes.to_vec()).unwrap();
    for status in [200, 401] {
        let line = format!(
            "keyfold_requests_total{{route=\"/v1/platform/products/{{productId}}\",method=\"GET\",status=\"{status}\"}} 1"
        );
        assert!(text.contains(&line), "{line}\n{text}");
    }
    assert!(!text.contains("secret-name"));
}

#[tokio::test]
async fn private_documents_require_authentication() {
    let world = World::made(&["platform"], Setting { public_docs: false, ..Setting::default() }).await;
    let documents = ["/", "/v1/platform/openapi.json", "/v1/platform/docs"];
    for path in documents {
        let response = world.client.get("", path).await;
        assert_eq!(response.header("www-authenticate"), "Bearer realm=\"keyfold\"");
        assert_eq!(response.problem(401, "unauthenticated")["detail"], "a valid token is required");
        let forged = [("authorization", "Bearer forged")];
        world.client.send("", http::Method::GET, path, &forged, "").await.problem(401, "unauthenticated");
        let read = world.client.get("subject=anyone", path).await.expect(200);
        let cached = (read.header("cache-control"), read.header("vary"));
        assert_eq!(cached, ("private, no-cache", "authorization, x-api-key, cookie, keyfold-tenant"));
    }
    // What everyone does is for operators.
    world.client.get("", "/metrics").await.problem(401, "unauthenticated");
    world.client.get("subject=ada;tenant=northwind", "/metrics").await.problem(404, "not-found");
    let metrics = world.client.get(operator("platform"), "/metrics").await.expect(200);
    assert_eq!(metrics.header("content-type"), "text/plain; version=0.0.4");
    for path in ["/healthz", "/readyz", "/problems/not-found"] {
        world.client.get("", path).await.expect(200);
    }
}

#[tokio::test]
async fn probes_tell_the_state_of_the_store_and_operators_its_cause() {
    let failed = || Readiness {
        state: "failed",
        is_alive: true,
        is_ready: false,
        detail: "only reads are served: the disk is full".to_owned(),
        gauges: Vec::new(),
    };
    let setting = Setting { public_docs: false, readiness: Some(Arc::new(failed)), ..Setting::default() };
    let world = World::made(&["platform"], setting).await;
    world.client.get("", "/healthz").await.expect(200);
    let for_anyone = world.client.get("", "/readyz").await.problem(503, "unavailable");
    let for_operators = world.client.get(operator("platform"), "/readyz").await.problem(503, "unavailable");
    let details = [for_anyone["detail"].as_str(), for_operators["detail"].as_str()];
    assert_eq!(
        details,
        [Some("the store is not serving all requests: failed"), Some("only reads are served: the disk is full")]
    );
    let metrics = world.client.get(operator("platform"), "/metrics").await.expect(200);
    let text = String::from_utf8(metrics.bytes.to_vec()).unwrap();
    let line = "keyfold_store_ready{state=\"failed\",detail=\"only reads are served: the disk is full\"} 0";
    assert!(text.lines().any(|found| found == line), "{text}");
}
