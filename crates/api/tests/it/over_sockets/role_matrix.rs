//! All designs in one process: a credential for one of them is worth nothing in another.

use std::path::Path;
use std::sync::Arc;

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_api::identity::{Development, Identity, NewMachineKey, Person, create_machine_key, sample_people};
use keyfold_design::Design;
use keyfold_design::model::{Resource, Verb};
use keyfold_environment::ManualClock;

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::{DESIGNS, Setting, World};

const NOW_MS: u64 = 1_800_000_000_000;

struct Served {
    world: World,
    development: Development,
}

fn people(design: &str) -> Vec<Person> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs").join(design);
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let data = serde_saphyr::from_str(&std::fs::read_to_string(folder.join("data.yaml")).unwrap()).unwrap();
    sample_people(&Design::load("design.yaml", &text).unwrap().0, Some(&data))
}

async fn serve(designs: &[&str], machine_keys: Option<&Path>) -> Served {
    let development = Development::start("127.0.0.1".parse().unwrap()).unwrap();
    let clock = Arc::new(ManualClock::at_second(NOW_MS / 1000));
    let names: Vec<String> = designs.iter().map(|name| (*name).to_owned()).collect();
    let identity = Identity::new(Some(development.settings()), machine_keys, clock).unwrap();
    let setting = Setting {
        authenticator: Some(Arc::new(identity.for_designs(&names).unwrap())),
        change_records: Some(ChangeRecordSettings::default()),
        public_docs: false,
        ..Setting::default()
    };
    Served { world: World::made(designs, setting).await, development }
}

impl Served {
    fn token(&self, person: &Person, design: &str) -> String {
        format!("Bearer {}", self.development.token(person, design, NOW_MS).unwrap())
    }

    async fn send(&self, credential: (&str, &str), method: Method, path: &str) -> Answered {
        let headers = [credential, ("content-type", "application/json")];
        self.world.client.send("", method, path, &headers, "{}").await
    }
}

/// The requests to which a design responds with something of its own.
fn requests(design: &Design) -> Vec<(Method, String)> {
    let base = format!("/v1/{}", design.name);
    let mut requests: Vec<(Method, String)> =
        design.patterns.iter().map(|pattern| (Method::GET, format!("{base}/patterns/{}", pattern.slug))).collect();
    for entity in &design.entities {
        let resource = Resource::new(design, entity);
        let item = format!("{base}{}", resource.template());
        requests.extend([Method::GET, Method::PUT, Method::PATCH, Method::DELETE].map(|method| (method, item.clone())));
        if resource.accepts(Verb::Create) {
            requests.push((Method::POST, format!("{base}/{}", resource.segment)));
        }
    }
    requests.extend(["audit", "openapi.json", "docs"].map(|name| (Method::GET, format!("{base}/{name}"))));
    requests.extend(["transactions", "authorize"].map(|name| (Method::POST, format!("{base}/{name}"))));
    requests
}

#[tokio::test]
async fn a_token_for_one_design_is_refused_by_every_other() {
    let served = serve(&DESIGNS, None).await;
    let mut refused = 0;
    for own in DESIGNS {
        for person in people(own) {
            let token = served.token(&person, own);
            let documents =
                served.send(("authorization", &token), Method::GET, &format!("/v1/{own}/openapi.json")).await;
            assert_eq!(documents.status, 200, "{own} {person:?}");
            for other in DESIGNS.into_iter().filter(|other| *other != own) {
                for (method, path) in requests(&served.world.design(other).0) {
                    let response = served.send(("authorization", &token), method.clone(), &path).await;
                    // A design does not have every method everywhere.
                    if response.status != 405 {
                        let problem = response.problem(401, "unauthenticated");
                        let detail = format!("the token is not for the design `{other}`");
                        assert_eq!(problem["detail"], detail, "{own} {person:?}: {method} {path}");
                        refused += 1;
                    }
                }
            }
            // Metrics belong to the server, whatever a design calls its operators.
            served.send(("authorization", &token), Method::GET, "/metrics").await.problem(404, "not-found");
        }
    }
    assert!(refused > 4000, "{refused}");
}

