//! People with tokens of an identity provider: the table says who they are, and in which tenants they may act.

use std::sync::Arc;

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_api::identity::{Identity, KeySettings, NewMachineKey, TokenSettings, create_machine_key};
use keyfold_api::{Limits, RateLimits};
use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes};
use serde_json::{Value, json};

use crate::identity_support::{claims_but, clock, settings, show, sign_with_secret};
use crate::over_sockets::client::Answered;
use crate::over_sockets::world::{Setting, World};

const SECRET: &[u8] = b"a secret of the tests, of 32 bytes or more";
const HARBOUR: &str = "01K9ZV0000000000000000TENA";
const NORTHWIND: &str = "01K9ZV0000000000000000AAAA";
const CONTOSO: &str = "01K9ZV0000000000000000BBBB";

struct Served {
    world: World,
    design: &'static str,
    issuer: &'static str,
}

async fn serve(design: &'static str, issuer: &'static str) -> Served {
    let tokens = TokenSettings { issuer: issuer.to_owned(), ..settings(KeySettings::Secret(SECRET.to_vec())) };
    let kept = ["name", "preferred_username", "email", "sub"].map(str::to_owned).to_vec();
    let identity = Identity::new(Some(tokens), None, clock()).unwrap().for_designs(&[design.to_owned()]).unwrap();
    let setting = Setting {
        authenticator: Some(Arc::new(identity.keeping_claims(kept))),
        change_records: Some(ChangeRecordSettings::default()),
        ..Setting::default()
    };
    Served { world: World::made(&[design], setting).await, design, issuer }
}

impl Served {
    /// A token without a tenant or roles, with these claims.
    fn token(&self, claims: Value) -> String {
        let mut all = claims_but(json!({"iss": self.issuer, "tenant": null, "roles": null}));
        for (name, value) in claims.as_object().unwrap() {
            all[name] = value.clone();
        }
        format!("Bearer {}", sign_with_secret(SECRET, &json!({"alg": "HS256"}), &all))
    }

    async fn send(&self, token: &str, tenant: Option<&str>, method: Method, path: &str, body: Value) -> Answered {
        let mut headers = vec![("authorization", token), ("content-type", "application/json")];
        headers.extend(tenant.map(|tenant| ("keyfold-tenant", tenant)));
        let path = format!("/v1/{}{path}", self.design);
        self.world.client.send("", method, &path, &headers, body.to_string()).await
    }

    async fn get(&self, token: &str, tenant: Option<&str>, path: &str) -> Answered {
        self.send(token, tenant, Method::GET, path, Value::Null).await
    }

    async fn stored(&self, entity: &str) -> Vec<Value> {
        let design: Arc<Design> = Arc::clone(&self.world.design(self.design).0);
        let items = self.world.items(self.design).await;
        let own = items.into_iter().filter(|(id, _)| design[*id].name == entity);
        own.map(|(_, item)| keyfold_runtime::json::object(&item).into()).collect()
    }

    /// The denials in the audit log, as `tenant|subject|verb|entity`.
    async fn denials(&self) -> Vec<String> {
        let entries = self.world.change_records().await;
        let text =
            |entry: &Attributes, name: &str| entry.get(name).and_then(AttributeValue::as_str).unwrap_or("").to_owned();
        let denied = entries.iter().filter(|entry| text(entry, "outcome") == "denied");
        let mut lines: Vec<String> = denied
            .map(|entry| ["tenant", "subject", "verb", "entity"].map(|name| text(entry, name)).join("|"))
            .collect();
        lines.sort();
        lines
    }
}

