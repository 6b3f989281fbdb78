//! Every scenario, example and budget of the shipped designs, on the embedded engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_engine::Engine;
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_runtime::scenario::{
    DataFile, Scenario, ScenarioFile, Verdict, check_budgets, examples, load_data, run_scenario,
};
use keyfold_runtime::{Caller, DeleteOptions, DesignRules, Options, QueryOptions, Runtime};

fn designs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs")
}

fn load(folder: &Path) -> Arc<Design> {
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let (design, _) = Design::load("design.yaml", &text).unwrap_or_else(|found| panic!("{found:#?}"));
    Arc::new(design)
}

fn runtime(design: &Arc<Design>, clock: &Arc<ManualClock>) -> Runtime {
    let options = keyfold_engine::Options { sweep_interval: None, ..Default::default() };
    let engine = Engine::in_memory(options).unwrap();
    let options = Options {
        authorizer: Arc::new(DesignRules::new(Arc::clone(design))),
        clock: Arc::clone(clock) as _,
        random: Arc::new(SeededRandom::default()),
        cursor_secret: vec![7; 32],
        table_name: None,
    };
    Runtime::new(Arc::clone(design), Arc::new(engine), options)
}

fn data(folder: &Path) -> DataFile {
    serde_saphyr::from_str(&std::fs::read_to_string(folder.join("data.yaml")).unwrap()).unwrap()
}

/// The scenarios of all files, and the examples of the design itself.
fn scenarios(folder: &Path, design: &Design) -> Vec<Scenario> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join("scenarios")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut scenarios = examples(design).unwrap();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let found: ScenarioFile =
            serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        scenarios.extend(found.scenarios);
    }
    scenarios
}

async fn play(name: &str) {
    let folder = designs().join(name);
    let design = load(&folder);
    let data = data(&folder);
    let scenarios = scenarios(&folder, &design);
    let mut broken = Vec::new();
    for scenario in &scenarios {
        let clock = Arc::new(ManualClock::default());
        let runtime = runtime(&design, &clock);
        runtime.create_table().await.unwrap();
        match run_scenario(&runtime, &clock, Some(&data), scenario).await {
            Ok(Verdict::Held) => {}
            Ok(Verdict::Broken { step, difference }) => {
                broken.push(format!("{}, step {step}: {difference}", scenario.name));
            }
            Err(error) => broken.push(format!("{}: {error}", scenario.name)),
        }
    }
    let count = scenarios.len();
    assert!(broken.is_empty(), "{} of {count} scenarios are broken:\n\n{}", broken.len(), broken.join("\n\n"));
}

/// What each budget of a design is measured at, in units.
async fn measured(name: &str) -> Vec<(String, f64, Option<f64>)> {
    let folder = designs().join(name);
    let design = load(&folder);
    let data = data(&folder);
    let runtime = runtime(&design, &Arc::new(ManualClock::default()));
    runtime.create_table().await.unwrap();
    load_data(&runtime, &data, &|_| {}).await.unwrap();
    let reports = check_budgets(&runtime, &data).await.unwrap();
    for report in &reports {
        assert!(report.is_kept(), "{report:?}");
    }
    reports.into_iter().map(|report| (report.subject, report.budget, report.measured)).collect()
}

fn costs(rows: &[(&str, f64, f64)]) -> Vec<(String, f64, Option<f64>)> {
    rows.iter().map(|(subject, budget, measured)| ((*subject).to_owned(), *budget, Some(*measured))).collect()
}

#[tokio::test]
async fn agencies() {
    play("agencies").await;
}

#[tokio::test]
async fn platform() {
    play("platform").await;
}

#[tokio::test]
async fn albums() {
    play("albums").await;
}

#[tokio::test]
async fn catalogue() {
    play("catalogue").await;
}

#[tokio::test]
async fn archive() {
    play("archive").await;
}

#[tokio::test]
async fn budgets_of_agencies() {
    let expected = costs(&[
        ("agency with members", 1.5, 1.0),
        ("members by agency", 1.5, 1.0),
        ("all agencies", 1.5, 1.0),
        ("all members", 1.5, 1.0),
        ("members by idpid", 1.5, 1.0),
        ("create Agency", 3.0, 2.0),
        ("update Agency", 3.0, 2.0),
        ("delete Agency", 6.0, 4.0),
        ("create Member", 12.0, 8.0),
        ("update Member", 5.0, 3.0),
        ("delete Member", 5.0, 3.0),
    ]);
    assert_eq!(measured("agencies").await, expected);
}

