//! What is told about a design that cannot be read: each row breaks one of the real designs in one place.

use std::collections::BTreeSet;

use keyfold_design::diagnostic::{Diagnostic, to_text};
use keyfold_design::load;

const AGENCIES: &str = include_str!("../../../../designs/agencies/design.yaml");
const CATALOGUE: &str = include_str!("../../../../designs/catalogue/design.yaml");
const PLATFORM: &str = include_str!("../../../../designs/platform/design.yaml");
const ALBUMS: &str = include_str!("../../../../designs/albums/design.yaml");
const ARCHIVE: &str = include_str!("../../../../designs/archive/design.yaml");

const STATUS: &str = "status: active | inactive, default active";

struct Row {
    code: &'static str,
    design: &'static str,
    change: (&'static str, &'static str),
    message: &'static str,
    underlined: &'static str,
    help: &'static str,
}

fn found(text: &str) -> Vec<Diagnostic> {
    match load("design.yaml", text) {
        Ok((_, found)) | Err(found) => found,
    }
}

#[test]
fn each_fault_is_told_with_its_place_and_the_way_out() {
    for row in ROWS {
        assert!(row.design.contains(row.change.0), "{}: the design does not contain {:?}", row.code, row.change.0);
        let text = row.design.replacen(row.change.0, row.change.1, 1);
        let found = found(&text);
        let shown = to_text("design.yaml", &text, &found, false);
        // Others with the same code can follow from it, and be further up.
        let told = found.iter().find(|found| found.code.id == row.code && found.message == row.message);
        let told = told.unwrap_or_else(|| panic!("{}: {}\n{shown}", row.code, row.message));
        assert_eq!(&text[told.span.range()], row.underlined, "{shown}");
        assert_eq!(told.help.as_deref(), Some(row.help), "{shown}");
    }
}

/// Codes of checks are tested beside the checks; every other one has a row here.
#[test]
fn every_code_of_reading_has_a_row() {
    let checks = [
        "KF014", "KF017", "KF018", "KF019", "KF024", "KF030", "KF031", "KF034", "KF035", "KF036", "KF037", "KF038",
        "KF045", "KF046", "KF047", "KF050", "KF051", "KF052", "KF053", "KF057", "KF058", "KF062", "KF063", "KF064",
        "KF066", "KF067", "KF068", "KF069", "KF070", "KF071", "KF072", "KF074", "KF075", "KF076", "KF078", "KF079",
        "KF084", "KF088", "KF089", "KF090",
    ];
    let rows: BTreeSet<&str> = ROWS.iter().map(|row| row.code).chain(checks).collect();
    let codes: BTreeSet<&str> = keyfold_design::codes().iter().map(|code| code.id).collect();
    assert_eq!(rows, codes);
}

