//! Tables of CloudFormation templates: those that Keyfold generates, those that the CDK synthesizes, those that people
//! write.

use std::path::Path;

use keyfold_design::Design;
use keyfold_design::model::{Billing, Encryption, Projection, StreamView, Table};
use keyfold_import::cloudformation::{self, TemplateError};
use keyfold_import::{ImportedTable, draft_from_table};

fn repository() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(text: &str) -> ImportedTable {
    cloudformation::read(text, None).unwrap_or_else(|fault| panic!("{fault:?}"))
}

fn draft(facts: &ImportedTable) -> Design {
    draft_from_table(facts, "a template").unwrap_or_else(|found| panic!("{found:#?}")).design
}

fn refusal(text: &str, resource: Option<&str>) -> (Option<(usize, usize)>, String) {
    let TemplateError { position, message } = cloudformation::read(text, resource).unwrap_err();
    (position.map(|position| (position.line, position.column)), message)
}

/// What a table part says, without where it says it.
fn said(table: &Table) -> impl PartialEq + std::fmt::Debug {
    let Table { variable, delimiter, billing, ttl, stream, point_in_time_recovery, deletion_protection, .. } =
        table.clone();
    let rest = (table.encryption.clone(), table.tags.clone(), table.outputs.clone());
    (variable, delimiter, billing, ttl, stream, point_in_time_recovery, deletion_protection, rest)
}

fn comes_back(folder: &str) {
    let folder = repository().join(folder);
    let load = |text: &str| Design::load("design.yaml", text).unwrap().0;
    let design = load(&std::fs::read_to_string(folder.join("design.yaml")).unwrap());
    let template = std::fs::read_to_string(folder.join("generated/cloudformation/template.yaml")).unwrap();
    let imported = draft(&read(&template));
    assert_eq!(imported.create_table(), design.create_table());
    assert_eq!(said(&imported.table), said(&design.table));
    assert_eq!(imported.description, design.table.description.or(design.description));
    let logical_id = template.lines().skip_while(|line| *line != "Resources:").nth(1).unwrap().trim();
    assert_eq!(imported.table.resource.cloudformation.as_deref(), logical_id.strip_suffix(':'));
}

#[test]
fn agencies() {
    comes_back("designs/agencies");
}

#[test]
fn platform() {
    comes_back("designs/platform");
}

#[test]
fn albums() {
    comes_back("designs/albums");
}

#[test]
fn archive() {
    comes_back("designs/archive");
}

#[test]
fn catalogue() {
    comes_back("designs/catalogue");
}

#[test]
fn every_option() {
    comes_back("tests/generated/every-option");
}

/// As `cdk synth` writes it: JSON, long functions, metadata, a tag from the stack's name.
#[test]
fn a_synthesized_template() {
    let facts = read(include_str!("templates/cdk.json"));
    assert_eq!(facts.table.name, "orders-dev");
    assert_eq!(facts.table.variable, None);
    assert_eq!(facts.table.stream, Some(StreamView::NewAndOldImages));
    assert!(facts.table.point_in_time_recovery && facts.table.deletion_protection);
    assert_eq!(facts.table.encryption, Encryption::CustomerKey("TableKey1F2E".to_owned()));
    assert_eq!(facts.table.ttl.as_deref(), Some("expiresAt"));
    assert_eq!(facts.table.tags, [("team".to_owned(), "orders".to_owned())]);
    assert_eq!(facts.indexes[0].projection, Projection::Include(vec!["total".to_owned(), "status".to_owned()]));
    assert!(facts.indexes[1].local);
    assert_eq!(
        facts.notes,
        [
            "the encryption key of the table is the resource `TableKey1F2E`: use its alias instead",
            "the tag `stack` is omitted: its value is known only at deployment",
            "`ContributorInsightsSpecification` of the template is omitted: designs do not support it",
        ]
    );
    assert_eq!(draft(&facts).table.name, "orders-dev");
}

#[test]
fn a_template_with_short_functions() {
    let facts = cloudformation::read(include_str!("templates/hand-written.yaml"), Some("Orders")).unwrap();
    assert_eq!(facts.table.name, "prod-orders");
    assert_eq!(facts.table.billing, Billing::Provisioned { read: 12, write: 3 });
    assert_eq!(facts.table.encryption, Encryption::AwsManaged);
    assert_eq!(facts.table.partition.name, "PK");
    assert_eq!(facts.table.outputs, [("OrdersArn".to_owned(), "OrdersArn".to_owned())].into());
    assert_eq!(facts.notes, ["line 25: the value for a true condition `IsProduction` is used"]);
    draft(&facts);
}