#[tokio::test]
async fn issuer_and_subject_lead_to_the_user() {
    let served = serve("albums", "https://id.example.com").await;
    let ada = served.token(json!({"sub": "auth0|7"}));
    let me = served.get(&ada, None, "/me").await.expect(200).json();
    assert_eq!(
        me,
        json!({
            "subject": "01K9ZV00000000000000000ADA", "tenant": null, "roles": [], "groups": [], "permissions": [],
            "operator": false, "memberships": me["memberships"],
        })
    );
    assert!(me["memberships"].as_array().unwrap().contains(&json!({"tenant": HARBOUR, "role": null})), "{me}");
    // The user is the owner of what is theirs, and the stamp of what they change.
    served.get(&ada, None, "/users/01K9ZV00000000000000000ADA").await.expect(200);
    let album =
        served.send(&ada, Some(HARBOUR), Method::POST, "/albums", json!({"title": "Denmark"})).await.expect(201).json();
    assert_eq!(album["createdBy"], "01K9ZV00000000000000000ADA");
    assert_eq!(album["tenantId"], HARBOUR);
    let entries = served.world.change_records().await;
    let subjects: Vec<_> = entries.iter().filter_map(|entry| entry.get("subject")).collect();
    assert_eq!(format!("{subjects:?}"), "[S(\"01K9ZV00000000000000000ADA\")]");
}

#[tokio::test]
async fn the_same_subject_of_another_issuer_is_another_user() {
    let served = serve("albums", "https://login.lindqvist.example/").await;
    let token = served.token(json!({"sub": "auth0|7"}));
    let me = served.get(&token, None, "/me").await.expect(200).json();
    assert_eq!(me["subject"], "01K9ZV0000000000000000ANNE");
    // A subject that reads like the id of a user leads to no user of that id.
    let forged = served.token(json!({"sub": "01K9ZV00000000000000000ADA", "name": "Eve"}));
    let me = served.get(&forged, None, "/me").await.expect(200).json();
    assert_ne!(me["subject"], "01K9ZV00000000000000000ADA");
    assert_eq!(me["memberships"], json!([]));
}

#[tokio::test]
async fn whoever_signs_in_first_becomes_a_user() {
    let served = serve("albums", "https://id.example.com").await;
    let before = served.stored("User").await.len();
    let claims = json!({"sub": "auth0|99", "name": "Katherine Johnson", "email": "kj@example.com"});
    let unverified = served.token(claims.clone());
    let me = served.get(&unverified, None, "/me").await.expect(200).json();
    let users = served.stored("User").await;
    assert_eq!(users.len(), before + 1);
    let new = users.iter().find(|user| user["subject"] == "auth0|99").unwrap();
    assert_eq!((&new["userId"], &new["name"]), (&me["subject"], &json!("Katherine Johnson")));
    assert_eq!(new["issuer"], "https://id.example.com");
    // Only a verified address is taken over.
    assert_eq!(new.get("email"), None);
    // The next request finds the user, and the audit log says who came.
    served.get(&unverified, None, "/me").await.expect(200);
    assert_eq!(served.stored("User").await.len(), before + 1);
    let entries = served.world.change_records().await;
    let entry =
        entries.iter().find(|entry| entry.get("entity").and_then(|name| name.as_str()) == Some("User")).unwrap();
    let text = |name: &str| entry.get(name).and_then(|value| value.as_str()).unwrap();
    assert_eq!((text("verb"), text("subject"), text("outcome")), ("create", "token:auth0|99", "allowed"));
    assert_eq!(text("identity"), me["subject"]);
    // A new user is in no tenant.
    let problem = served.get(&unverified, Some(HARBOUR), "/patterns/root-albums").await.problem(403, "not-allowed");
    assert_eq!(problem["detail"], format!("`{}` is not a member of `{HARBOUR}`", me["subject"].as_str().unwrap()));
    // The address of another user is not taken over, not even a verified one.
    let taken = json!({"sub": "auth0|98", "name": "Eve", "email": "ADA@example.com", "email_verified": true});
    let problem = served.get(&served.token(taken), None, "/me").await.problem(403, "not-allowed");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.starts_with("no User can be created for this token: "), "{detail}");
    let verified = json!({"sub": "auth0|97", "email": "mary@example.com", "email_verified": true});
    served.get(&served.token(verified), None, "/me").await.expect(200);
    let users = served.stored("User").await;
    let mary = users.iter().find(|user| user["subject"] == "auth0|97").unwrap();
    assert_eq!((&mary["email"], &mary["name"]), (&json!("mary@example.com"), &json!("mary@example.com")));
}

