//! A second reading of the designs' rules, by hand, and the kinds of callers that they tell apart.

use keyfold_design::model::Verb;
use keyfold_runtime::Caller;

use crate::access::table::Case;

/// What a rule is asked about.
pub(super) struct Asked<'a> {
    pub caller: &'a Caller,
    pub verb: Verb,
    pub entity: &'a str,
    /// Whether the item names the caller as its owner.
    pub owns: bool,
    /// Whether it belongs to the tenant that the caller acts in.
    pub own_tenant: bool,
}

impl Asked<'_> {
    fn reads(&self) -> bool {
        matches!(self.verb, Verb::Get | Verb::List)
    }

    fn signed_in(&self) -> bool {
        self.caller.subject.is_some()
    }

    fn role(&self, role: &str) -> bool {
        self.caller.roles.iter().any(|own| own == role)
    }

    fn group(&self, group: &str) -> bool {
        self.caller.groups.iter().any(|own| own == group)
    }

    fn permission(&self, permission: &str) -> bool {
        self.caller.permissions.iter().any(|own| own == permission)
    }
}

/// The rules of `catalogue`, as its document and decisions tell them.
pub(super) fn catalogue_allows(asked: &Asked<'_>) -> bool {
    if asked.role("SuperAdmin") || asked.group("SuperAdmin") {
        return true;
    }
    let squash = asked.group("Squash");
    match asked.entity {
        "Site" => asked.reads() || asked.role("admin"),
        "SiteTag" | "SiteComment" => asked.reads(),
        "Rating" => {
            if asked.reads() {
                asked.signed_in()
            } else {
                asked.owns
            }
        }
        "Comment" => {
            asked.owns || asked.permission("comments.moderate") && (asked.reads() || asked.verb == Verb::Delete)
        }
        "Profile" => match asked.verb {
            Verb::Get | Verb::List => asked.signed_in(),
            Verb::Create | Verb::Update => asked.owns,
            Verb::Delete => false,
        },
        "Group" => false,
        "GroupMembership" => asked.reads() && asked.owns,
        "Player" | "Match" => squash && (asked.reads() || asked.role("manager")),
        "Participation" => squash && asked.reads(),
        other => panic!("{other} has no rules here"),
    }
}

pub(super) fn archive_allows(asked: &Asked<'_>) -> bool {
    if asked.role("admin") {
        return true;
    }
    let reads = asked.reads() && asked.signed_in();
    match asked.entity {
        "Category" | "PlaceSettings" | "PlaceWord" | "RecordHousehold" | "Settings" => reads,
        "Collection" | "CollectionCategory" | "Place" | "Post" | "Record" => {
            reads || !asked.reads() && asked.role("editor")
        }
        "User" => asked.verb == Verb::Get && asked.owns,
        "Sequence" => false,
        other => panic!("{other} has no rules here"),
    }
}

pub(super) fn albums_allows(asked: &Asked<'_>) -> bool {
    if asked.role("operator") {
        return true;
    }
    let member = asked.signed_in() && asked.own_tenant;
    let [viewer, editor, admin] = ["viewer", "editor", "admin"].map(|group| member && asked.group(group));
    let anyone = viewer || editor || admin;
    match asked.entity {
        "Tenant" => asked.reads() && anyone || asked.verb == Verb::Update && admin,
        "Album" | "Image" => {
            if asked.reads() {
                anyone
            } else {
                editor || admin
            }
        }
        "MembershipByTenant" => asked.reads() && anyone,
        "Membership" => admin || member && asked.owns && (asked.reads() || asked.verb == Verb::Delete),
        "MembershipByUser" | "User" => asked.reads() && asked.owns,
        other => panic!("{other} has no rules here"),
    }
}