#[tokio::test]
async fn budgets_of_platform() {
    let expected = costs(&[
        ("all accounts", 1.5, 1.0),
        ("all enterprises", 1.5, 1.0),
        ("all licenses", 1.5, 1.0),
        ("all workstreams", 1.5, 1.0),
        ("all users", 1.5, 1.0),
        ("all roles", 1.5, 1.0),
        ("all groups", 1.0, 0.5),
        ("all products", 1.0, 0.5),
        ("all services", 1.0, 0.5),
        ("all notification audits", 2.0, 1.5),
        ("account with everything", 1.5, 1.0),
        ("enterprise with products and services", 1.5, 1.0),
        ("licenses by account", 1.5, 1.0),
        ("workstreams by account", 1.5, 1.0),
        ("role with permissions", 1.0, 0.5),
        ("user with workstreams", 1.5, 1.0),
        ("workstreams of a user", 20.5, 2.5),
        ("tools of a workstream", 1.0, 0.5),
        ("users by account", 1.5, 1.0),
        ("roles by account", 1.5, 1.0),
        ("licenses by enterprise", 1.5, 1.0),
        ("workstreams by enterprise", 1.5, 1.0),
        ("notifications by account", 2.0, 1.5),
        ("expiring licenses", 1.5, 1.0),
        ("expired licenses", 1.5, 1.0),
        ("active users by end date", 1.5, 1.0),
        ("inactive users", 1.5, 1.0),
        ("sent notifications between", 2.0, 1.5),
        ("failed notifications", 2.0, 2.0),
        ("skipped notifications", 2.0, 1.5),
        ("create Account", 3.0, 2.0),
        ("update Account", 3.0, 2.0),
        ("delete Account", 6.0, 4.0),
        ("create Address", 6.0, 4.0),
        ("update Address", 2.0, 1.0),
        ("delete Address", 2.0, 1.0),
        ("create TechUser", 6.0, 4.0),
        ("update TechUser", 2.0, 1.0),
        ("delete TechUser", 2.0, 1.0),
        ("create Enterprise", 3.0, 2.0),
        ("update Enterprise", 3.0, 2.0),
        ("delete Enterprise", 6.0, 4.0),
        ("create License", 21.0, 14.0),
        ("update License", 6.0, 4.0),
        ("delete License", 18.0, 12.0),
        ("create Workstream", 18.0, 12.0),
        ("update Workstream", 5.0, 3.0),
        ("delete Workstream", 9.0, 6.0),
        ("create Tool", 6.0, 4.0),
        ("update Tool", 2.0, 1.0),
        ("delete Tool", 2.0, 1.0),
        ("create Group", 3.0, 2.0),
        ("update Group", 3.0, 2.0),
        ("delete Group", 3.0, 2.0),
        ("create Product", 3.0, 2.0),
        ("update Product", 3.0, 2.0),
        ("delete Product", 6.0, 4.0),
        ("create Service", 3.0, 2.0),
        ("update Service", 3.0, 2.0),
        ("delete Service", 6.0, 4.0),
        ("create EnterpriseProduct", 12.0, 8.0),
        ("update EnterpriseProduct", 2.0, 1.0),
        ("delete EnterpriseProduct", 9.0, 6.0),
        ("create EnterpriseService", 12.0, 8.0),
        ("update EnterpriseService", 2.0, 1.0),
        ("delete EnterpriseService", 9.0, 6.0),
        ("create Role", 15.0, 10.0),
        ("update Role", 5.0, 3.0),
        ("delete Role", 9.0, 6.0),
        ("create Permission", 6.0, 4.0),
        ("update Permission", 2.0, 1.0),
        ("delete Permission", 2.0, 1.0),
        ("create User", 27.0, 18.0),
        ("update User", 6.0, 4.0),
        ("delete User", 45.0, 38.0),
        ("create UserWorkstream", 15.0, 10.0),
        ("update UserWorkstream", 2.0, 1.0),
        ("delete UserWorkstream", 12.0, 8.0),
        ("create NotificationAudit", 18.0, 12.0),
    ]);
    assert_eq!(measured("platform").await, expected);
}