#[test]
fn a_design_with_many_errors_shows_all_of_them_at_once() {
    let changes = [
        ("tenant: {attribute: accountId, entity: Account}", "tenant: {attribute: accountId, entity: Acount}"),
        ("GSI3: {purpose: status by date}", "GSI3: {purpose: status by date, projektion: all}"),
        ("PK: ACCOUNT#<accountId>\n    SK: ADDRESS", "PK: ACCOUNT#<account_id>\n    SK: ADDRESS"),
        ("seats: integer, at least 1", "seats: interger, at least one"),
        ("  Group:\n    scope: global\n", "  Group:\n"),
        ("startDate <= endDate", "startDat <= endDate"),
        ("GSI3PK = LICENSE#STATUS#active", "GSI3PK = LICENSE#STATUS#Active"),
        ("all groups: GSI1PK = ENTITY#GROUP", "all groups: begins_with(GSI1SK, GROUP#)"),
        ("users by account: at most 1.5 read units for 20", "users by acount: at most 1.5 read units for 20"),
        (
            "- members with permission settings.write: update Account",
            "- members with permission settings.write: updat Account",
        ),
        ("KF031 ENTITY#USER: a few", "KF931 ENTITY#USER: a few"),
    ];
    let text = changes.iter().fold(PLATFORM.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let codes: Vec<&str> = found(&text).iter().filter(|found| found.is_error()).map(|found| found.code.id).collect();
    assert_eq!(
        codes,
        ["KF011", "KF006", "KF012", "KF020", "KF020", "KF012", "KF032", "KF041", "KF027", "KF060", "KF015",],
        "{}",
        to_text("design.yaml", &text, &found(&text), false)
    );
}

#[test]
fn every_line_that_is_not_yaml_is_told() {
    let text = AGENCIES
        .replace("SK: MEMBER#<idpid>", "SK: \"MEMBER#\" + idpid")
        .replace("table: agencies", "table: agencies: more");
    let codes: Vec<&str> = found(&text).iter().map(|found| found.code.id).collect();
    assert_eq!(codes, ["KF001", "KF005"]);
}

/// What is reported about the starter design with one change: the code, what is underlined, the message and the help.
fn told(from: &str, to: &str) -> Vec<(&'static str, String, String, String)> {
    let starter = keyfold_design::starter("shop");
    assert!(starter.contains(from), "{from}");
    let text = starter.replacen(from, to, 1);
    let told = found(&text).into_iter().map(|found| {
        let underlined = text[found.span.range()].to_owned();
        (found.code.id, underlined, found.message, found.help.unwrap_or_default())
    });
    told.collect()
}

#[test]
fn a_mistake_in_yaml_is_reported_once_and_on_its_own_line() {
    let indentation = "indent all entries of one level by the same number of spaces";
    let bracket = "add the `}`, or the `,` that is missing between two entries";
    let does_not_match =
        |spaces: u32| format!("invalid YAML: the indentation by {spaces} spaces does not match the lines around it");
    for ((from, to), underlined, message, help) in [
        (
            ("    SK: METADATA\n", "    SK METADATA\n"),
            "SK METADATA",
            "invalid YAML: `SK METADATA` has no `:`".to_owned(),
            "write `SK: METADATA`",
        ),
        (
            ("    SK: METADATA\n", "    SK:METADATA\n"),
            "SK:METADATA",
            "invalid YAML: `SK:METADATA` has no space after the `:`".to_owned(),
            "write `SK: METADATA`",
        ),
        (
            ("\npatterns:\n", "\npatterns\n"),
            "patterns",
            "invalid YAML: `patterns` has no `:`".to_owned(),
            "write `patterns:`",
        ),
        (
            ("\n  Project:\n", "\n  Project\n"),
            "Project",
            "invalid YAML: `Project` has no `:`".to_owned(),
            "write `Project:`",
        ),
        (("by status}", "by status"), "{", "invalid YAML: the `{` is not closed".to_owned(), bracket),
        (("\n  members: tenant", "\n   members: tenant"), "members", does_not_match(3), indentation),
        (("\n      accountId: ulid  ", "\n     accountId: ulid  "), "accountId", does_not_match(5), indentation),
        (("\n      status: open", "\n       status: open"), "status", does_not_match(7), indentation),
    ] {
        let expected = ("KF001", underlined.to_owned(), message, help.to_owned());
        assert_eq!(told(from, to), [expected], "{from} -> {to}");
    }
}

#[test]
fn an_unknown_type_has_no_consequences() {
    for (from, to, underlined, help) in [
        ("name: string, at least", "name: strng, at least", "strng", "did you mean `string`?"),
        ("projectId: ulid\n", "projectId: ulidd\n", "ulidd", "did you mean `ulid`?"),
        (
            "status: open | done, default",
            "status: any of open, done, default",
            "any of open, done",
            "write `open | done`",
        ),
        ("status: open | done, default open", "status: one of open, done", "one of open, done", "write `open | done`"),
    ] {
        let told = told(from, to);
        let codes: Vec<&str> = told.iter().map(|told| told.0).filter(|code| *code != "KF016").collect();
        assert_eq!(codes, ["KF020"], "{from} -> {to}: {told:?}");
        assert!(told.iter().any(|told| told.1 == underlined && told.3 == help), "{told:?}");
    }
    // Nothing comes close: whatever the bounds and the keys are, they are not the mistake.
    for unknown in ["projectId: quaternion, at most 12\n", "projectId: quaternion, at least 1 character\n"] {
        let told = told("projectId: ulid\n", unknown);
        assert_eq!(told.iter().map(|told| told.2.as_str()).collect::<Vec<_>>(), ["unknown type `quaternion`"]);
    }
}

#[test]
fn a_wrong_tenant_attribute_is_reported_once_where_it_is_stated() {
    let message = "no entity with `scope: tenant` has the attribute `acountId`";
    let expected = ("KF033", "acountId".to_owned(), message.to_owned(), "did you mean `accountId`?".to_owned());
    for stated in ["tenant: acountId ", "tenant: {attribute: acountId} "] {
        assert_eq!(told("tenant: accountId ", stated), std::slice::from_ref(&expected), "{stated}");
    }
    let message = "no entity with `scope: tenant` has the attribute `orgId`";
    let help = "name an attribute that all of them have, such as `accountId`, or add it to them";
    let expected = ("KF033", "orgId".to_owned(), message.to_owned(), help.to_owned());
    assert_eq!(told("tenant: accountId ", "tenant: orgId "), [expected]);
}

#[test]
fn words_of_another_section_are_named_with_their_own() {
    let due = "GSI1PK = ACCOUNT#<accountId>#STATUS#open and GSI1SK <= <before>";
    for (from, to, code, underlined, help) in [
        (
            "delete Project\n",
            "delete Project where status == 'open'\n",
            "KF060",
            "where",
            "the condition of a rule follows `when`; `where` belongs to the filters of patterns",
        ),
        (
            "<= <before>",
            "<= <before> when name = <name>",
            "KF040",
            "when name = <name>",
            "the filter of a pattern follows `where`; `when` belongs to the rules of `allow`",
        ),
        ("GSI1SK <= <before>", "GSI1SK =< <before>", "KF040", "=<", "write `<=`"),
        ("GSI1SK <= <before>", "GSI1SK => <before>", "KF040", "=>", "write `>=`"),
        ("<= <before>", "<= <before> where dueDate =< <last>", "KF049", "=<", "write `<=`"),
        (
            "delete Project\n",
            "delete Project when dueDate =< '2026-01-01'\n",
            "KF056",
            "dueDate =< '2026-01-01'",
            "write `<=`",
        ),
        (
            due,
            "GSI1PK in <keys>",
            "KF039",
            "GSI1PK in <keys>",
            "each value is a query of its own: add `, at most 20 values`",
        ),
        (
            due,
            "GSI1PK in <keys>, at most 20 days",
            "KF039",
            "GSI1PK in <keys>",
            "a list is bounded by its values: write `at most 20 values`",
        ),
    ] {
        let told = told(from, to);
        let told: Vec<_> = told
            .iter()
            .filter(|told| told.0 != "KF016")
            .map(|told| (told.0, told.1.as_str(), told.3.as_str()))
            .collect();
        assert_eq!(told, [(code, underlined, help)], "{to}");
    }
}

#[test]
fn aliases_are_told_beside_their_anchors() {
    let text = AGENCIES.replace("type: Agency\n", "type: &kind Agency\n    other: *kind\n");
    let found = found(&text);
    let told = found.iter().filter(|found| found.code.id == "KF002").map(|found| found.message.as_str());
    assert_eq!(told.collect::<Vec<_>>(), ["an anchor is not used in designs", "an alias is not used in designs"]);
}

#[test]
fn diagnostics_are_printed_as_compilers_do() {
    let text = AGENCIES.replace("refers to Agency", "refers to Agencie");
    let shown = to_text("designs/agencies/design.yaml", &text, &found(&text), false);
    assert_eq!(
        shown,
        "error[KF011]: unknown entity `Agencie`
  --> designs/agencies/design.yaml:33:35
   |
33 |       agencyId: string, refers to Agencie
   |                                   ^^^^^^^
   |
   = help: did you mean `Agency`?

"
    );
}

const ROWS: &[Row] = &[
    Row {
        code: "KF087",
        design: PLATFORM,
        change: (
            "  License:\n    scope: tenant\n    PK: ACCOUNT#<accountId>\n    SK: LICENSE#<licenseId>\n",
            "  Permit:\n    scope: tenant\n    PK: ACCOUNT#<accountId>\n    SK: PERMIT#<kind>#<permitId>\n    \
             attributes: {accountId: ulid, permitId: string, kind: 'string, default \"a#b\"'}\n  License:\n    scope: tenant\n    \
             PK: ACCOUNT#<accountId>\n    SK: LICENSE#<licenseId>\n",
        ),
        message: "the default of `kind` gives `a#b`, and `PERMIT#<kind>#<permitId>` could not be read back",
        underlined: "<kind>",
        help: "choose another default, encode it with `:url`, or put the placeholder at the end of the key",
    },
    Row {
        code: "KF086",
        design: PLATFORM,
        change: (
            "  License:\n    scope: tenant\n    PK: ACCOUNT#<accountId>\n    SK: LICENSE#<licenseId>\n",
            "  Permit:\n    scope: tenant\n    PK: ACCOUNT#<accountId>\n    SK: LICENSE#<licenseId:lower>\n    identity: accountId, licenseId\n    \
             type: Permit\n    attributes: {accountId: ulid, licenseId: string}\n  License:\n    scope: tenant\n    PK: ACCOUNT#<accountId>\n    \
             SK: LICENSE#<licenseId>\n    type: License\n",
        ),
        message: "`License` and `Permit` share some keys, told apart by `type`, but not all",
        underlined: "License",
        help: "give both the same templates, or different literal text",
    },
    Row {
        code: "KF085",
        design: PLATFORM,
        change: ("SK: LICENSE#<licenseId>", "SK: LICENSE#<licenseId> when active"),
        message: "`SK` is a key of the table, which every item has",
        underlined: "active",
        help: "state the condition with the key of an index",
    },
    Row {
        code: "KF001",
        design: AGENCIES,
        change: ("table: agencies", "table: agencies: more"),
        message: "invalid YAML: mapping values are not allowed in this context",
        underlined: ":",
        help: "check the indentation, the space after each `:`, and quotes; templates need no quotes",
    },
    Row {
        code: "KF002",
        design: AGENCIES,
        change: ("type: Agency\n", "type: &kind Agency\n"),
        message: "an anchor is not used in designs",
        underlined: "&kind Agency",
        help: "write the value out where it is used",
    },
    Row {
        code: "KF002",
        design: AGENCIES,
        change: ("\nallow:\n", "\n---\nallow:\n"),
        message: "a second document is not used in designs",
        underlined: "---",
        help: "a design is one document",
    },
    Row {
        code: "KF002",
        design: AGENCIES,
        change: ("type: Agency\n", "type: !text Agency\n"),
        message: "a tag is not used in designs",
        underlined: "!text Agency",
        help: "remove it; write the type of an attribute as a word, as in `seats: integer`",
    },
    Row {
        code: "KF003",
        design: AGENCIES,
        change: ("      version: version\n\n  Member", "      version: version\n      version: integer\n\n  Member"),
        message: "`version` is given twice",
        underlined: "version",
        help: "remove one of the two, or rename it",
    },
    Row {
        code: "KF004",
        design: AGENCIES,
        change: ("SK: MEMBER#<idpid>", "SK: MEMBER #<idpid>"),
        message: "`#<idpid>` is a comment, not part of the template `MEMBER`",
        underlined: "#<idpid>",
        help: "write `MEMBER#<idpid>` without a space; a comment has a space after its `#`",
    },
    Row {
        code: "KF005",
        design: AGENCIES,
        change: ("SK: MEMBER#<idpid>", "SK: \"MEMBER#\" + idpid"),
        message: "`\"MEMBER#\" + idpid` joins texts with `+`, which a template does not need",
        underlined: "\"MEMBER#\" + idpid",
        help: "write `SK: MEMBER#<idpid>`",
    },
    Row {
        code: "KF006",
        design: AGENCIES,
        change: ("patterns:", "pattern:"),
        message: "unknown key `pattern` in a design",
        underlined: "pattern",
        help: "did you mean `patterns`?",
    },
    Row {
        code: "KF006",
        design: AGENCIES,
        change: (
            "    scope: tenant\n    PK: AGENCY#<agencyId>\n    SK: MEMBER",
            "    scpe: tenant\n    PK: AGENCY#<agencyId>\n    SK: MEMBER",
        ),
        message: "unknown key `scpe` in an entity",
        underlined: "scpe",
        help: "did you mean `scope`? an attribute of this name goes under `attributes:`",
    },
    Row {
        code: "KF006",
        design: PLATFORM,
        change: ("GSI2SK: LICENSE#<licenseId>\n", "GSI4SK: LICENSE#<licenseId>\n"),
        message: "unknown key `GSI4SK` in an entity",
        underlined: "GSI4SK",
        help: "did you mean `GSI1SK`? indexes and their keys are under `indexes:`",
    },
    Row {
        code: "KF007",
        design: AGENCIES,
        change: ("table: agencies\n", ""),
        message: "the design has no `table`",
        underlined: "",
        help: "add `table: NAME`",
    },
    Row {
        code: "KF007",
        design: AGENCIES,
        change: ("    SK: MEMBER#<idpid>\n", ""),
        message: "`Member` has no `SK`",
        underlined: "Member",
        help: "add the key of the table: `SK: MEMBER#<id>`",
    },
    Row {
        code: "KF008",
        design: AGENCIES,
        change: ("table: agencies", "table: [agencies]"),
        message: "`table` must be text, but this is a list",
        underlined: "[agencies]",
        help: "write `table: app_data`",
    },
    Row {
        code: "KF009",
        design: AGENCIES,
        change: ("design: agencies", "design: The Agencies"),
        message: "`The Agencies` cannot name a design",
        underlined: "The Agencies",
        help: "use lower-case letters, digits and hyphens, beginning with a letter",
    },
    Row {
        code: "KF010",
        design: AGENCIES,
        change: ("  all members: type", "  All agencies!: type"),
        message: "`all agencies` and `All agencies!` have the same slug `all-agencies`",
        underlined: "All agencies!",
        help: "rename one of the two",
    },
    Row {
        code: "KF011",
        design: AGENCIES,
        change: ("refers to Agency", "refers to Agencie"),
        message: "unknown entity `Agencie`",
        underlined: "Agencie",
        help: "did you mean `Agency`?",
    },
    Row {
        code: "KF012",
        design: PLATFORM,
        change: ("PK: ACCOUNT#<accountId>\n    SK: LICENSE", "PK: ACCOUNT#<account_id>\n    SK: LICENSE"),
        message: "`License` has no attribute `account_id`",
        underlined: "<account_id>",
        help: "did you mean `accountId`?",
    },
    Row {
        code: "KF013",
        design: PLATFORM,
        change: ("GSI3PK = LICENSE#STATUS#expired", "GSI3Pk = LICENSE#STATUS#expired"),
        message: "`GSI3Pk` is not a key of the table or of an index",
        underlined: "GSI3Pk",
        help: "did you mean `GSI3PK`?",
    },
    Row {
        code: "KF013",
        design: AGENCIES,
        change: ("PK = AGENCY#<agencyId> and begins_with(SK, MEMBER#)", "PK = AGENCY#<agencyId> and name = <name>"),
        message: "`name` is not a key of the table or of an index",
        underlined: "name",
        help: "conditions on other attributes go after `where`: `where name = …`",
    },
    Row {
        code: "KF015",
        design: AGENCIES,
        change: (
            "scope: tenant\n    PK: AGENCY#<agencyId>\n    SK: AGENCY",
            "scope: tenants\n    PK: AGENCY#<agencyId>\n    SK: AGENCY",
        ),
        message: "`tenants` is not a valid scope",
        underlined: "tenants",
        help: "did you mean `tenant`?",
    },
    Row {
        code: "KF016",
        design: AGENCIES,
        change: ("with: {idpid: ada}", "with: {idpd: ada}"),
        message: "`members by idpid` has no parameter `idpd`",
        underlined: "idpd",
        help: "did you mean `idpid`?",
    },
    Row {
        code: "KF020",
        design: PLATFORM,
        change: ("seats: integer, at least 1", "seats: interger, at least 1"),
        message: "unknown type `interger`",
        underlined: "interger",
        help: "did you mean `integer`?",
    },
    Row {
        code: "KF020",
        design: PLATFORM,
        change: ("seats: integer, at least 1", "seats: integer, atleast 1"),
        message: "unknown modifier `atleast 1`",
        underlined: "atleast 1",
        help: "did you mean `at least N`?",
    },
    Row {
        code: "KF021",
        design: PLATFORM,
        change: ("GSI3PK: LICENSE#STATUS#<status>", "GSI3PK: LICENSE#STATUS#<active|expired>"),
        message: "`<active|expired>` is not a placeholder: `|` separates the values of an attribute",
        underlined: "active|expired",
        help: "the values go to the attribute (`status: active | expired`), the template names it: `<status>`",
    },
    Row {
        code: "KF022",
        design: PLATFORM,
        change: ("GSI3SK: <endDate>#<licenseId>", "GSI3SK: <endDate:width(4)>#<licenseId>"),
        message: "`width(4)` does not fit `endDate`, which is a date (YYYY-MM-DD)",
        underlined: "<endDate:width(4)>",
        help: "remove `:width(4)`",
    },
    Row {
        code: "KF022",
        design: PLATFORM,
        change: ("SK: PERMISSION#<menuKey>", "SK: PERMISSION#<actions>"),
        message: "`actions` is a list in which each item is one of `read`, `write`, which cannot be part of a key",
        underlined: "<actions>",
        help: "use an attribute with one value, or one item per value: `derived from`",
    },
    Row {
        code: "KF022",
        design: PLATFORM,
        change: (
            "GSI3SK: <endDate>#<licenseId>\n    attributes:\n",
            "GSI3SK: <rank:width(2)>#<licenseId>\n    attributes:\n      rank: integer, at least -10\n",
        ),
        message: "`rank` can be -10, which does not fit `width(2)`",
        underlined: "<rank:width(2)>",
        help: "declare `rank: integer, at least 0`, or use a key that is a number",
    },
    Row {
        code: "KF023",
        design: PLATFORM,
        change: ("SK: PERMISSION#<menuKey>", "SK: <menuKey><roleId>"),
        message: "`<menuKey>` and `<roleId>` of `<menuKey><roleId>` cannot be distinguished",
        underlined: "<menuKey><roleId>",
        help: "put `#` between them",
    },
    Row {
        code: "KF025",
        design: AGENCIES,
        change: ("GSI1: {partition: type,", "GSI1: {partition: type number,"),
        message: "this key is a number, and `Agency` is text",
        underlined: "Agency",
        help: "use one attribute that is a number, without a format",
    },
    Row {
        code: "KF026",
        design: PLATFORM,
        change: ("PK: ROLE#<roleId>\n    SK: METADATA", "PK: ROLE#<accountId>\n    SK: METADATA"),
        message: "`accountId` is optional, and `Role` has no `PK` without it",
        underlined: "<accountId>",
        help: "make it required, or write `<accountId or …>`",
    },
    Row {
        code: "KF027",
        design: PLATFORM,
        change: ("GSI3PK = LICENSE#STATUS#active", "GSI3PK = LICENSE#STATUS#Active"),
        message: "`Active` in `expiring licenses` is not one of `active`, `expired`, as `status` is",
        underlined: "Active",
        help: "did you mean `active`?",
    },
    Row {
        code: "KF027",
        design: PLATFORM,
        change: ("status: active | closed, default active", "status: active | closed, default open"),
        message: "the default `open` of `status` is not one of `active`, `closed`",
        underlined: "open",
        help: "give a value of the attribute's type",
    },
    Row {
        code: "KF027",
        design: PLATFORM,
        change: ("GSI3SK <= <before>", "GSI3SK <= 2026-13-45"),
        message: "`2026-13-45` in `expiring licenses` is not a date (YYYY-MM-DD), as `endDate` is",
        underlined: "2026-13-45",
        help: "use a value that the attribute can have",
    },
    Row {
        code: "KF020",
        design: AGENCIES,
        change: ("at least 1 character, at most 200 characters", "at least 300 characters, at most 200 characters"),
        message: "`at least 300 characters` contradicts `at most 200 characters`",
        underlined: "200 characters",
        help: "no value can satisfy both; change one of them",
    },
    Row {
        code: "KF028",
        design: AGENCIES,
        change: (
            "      name: string, at least 1 character, at most 200 characters\n",
            "      name: string, at least 1 character, at most 200 characters\n      type: string\n",
        ),
        message: "`type` is declared both as a template and as an attribute",
        underlined: "type",
        help: "remove one of the two",
    },
    Row {
        code: "KF029",
        design: PLATFORM,
        change: ("    GSI2SK: ROLE#<roleId>\n", ""),
        message: "`Role` has `GSI2PK` and not `GSI2SK`, so it is never in `GSI2`",
        underlined: "GSI2PK",
        help: "add `GSI2SK`, or remove `GSI2PK`",
    },
    Row {
        code: "KF032",
        design: PLATFORM,
        change: ("  Group:\n    scope: global\n", "  Group:\n"),
        message: "`Group` does not state whether its items belong to a tenant",
        underlined: "Group",
        help: "add `scope: tenant` or `scope: global`",
    },
    Row {
        code: "KF033",
        design: PLATFORM,
        change: ("  Group:\n    scope: global\n", "  Group:\n    scope: tenant\n"),
        message: "`Group` has `scope: tenant`, but no `accountId`",
        underlined: "Group",
        help: "add the attribute `accountId`, or write `scope: global`",
    },
    Row {
        code: "KF039",
        design: AGENCIES,
        change: ("type = Agency, across", "type between <from> and <to>, across"),
        message: "the range over the partition key `type` has no bound",
        underlined: "type between <from> and <to>",
        help: "each value is a query of its own: add `, at most 92 days` for dates, `, at most 20 values` for whole numbers",
    },
    Row {
        code: "KF040",
        design: AGENCIES,
        change: ("type = Agency, across", "type is Agency, across"),
        message: "`type is Agency` is not a key condition",
        underlined: "type is Agency",
        help: "write `PK = TEMPLATE`, `begins_with(SK, TEMPLATE)`, `SK <= TEMPLATE` or `SK between TEMPLATE and TEMPLATE`",
    },
    Row {
        code: "KF040",
        design: AGENCIES,
        change: ("across tenants\n  all members", "acros tenants\n  all members"),
        message: "unknown pattern option `acros tenants`",
        underlined: "acros tenants",
        help: "did you mean `across tenants`?",
    },
    Row {
        code: "KF041",
        design: PLATFORM,
        change: ("PK = ACCOUNT#<accountId> and begins_with(SK, LICENSE#)", "begins_with(SK, LICENSE#)"),
        message: "`licenses by account` has no `PK = …`",
        underlined: "begins_with(SK, LICENSE#)",
        help: "a query of `app_data` needs the exact partition key: add `PK = TEMPLATE`",
    },
    Row {
        code: "KF041",
        design: AGENCIES,
        change: ("type = Agency, across", "begins_with(type, Ag), across"),
        message: "`type` is the partition key of `GSI1` and needs an equality condition",
        underlined: "begins_with(type, Ag)",
        help: "write `type = TEMPLATE`; prefixes and ranges are for the sort key",
    },
    Row {
        code: "KF020",
        design: PLATFORM,
        change: ("sentAt: datetime\n", "sentAt: datetime in minutes\n"),
        message: "`minutes` is not a format of timestamps",
        underlined: "minutes",
        help: "formats are `seconds`, `milliseconds` and `microseconds`, each alone, `with offset` or `without zone` and with `lower-case` before it, `epoch seconds` and `epoch milliseconds`",
    },
    Row {
        code: "KF042",
        design: PLATFORM,
        change: ("begins_with(GSI2SK, LICENSE#)", "begins_with(GSI3SK, LICENSE#)"),
        message: "no index serves `licenses by enterprise`: its conditions are on keys of different indexes",
        underlined: "GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI3SK, LICENSE#)",
        help: "a query reads the table or one index; move a condition after `where`",
    },
    Row {
        code: "KF042",
        design: PLATFORM,
        change: ("GSI1PK = ENTITY#GROUP", "GSI1PK = ENTITY#GROUPS"),
        message: "no entity has keys that match `all groups`",
        underlined: "GSI1PK = ENTITY#GROUPS",
        help: "compare the conditions with the templates of the entities, literal text and delimiters included",
    },
    Row {
        code: "KF043",
        design: PLATFORM,
        change: ("PK = ROLE#<roleId>, own tenant only -> Role, Permission", "PK = ROLE#<roleId>, own tenant only"),
        message: "`role with permissions` can find `Role`, `Permission`",
        underlined: "PK = ROLE#<roleId>, own tenant only",
        help: "state which it returns: `… -> Role, Permission`",
    },
    Row {
        code: "KF044",
        design: PLATFORM,
        change: ("own tenant only -> Role, Permission", "own tenant only -> Role, Tool"),
        message: "`role with permissions` never finds a `Tool`",
        underlined: "Tool",
        help: "its key range can hold `Role`, `Permission`",
    },
    Row {
        code: "KF048",
        design: PLATFORM,
        change: ("GSI3SK between <start> and <end>", "GSI3SK between <start> and <start>#<start>"),
        message: "`<start>` is a datetime in UTC with milliseconds (2026-11-15T08:00:00.000Z) here and a string for `id` of `NotificationAudit`",
        underlined: "<start>",
        help: "use two parameters, or give the attributes one type",
    },
    Row {
        code: "KF049",
        design: PLATFORM,
        change: ("GSI1PK = ENTITY#GROUP", "GSI1PK = ENTITY#GROUP where name is <x>"),
        message: "the condition on `name` has no right side",
        underlined: "is",
        help: "filters look like `status = <status> and seats >= 10`",
    },
    Row {
        code: "KF054",
        design: PLATFORM,
        change: ("      accountId: string\n      workstreamId", "      workstreamId"),
        message: "`workstreamId` alone does not identify a `Workstream`: `accountId` is missing",
        underlined: "Workstream",
        help: "add `accountId` to `Tool`, or write `refers to Workstream through ATTRIBUTE`",
    },
    Row {
        code: "KF055",
        design: AGENCIES,
        change: (
            "  Member:\n    scope",
            "  Copy:\n    derived from: Agency, for each x in name\n    PK: X#<x>\n    SK: X\n\n  Member:\n    scope",
        ),
        message: "`name` is a string, not a list",
        underlined: "name",
        help: "use a list or set, several attributes (`[a, b]`), or `words(…)` of a text",
    },
    Row {
        code: "KF056",
        design: PLATFORM,
        change: ("startDate == null || startDate <= endDate", "endDate"),
        message: "`endDate` is text, but must be true or false",
        underlined: "endDate",
        help: "compare it with something",
    },
    Row {
        code: "KF056",
        design: PLATFORM,
        change: ("deliveryStatus != \"failed\"", "deliveryStatus != \"faild\""),
        message: "`faild` is not a value of `deliveryStatus`",
        underlined: "faild",
        help: "did you mean `failed`?",
    },
    Row {
        code: "KF056",
        design: PLATFORM,
        change: ("startDate == null || startDate <= endDate", "seats == \"many\""),
        message: "a number is compared with text, which are never equal",
        underlined: "==",
        help: "compare values of one type",
    },
    Row {
        code: "KF056",
        design: PLATFORM,
        change: ("startDate == null || startDate <= endDate", "startDate <= "),
        message: "`startDate <=` is not a valid expression: mismatched input 'the end'",
        underlined: "startDate <=",
        help: "write it as in `endDate >= startDate && seats > 0`",
    },
    Row {
        code: "KF059",
        design: PLATFORM,
        change: ("groupId: string, made as ulid", "groupId: sequence group"),
        message: "no entity keeps the sequence `group`",
        underlined: "groupId",
        help: "add a singleton entity with `keeps: sequences` and the attribute `group: integer, optional`",
    },
    Row {
        code: "KF044",
        design: CATALOGUE,
        change: ("and begins_with(SK, COMMENT#)", "and begins_with(SK, COMMENT#) -> Player"),
        message: "`comments of a site` never finds a `Player`",
        underlined: "Player",
        help: "its key range can hold `SiteComment`",
    },
    Row {
        code: "KF044",
        design: CATALOGUE,
        change: ("matches on a day: squashDate = <date> -> Match", "matches on a day: squashDate = <date> -> Player"),
        message: "`matches on a day` leads to a `Player` by `teamAPlayer1Id`, `teamAPlayer2Id`, `teamBPlayer1Id`, `teamBPlayer2Id`",
        underlined: "Player",
        help: "name one of them: `-> Player through teamAPlayer1Id`",
    },
    Row {
        code: "KF044",
        design: CATALOGUE,
        change: ("sites with a tag: tag = <tag> -> Site", "sites with a tag: tag = <tag> -> Site, SiteTag"),
        message: "each `SiteTag` of `sites with a tag` gives several results",
        underlined: "tag = <tag> -> Site, SiteTag",
        help: "name one of them, and add a pattern for the other",
    },
    Row {
        code: "KF040",
        design: CATALOGUE,
        change: ("all sites: entityType = SITE", "all sites: entityType = SITE, projected attributes only"),
        message: "`projected attributes only` has no effect: what the pattern reads holds all attributes",
        underlined: "entityType = SITE, projected attributes only",
        help: "remove the option, or give the index a `projection`",
    },
    Row {
        code: "KF059",
        design: ARCHIVE,
        change: ("id: string, made as sequence post", "id: string, made as sequence posts"),
        message: "`Sequence` keeps no counter for the sequence `posts`",
        underlined: "id",
        help: "add `posts: integer, optional` to the attributes of `Sequence`",
    },
    Row {
        code: "KF020",
        design: ARCHIVE,
        change: ("collectionCount: integer, default 0", "collectionCount: integer, made as sequence post"),
        message: "`made as sequence post` makes a string, and `integer` is not one",
        underlined: "post",
        help: "write `string, made as sequence post`, or `sequence post` for a number",
    },
    Row {
        code: "KF009",
        design: PLATFORM,
        change: ("  name: app_data\n", "  name: app_data\n  resource: app_data\n"),
        message: "`app_data` cannot name the resource in every tool",
        underlined: "app_data",
        help: "start with a letter, and use letters and digits; `resource: {terraform: app_data}` names it in one tool",
    },
    Row {
        code: "KF009",
        design: PLATFORM,
        change: ("  name: app_data\n", "  name: app_data\n  resource: {terraform: 2nd}\n"),
        message: "`2nd` cannot name the resource in Terraform",
        underlined: "2nd",
        help: "start with a letter or `_`, and use letters, digits, `_` and `-`",
    },
    Row {
        code: "KF060",
        design: AGENCIES,
        change: ("- members: read Agency", "- members: raed Agency"),
        message: "unknown verb `raed`",
        underlined: "raed",
        help: "did you mean `read`?",
    },
    Row {
        code: "KF060",
        design: AGENCIES,
        change: ("- members and role admin: update", "- members and role \"admin\": update"),
        message: "the name of a role is written without quotes",
        underlined: "role \"admin\"",
        help: "did you mean `role admin`?",
    },
    Row {
        code: "KF060",
        design: PLATFORM,
        change: (
            "- members with permission settings.write: update",
            "- members with permission 'settings.write': update",
        ),
        message: "the name of a permission is written without quotes",
        underlined: "'settings.write'",
        help: "did you mean `permission settings.write`?",
    },
    Row {
        code: "KF060",
        design: AGENCIES,
        change: ("- members: read Agency", "- members: read everything"),
        message: "`everything` is a verb, not an entity",
        underlined: "everything",
        help: "write `everything` or `read` alone for all entities, or name them",
    },
    Row {
        code: "KF060",
        design: AGENCIES,
        change: ("- members: read Agency", "- members: get list Agency"),
        message: "`list` is a verb, not an entity",
        underlined: "list",
        help: "separate verbs with a comma: `get, list Agency`",
    },
    Row {
        code: "KF060",
        design: AGENCIES,
        change: ("- members: read Agency", "- members: read Agency, update Member"),
        message: "`update` is a verb, not an entity",
        underlined: "update",
        help: "verbs come before entities: write another rule for `update Member`",
    },
    Row {
        code: "KF060",
        design: AGENCIES,
        change: ("- members and role admin: update Agency", "- members and rolle admin: update Agency"),
        message: "`rolle admin` is not a caller",
        underlined: "rolle admin",
        help: "callers are `anyone`, `signed in`, `operators`, `members`, `the owner`, `role NAME`, `group NAME`, `permission NAME`, joined by `and` or `or`",
    },
    Row {
        code: "KF061",
        design: PLATFORM,
        change: ("{through: User.roleId, from: Permission", "{through: User.roleId, of: email, from: Permission"),
        message: "no key leads from a caller to `User` by its `email`",
        underlined: "permissions",
        help: "give `User` a key, or an index, that begins with `email`",
    },
    Row {
        code: "KF061",
        design: AGENCIES,
        change: ("- members and role admin: update Agency", "- members with permission agencies.write: update Agency"),
        message: "the permission `agencies.write` has no source",
        underlined: "members with permission agencies.write",
        help: "declare where permissions are: `callers: {permissions: {through: User.roleId, from: Permission, key: menuKey, actions: actions}}`",
    },
    Row {
        code: "KF065",
        design: AGENCIES,
        change: ("- members and role admin: update Agency", "- the owner: update Agency"),
        message: "`Agency` has no owner",
        underlined: "the owner",
        help: "add `owner: ATTRIBUTE` to `Agency`",
    },
    Row {
        code: "KF065",
        design: AGENCIES,
        change: (STATUS, "status: active | inactive, default active, settable by the owner"),
        message: "`Agency` has no owner",
        underlined: "status",
        help: "add `owner: ATTRIBUTE` to `Agency`",
    },
    Row {
        code: "KF065",
        design: AGENCIES,
        change: (STATUS, "status: active | inactive, default active, visible to role admin or the owner"),
        message: "`Agency` has no owner",
        underlined: "status",
        help: "add `owner: ATTRIBUTE` to `Agency`",
    },
    Row {
        code: "KF061",
        design: AGENCIES,
        change: (STATUS, "status: active | inactive, default active, settable by operators or group staff"),
        message: "the group `staff` has no source",
        underlined: "status",
        help: "declare where groups are: `callers: {groups: {from: Membership, of: userId, group: groupName}}`",
    },
    Row {
        code: "KF061",
        design: AGENCIES,
        change: (STATUS, "status: active | inactive, default active, visible to group staff"),
        message: "the group `staff` has no source",
        underlined: "status",
        help: "declare where groups are: `callers: {groups: {from: Membership, of: userId, group: groupName}}`",
    },
    Row {
        code: "KF061",
        design: AGENCIES,
        change: (STATUS, "status: active | inactive, default active, settable by permission agencies.close"),
        message: "the permission `agencies.close` has no source",
        underlined: "status",
        help: "declare where permissions are: `callers: {permissions: {through: User.roleId, from: Permission, key: menuKey, actions: actions}}`",
    },
    Row {
        code: "KF061",
        design: AGENCIES,
        change: (STATUS, "status: active | inactive, default active, visible to permission agencies.close"),
        message: "the permission `agencies.close` has no source",
        underlined: "status",
        help: "declare where permissions are: `callers: {permissions: {through: User.roleId, from: Permission, key: menuKey, actions: actions}}`",
    },
    Row {
        code: "KF061",
        design: CATALOGUE,
        change: ("permissions: list of string, at most 100 items", "permissions: list of string, settable by members"),
        message: "`members` requires a tenant",
        underlined: "permissions",
        help: "add `tenant: ATTRIBUTE`, or write `signed in`",
    },
    Row {
        code: "KF061",
        design: CATALOGUE,
        change: ("permissions: list of string, at most 100 items", "permissions: list of string, visible to members"),
        message: "`members` requires a tenant",
        underlined: "permissions",
        help: "add `tenant: ATTRIBUTE`, or write `signed in`",
    },
    Row {
        code: "KF077",
        design: ARCHIVE,
        change: ("are: {from: User by issuer and subject, role: role}", "are: User"),
        message: "`User` does not say by which attribute a caller is found",
        underlined: "User",
        help: "write `are: User by issuer and subject`",
    },
    Row {
        code: "KF077",
        design: ARCHIVE,
        change: ("are: {from: User by issuer and subject, role: role}", "are: User by issuer and name"),
        message: "several items of `User` could have the same `issuer` and `name`",
        underlined: "User by issuer and name",
        help: "make them unique: `unique: {identity: [issuer, name]}`",
    },
    Row {
        code: "KF077",
        design: ARCHIVE,
        change: ("are: {from: User by issuer and subject, role: role}", "are: User by issuer and subject and name"),
        message: "a caller has an issuer and a subject",
        underlined: "User by issuer and subject and name",
        help: "name the attributes with the issuer and the subject of a token: `are: User by issuer and subject`",
    },
    Row {
        code: "KF077",
        design: AGENCIES,
        change: ("members: {from: Member by idpid, role: role}", "are: Member by idpid"),
        message: "`Member` is not identified by one attribute, which would be the id of a caller",
        underlined: "Member by idpid",
        help: "name an entity whose key has one placeholder that is not the tenant",
    },
    Row {
        code: "KF077",
        design: AGENCIES,
        change: ("members: {from: Member by idpid, role: role}", "members: {from: Member by idpid, role: created}"),
        message: "`created` is not one of several roles",
        underlined: "created",
        help: "list the roles: `created: admin | editor`",
    },
    Row {
        code: "KF077",
        design: AGENCIES,
        change: ("members: {from: Member by idpid, role: role}", "members: Member by idpid and role"),
        message: "a membership is found by one attribute",
        underlined: "Member by idpid and role",
        help: "name the attribute with the caller's id: `members: Membership by userId`",
    },
    Row {
        code: "KF077",
        design: AGENCIES,
        change: ("GSI2: {partition: idpid, sort: agencyId", "GSI2: {partition: modifiedBy, sort: agencyId"),
        message: "no key leads from a caller to their items of `Member` in all tenants",
        underlined: "Member by idpid",
        help: "give `Member`, or an entity derived from it, a key or an index that begins with `idpid` and not with `agencyId`",
    },
    Row {
        code: "KF077",
        design: ALBUMS,
        change: ("members: Membership by userId", "members: User by userId"),
        message: "`User` does not belong to a tenant, so that it makes nobody a member of one",
        underlined: "User by userId",
        help: "name an entity with `scope: tenant`, or give it to `User`",
    },
    Row {
        code: "KF077",
        design: ALBUMS,
        change: (
            "created with: {name: name or preferred_username or email or sub, email: email}",
            "created with: {email: email}",
        ),
        message: "a new `User` needs `name`, and no claim gives it",
        underlined: "created with",
        help: "name a claim: `created with: {name: CLAIM}`",
    },
    Row {
        code: "KF077",
        design: ALBUMS,
        change: ("created with: {name: name", "created with: {subject: sub, name: name"),
        message: "`subject` of a new `User` does not come from a claim",
        underlined: "subject",
        help: "remove `subject` from `created with`",
    },
    Row {
        code: "KF077",
        design: ARCHIVE,
        change: (
            "- User: {issuer: <issuer>, subject: <subject>, name: <name>, role: admin}",
            "- User: {issuer: <issuer>, subject: <subject>, role: admin}",
        ),
        message: "a new `User` needs `name`",
        underlined: "User: {issuer: <issuer>, subject: <subject>, role: admin}",
        help: "add `name: <name>`",
    },
    Row {
        code: "KF027",
        design: ARCHIVE,
        change: ("name: <name>, role: admin}", "name: <name>, role: boss}"),
        message: "`role` must be one of `admin`, `editor`",
        underlined: "boss",
        help: "give a value of the type, or a `<parameter>`",
    },
    Row {
        code: "KF007",
        design: ARCHIVE,
        change: ("are: {from: User by issuer and subject, role: role}", "are: {role: role}"),
        message: "`are` has no `from`",
        underlined: "are",
        help: "write `are: User by issuer and subject`",
    },
    Row {
        code: "KF073",
        design: AGENCIES,
        change: ("all agencies: at most 1.5 read units for 20", "all agencis: at most 1.5 read units for 20"),
        message: "unknown pattern `all agencis`",
        underlined: "all agencis",
        help: "did you mean `all agencies`?",
    },
    Row {
        code: "KF073",
        design: AGENCIES,
        change: ("all agencies: at most 1.5 read units for 20", "all agencies: at most two units"),
        message: "`at most two units` is not a valid budget",
        underlined: "at most two units",
        help: "write `at most 2.5 read units for 20`, in halves of a unit",
    },
    Row {
        code: "KF020",
        design: PLATFORM,
        change: (
            "name: string, at most 200 characters\n      email",
            "name: string, at most 200 characters, key only\n      email",
        ),
        message: "`name` is `key only`, and no key of `TechUser` holds it",
        underlined: "name",
        help: "remove `key only`, or put it into a key",
    },
    Row {
        code: "KF020",
        design: PLATFORM,
        change: (
            "      note: string, optional",
            "      note: integer, optional, same as status\n      more: string, optional",
        ),
        message: "`note` is an integer, but the same as `status`, which is one of `active`, `expired`",
        underlined: "note",
        help: "give both the same type",
    },
    Row {
        code: "KF027",
        design: PLATFORM,
        change: ("seats: integer, at least 1", "seats: integer, default 0, at least 1"),
        message: "the default of `seats` must be at least 1 but is `0`",
        underlined: "seats",
        help: "give a default that the attribute can have",
    },
    Row {
        code: "KF016",
        design: AGENCIES,
        change: (
            "- Agency: {agencyId: 01K9ZV0000000000000000AAAA, name: Northwind}",
            "- Agency: {agencyId: 01K9ZV0000000000000000AAAA}",
        ),
        message: "a `Agency` needs `name`",
        underlined: "Agency: {agencyId: 01K9ZV0000000000000000AAAA}",
        help: "give every attribute that is neither optional nor generated",
    },
    Row {
        code: "KF027",
        design: AGENCIES,
        change: (
            "then:\n      - Agency: {name: Northwind, status: active}",
            "then:\n      - Agency: {name: Northwind, status: asleep}",
        ),
        message: "`status` must be one of `active`, `inactive` but is `asleep`",
        underlined: "asleep",
        help: "give a value of the attribute's type",
    },
    Row {
        code: "KF039",
        design: AGENCIES,
        change: (
            "idpid = <idpid>, own tenant only -> Member",
            "idpid between <idpid> and <last>, at most 5 days, own tenant only -> Member",
        ),
        message: "`idpid` is not a date (YYYY-MM-DD), so its values between two bounds cannot be listed",
        underlined: "idpid between <idpid> and <last>, at most 5 days, own tenant only -> Member",
        help: "a range over partitions is of dates (`at most 92 days`) or whole numbers (`at most 20 values`); others are `in <list>`",
    },
];
