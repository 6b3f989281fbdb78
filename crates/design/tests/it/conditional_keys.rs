//! Keys with a condition: what is read, and what is wrong with one.

use keyfold_design::diagnostic::to_text;
use keyfold_design::{Design, load};
use keyfold_dynamo::{AttributeValue, Attributes};

const DESIGN: &str = "
design: inbox
table: inbox
indexes:
  GSI1: {purpose: what a person has not read}
  GSI2: {purpose: messages by topic}
entities:
  Message:
    PK: MESSAGE#<messageId>
    SK: METADATA
    GSI1PK: INBOX#<userId> when unread
    GSI1SK: <messageId>
    GSI2PK: TOPIC#<topic>
    GSI2SK: <messageId>
    label: MESSAGE
    unique:
      subject: [subject]
    attributes:
      messageId: string
      userId: string
      unread: boolean, default true
      status: open | closed, default open
      topic: string
      subject: string
      replyCount: integer, default 0
      changedAt: modified at
  Reply:
    PK: MESSAGE#<messageId>
    SK: REPLY#<replyId>
    GSI2PK: REPLIES#<messageId>
    GSI2SK: <replyId>
    attributes: {messageId: 'string, refers to Message, counted as replyCount, delete ignored', replyId: string}
patterns:
  unread messages: GSI1PK = INBOX#<userId>
  messages of a topic: GSI2PK = TOPIC#<topic>
allow:
  - signed in: everything
";

fn with(from: &str, to: &str) -> String {
    assert!(DESIGN.contains(from), "{from}");
    DESIGN.replacen(from, to, 1)
}

fn design(text: &str) -> Design {
    load("design.yaml", text).unwrap_or_else(|found| panic!("{}", to_text("design.yaml", text, &found, false))).0
}

/// The first error of a design: its code, message, underlined text and help.
fn error(text: &str) -> (String, String, String) {
    let found = match load("design.yaml", text) {
        Ok(_) => panic!("the design has no error:\n{text}"),
        Err(found) => found,
    };
    let first = found.iter().find(|found| found.is_error()).unwrap();
    (first.code.id.to_owned(), first.message.clone(), text[first.span.range()].to_owned())
}

fn condition(entry: &str) -> (String, String, String) {
    error(&with("INBOX#<userId> when unread", entry))
}

fn told(message: &str, underlined: &str) -> (String, String, String) {
    ("KF085".to_owned(), message.to_owned(), underlined.to_owned())
}

fn item(unread: Option<bool>) -> Attributes {
    let text = |value: &str| AttributeValue::S(value.to_owned());
    let fixed = [("messageId", "m"), ("userId", "ann"), ("topic", "tea"), ("subject", "s"), ("status", "open")];
    let mut item: Attributes = fixed.iter().map(|(name, value)| ((*name).to_owned(), text(value))).collect();
    item.extend(unread.map(|unread| ("unread".to_owned(), AttributeValue::Bool(unread))));
    item
}

#[test]
fn a_condition_decides_about_both_halves_of_a_key() {
    for text in [
        DESIGN.to_owned(),
        with(
            "GSI1PK: INBOX#<userId> when unread\n    GSI1SK: <messageId>",
            "GSI1PK: INBOX#<userId>\n    GSI1SK: <messageId> when unread",
        ),
        with("GSI1SK: <messageId>", "GSI1SK: <messageId> when unread"),
    ] {
        let design = design(&text);
        let layout = &design.entities[0].layout;
        let keys = |unread: Option<bool>| {
            let item = item(unread);
            let computed = layout.compute(|name| item.get(name)).unwrap();
            ["GSI1PK", "GSI1SK", "GSI2PK"].map(|name| computed.contains_key(name))
        };
        assert_eq!(keys(Some(true)), [true, true, true]);
        assert_eq!(keys(Some(false)), [false, false, true]);
        assert_eq!(keys(None), [false, false, true]);
        let entry = &layout.index_keys[0];
        assert!(entry.is_sparse());
        assert_eq!(entry.condition.as_ref().unwrap().source(), "unread");
        assert_eq!(entry.attributes().collect::<Vec<_>>(), ["userId", "messageId", "unread"]);
        let plan = design.access_plan(design.pattern_named("unread messages").unwrap().id);
        assert_eq!(plan.results[0].entry_conditions, ["unread"]);
        let plan = design.access_plan(design.pattern_named("messages of a topic").unwrap().id);
        assert_eq!(plan.results[0].entry_conditions, Vec::<String>::new());
    }
}

#[test]
fn a_condition_is_that_of_all_alternatives() {
    let design = design(&with("INBOX#<userId> when unread", "INBOX#<userId> or INBOX when status == \"open\""));
    let entry = &design.entities[0].layout.index_keys[0];
    assert_eq!(
        entry.partition[0].template.alternatives().map(|part| part.source.as_str()).collect::<Vec<_>>(),
        ["INBOX#<userId>", "INBOX"]
    );
    assert_eq!(entry.condition.as_ref().unwrap().source(), "status == \"open\"");
}

#[test]
fn conditions_belong_to_the_keys_of_indexes() {
    let key = error(&with("SK: METADATA", "SK: METADATA when unread"));
    assert_eq!(key, told("`SK` is a key of the table, which every item has", "unread"));
    let constant = error(&with("label: MESSAGE", "label: call me when you are ready"));
    assert_eq!(constant, told("`label` is not a key of an index, so that it has no condition", "you are ready"));
    let message = "`Message` in `GSI1` has two conditions, `unread` and `!unread`";
    assert_eq!(error(&with("GSI1SK: <messageId>", "GSI1SK: <messageId> when !unread")), told(message, "!unread"));
}

