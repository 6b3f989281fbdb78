//! `keyfold admin create`: the way into a design that nobody can sign in to yet.

use std::path::Path;
use std::process::{Command, Output};

use keyfold_dynamo::Backend;
use keyfold_dynamo::operation::ScanInput;
use keyfold_engine::{Engine, Options};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Shell {
    data: TempDir,
}

impl Shell {
    fn new() -> Self {
        Self { data: tempfile::tempdir().unwrap() }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let designs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
        command.args(arguments).arg("--data").arg(self.data.path().join("data")).current_dir(designs);
        command.output().unwrap()
    }

    /// The items that were written, as `Entity {attributes}`.
    fn create(&self, arguments: &[&str]) -> Vec<Value> {
        let output = self.run(&[&["admin", "create"], arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap().as_array().unwrap().clone()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(&[&["admin", "create"], arguments].concat());
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
        text(&output.stderr)
    }

    fn query(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&["query"], arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn names(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["entity"].as_str().unwrap()).collect()
}

#[test]
fn the_first_administrator_of_a_tenant_comes_with_the_tenant() {
    let shell = Shell::new();
    let given =
        ["albums", "tenantName=Harbour", "issuer=https://id.example.com", "subject=auth0|7", "name=Ada Lovelace"];
    let items = shell.create(&given);
    assert_eq!(names(&items), ["Tenant", "User", "Membership"]);
    let [tenant, user, membership] = items.as_slice() else { panic!("{items:?}") };
    let attribute = |item: &Value, name: &str| item["attributes"][name].clone();
    assert_eq!(attribute(membership, "tenantId"), attribute(tenant, "tenantId"));
    assert_eq!(attribute(membership, "userId"), attribute(user, "userId"));
    assert_eq!(attribute(membership, "role"), "admin");
    assert_eq!(attribute(membership, "createdBy"), "keyfold admin");
    // They act as an administrator: the table gives them the group.
    let (tenant, user) = (attribute(tenant, "tenantId"), attribute(user, "userId"));
    let (tenant, user) = (tenant.as_str().unwrap(), user.as_str().unwrap());
    let caller = format!("tenant={tenant},subject={user}");
    shell.query(&["albums", "members of a tenant", &format!("tenantId={tenant}"), "--as", &caller]);
    // A second one of the same tenant is refused, unless it is meant; the person is the user that they are already.
    let same_tenant = format!("tenantId={tenant}");
    let again = [&given[..], &[same_tenant.as_str()]].concat();
    let refused = shell.refused(&again);
    assert_eq!(refused, "error: there is an administrator already; to create another one, add --another\n");
    let other =
        [&again[..2], &["issuer=https://id.example.com", "subject=auth0|8", "name=Grace", "--another"], &again[5..]];
    assert_eq!(names(&shell.create(&other.concat())), ["User", "Membership"]);
    // The same person becomes the administrator of another tenant.
    let items = shell.create(&given);
    assert_eq!(names(&items), ["Tenant", "Membership"]);
    assert_eq!(items[1]["attributes"]["userId"], user);
}

#[test]
fn every_item_of_an_administrator_is_in_the_audit_log() {
    let shell = Shell::new();
    shell.create(&["agencies", "agencyName=Northwind", "idpid=ada"]);
    let engine = Engine::open(shell.data.path().join("data"), Options::default()).unwrap();
    let input = ScanInput { table_name: "keyfold_audit".to_owned(), ..ScanInput::default() };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let page = runtime.block_on(Backend::scan(&engine, input)).unwrap();
    let mut entries: Vec<Vec<String>> = Vec::new();
    for item in page.items.unwrap() {
        let attributes = item.attributes().unwrap();
        // The table has other items beside the entries.
        if !attributes.contains_key("verb") {
            continue;
        }
        let text = |name: &&str| attributes.get(*name).unwrap().as_str().unwrap().to_owned();
        entries.push(["entity", "verb", "subject", "by", "outcome"].iter().map(text).collect());
    }
    entries.sort();
    let expected = ["Agency", "Member"].map(|entity| [entity, "create", "keyfold admin", "command", "allowed"]);
    assert_eq!(entries, expected);
}

#[test]
fn a_design_without_tenants_has_one_first_administrator() {
    let shell = Shell::new();
    let ada = ["archive", "issuer=https://id.example", "subject=ada", "name=Ada"];
    let items = shell.create(&ada);
    assert_eq!(names(&items), ["User"]);
    assert_eq!(items[0]["attributes"]["role"], "admin");
    assert!(shell.refused(&["archive", "issuer=https://id.example", "subject=eve", "name=Eve"]).contains("--another"));
    let users = shell.query(&["archive", "users"]);
    assert_eq!(users["items"].as_array().or(users.as_array()).unwrap().len(), 1);
}

#[test]
fn the_first_administrator_of_the_catalogue_is_an_operator() {
    let shell = Shell::new();
    let items = shell.create(&["catalogue", "userId=ada"]);
    assert_eq!(names(&items), ["Group", "GroupMembership"]);
    // They let the others in. Nobody else does.
    let add = |name: &str, caller: &str| {
        shell.run(&["create", "catalogue", "Group", &format!("name={name}"), "permissions=[]", "--as", caller])
    };
    assert!(add("Squash", "subject=ada").status.success());
    assert!(text(&add("Chess", "subject=eve").stderr).starts_with("not allowed"));
    assert!(shell.refused(&["catalogue", "userId=eve"]).contains("--another"));
    assert_eq!(names(&shell.create(&["catalogue", "userId=bob", "--another"])), ["GroupMembership"]);
}

#[test]
fn an_administrator_of_an_account_has_a_role_with_permissions() {
    let shell = Shell::new();
    let given = ["platform", "accountName=Northwind", "email=ada@northwind.example", "firstName=Ada", "lastName=L"];
    let refused = shell.refused(&given);
    assert!(refused.starts_with("error: missing: `userId`; expected: "), "{refused}");
    let items = shell.create(&[&given[..], &["userId=ada"]].concat());
    assert_eq!(names(&items).iter().filter(|name| **name == "Permission").count(), 7);
    let account = items[0]["attributes"]["accountId"].as_str().unwrap().to_owned();
    let caller = format!("tenant={account},subject=ada");
    let output = shell.run(&["create", "platform", "License", "enterpriseId=none", "--as", &caller]);
    // The permission is there; the enterprise is not.
    assert!(!text(&output.stderr).starts_with("not allowed"), "{}", text(&output.stderr));
}

#[test]
fn parameters_are_those_of_the_design() {
    let shell = Shell::new();
    assert!(shell.refused(&["agencies", "idpid=ada"]).starts_with("error: missing: `agencyName`; expected: "));
    assert_eq!(
        shell.refused(&["agencies", "agencyName=N", "idpid=ada", "role=x"]),
        "error: unknown parameter `role`; expected: `agencyId`, `agencyName`, `idpid`\n"
    );
    assert_eq!(shell.refused(&["agencies", "idpid"]), "error: `idpid` has no value; write name=value\n");
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("design.yaml");
    let design = "design: notes\ntable: notes\nentities: {Note: {PK: NOTE#<id>, SK: NOTE, attributes: {id: string}}}\n";
    std::fs::write(&notes, design).unwrap();
    let refused = shell.refused(&[notes.to_str().unwrap()]);
    assert!(refused.contains("does not say who its first administrator is"), "{refused}");
    assert_eq!(json!(shell.data.path().join("data").join("nothing").exists()), json!(false));
}

#[test]
fn an_administrator_is_not_someone_else_who_has_the_id() {
    let shell = Shell::new();
    let id = "userId=01K9ZV00000000000000000EVE";
    let eve = ["albums", "tenantName=One", "issuer=https://id.example.com", "subject=eve", "name=Eve", id];
    shell.create(&eve);
    let ada = ["albums", "tenantName=Two", "issuer=https://id.example.com", "subject=ada", "name=Ada", id];
    assert_eq!(
        shell.refused(&ada),
        "error: there is such an item already, and its `subject` is another one: it would make someone else an \
         administrator; state the `subject` that it has, or another id\n"
    );
    let other = [
        "albums",
        "tenantName=Two",
        "issuer=https://id.example.com",
        "subject=eve",
        "name=Eve",
        "userId=01K9ZV00000000000000000ADA",
    ];
    assert!(shell.refused(&other).starts_with("error: there is such an item already, and its `userId` is another one"));
}