#[test]
fn a_global_table() {
    let facts = cloudformation::read(include_str!("templates/hand-written.yaml"), Some("Sessions")).unwrap();
    assert_eq!(facts.table.name, "Sessions");
    assert_eq!((facts.table.billing, facts.table.sort.as_ref()), (Billing::OnDemand, None));
    assert!(facts.table.point_in_time_recovery);
    assert_eq!(facts.table.tags, [("site".to_owned(), "first".to_owned())]);
    assert_eq!(
        facts.notes,
        [
            "the template does not name the table: the logical id is used",
            "the table has 2 replicas, but a design describes one table: the settings of the first replica are used",
        ]
    );
    let design = draft(&facts);
    assert_eq!(design.table.sort, None);
    assert_eq!(design.table.partition.name, "sessionId");
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let table =
        |properties: &str| format!("Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties:\n{properties}");
    let attributes = "      AttributeDefinitions: [{AttributeName: a, AttributeType: S}]\n";
    let cases = [
        ("Resources: [".to_owned(), (Some((2, 1)), "the template is neither YAML nor JSON: ")),
        ("a: 1".to_owned(), (Some((1, 1)), "the template has no `Resources`")),
        ("Resources: {}".to_owned(), (Some((1, 12)), "the template has no DynamoDB table")),
        (table("      TableName: things\n"), (Some((5, 7)), "`T` has no `KeySchema`")),
        (
            table(&format!("{attributes}      KeySchema: [{{AttributeName: b, KeyType: HASH}}]\n")),
            (Some((6, 19)), "`b` is a key, but `AttributeDefinitions` does not define it"),
        ),
        (
            table(&format!("{attributes}      KeySchema: [{{AttributeName: !Ref Key, KeyType: HASH}}]\n")),
            (Some((6, 35)), "`AttributeName` must be text, but is `!Ref`"),
        ),
        (
            table(&format!("{attributes}      KeySchema: [{{AttributeName: a, KeyType: PARTITION}}]\n")),
            (Some((6, 19)), "a `KeyType` must be `HASH` or `RANGE`, not `PARTITION`"),
        ),
        (
            table(&format!(
                "{attributes}      KeySchema: [{{AttributeName: a, KeyType: HASH}}]\n      BillingMode: FREE\n"
            )),
            (Some((7, 20)), "`BillingMode` must be `PAY_PER_REQUEST` or `PROVISIONED`, not `FREE`"),
        ),
        (
            table(&format!(
                "{attributes}      KeySchema: [{{AttributeName: a, KeyType: HASH}}]\n      TableName: my table\n"
            )),
            (Some((7, 18)), "`my table` cannot name a table: 3 to 255 letters, digits, `_`, `-` and `.`"),
        ),
        ("a: &x 1\nb: *x\n".to_owned(), (Some((2, 4)), "CloudFormation does not support aliases; repeat the value")),
        ("a: 1\na: 2\n".to_owned(), (Some((2, 4)), "`a` is defined twice")),
    ];
    for (text, (place, message)) in cases {
        let (found_place, found) = refusal(&text, None);
        assert_eq!((found_place, found.get(..message.len())), (place, Some(message)), "{found}\n{text}");
    }
}

#[test]
fn one_of_several_tables_has_to_be_named() {
    let text = include_str!("templates/hand-written.yaml");
    let several = "the template has several tables: choose one of `Orders`, `Sessions` with --resource";
    assert_eq!(refusal(text, None), (None, several.to_owned()));
    let unknown = "the template has no resource `Order`; its tables are `Orders`, `Sessions`";
    assert_eq!(refusal(text, Some("Order")), (None, unknown.to_owned()));
    let (_, other) = refusal(text, Some("Queue"));
    assert_eq!(other, "`Queue` is not a DynamoDB table but `AWS::SQS::Queue`");
}

/// Nothing that is fed to it makes the reader fail otherwise than with a place and a reason.
#[test]
fn broken_templates_are_refused_and_nothing_else() {
    let text = include_str!("templates/hand-written.yaml");
    for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
        let _ = cloudformation::read(&text[..cut], Some("Orders"));
        let _ = cloudformation::read(&text[cut..], None);
    }
    let _ = cloudformation::read(&"[".repeat(100_000), None);
    let _ = cloudformation::read(&"a: {".repeat(10_000), None);
}