#[tokio::test]
async fn concurrent_first_requests_make_one_user() {
    let served = serve("albums", "https://id.example.com").await;
    let before = served.stored("User").await.len();
    let token = served.token(json!({"sub": "auth0|99", "name": "Katherine Johnson"}));
    let asked = (0..8).map(|_| served.get(&token, None, "/me"));
    let subjects: Vec<Value> = futures_util::future::join_all(asked)
        .await
        .into_iter()
        .map(|one| one.expect(200).json()["subject"].clone())
        .collect();
    assert!(subjects.iter().all(|subject| *subject == subjects[0]), "{subjects:?}");
    assert_eq!(served.stored("User").await.len(), before + 1);
}

#[tokio::test]
async fn an_unknown_person_is_refused_where_operators_add_users() {
    let served = serve("archive", "https://accounts.example.com").await;
    let before = served.stored("User").await;
    let problem = served.get(&served.token(json!({"sub": "eve"})), None, "/patterns/categories").await;
    let problem = problem.problem(403, "unknown-user");
    assert_eq!(
        problem["detail"],
        "no User has the issuer `https://accounts.example.com` and subject `eve` of this token: the person has to be \
         added first"
    );
    for odd in ["", "a b", "é", &"x".repeat(1000)] {
        let token = served.token(json!({"sub": odd}));
        let status = served.get(&token, None, "/me").await.status.as_u16();
        assert_eq!(status, if odd.is_empty() { 401 } else { 403 }, "{odd}");
    }
    assert_eq!(served.stored("User").await, before);
    // An operator by a role of the token needs no item, and adds others, with a role in the table.
    let operator = served.token(json!({"sub": "root", "roles": ["admin"]}));
    let editor = json!({"issuer": served.issuer, "subject": "eve", "name": "Eve", "role": "editor"});
    served.send(&operator, None, Method::POST, "/users", editor).await.expect(201);
    let eve = served.token(json!({"sub": "eve"}));
    let me = served.get(&eve, None, "/me").await.expect(200).json();
    assert_eq!((&me["roles"], &me["operator"]), (&json!(["editor"]), &json!(false)));
    assert_eq!(me.get("memberships"), None);
    let place = json!({"fullName": "Ribe, Denmark"});
    served.send(&eve, None, Method::POST, "/places", place).await.expect(201);
    served.send(&eve, None, Method::POST, "/categories", json!({"name": "Letters"})).await.problem(403, "not-allowed");
    // An admin by the table is an operator like one by the token.
    let path = format!("/users/{}", me["subject"].as_str().unwrap());
    served.send(&eve, None, Method::PATCH, &path, json!({"role": "admin"})).await.problem(403, "not-allowed");
    served.send(&operator, None, Method::PATCH, &path, json!({"role": "admin"})).await.expect(200);
    served.send(&eve, None, Method::POST, "/categories", json!({"name": "Letters"})).await.expect(201);
}