#[tokio::test]
async fn the_index_lists_the_designs_that_a_credential_is_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let designs = vec!["archive".to_owned(), "agencies".to_owned()];
    let new = NewMachineKey { name: "both".to_owned(), designs, ..Default::default() };
    let key = create_machine_key(&file, new).unwrap();
    let served = serve(&DESIGNS, Some(&file)).await;
    let names = |listed: Answered| -> Vec<String> {
        let listed = listed.expect(200).json();
        let designs = listed["designs"].as_array().unwrap().clone();
        designs.iter().map(|design| design["design"].as_str().unwrap().to_owned()).collect()
    };
    for own in DESIGNS {
        let token = served.token(&people(own)[0], own);
        assert_eq!(names(served.send(("authorization", &token), Method::GET, "/").await), [own]);
    }
    assert_eq!(names(served.send(("x-api-key", &key), Method::GET, "/").await), ["agencies", "archive"]);
    served.send(("accept", "*/*"), Method::GET, "/").await.problem(401, "unauthenticated");
    // Where documents are open, as in development mode, they are open to all.
    let open = World::made(&DESIGNS, Setting::default()).await;
    assert_eq!(names(open.client.get("", "/").await), DESIGNS);
}

#[tokio::test]
async fn an_operator_of_one_design_is_none_in_another() {
    let served = serve(&["agencies", "archive"], None).await;
    // The admin of an agency has the role of the archive's operators.
    let ada = people("agencies").into_iter().find(|person| person.subject == "ada").unwrap();
    let admin = Person { roles: vec!["admin".to_owned()], ..ada };
    let settings = "/v1/archive/settings";
    let in_archive = served.token(&admin, "archive");
    served.send(("authorization", &in_archive), Method::GET, settings).await.expect(200);
    let in_agencies = served.token(&admin, "agencies");
    served.send(("authorization", &in_agencies), Method::GET, settings).await.problem(401, "unauthenticated");
    served
        .send(("authorization", &in_agencies), Method::GET, "/v1/archive/audit")
        .await
        .problem(401, "unauthenticated");
}

#[tokio::test]
async fn machine_keys_are_for_the_designs_that_they_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = |name: &str, designs: &[&str], roles: &[&str]| {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let (designs, roles) = (names(designs), names(roles));
        create_machine_key(&file, NewMachineKey { name: name.to_owned(), designs, roles, ..Default::default() })
            .unwrap()
    };
    let one = key("one", &["archive"], &["admin"]);
    let both = key("both", &["archive", "agencies"], &["admin", "agencies:operator"]);
    let none = key("none", &[], &["admin"]);
    let monitor = key("monitor", &[], &["server:operator"]);
    let served = serve(&["agencies", "archive"], Some(&file)).await;
    let (archive, agencies) = ("/v1/archive/audit", "/v1/agencies/audit");
    for (key, path, status) in [
        (&one, archive, 200),
        (&one, agencies, 401),
        // A plain role in a key for several designs counts in none of them.
        (&both, archive, 403),
        (&both, agencies, 200),
        (&none, archive, 401),
        (&monitor, archive, 401),
        (&one, "/metrics", 404),
        (&both, "/metrics", 404),
        (&monitor, "/metrics", 200),
    ] {
        let response = served.send(("x-api-key", key), Method::GET, path).await;
        assert_eq!(response.status.as_u16(), status, "{path}: {response:?}");
    }
}

#[tokio::test]
async fn one_design_needs_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let roles = vec!["admin".to_owned()];
    let key = create_machine_key(&file, NewMachineKey { name: "one".to_owned(), roles, ..Default::default() }).unwrap();
    let served = serve(&["archive"], Some(&file)).await;
    for path in ["/v1/archive/audit", "/metrics"] {
        served.send(("x-api-key", &key), Method::GET, path).await.expect(200);
    }
}