#[tokio::test]
async fn budgets_of_albums() {
    let expected = costs(&[
        ("tenant with everything", 6.0, 5.0),
        ("albums of a tenant", 2.0, 1.0),
        ("images of a tenant", 2.0, 1.0),
        ("membership of a user in a tenant", 2.0, 1.5),
        ("membership with its views", 0.5, 0.5),
        ("root albums", 2.0, 1.0),
        ("albums in an album", 2.0, 1.0),
        ("images in an album", 2.0, 1.5),
        ("content of an album", 2.0, 1.5),
        ("user by oidc subject", 2.0, 1.5),
        ("user by email", 2.0, 1.5),
        ("members of a tenant", 2.0, 1.0),
        ("tenants of a user", 2.0, 1.0),
        ("create Tenant", 2.0, 1.0),
        ("update Tenant", 2.0, 1.0),
        ("delete Tenant", 6.0, 2.0),
        ("create Album", 12.0, 10.0),
        ("update Album", 16.0, 2.0),
        ("delete Album", 12.0, 10.0),
        ("create Image", 12.0, 8.0),
        ("update Image", 16.0, 2.0),
        ("delete Image", 12.0, 8.0),
        ("create User", 12.0, 10.0),
        ("update User", 12.0, 1.0),
        ("delete User", 42.0, 35.0),
        ("create Membership", 20.0, 16.0),
        ("update Membership", 20.0, 1.0),
        ("delete Membership", 20.0, 16.0),
    ]);
    assert_eq!(measured("albums").await, expected);
}

#[tokio::test]
async fn budgets_of_catalogue() {
    let expected = costs(&[
        ("all sites", 2.5, 1.0),
        ("sites by tag", 0.5, 0.5),
        ("sites with a tag", 20.5, 3.5),
        ("tags of a site", 0.5, 0.5),
        ("comments of a site", 1.5, 1.0),
        ("site with everything", 2.5, 1.0),
        ("my ratings", 1.5, 1.0),
        ("my comments", 1.5, 1.0),
        ("my comments on a site", 1.5, 1.0),
        ("ratings by stars", 1.5, 1.0),
        ("five star ratings", 1.5, 1.0),
        ("ratings of a site", 2.5, 1.0),
        ("all groups", 1.5, 1.0),
        ("groups of a user", 0.5, 0.5),
        ("members of a group", 0.5, 0.5),
        ("profile", 0.5, 0.5),
        ("all players", 1.5, 1.0),
        ("all matches", 2.5, 1.5),
        ("matches on a day", 2.5, 1.5),
        ("matches in a range", 2.5, 1.5),
        ("matches between", 46.0, 46.0),
        ("matches of a player", 0.5, 0.5),
        ("create Site", 24.0, 20.0),
        ("update Site", 4.0, 2.0),
        ("delete Site", 50.0, 46.0),
        ("create Rating", 10.0, 8.0),
        ("update Rating", 4.0, 1.0),
        ("delete Rating", 10.0, 8.0),
        ("create Comment", 8.0, 6.0),
        ("update Comment", 4.0, 1.0),
        ("delete Comment", 6.0, 4.0),
        ("create GroupMembership", 10.0, 8.0),
        ("delete GroupMembership", 10.0, 8.0),
        ("update Profile", 2.0, 1.0),
        ("create Player", 4.0, 2.0),
        ("update Player", 4.0, 2.0),
        ("delete Player", 6.0, 4.0),
        ("create Match", 36.0, 30.0),
        ("update Match", 6.0, 3.0),
        ("delete Match", 26.0, 22.0),
    ]);
    assert_eq!(measured("catalogue").await, expected);
}

