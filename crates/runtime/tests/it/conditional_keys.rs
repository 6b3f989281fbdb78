//! Index entries and lookup items that exist under a condition.

use crate::support::*;
use keyfold_dynamo::operation::{DeleteItemInput, PutItemInput};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Caller, Error, PatchOptions, QueryOptions};
use serde_json::{Value, json};

const DESIGN: &str = "
design: inbox
table: inbox
indexes:
  unread: {partition: unreadPK, sort: unreadSK, purpose: what a person has not read}
  urgent: {partition: urgentPK, sort: unreadSK, purpose: what is urgent}
entities:
  Message:
    PK: MESSAGE#<messageId>
    SK: METADATA
    unreadPK: INBOX#<userId> when unread
    unreadSK: <messageId>
    urgentPK: URGENT#<topic> or URGENT when !muted && priority > 3
    unique:
      subject: userId, subject when unread
    attributes:
      messageId: string
      userId: string, fixed
      unread: boolean, default true
      muted: boolean, optional
      priority: integer, optional
      topic: string, optional
      subject: string, optional
      text: string, optional
patterns:
  unread messages: unreadPK = INBOX#<userId>
  urgent messages: urgentPK = URGENT#<topic>
  urgent messages without a topic: urgentPK = URGENT
allow:
  - signed in: everything Message
";

async fn world() -> World<Recorder> {
    World::new(design(DESIGN), Recorder::default()).await
}

impl World<Recorder> {
    /// Patches a message; returns the names of the requests.
    async fn patch(&self, change: Value) -> Vec<&'static str> {
        let attributes = self.attributes("Message", change);
        self.hook().take();
        self.runtime.patch(&superuser(), "Message", attributes, PatchOptions::default()).await.unwrap();
        self.hook().names()
    }

    async fn try_patch(&self, change: Value) -> Result<(), Error> {
        let attributes = self.attributes("Message", change);
        self.runtime.patch(&superuser(), "Message", attributes, PatchOptions::default()).await.map(drop)
    }

    async fn keys(&self, id: &str) -> [Option<String>; 3] {
        let stored = self.table().await.remove(&format!("MESSAGE#{id} | METADATA")).unwrap();
        ["unreadPK", "urgentPK", "unreadSK"]
            .map(|name| stored.get(name).and_then(|value| value.as_str()).map(str::to_owned))
    }

    async fn found(&self, pattern: &str, given: Value) -> Vec<String> {
        let given = arguments(&self.design, pattern, given);
        let page = self.runtime.query(&superuser(), pattern, given, &QueryOptions::default()).await.unwrap();
        page.records.iter().map(|record| text(&record.attributes, "messageId")).collect()
    }

    async fn lookups(&self) -> Vec<String> {
        self.table().await.into_keys().filter(|key| key.starts_with("UNIQUE#")).collect()
    }

    /// Another program stores a message as it is.
    async fn foreign(&self, item: Value) {
        let Value::Object(item) = item else { panic!("{item}") };
        let item: Attributes = item
            .into_iter()
            .map(|(name, value)| match value {
                Value::Bool(flag) => (name, AttributeValue::Bool(flag)),
                other => (name, AttributeValue::S(other.as_str().unwrap().to_owned())),
            })
            .collect();
        let table_name = "inbox".to_owned();
        self.engine.put_item(PutItemInput { table_name, item, ..PutItemInput::default() }).await.unwrap();
    }
}