pub(super) fn words(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

pub(super) fn signed_in(subject: &str, roles: &[&str], groups: &[&str], permissions: &[&str]) -> Caller {
    Caller {
        subject: Some(subject.to_owned()),
        roles: words(roles),
        groups: words(groups),
        permissions: words(permissions),
        ..Caller::default()
    }
}

pub(super) fn member(tenant: &str, subject: &str, groups: &[&str]) -> Caller {
    Caller { tenant: Some(tenant.to_owned()), ..signed_in(subject, &[], groups, &[]) }
}

pub(super) async fn catalogue() -> Case {
    let [ada, bob, dee] = [
        "ada00000-0000-4000-8000-000000000001",
        "b0b00000-0000-4000-8000-000000000002",
        "dee00000-0000-4000-8000-000000000003",
    ];
    let callers = vec![
        Caller::default(),
        signed_in("eve", &[], &[], &[]),
        signed_in(ada, &[], &[], &[]),
        signed_in(ada, &[], &["Squash"], &["squash.read"]),
        signed_in(bob, &[], &["Squash", "Moderators"], &["squash.read", "comments.moderate"]),
        signed_in("eve", &[], &["Moderators"], &["comments.moderate"]),
        signed_in("eve", &["admin"], &[], &[]),
        signed_in(dee, &["manager"], &[], &[]),
        signed_in(dee, &["manager"], &["Squash"], &[]),
        signed_in("eve", &["admin", "manager"], &["Squash"], &[]),
        signed_in("root", &["SuperAdmin"], &[], &[]),
        // As `keyfold admin create` makes the first administrator.
        signed_in("ida", &[], &["SuperAdmin"], &[]),
        // Names of the one kind in another's place, or nearly the names.
        signed_in(
            "SuperAdmin",
            &["Squash", "superadmin", "comments.moderate"],
            &["superadmin", "admin", "squash"],
            &["SuperAdmin", "admin", "Squash"],
        ),
    ];
    let secrets = &[("Rating", "note"), ("Profile", "lastLoginAt"), ("Profile", "lastLoginIp")];
    let is_operator = |caller: &Caller| caller.roles.iter().chain(&caller.groups).any(|name| name == "SuperAdmin");
    Case::of("catalogue", callers, catalogue_allows, is_operator, secrets).await
}

fn has_role(caller: &Caller, role: &str) -> bool {
    caller.roles.iter().any(|own| own == role)
}

/// Subjects that no user has.
pub(super) const EVE: &str = "01K9ZV00000000000000000EVE";
pub(super) const ROOT: &str = "01K9ZV00000000000000000BE5";

pub(super) async fn archive() -> Case {
    let callers = vec![
        Caller::default(),
        signed_in(EVE, &[], &[], &[]),
        signed_in("01K9ZV0000000000000000ADA0", &[], &[], &[]),
        signed_in("01K9ZV000000000000000HANS1", &["editor"], &[], &[]),
        signed_in(ROOT, &["admin"], &[], &[]),
        signed_in(EVE, &["Admin", "operator"], &["admin", "editor"], &["admin", "editor"]),
    ];
    Case::of("archive", callers, archive_allows, |caller| has_role(caller, "admin"), &[]).await
}

pub(super) async fn albums() -> Case {
    let [ada, anne, jean] = ["01K9ZV00000000000000000ADA", "01K9ZV0000000000000000ANNE", "01K9ZV0000000000000000JEAN"];
    let [harbour, lindqvist] = ["01K9ZV0000000000000000TENA", "01K9ZV0000000000000000TENB"];
    let callers = vec![
        Caller::default(),
        signed_in(EVE, &[], &[], &[]),
        signed_in(ada, &[], &[], &[]),
        member(harbour, ada, &["admin"]),
        member(lindqvist, ada, &["viewer"]),
        member(lindqvist, anne, &["admin"]),
        member(lindqvist, jean, &["editor"]),
        member(lindqvist, EVE, &[]),
        // No tenant, or no subject: no member.
        signed_in(EVE, &["admin"], &["admin"], &["admin"]),
        Caller { subject: None, ..member(harbour, "", &["admin"]) },
        signed_in(ROOT, &["operator"], &[], &[]),
    ];
    Case::of("albums", callers, albums_allows, |caller| has_role(caller, "operator"), &[]).await
}
