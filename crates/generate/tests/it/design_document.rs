//! The design document says what a reader cannot see from the key condition alone.

use keyfold_generate::{Input, Target, generate};

const DESIGN: &str = "
design: shop
table: shop
entities:
  Customer:
    PK: CUSTOMER#<customerId>
    SK: METADATA
    delete: cascade when asked
    attributes:
      customerId: string
  Order:
    PK: CUSTOMER#<customerId>
    SK: ORDER#<orderId>
    attributes:
      customerId: string, refers to Customer
      orderId: ulid
patterns:
  last orders: PK = CUSTOMER#<customerId> and begins_with(SK, ORDER#), newest first
  number of orders: PK = CUSTOMER#<customerId> and begins_with(SK, ORDER#), count
allow: [{signed in: everything}]
";

fn markdown() -> String {
    let design = keyfold_design::load("shop.yaml", DESIGN).unwrap_or_else(|found| panic!("{found:?}")).0;
    generate(Target::Markdown, &Input::new(&design)).remove(0).text
}

#[track_caller]
fn has(text: &str) {
    let markdown = markdown();
    assert!(markdown.contains(text), "{markdown}");
}

#[test]
fn patterns_have_their_order_and_count() {
    has("| last orders | Table | `PK = CUSTOMER#<customerId> and begins_with(SK, ORDER#)`, descending | Order |");
    has(
        "| number of orders | Table | `PK = CUSTOMER#<customerId> and begins_with(SK, ORDER#)` | number of Order items |",
    );
}

#[test]
fn a_reference_says_that_a_cascade_can_be_requested() {
    has("refers to Customer, which cannot be deleted while referenced unless a cascade is requested");
}