#[tokio::test]
async fn budgets_of_archive() {
    let expected = costs(&[
        ("categories", 1.0, 0.5),
        ("collections", 1.0, 0.5),
        ("collection with categories", 1.0, 0.5),
        ("categories of a collection", 1.0, 0.5),
        ("collections of a category", 1.0, 0.5),
        ("places by name", 1.0, 0.5),
        ("places with a word", 0.5, 0.5),
        ("posts", 1.0, 0.5),
        ("posts of a collection", 1.0, 0.5),
        ("post with households", 1.0, 0.5),
        ("records of a post", 1.0, 0.5),
        ("households of a post", 1.0, 0.5),
        ("records of a household", 0.5, 0.5),
        ("settings", 0.5, 0.5),
        ("settings by name", 0.5, 0.5),
        ("users", 1.0, 0.5),
        ("user by identity", 0.5, 0.5),
        ("create Category", 4.0, 3.0),
        ("update Category", 4.0, 2.0),
        ("delete Category", 6.0, 4.0),
        ("create Collection", 4.0, 3.0),
        ("update Collection", 4.0, 2.0),
        ("delete Collection", 16.0, 14.0),
        ("create CollectionCategory", 12.0, 10.0),
        ("delete CollectionCategory", 10.0, 8.0),
        ("create Place", 20.0, 13.0),
        ("update Place", 4.0, 2.0),
        ("delete Place", 20.0, 12.0),
        ("create Post", 10.0, 9.0),
        ("update Post", 4.0, 2.0),
        ("delete Post", 12.0, 10.0),
        ("create Record", 16.0, 15.0),
        ("update Record", 4.0, 2.0),
        ("delete Record", 14.0, 12.0),
        ("update Settings", 4.0, 2.0),
        ("create User", 8.0, 6.0),
        ("update User", 4.0, 2.0),
        ("delete User", 8.0, 6.0),
    ]);
    assert_eq!(measured("archive").await, expected);
}

#[tokio::test]
async fn an_exceeded_budget_is_reported() {
    let folder = designs().join("platform");
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let text = text
        .replace("licenses by enterprise: at most 1.5 read", "licenses by enterprise: at most 0.5 read")
        .replace("create License: at most 21 write", "create License: at most 2 write");
    let (design, _) = Design::load("design.yaml", &text).unwrap();
    let runtime = runtime(&Arc::new(design), &Arc::new(ManualClock::default()));
    runtime.create_table().await.unwrap();
    let data = data(&folder);
    load_data(&runtime, &data, &|_| {}).await.unwrap();
    let reports = check_budgets(&runtime, &data).await.unwrap();
    let over: Vec<&str> =
        reports.iter().filter(|report| !report.is_kept()).map(|report| report.subject.as_str()).collect();
    assert_eq!(over, ["licenses by enterprise", "create License"]);
}

/// An example that does not hold is found out.
#[tokio::test]
async fn a_wrong_example_is_reported() {
    let folder = designs().join("agencies");
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    let text =
        text.replace("- Agency: {name: Northwind, status: active}", "- Agency: {name: Northwind, status: inactive}");
    let (design, _) = Design::load("design.yaml", &text).unwrap();
    let design = Arc::new(design);
    let example = examples(&design).unwrap().remove(0);
    let clock = Arc::new(ManualClock::default());
    let runtime = runtime(&design, &clock);
    runtime.create_table().await.unwrap();
    let Verdict::Broken { step, difference } = run_scenario(&runtime, &clock, None, &example).await.unwrap() else {
        panic!("the example holds");
    };
    assert_eq!(step, 1);
    assert!(difference.starts_with("expected Agency {\"name\":\"Northwind\",\"status\":\"inactive\"}"), "{difference}");
}

