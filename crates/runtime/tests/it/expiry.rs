//! Items that expire take with them what goes with them, and free what they held.

use crate::support::*;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{DeleteOptions, PatchOptions};
use serde_json::json;

const DESIGN: &str = "
design: invitations
table: invitations
entities:
  Invitation:
    PK: INVITATION#<invitationId>
    SK: METADATA
    unique:
      code: [code]
    attributes:
      invitationId: string
      code: string
      sentAt: datetime
      tags: list of string, at most 3 items
      expiresAt: expiry 1 days after sentAt
  InvitationTag:
    derived from: Invitation, for each tag in tags
    PK: TAG#<tag>
    SK: INVITATION#<invitationId>
patterns:
  invitations with a tag: PK = TAG#<tag>
callers:
  operators: role operator
allow:
  - operators: everything
";

fn expiry(item: &Attributes) -> String {
    item["expiresAt"].as_number().unwrap().to_string()
}

#[tokio::test]
async fn lookups_and_derived_items_expire_with_their_item() {
    let world = World::new(design(DESIGN), Nothing).await;
    let invitation =
        json!({"invitationId": "i", "code": "c", "sentAt": "2026-01-01T00:00:00.000Z", "tags": ["red", "blue"]});
    world.given("Invitation", invitation).await;
    let expiries = async || world.table().await.values().map(expiry).collect::<Vec<_>>();
    assert_eq!(expiries().await, vec!["1767312000"; 4]);
    let later = world.attributes("Invitation", json!({"invitationId": "i", "sentAt": "2026-01-02T00:00:00.000Z"}));
    world.runtime.patch(&superuser(), "Invitation", later, PatchOptions::default()).await.unwrap();
    assert_eq!(expiries().await, vec!["1767398400"; 4]);
}

#[tokio::test]
async fn a_value_is_free_once_its_item_has_expired() {
    let world = World::new(design(DESIGN), Nothing).await;
    let invitation = |id: &str, sent: &str| {
        world.attributes("Invitation", json!({"invitationId": id, "code": "c", "sentAt": sent, "tags": []}))
    };
    let create =
        async |id: &str, sent: &str| world.runtime.create(&superuser(), "Invitation", invitation(id, sent)).await;
    create("i", "2026-01-01T00:00:00.000Z").await.unwrap();
    assert_eq!(violated(create("j", "2026-01-01T00:00:00.000Z").await), "code");
    world.clock.advance(86_400_000);
    assert_eq!(violated(create("j", "2026-01-02T00:00:00.000Z").await), "code");
    // A second later it has expired, although it may still be there.
    world.clock.advance(1_000);
    create("j", "2026-01-02T00:00:00.000Z").await.unwrap();
    assert_eq!(violated(create("k", "2026-01-02T00:00:00.000Z").await), "code");
    // The expired one neither takes the value back nor frees it.
    let again = world.attributes("Invitation", json!({"invitationId": "i", "sentAt": "2026-01-05T00:00:00.000Z"}));
    assert_eq!(violated(world.runtime.patch(&superuser(), "Invitation", again, PatchOptions::default()).await), "code");
    let gone = world.attributes("Invitation", json!({"invitationId": "i"}));
    world.runtime.delete(&superuser(), "Invitation", gone, DeleteOptions::default()).await.unwrap();
    assert_eq!(violated(create("k", "2026-01-02T00:00:00.000Z").await), "code");
    let gone = world.attributes("Invitation", json!({"invitationId": "j"}));
    world.runtime.delete(&superuser(), "Invitation", gone, DeleteOptions::default()).await.unwrap();
    assert_eq!(world.table().await.len(), 0);
}