#[test]
fn conditions_are_expressions_that_some_items_meet() {
    let (code, message, underlined) = condition("INBOX#<userId> when you are ready");
    assert_eq!((code.as_str(), underlined.as_str()), ("KF056", "you are ready"));
    assert!(message.starts_with("`you are ready` is not a valid expression"), "{message}");
    let unknown = condition("INBOX#<userId> when read");
    assert_eq!((unknown.0.as_str(), unknown.1.as_str()), ("KF012", "`Message` has no attribute `read`"));
    assert_eq!(condition("INBOX#<userId> when status == \"opn\"").0, "KF056");
    assert_eq!(condition("INBOX#<userId> when userId").0, "KF056");
    assert_eq!(condition("INBOX#<userId> when"), told("` when ` has no condition", ""));
    let always = "status == \"open\" || status != \"open\"";
    assert_eq!(
        condition(&format!("INBOX#<userId> when {always}")),
        told(&format!("`{always}` is true for every item"), always)
    );
    assert_eq!(condition("INBOX#<userId> when 1 > 2"), told("`1 > 2` is false for every item", "1 > 2"));
    assert_eq!(
        condition("INBOX#<userId> when unread && !unread"),
        told("`unread && !unread` is false for every item", "unread && !unread")
    );
}

#[test]
fn conditions_know_neither_the_time_nor_the_caller_nor_a_count() {
    for name in ["now", "today", "caller"] {
        let found = condition(&format!("INBOX#<userId> when {name} != subject"));
        assert_eq!(found, told(&format!("the condition of a key cannot use `{name}`"), name));
    }
    let counted = condition("INBOX#<userId> when replyCount > 3");
    assert_eq!(counted, told("the condition of a key cannot use `replyCount`, which counts", "replyCount > 3"));
    // An attribute of that name is the attribute.
    design(
        &with("INBOX#<userId> when unread", "INBOX#<userId> when now")
            .replace("changedAt: modified at", "now: boolean, optional"),
    );
}

#[test]
fn a_unique_may_have_a_condition() {
    for stated in [
        "subject: subject when unread",
        "subject: {PK: 'LOOKUP#<subject> when unread', SK: LOOKUP}",
        "subject: {PK: 'LOOKUP#<subject>', SK: LOOKUP when unread}",
    ] {
        let design = design(&with("subject: [subject]", stated));
        let unique = &design.entities[0].uniques[0];
        assert_eq!(unique.attributes, ["subject"]);
        assert_eq!(unique.layout.condition.as_ref().unwrap().source(), "unread");
        for (unread, exists) in [(Some(true), true), (Some(false), false), (None, false)] {
            let item = item(unread);
            assert_eq!(unique.layout.key(|name| item.get(name)).unwrap().is_some(), exists);
        }
    }
    let design = design(&with("    unique:\n      subject: [subject]\n", "    unique: subject, topic when unread\n"));
    let uniques = design.entities[0].uniques.iter();
    let stated: Vec<_> = uniques.map(|unique| (unique.name.as_str(), unique.layout.condition.is_some())).collect();
    assert_eq!(stated, [("subject", true), ("topic", true)]);
    let different = "subject: {PK: 'LOOKUP#<subject> when unread', SK: LOOKUP when !unread}";
    let found = error(&with("subject: [subject]", different));
    assert_eq!(found, told("`Message.subject` has two conditions, `unread` and `!unread`", "!unread"));
}

#[test]
fn an_index_with_a_condition_does_not_lead_to_all_referring_items() {
    let text = with("GSI2SK: <replyId>", "GSI2SK: <replyId> when replyId != \"x\"");
    let text = text
        .replace("counted as replyCount, delete ignored", "deleted with it")
        .replace("PK: MESSAGE#<messageId>\n    SK: REPLY#<replyId>", "PK: REPLY#<replyId>\n    SK: METADATA");
    let found = match load("design.yaml", &text) {
        Ok((_, found)) | Err(found) => found,
    };
    assert!(found.iter().any(|found| found.code.id == "KF050"), "{}", to_text("design.yaml", &text, &found, false));
}

const TENANTS: &str = "
design: tenants
table: tenants
tenant: tenantId
indexes:
  GSI1: {purpose: children}
entities:
  Image:
    scope: tenant
    PK: IMAGE#<imageId>
    SK: METADATA
    GSI1PK: IN#<albumId> or IN#<tenantId>
    GSI1SK: <imageId>
    attributes: {tenantId: string, imageId: string, albumId: 'string, optional'}
patterns:
  images: GSI1PK = IN#<tenantId>
allow:
  - members: everything Image
";

#[test]
fn a_pattern_is_pinned_to_a_tenant_only_if_every_alternative_is() {
    use keyfold_design::model::TenantMode;
    let mode = |text: &str| {
        let design = design(text);
        design.patterns[0].tenant.clone()
    };
    // An album could have the id of another tenant.
    assert_eq!(mode(TENANTS), TenantMode::Filtered);
    let apart = TENANTS.replace("IN#<albumId> or", "ALBUM#<albumId> or");
    assert_eq!(mode(&apart), TenantMode::Pinned { parameter: "tenantId".to_owned() });
    let first = TENANTS.replace("IN#<albumId> or IN#<tenantId>", "IN#<tenantId> or IN#<albumId>");
    assert_eq!(mode(&first), TenantMode::Filtered);
}

#[test]
fn a_parameter_has_one_type_in_all_alternatives() {
    let text = TENANTS.replace("albumId: 'string, optional'", "albumId: 'ulid, optional'");
    let (code, _, _) = error(&text);
    assert_eq!(code, "KF048");
    let text = TENANTS.replace("IN#<albumId> or", "IN#<albumId:lower> or");
    assert_eq!(error(&text).1, "`<tenantId>` meets `albumId` and `tenantId` of `Image`, which have different formats");
}