#[tokio::test]
async fn a_person_lists_their_agencies_and_chooses_one_per_request() {
    let served = serve("agencies", "https://id.example.com/").await;
    let ada = served.token(json!({"sub": "ada"}));
    let me = served.get(&ada, None, "/me").await.expect(200).json();
    let memberships = json!([{"tenant": NORTHWIND, "role": "admin"}, {"tenant": CONTOSO, "role": null}]);
    assert_eq!((&me["tenant"], &me["roles"], &me["memberships"]), (&Value::Null, &json!([]), &memberships));
    // Without a tenant there is nothing of a tenant.
    served.get(&ada, None, &format!("/agencies/{NORTHWIND}")).await.problem(404, "not-found");
    for (tenant, name) in [(NORTHWIND, "Northwind"), (CONTOSO, "Contoso")] {
        let path = format!("/agencies/{tenant}");
        assert_eq!(served.get(&ada, Some(tenant), &path).await.expect(200).json()["name"], name);
    }
    // The role of a membership counts in its own tenant only.
    let rename = json!({"name": "Renamed"});
    let path = |tenant: &str| format!("/agencies/{tenant}");
    served.send(&ada, Some(NORTHWIND), Method::PATCH, &path(NORTHWIND), rename.clone()).await.expect(200);
    served.send(&ada, Some(CONTOSO), Method::PATCH, &path(CONTOSO), rename.clone()).await.problem(403, "not-allowed");
    served.send(&ada, Some(NORTHWIND), Method::PATCH, &path(CONTOSO), rename).await.problem(404, "not-found");
    // Nobody else's tenants.
    let grace = served.token(json!({"sub": "grace"}));
    let problem = served.get(&grace, Some(CONTOSO), &path(CONTOSO)).await.problem(403, "not-allowed");
    assert_eq!(problem["detail"], format!("`grace` is not a member of `{CONTOSO}`"));
    served.get(&grace, Some("nowhere"), "/me").await.problem(403, "not-allowed");
    let eve = served.token(json!({"sub": "eve"}));
    assert_eq!(served.get(&eve, None, "/me").await.expect(200).json()["memberships"], json!([]));
    served.get("", None, "/me").await.problem(401, "unauthenticated");
}

#[tokio::test]
async fn a_token_for_one_tenant_is_for_no_other() {
    let served = serve("agencies", "https://id.example.com/").await;
    let ada = served.token(json!({"sub": "ada", "tenant": CONTOSO}));
    for tenant in [None, Some(CONTOSO)] {
        assert_eq!(served.get(&ada, tenant, "/me").await.expect(200).json()["tenant"], CONTOSO);
    }
    let problem = served.get(&ada, Some(NORTHWIND), "/me").await.problem(403, "not-allowed");
    assert_eq!(problem["detail"], format!("the credential is for the tenant `{CONTOSO}` only"));
    // What a token says about a tenant does not replace the membership.
    let grace = served.token(json!({"sub": "grace", "tenant": CONTOSO, "roles": ["admin"]}));
    served.get(&grace, None, "/me").await.problem(403, "not-allowed");
    // Operators act in every tenant.
    let olga = served.token(json!({"sub": "olga", "roles": ["operator"]}));
    assert_eq!(served.get(&olga, Some(NORTHWIND), "/me").await.expect(200).json()["tenant"], NORTHWIND);
}

#[tokio::test]
async fn a_header_with_a_tenant_is_checked() {
    let served = serve("agencies", "https://id.example.com/").await;
    let ada = served.token(json!({"sub": "ada"}));
    for invalid in ["", &"x".repeat(1025)] {
        let problem = served.get(&ada, Some(invalid), "/me").await.problem(400, "bad-parameter");
        assert_eq!(problem["field"], "Keyfold-Tenant");
    }
    let twice = [("authorization", ada.as_str()), ("keyfold-tenant", NORTHWIND), ("keyfold-tenant", CONTOSO)];
    let answered = served.world.client.send("", Method::GET, "/v1/agencies/me", &twice, "").await;
    assert_eq!(answered.problem(400, "bad-parameter")["detail"], "`Keyfold-Tenant` appears twice");
    let anonymous = [("keyfold-tenant", NORTHWIND)];
    served.world.client.send("", Method::GET, "/v1/agencies/me", &anonymous, "").await.problem(401, "unauthenticated");
    let archive = serve("archive", "https://accounts.example.com").await;
    let hans = archive.token(json!({"sub": "hans"}));
    let problem = archive.get(&hans, Some("x"), "/me").await.problem(400, "bad-parameter");
    assert_eq!(problem["detail"], "the design `archive` has no tenants");
}

#[tokio::test]
async fn whoever_loses_a_membership_loses_the_tenant() {
    let served = serve("agencies", "https://id.example.com/").await;
    let (ada, olga) = (served.token(json!({"sub": "ada"})), served.token(json!({"sub": "o", "roles": ["operator"]})));
    served.get(&ada, Some(CONTOSO), "/me").await.expect(200);
    let path = format!("/members/ada?tenant={CONTOSO}");
    served.send(&olga, None, Method::DELETE, &path, Value::Null).await.expect(204);
    served.get(&ada, Some(CONTOSO), "/me").await.problem(403, "not-allowed");
    let me = served.get(&ada, None, "/me").await.expect(200).json();
    assert_eq!(me["memberships"], json!([{"tenant": NORTHWIND, "role": "admin"}]));
}