/// More users, assignments and workstreams than a transaction takes: all of them go, and those of others stay.
#[tokio::test]
async fn a_large_account_is_deleted_in_steps() {
    let mut text = String::from("items:\n");
    for account in ["large", "other"] {
        text += &format!("  - Account: {{accountId: {account}, name: {account}}}\n");
    }
    text += "  - Enterprise: {enterpriseId: globex, name: Globex}\n  - Role: {roleId: reader, name: Reader}\n";
    for account in ["large", "other"] {
        for number in 0..5 {
            text += &format!(
                "  - Workstream: {{accountId: {account}, workstreamId: {account}-{number}, enterpriseId: globex, name: W}}\n"
            );
        }
        for number in 0..if account == "large" { 70 } else { 1 } {
            let user = format!("{account}-user-{number:02}");
            text += &format!(
                "  - User: {{userId: {user}, accountId: {account}, roleId: reader, email: a@b.example, firstName: A, lastName: B}}\n"
            );
            for workstream in [number % 5, (number + 1) % 5] {
                text += &format!(
                    "  - UserWorkstream: {{accountId: {account}, userId: {user}, workstreamId: {account}-{workstream}}}\n"
                );
            }
        }
    }
    let design = load(&designs().join("platform"));
    let runtime = runtime(&design, &Arc::new(ManualClock::default()));
    runtime.create_table().await.unwrap();
    let data: DataFile = serde_saphyr::from_str(&text).unwrap();
    load_data(&runtime, &data, &|_| {}).await.unwrap();

    let superuser = Caller::superuser("test");
    let large = Attributes::from([("accountId".to_owned(), AttributeValue::S("large".to_owned()))]);
    let options = DeleteOptions { cascade: true, ..DeleteOptions::default() };
    runtime.delete(&superuser, "Account", large, options).await.unwrap();

    let all = QueryOptions { take: Some(1000), ..QueryOptions::default() };
    let mut left = Vec::new();
    for pattern in ["all accounts", "all users", "all workstreams"] {
        left.push(runtime.query(&superuser, pattern, Attributes::new(), &all).await.unwrap().count);
    }
    assert_eq!(left, [1, 1, 5]);
    for user in ["large-user-00", "large-user-69"] {
        let of = Attributes::from([("userId".to_owned(), AttributeValue::S(user.to_owned()))]);
        assert_eq!(runtime.query(&superuser, "user with workstreams", of, &all).await.unwrap().count, 0);
    }
    let counted = |entity: &'static str, id: &str, value: &str| {
        let identity = Attributes::from([(id.to_owned(), AttributeValue::S(value.to_owned()))]);
        runtime.get(&superuser, entity, identity)
    };
    let role = counted("Role", "roleId", "reader").await.unwrap().unwrap();
    assert_eq!(keyfold_runtime::json::plain(&role.attributes["userCount"]), 1);
    let enterprise = counted("Enterprise", "enterpriseId", "globex").await.unwrap().unwrap();
    assert_eq!(keyfold_runtime::json::plain(&enterprise.attributes["workstreamCount"]), 5);
}

fn texts(pairs: &[(&str, &str)]) -> Attributes {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), AttributeValue::S((*value).to_owned()))).collect()
}

/// Asserts that a pattern is one query of this index, or of the table, with this key condition and without a filter.
fn assert_asks(runtime: &Runtime, pattern: &str, arguments: &[(&str, &str)], index: Option<&str>, condition: &str) {
    let explained = runtime.explain_query(&Caller::superuser("test"), pattern, texts(arguments), 20).unwrap();
    let [request] = explained.requests.as_slice() else { panic!("{pattern}: {explained:?}") };
    let mut on = request.on.clone();
    for (alias, name) in request.names.iter().rev() {
        on = on.replace(alias, name);
    }
    for (alias, value) in request.values.iter().rev() {
        let number = || value.as_number().unwrap().to_string();
        on = on.replace(alias, &value.as_str().map_or_else(number, str::to_owned));
    }
    let asked = (request.operation, request.index.as_deref(), on.as_str(), request.filter.as_deref());
    assert_eq!(asked, ("Query", index, condition, None), "{pattern}");
}

/// A pattern, its arguments, the index that it asks and the key condition.
type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], Option<&'a str>, &'a str);

