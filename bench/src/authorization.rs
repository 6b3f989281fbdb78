//! Decisions about items: the evaluator of `allow` rules against Cedar evaluating the same rules as exported policies.

use crate::{Outcome, statistics::median};
use keyfold_design::Design;
use keyfold_design::model::Verb;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_policy::Policies;
use keyfold_runtime::{Access, Authorizer, Caller, DesignRules};
use std::{hint::black_box, sync::Arc, time::Instant};

/// Decisions that make up one measured value.
const CALLS: u32 = 5_000;

const ORDERS: &str = "
design: orders
table: orders
entities:
  Order:
    owner: buyer
    PK: ORDER#<orderId>
    SK: METADATA
    attributes: {orderId: string, buyer: string, status: open | closed, seats: integer, due: date}
patterns:
  order: PK = ORDER#<orderId>
allow:
  - the owner: get Order
  - the owner: update Order when status == \"open\" && seats < 10
  - anyone: delete Order when due < \"2026-01-01\" && status != \"open\"
  - role manager and the owner: list Order
";

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct AuthorizationOptions {
    #[arg(long, default_value_t = 9)]
    rounds: usize,
}

pub(crate) fn run(options: &AuthorizationOptions) -> Outcome<()> {
    let design = Arc::new(load()?);
    let exported = Policies::compile(&design, ORDERS, &[]).map_err(|_| "the rules do not compile")?;
    let file = ("exported.cedar".to_owned(), exported.policies_text().to_owned());
    // A design without rules, so that Cedar alone decides.
    let mut bare = load()?;
    bare.rules.clear();
    let cedar = Policies::compile(&Arc::new(bare), "", &[file]).map_err(|_| "the exported rules do not compile")?;
    let rules = DesignRules::new(Arc::clone(&design));
    let caller = Caller { roles: vec!["manager".to_owned()], ..Caller::member("acme", "ada") };
    let entity = design.entity_named("Order").ok_or("there is no Order")?;
    let item = order();
    println!("per item, median of {} rounds: evaluator, Cedar, ratio", options.rounds);
    for (name, verb) in [
        ("the owner", Verb::Get),
        ("the owner, by role", Verb::List),
        ("the owner, when two attributes", Verb::Update),
        ("anyone, when a date and a text", Verb::Delete),
    ] {
        let access = Access { caller: &caller, verb, entity, pattern: None };
        if rules.decide_item(&access, &item) != cedar.decide_item(&access, &item) {
            return Err(format!("`{name}`: the evaluator and Cedar disagree").into());
        }
        let times = [&rules as &dyn Authorizer, &cedar].map(|authorizer| {
            let rounds: Vec<f64> = (0..options.rounds).map(|_| nanoseconds(authorizer, &access, &item)).collect();
            median(&rounds)
        });
        let [native, by_cedar] = times;
        println!("{name:<34} {native:>8.0} ns {by_cedar:>8.0} ns {:>6.1}", by_cedar / native);
    }
    Ok(())
}

fn load() -> Outcome<Design> {
    Ok(Design::load("orders.yaml", ORDERS).map_err(|_| "the design does not check")?.0)
}

fn nanoseconds(authorizer: &dyn Authorizer, access: &Access<'_>, item: &Attributes) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        black_box(authorizer.decide_item(black_box(access), black_box(item)));
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
}

fn order() -> Attributes {
    let texts = [("orderId", "o-1"), ("buyer", "ada"), ("status", "open"), ("due", "2026-11-15")];
    let mut item: Attributes =
        texts.into_iter().map(|(name, value)| (name.to_owned(), AttributeValue::S(value.to_owned()))).collect();
    item.insert("seats".to_owned(), AttributeValue::N(Number::ZERO));
    item
}