#[tokio::test]
async fn the_audit_log_records_refused_people_and_tenants() {
    let archive = serve("archive", "https://accounts.example.com").await;
    let eve = archive.token(json!({"sub": "eve"}));
    archive.get(&eve, None, "/patterns/categories").await.problem(403, "unknown-user");
    archive.get(&eve, None, "/me").await.problem(403, "unknown-user");
    assert_eq!(archive.denials().await, ["|token:eve|get|me", "|token:eve|list|Category"]);

    let agencies = serve("agencies", "https://id.example.com/").await;
    let grace = agencies.token(json!({"sub": "grace"}));
    // A tenant that the request chooses is not the caller's: the entries are for operators.
    for tenant in [CONTOSO, "nowhere"] {
        agencies.get(&grace, Some(tenant), &format!("/agencies/{tenant}")).await.problem(403, "not-allowed");
    }
    let ada = agencies.token(json!({"sub": "ada", "tenant": CONTOSO}));
    agencies.get(&ada, Some(NORTHWIND), "/me").await.problem(403, "not-allowed");
    // A request that is wrong in another way is no denial.
    agencies.get(&grace, Some(""), "/me").await.problem(400, "bad-parameter");
    assert_eq!(agencies.denials().await, [format!("{CONTOSO}|ada|get|me"), "|grace|get|Agency".to_owned()]);
}

#[tokio::test]
async fn a_first_sign_in_in_a_chosen_tenant_is_not_in_its_log() {
    let served = serve("albums", "https://id.example.com").await;
    let new = served.token(json!({"sub": "auth0|99", "name": "Katherine Johnson"}));
    served.get(&new, Some(HARBOUR), "/me").await.problem(403, "not-allowed");
    let entries = served.world.change_records().await;
    assert_eq!(entries.len(), 2, "{entries:?}");
    assert!(entries.iter().all(|entry| entry.get("tenant").is_none()), "{entries:?}");
}

#[tokio::test]
async fn a_machine_key_chooses_no_tenant() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let new = NewMachineKey { name: "importer".to_owned(), ..NewMachineKey::default() };
    let key = create_machine_key(&file, new).unwrap();
    let identity = Identity::new(None, Some(&file), clock()).unwrap().for_designs(&["agencies".to_owned()]).unwrap();
    let setting = Setting { authenticator: Some(Arc::new(identity)), ..Setting::default() };
    let world = World::made(&["agencies"], setting).await;
    let headers = [("x-api-key", key.as_str()), ("keyfold-tenant", NORTHWIND)];
    let answered = world.client.send("", Method::GET, "/v1/agencies/me", &headers, "").await;
    let problem = answered.problem(403, "not-allowed");
    assert_eq!(problem["detail"], "a machine key acts in the tenant of its entry, and this one has none");
}

/// A design whose users have their address from any claim, and can be found by it.
const DESK: &str = "
design: desk
table: desk
callers:
  are:
    from: User by issuer and subject
    created with: {name: nickname or name or sub, email: mail or upn or email}
entities:
  User:
    PK: USER#<userId>
    SK: USER
    owner: userId
    unique: {identity: [issuer, subject], email: [email]}
    attributes:
      userId: ulid
      issuer: string, settable by operators
      subject: string, settable by operators
      email: email, optional, settable by operators
      name: string, at most 10 characters
allow:
  - the owner: get, update User
";