/// The key conditions of the document's own tables; nothing is ever scanned.
#[tokio::test]
async fn patterns_of_platform_send_the_requests_of_the_document() {
    let design = load(&designs().join("platform"));
    let runtime = runtime(&design, &Arc::new(ManualClock::default()));
    let account: &[(&str, &str)] = &[("accountId", "a1")];
    let enterprise: &[(&str, &str)] = &[("enterpriseId", "e1")];
    let (low, high) = ("2025-12-01T00:00:00.000Z", "2025-12-31T00:00:00.000Z");
    let (one, two, three) = (Some("GSI1"), Some("GSI2"), Some("GSI3"));
    let rows: &[Row<'_>] = &[
        ("all accounts", &[], one, "GSI1PK = ENTITY#ACCOUNT"),
        ("all enterprises", &[], one, "GSI1PK = ENTITY#ENTERPRISE"),
        ("account with everything", account, None, "PK = ACCOUNT#a1"),
        ("enterprise with products and services", enterprise, None, "PK = ENTERPRISE#e1"),
        ("users by account", account, two, "GSI2PK = ACCOUNT#a1#USERS"),
        ("licenses by account", account, None, "PK = ACCOUNT#a1 AND begins_with(SK, LICENSE#)"),
        ("licenses by enterprise", enterprise, two, "GSI2PK = ENTERPRISE#e1 AND begins_with(GSI2SK, LICENSE#)"),
        ("workstreams by account", account, None, "PK = ACCOUNT#a1 AND begins_with(SK, WORKSTREAM#)"),
        ("workstreams by enterprise", enterprise, two, "GSI2PK = ENTERPRISE#e1 AND begins_with(GSI2SK, WORKSTREAM#)"),
        ("role with permissions", &[("roleId", "r1")], None, "PK = ROLE#r1"),
        ("user with workstreams", &[("userId", "u1")], None, "PK = USER#u1"),
        // `$` is the character after `#`: everything of the day itself is below it.
        (
            "expiring licenses",
            &[("before", "2026-01-31")],
            three,
            "GSI3PK = LICENSE#STATUS#active AND GSI3SK < 2026-01-31$",
        ),
        ("inactive users", &[], three, "GSI3PK = USER#STATUS#inactive"),
        ("all notification audits", &[], one, "GSI1PK = ENTITY#NOTIFICATION_AUDIT"),
        ("notifications by account", account, two, "GSI2PK = ACCOUNT#a1#NOTIFICATIONS"),
        ("failed notifications", &[], three, "GSI3PK = NOTIFICATION#STATUS#failed"),
        (
            "sent notifications between",
            &[("start", low), ("end", high)],
            three,
            "GSI3PK = NOTIFICATION#STATUS#sent AND GSI3SK BETWEEN 2025-12-01T00:00:00.000Z AND 2025-12-31T00:00:00.000Z$",
        ),
        ("all licenses", &[], one, "GSI1PK = ENTITY#LICENSE"),
        ("all workstreams", &[], one, "GSI1PK = ENTITY#WORKSTREAM"),
        ("all users", &[], one, "GSI1PK = ENTITY#USER"),
        ("all roles", &[], one, "GSI1PK = ENTITY#ROLE"),
        ("all groups", &[], one, "GSI1PK = ENTITY#GROUP"),
        ("all products", &[], one, "GSI1PK = ENTITY#PRODUCT"),
        ("all services", &[], one, "GSI1PK = ENTITY#SERVICE"),
        ("roles by account", account, two, "GSI2PK = ACCOUNT#a1#ROLES"),
        ("expired licenses", &[], three, "GSI3PK = LICENSE#STATUS#expired"),
        ("active users by end date", &[], three, "GSI3PK = USER#STATUS#active"),
        ("skipped notifications", &[], three, "GSI3PK = NOTIFICATION#STATUS#skipped"),
        ("workstreams of a user", &[("userId", "u1")], None, "PK = USER#u1 AND begins_with(SK, WORKSTREAM#)"),
        ("tools of a workstream", &[("workstreamId", "w1")], None, "PK = WORKSTREAM#w1 AND begins_with(SK, TOOL#)"),
    ];
    for (pattern, arguments, index, condition) in rows {
        assert_asks(&runtime, pattern, arguments, *index, condition);
    }
    assert_eq!(rows.len(), design.patterns.len(), "every pattern has its row");
}

#[tokio::test]
async fn patterns_of_agencies_send_the_requests_of_the_document() {
    let design = load(&designs().join("agencies"));
    let runtime = runtime(&design, &Arc::new(ManualClock::default()));
    let agency = &[("agencyId", "a1")];
    assert_asks(&runtime, "agency with members", agency, None, "PK = AGENCY#a1");
    assert_asks(&runtime, "members by agency", agency, None, "PK = AGENCY#a1 AND begins_with(SK, MEMBER#)");
    assert_asks(&runtime, "all agencies", &[], Some("GSI1"), "type = Agency");
    assert_asks(&runtime, "all members", &[], Some("GSI1"), "type = Member");
    assert_asks(&runtime, "members by idpid", &[("idpid", "ada")], Some("GSI2"), "idpid = ada");
    assert_eq!(design.patterns.len(), 5);
}