fn text(attributes: &Attributes, name: &str) -> String {
    attributes.get(name).and_then(AttributeValue::as_str).unwrap_or_default().to_owned()
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[tokio::test]
async fn an_item_is_in_an_index_while_its_condition_holds() {
    let world = world().await;
    world.given("Message", json!({"messageId": "a", "userId": "ann"})).await;
    world.given("Message", json!({"messageId": "b", "userId": "ann", "unread": false, "priority": 5})).await;
    world.given("Message", json!({"messageId": "c", "userId": "ann", "priority": 5, "topic": "fire"})).await;
    assert_eq!(world.keys("a").await, [some("INBOX#ann"), None, some("a")]);
    assert_eq!(world.keys("b").await, [None, some("URGENT"), some("b")]);
    assert_eq!(world.keys("c").await, [some("INBOX#ann"), some("URGENT#fire"), some("c")]);
    assert_eq!(world.found("unread messages", json!({"userId": "ann"})).await, ["a", "c"]);
    assert_eq!(world.found("urgent messages without a topic", json!({})).await, ["b"]);
    assert_eq!(world.found("urgent messages", json!({"topic": "fire"})).await, ["c"]);
}

#[tokio::test]
async fn a_patch_that_knows_the_whole_condition_is_sent_without_a_read() {
    let design = DESIGN.replace("unreadPK: INBOX#<userId> when unread", "unreadPK: INBOX when unread && priority > 1");
    let design = design.replace("urgentPK: URGENT#<topic> or URGENT when !muted && priority > 3", "urgentPK: URGENT");
    let design = design.replace("    unique:\n      subject: userId, subject when unread\n", "");
    let design = design.replace("unreadPK = INBOX#<userId>", "unreadPK = INBOX");
    let design = design.replace("  urgent messages: urgentPK = URGENT#<topic>\n", "");
    let world = World::new(crate::support::design(&design), Recorder::default()).await;
    world.given("Message", json!({"messageId": "a", "userId": "ann", "priority": 2})).await;
    assert_eq!(world.patch(json!({"messageId": "a", "unread": false, "priority": 3})).await, ["UpdateItem"]);
    assert_eq!(world.keys("a").await, [None, some("URGENT"), some("a")]);
    assert_eq!(world.patch(json!({"messageId": "a", "unread": true, "priority": 2})).await, ["UpdateItem"]);
    assert_eq!(world.keys("a").await, [some("INBOX"), some("URGENT"), some("a")]);
    // Whether it is still unread is not known.
    assert_eq!(world.patch(json!({"messageId": "a", "priority": 1})).await, ["GetItem", "UpdateItem"]);
    assert_eq!(world.keys("a").await, [None, some("URGENT"), some("a")]);
    assert_eq!(world.patch(json!({"messageId": "a", "priority": 9})).await, ["GetItem", "UpdateItem"]);
    assert_eq!(world.keys("a").await, [some("INBOX"), some("URGENT"), some("a")]);
    assert_eq!(world.patch(json!({"messageId": "a", "text": "hi"})).await, ["UpdateItem"]);
    assert_eq!(world.keys("a").await, [some("INBOX"), some("URGENT"), some("a")]);
}

#[tokio::test]
async fn indexes_with_conditions_of_their_own_share_a_sort_key() {
    let world = world().await;
    world.given("Message", json!({"messageId": "a", "userId": "ann", "priority": 4})).await;
    assert_eq!(world.keys("a").await, [some("INBOX#ann"), some("URGENT"), some("a")]);
    world.patch(json!({"messageId": "a", "unread": false})).await;
    assert_eq!(world.keys("a").await, [None, some("URGENT"), some("a")]);
    world.patch(json!({"messageId": "a", "muted": true})).await;
    assert_eq!(world.keys("a").await, [None, None, None]);
    world.patch(json!({"messageId": "a", "muted": null})).await;
    assert_eq!(world.keys("a").await, [None, some("URGENT"), some("a")]);
    world.patch(json!({"messageId": "a", "unread": true, "priority": 3})).await;
    assert_eq!(world.keys("a").await, [some("INBOX#ann"), None, some("a")]);
}

#[tokio::test]
async fn an_absent_attribute_counts_as_false() {
    let world = world().await;
    // Without `muted` the message is not muted; without `priority` nothing is greater than 3.
    world.given("Message", json!({"messageId": "a", "userId": "ann", "priority": 4})).await;
    world.given("Message", json!({"messageId": "b", "userId": "ann"})).await;
    assert_eq!(world.keys("a").await[1], some("URGENT"));
    assert_eq!(world.keys("b").await[1], None);
}

#[tokio::test]
async fn values_are_unique_while_the_condition_holds() {
    let world = world().await;
    let message =
        |id: &str, unread: bool| json!({"messageId": id, "userId": "ann", "subject": "tea", "unread": unread});
    world.given("Message", message("a", true)).await;
    world.given("Message", message("b", false)).await;
    assert_eq!(world.lookups().await.len(), 1);
    let create = world.attributes("Message", message("c", true));
    assert_eq!(violated(world.runtime.create(&superuser(), "Message", create).await), "subject");
    assert_eq!(violated(world.try_patch(json!({"messageId": "b", "unread": true})).await), "subject");
    world.patch(json!({"messageId": "a", "unread": false})).await;
    assert_eq!(world.lookups().await, Vec::<String>::new());
    // The attribute alone does not bring the lookup back; the condition does, in the same transaction.
    world.patch(json!({"messageId": "a", "subject": "coffee"})).await;
    assert_eq!(world.lookups().await, Vec::<String>::new());
    assert_eq!(world.patch(json!({"messageId": "b", "unread": true})).await, ["GetItem", "TransactWriteItems"]);
    assert_eq!(world.lookups().await.len(), 1);
    world.patch(json!({"messageId": "a", "unread": true})).await;
    assert_eq!(violated(world.try_patch(json!({"messageId": "a", "subject": "tea"})).await), "subject");
    let identity = world.attributes("Message", json!({"messageId": "b"}));
    world.runtime.delete(&superuser(), "Message", identity, Default::default()).await.unwrap();
    world.try_patch(json!({"messageId": "a", "subject": "tea"})).await.unwrap();
    assert_eq!(world.lookups().await.len(), 1);
}

#[tokio::test]
async fn foreign_items_on_the_wrong_side_of_a_condition_are_patched_and_put_right() {
    let world = world().await;
    let base = json!({"PK": "MESSAGE#x", "SK": "METADATA", "messageId": "x", "userId": "ann"});
    let with = |more: Value| {
        let mut item = base.clone();
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        item
    };
    // In the index though it has been read, and read though it is not in the index.
    for (unread, entry) in [(false, true), (true, false)] {
        let keys = json!({"unreadPK": "INBOX#ann", "unreadSK": "x"});
        let item = with(json!({"unread": unread}));
        let item = if entry {
            let mut item = item;
            item.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
            item
        } else {
            item
        };
        world.foreign(item.clone()).await;
        assert_eq!(world.patch(json!({"messageId": "x", "text": "t"})).await, ["UpdateItem"]);
        world.patch(json!({"messageId": "x", "unread": unread})).await;
        let right = if unread { [some("INBOX#ann"), None, some("x")] } else { [None, None, None] };
        assert_eq!(world.keys("x").await, right, "unread={unread}");
        world.foreign(item).await;
        world.patch(json!({"messageId": "x", "unread": !unread})).await;
        let right = if unread { [None, None, None] } else { [some("INBOX#ann"), None, some("x")] };
        assert_eq!(world.keys("x").await, right, "unread={}", !unread);
    }
}

#[tokio::test]
async fn a_lookup_that_another_program_left_or_lost_does_not_break_patches() {
    let world = world().await;
    world.given("Message", json!({"messageId": "a", "userId": "ann", "subject": "tea"})).await;
    let lookup = world.lookups().await.remove(0);
    let lookup = world.table().await.remove(&lookup).unwrap();
    let key: Attributes = lookup.clone().into_iter().filter(|(name, _)| name == "PK" || name == "SK").collect();
    // The item was marked as read, and its lookup stays.
    world.patch(json!({"messageId": "a", "unread": false})).await;
    let put = PutItemInput { table_name: "inbox".to_owned(), item: lookup, ..PutItemInput::default() };
    world.engine.put_item(put.clone()).await.unwrap();
    world.patch(json!({"messageId": "a", "unread": true})).await;
    assert_eq!(world.lookups().await.len(), 1);
    // The lookup is gone though the condition holds.
    let delete = DeleteItemInput { table_name: "inbox".to_owned(), key, ..DeleteItemInput::default() };
    world.engine.delete_item(delete).await.unwrap();
    world.patch(json!({"messageId": "a", "unread": false})).await;
    assert_eq!(world.lookups().await, Vec::<String>::new());
    // A lookup of another item is not taken over.
    world.engine.put_item(put).await.unwrap();
    world.given("Message", json!({"messageId": "b", "userId": "ann", "subject": "tea", "unread": false})).await;
    assert_eq!(violated(world.try_patch(json!({"messageId": "b", "unread": true})).await), "subject");
}

#[tokio::test]
async fn explanations_say_which_items_are_in_the_index() {
    let world = world().await;
    let given = arguments(&world.design, "unread messages", json!({"userId": "ann"}));
    let explained = world.runtime.explain_query(&superuser(), "unread messages", given, 20).unwrap();
    assert_eq!(explained.entry_conditions, [("Message".to_owned(), "unread".to_owned())]);
}

const LISTED: &str = "
design: people
table: people
indexes:
  GSI1: {purpose: the people of a town}
entities:
  Person:
    owner: personId
    PK: PERSON#<personId>
    SK: METADATA
    GSI1PK: TOWN#<town>
    GSI1SK: <personId> when debt > 1000
    attributes:
      personId: string
      town: string
      debt: integer, optional, visible to the owner
patterns:
  people of a town: GSI1PK = TOWN#<town>
allow:
  - signed in: everything Person
";

#[tokio::test]
async fn an_index_does_not_disclose_the_attributes_of_its_condition() {
    let world = World::new(design(LISTED), Nothing).await;
    world.given("Person", json!({"personId": "ann", "town": "Ulm", "debt": 2000})).await;
    world.given("Person", json!({"personId": "bea", "town": "Ulm", "debt": 5000})).await;
    let given = arguments(&world.design, "people of a town", json!({"town": "Ulm"}));
    let caller = Caller { subject: Some("ann".to_owned()), ..Caller::default() };
    let page = world.runtime.query(&caller, "people of a town", given, &QueryOptions::default()).await.unwrap();
    let found: Vec<String> = page.records.iter().map(|record| text(&record.attributes, "personId")).collect();
    assert_eq!(found, ["ann"]);
}

const STAMPED: &str = "
design: stamped
table: stamped
indexes:
  GSI1: {purpose: what changed last}
entities:
  Page:
    PK: PAGE#<pageId>
    SK: METADATA
    GSI1PK: PAGES
    GSI1SK: <changedAt>
    attributes: {pageId: string, text: string, changedAt: modified at}
patterns:
  pages: GSI1PK = PAGES
allow:
  - signed in: everything Page
";

#[tokio::test]
async fn a_key_that_holds_the_time_of_the_last_change_follows_each_patch() {
    let world = World::new(design(STAMPED), Nothing).await;
    world.given("Page", json!({"pageId": "p", "text": "a"})).await;
    world.clock.advance(60_000);
    let change = world.attributes("Page", json!({"pageId": "p", "text": "b"}));
    world.runtime.patch(&superuser(), "Page", change, PatchOptions::default()).await.unwrap();
    let stored = world.table().await.remove("PAGE#p | METADATA").unwrap();
    assert_eq!(text(&stored, "GSI1SK"), text(&stored, "changedAt"));
}