async fn serve_desk(limits: Limits) -> Served {
    let issuer = "https://id.example.com";
    let tokens = TokenSettings { issuer: issuer.to_owned(), ..settings(KeySettings::Secret(SECRET.to_vec())) };
    let kept = ["nickname", "name", "mail", "upn", "email"].map(str::to_owned).to_vec();
    let identity = Identity::new(Some(tokens), None, clock()).unwrap().for_designs(&["desk".to_owned()]).unwrap();
    let setting = Setting {
        authenticator: Some(Arc::new(identity.keeping_claims(kept))),
        change_records: Some(ChangeRecordSettings::default()),
        public_docs: false,
        limits,
        ..Setting::default()
    };
    Served { world: World::custom(DESK, &[], setting).await, design: "desk", issuer }
}

#[tokio::test]
async fn no_claim_is_an_address_unless_its_issuer_has_verified_it() {
    let served = serve_desk(Limits::default()).await;
    let victim = "victim@example.com";
    let verified = json!({"sub": "v", "mail": "v@example.com", "mail_verified": "true", "upn": victim});
    for (subject, claims) in [
        ("a", json!({"sub": "a", "mail": victim})),
        ("b", json!({"sub": "b", "upn": victim, "email_verified": true})),
        ("c", json!({"sub": "c", "email": victim})),
        ("d", json!({"sub": "d", "mail": victim, "mail_verified": false, "upn": victim, "email": victim})),
        ("v", verified),
    ] {
        served.get(&served.token(claims), None, "/me").await.expect(200);
        let users = served.stored("User").await;
        let user = users.iter().find(|user| user["subject"] == subject).unwrap();
        let expected = (subject == "v").then(|| json!("v@example.com"));
        assert_eq!(user.get("email"), expected.as_ref(), "{user}");
    }
    // The victim still gets their address.
    served.get(&served.token(json!({"sub": "w", "upn": victim, "upn_verified": true})), None, "/me").await.expect(200);
    assert!(served.stored("User").await.iter().any(|user| user["email"] == victim));
}

#[tokio::test]
async fn a_user_takes_neither_the_subject_nor_the_address_of_another() {
    let served = serve_desk(Limits::default()).await;
    let token = served.token(json!({"sub": "eve", "name": "Eve"}));
    let me = served.get(&token, None, "/me").await.expect(200).json()["subject"].as_str().unwrap().to_owned();
    let path = format!("/users/{me}");
    served.send(&token, None, Method::PATCH, &path, json!({"name": "Mallory"})).await.expect(200);
    for squatted in
        [json!({"subject": "victim"}), json!({"issuer": "https://other"}), json!({"email": "v@example.com"})]
    {
        served.send(&token, None, Method::PATCH, &path, squatted).await.problem(403, "not-settable");
    }
    let put = json!({"issuer": served.issuer, "subject": "victim", "name": "Eve"});
    served.send(&token, None, Method::PUT, &path, put).await.problem(403, "not-settable");
    assert_eq!(served.stored("User").await.iter().filter(|user| user["subject"] == "eve").count(), 1);
}

#[tokio::test]
async fn a_claim_that_does_not_fit_leaves_the_place_to_the_next() {
    let served = serve_desk(Limits::default()).await;
    let long = json!({"sub": "a", "nickname": "a name of more than ten letters", "name": "Ada"});
    served.get(&served.token(long), None, "/me").await.expect(200);
    assert_eq!(served.stored("User").await[0]["name"], "Ada");
}

#[tokio::test]
async fn a_subject_that_is_an_unverified_address_is_refused() {
    let mut tokens = settings(KeySettings::Secret(SECRET.to_vec()));
    tokens.claims.subject = "email".to_owned();
    let identity = Identity::new(Some(tokens), None, clock()).unwrap();
    let token = |claims: Value| sign_with_secret(SECRET, &json!({"alg": "HS256"}), &claims_but(claims));
    let refused = show(&identity, &token(json!({"email": "ada@example.com"}))).await.unwrap_err();
    assert_eq!(refused.reason, "the token's claim `email` identifies its person, and its issuer has not verified it");
    let verified = token(json!({"email": "ada@example.com", "email_verified": true}));
    assert_eq!(show(&identity, &verified).await.unwrap().caller.subject.as_deref(), Some("ada@example.com"));
}