#[tokio::test]
async fn patterns_of_albums_send_the_requests_of_the_document() {
    let design = load(&designs().join("albums"));
    let runtime = runtime(&design, &Arc::new(ManualClock::default()));
    let (tenant, user) = ("01K9ZV0000000000000000TENA", "01K9ZV00000000000000000ADA");
    let (album, membership) = ("01K9ZV0000000000000000AB01", "01K9ZV0000000000000000MB01");
    let of_tenant: &[(&str, &str)] = &[("tenantId", tenant)];
    let identity: &[(&str, &str)] = &[("issuer", "https://id.example.com"), ("subject", "auth0|7")];
    let (one, two) = (Some("GSI1"), Some("GSI2"));
    let rows: &[Row<'_>] = &[
        ("tenant with everything", of_tenant, None, &format!("PK = TENANT#{tenant}")),
        ("albums of a tenant", of_tenant, None, &format!("PK = TENANT#{tenant} AND begins_with(SK, ALBUM#)")),
        ("images of a tenant", of_tenant, None, &format!("PK = TENANT#{tenant} AND begins_with(SK, IMAGE#)")),
        (
            "membership of a user in a tenant",
            &[("tenantId", tenant), ("userId", user)],
            None,
            &format!("PK = LOOKUP#MEMBERSHIP#TENANT_USER#{tenant}#{user}"),
        ),
        ("membership with its views", &[("membershipId", membership)], None, &format!("PK = MEMBERSHIP#{membership}")),
        ("root albums", of_tenant, one, &format!("GSI1PK = TENANT#{tenant} AND begins_with(GSI1SK, ALBUM#)")),
        (
            "albums in an album",
            &[("parentId", album)],
            one,
            &format!("GSI1PK = ALBUM#{album} AND begins_with(GSI1SK, ALBUM#)"),
        ),
        (
            "images in an album",
            &[("albumId", album)],
            one,
            &format!("GSI1PK = ALBUM#{album} AND begins_with(GSI1SK, IMAGE#)"),
        ),
        ("content of an album", &[("albumId", album)], one, &format!("GSI1PK = ALBUM#{album}")),
        ("user by oidc subject", identity, two, "GSI2PK = LOOKUP#USER#OIDC_SUB#https%3A%2F%2Fid.example.com#auth0%7C7"),
        ("user by email", &[("email", "Ada@Example.com")], two, "GSI2PK = LOOKUP#USER#EMAIL#ada@example.com"),
        ("members of a tenant", of_tenant, two, &format!("GSI2PK = LOOKUP#MEMBERSHIP#TENANT#{tenant}")),
        ("tenants of a user", &[("userId", user)], two, &format!("GSI2PK = LOOKUP#MEMBERSHIP#USER#{user}")),
    ];
    for (pattern, arguments, index, condition) in rows {
        assert_asks(&runtime, pattern, arguments, *index, condition);
    }
    assert_eq!(rows.len(), design.patterns.len(), "every pattern has its row");
    // Members of a tenant get what lies in it: the filter is on the base key.
    let member = Caller { groups: vec!["viewer".to_owned()], ..Caller::member(tenant, user) };
    let explained = runtime.explain_query(&member, "content of an album", texts(&[("albumId", album)]), 20).unwrap();
    let request = &explained.requests[0];
    assert_eq!(request.filter.as_deref(), Some("#n1 = :v1"));
    assert_eq!(request.names[1], ("#n1".to_owned(), "PK".to_owned()));
    assert_eq!(request.values[":v1"].as_str(), Some("TENANT#01K9ZV0000000000000000TENA"));
}