#[tokio::test]
async fn first_sign_ins_are_rate_limited() {
    let rates = RateLimits { sign_up: Some("2/h".parse().unwrap()), ..RateLimits::default() };
    let served = serve_desk(Limits { rates, ..Limits::default() }).await;
    let ask = async |subject: &str| served.get(&served.token(json!({"sub": subject})), None, "/me").await;
    ask("a").await.expect(200);
    ask("b").await.expect(200);
    let problem = ask("c").await.problem(429, "rate-limited");
    assert_eq!(problem["detail"], "the limit of first sign-ins from this address is reached");
    // Users are not concerned.
    ask("a").await.expect(200);
    assert_eq!(served.stored("User").await.len(), 2);
}

#[tokio::test]
async fn unknown_people_do_not_appear_as_users_in_the_audit_log() {
    let served = serve("archive", "https://accounts.example.com").await;
    // Their subject is the id of a user.
    let forged = served.token(json!({"sub": "01K9ZV0000000000000000ADA0"}));
    served.get(&forged, None, "/patterns/categories").await.problem(403, "unknown-user");
    assert_eq!(served.denials().await, ["|token:01K9ZV0000000000000000ADA0|list|Category"]);
}

#[tokio::test]
async fn an_operator_who_is_no_user_is_not_taken_for_one() {
    let served = serve("albums", "https://id.example.com").await;
    // The subject is the id of a user, who is someone else.
    let ada = "01K9ZV00000000000000000ADA";
    let operator = served.token(json!({"sub": ada, "roles": ["operator"]}));
    let me = served.get(&operator, None, "/me").await.expect(200).json();
    assert_eq!((&me["subject"], &me["operator"]), (&json!(format!("token:{ada}")), &json!(true)));
    assert_eq!((&me["groups"], &me["memberships"]), (&json!([]), &json!([])), "{me}");
    let album = json!({"tenantId": HARBOUR, "title": "Denmark"});
    let album = served.send(&operator, None, Method::POST, "/albums", album).await.expect(201).json();
    assert_eq!(album["createdBy"], format!("token:{ada}"));
    let entries = served.world.change_records().await;
    let subjects: Vec<_> = entries.iter().filter_map(|entry| entry.get("subject")).collect();
    assert_eq!(format!("{subjects:?}"), format!("[S(\"token:{ada}\")]"));
}

#[tokio::test]
async fn people_who_are_not_users_cannot_read_the_metrics() {
    let served = serve_desk(Limits::default()).await;
    let headers = |token: &str| vec![("authorization".to_owned(), token.to_owned())];
    for token in [served.token(json!({"sub": "unknown"})), served.token(json!({"sub": "known"}))] {
        let headers = headers(&token);
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        served.world.client.send("", Method::GET, "/metrics", &headers, "").await.problem(404, "not-found");
    }
}

#[tokio::test]
async fn a_person_does_not_become_the_user_of_a_machine_key() {
    let served = serve("albums", "https://id.example.com").await;
    let operator = served.token(json!({"sub": "auth0|olga", "roles": ["operator"]}));
    let user = json!({
        "userId": "machine:importer", "issuer": "https://id.example.com", "subject": "auth0|eve", "name": "Importer",
    });
    served.send(&operator, None, Method::POST, "/users", user).await.expect(201);
    // Nor of a person who is no user.
    let user = json!({
        "userId": "token:auth0|olga", "issuer": "https://id.example.com", "subject": "auth0|mallory", "name": "Mallory",
    });
    served.send(&operator, None, Method::POST, "/users", user).await.expect(201);
    let mallory = served.token(json!({"sub": "auth0|mallory", "name": "Mallory"}));
    let problem = served.get(&mallory, None, "/me").await.problem(403, "not-allowed");
    assert_eq!(problem["detail"], "the user of this token has an id that starts with `token:`");
    let eve = served.token(json!({"sub": "auth0|eve", "name": "Eve"}));
    for path in ["/me", "/users/machine:importer"] {
        let problem = served.get(&eve, None, path).await.problem(403, "not-allowed");
        assert_eq!(problem["detail"], "the user of this token has the id of a machine key");
    }
}