#[tokio::test]
async fn patterns_of_catalogue_send_the_requests_of_the_document() {
    let design = load(&designs().join("catalogue"));
    let runtime = runtime(&design, &Arc::new(ManualClock::default()));
    let (site, user, days) = ([("site", "s1")], [("user", "u1")], [("from", "2026-01-03"), ("to", "2026-01-05")]);
    let (player, by_entity) = ([("playerId", "019a5c00-0000-7000-8000-000000000ada")], Some("byEntity"));
    let rows: &[Row<'_>] = &[
        ("all sites", &[], by_entity, "entityType = SITE"),
        ("sites by tag", &[("tag", "javascript")], Some("byTag"), "tag = javascript"),
        ("sites with a tag", &[("tag", "javascript")], Some("byTag"), "tag = javascript"),
        ("tags of a site", &site, None, "PK = SITE#s1 AND begins_with(SK, TAG#)"),
        ("comments of a site", &site, None, "PK = SITE#s1 AND begins_with(SK, COMMENT#)"),
        ("site with everything", &site, None, "PK = SITE#s1"),
        ("my ratings", &user, None, "PK = USER#u1 AND begins_with(SK, SITE#)"),
        ("my comments", &user, None, "PK = USER#u1 AND begins_with(SK, SITE#)"),
        (
            "my comments on a site",
            &[("user", "u1"), ("site", "s1")],
            None,
            "PK = USER#u1 AND begins_with(SK, SITE#s1#COMMENT#)",
        ),
        ("five star ratings", &[], Some("byStars"), "starRating = 5"),
        ("all groups", &[], by_entity, "entityType = GROUP"),
        ("groups of a user", &[("userId", "u1")], None, "PK = USER#u1 AND begins_with(SK, MEMBERSHIP#)"),
        ("members of a group", &[("groupName", "Squash")], Some("byGroup"), "groupName = Squash"),
        ("profile", &[("userId", "u1")], None, "PK = USER#u1 AND SK = PROFILE"),
        ("all players", &[], by_entity, "entityType = SQUASH_PLAYER"),
        ("all matches", &[], by_entity, "entityType = SQUASH_MATCH"),
        ("matches on a day", &[("date", "2026-01-03")], Some("bySquashDate"), "squashDate = 2026-01-03"),
        (
            "matches in a range",
            &days,
            by_entity,
            "entityType = SQUASH_MATCH AND entitySk BETWEEN SQUASH#MATCH#2026-01-03 AND SQUASH#MATCH#2026-01-05$",
        ),
        (
            "matches of a player",
            &player,
            None,
            "PK = SQUASH#PLAYER#019a5c00-0000-7000-8000-000000000ada AND begins_with(SK, MATCH#)",
        ),
    ];
    for (pattern, arguments, index, condition) in rows {
        assert_asks(&runtime, pattern, arguments, *index, condition);
    }
    let five = AttributeValue::N(Number::parse("5").unwrap());
    let stars = Attributes::from([("stars".to_owned(), five.clone())]);
    let mut of_site = texts(&site);
    of_site.insert("stars".to_owned(), AttributeValue::L(vec![AttributeValue::N(Number::parse("4").unwrap()), five]));
    // Partitions that are asked one after the other: each day, each number of stars.
    let fanned = [
        ("ratings by stars", stars, Some("byStars"), 1),
        ("ratings of a site", of_site, Some("byStars"), 2),
        ("matches between", texts(&days), Some("bySquashDate"), 3),
    ];
    for (pattern, arguments, index, count) in fanned {
        let explained = runtime.explain_query(&Caller::superuser("test"), pattern, arguments, 20).unwrap();
        let asked: Vec<_> = explained.requests.iter().map(|each| (each.operation, each.index.as_deref())).collect();
        assert_eq!(asked, vec![("Query", index); count], "{pattern}");
    }
    assert_eq!(rows.len() + 3, design.patterns.len(), "every pattern has its row");
}

/// One license in ten is the member's: every page but the last is full, and none is left out or told twice.
#[tokio::test]
async fn pages_are_full_despite_items_of_other_tenants() {
    let mut text = String::from("items:\n  - Enterprise: {enterpriseId: globex, name: Globex}\n");
    for account in ["northwind", "contoso"] {
        text += &format!("  - Account: {{accountId: {account}, name: {account}}}\n");
    }
    for number in 0..300 {
        let account = if number % 10 == 7 { "northwind" } else { "contoso" };
        text += &format!(
            "  - License: {{accountId: {account}, licenseId: l{number:03}, enterpriseId: globex, endDate: 2026-12-31, seats: 1}}\n"
        );
    }
    let design = load(&designs().join("platform"));
    let runtime = runtime(&design, &Arc::new(ManualClock::default()));
    runtime.create_table().await.unwrap();
    load_data(&runtime, &serde_saphyr::from_str::<DataFile>(&text).unwrap(), &|_| {}).await.unwrap();

    let ada = Caller::member("northwind", "ada");
    let globex = texts(&[("enterpriseId", "globex")]);
    for reverse in [false, true] {
        let mut options = QueryOptions { take: Some(8), reverse, ..QueryOptions::default() };
        let (mut sizes, mut found) = (Vec::new(), Vec::new());
        loop {
            let page = runtime.query(&ada, "licenses by enterprise", globex.clone(), &options).await.unwrap();
            sizes.push(page.count);
            found.extend(page.records.iter().map(|record| record.attributes["licenseId"].as_str().unwrap().to_owned()));
            match page.cursor {
                Some(cursor) => options.cursor = Some(cursor),
                None => break,
            }
        }
        let mut expected: Vec<String> = (0..30).map(|number| format!("l{:03}", number * 10 + 7)).collect();
        if reverse {
            expected.reverse();
        }
        assert_eq!((sizes, found), (vec![8, 8, 8, 6], expected));
    }
}
