//! How long decisions take: `cargo test --profile checks -p keyfold-policy --test speed -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::hint::black_box;
use std::time::Instant;

use keyfold_design::model::Verb;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_policy::Policies;
use keyfold_runtime::{Access, Authorizer, Caller};
use support::*;

/// The median of several rounds, in nanoseconds each.
fn measure(name: &str, mut work: impl FnMut()) {
    let mut rounds: Vec<u128> = (0..9)
        .map(|_| {
            let start = Instant::now();
            (0..2_000).for_each(|_| work());
            start.elapsed().as_nanos() / 2_000
        })
        .collect();
    rounds.sort_unstable();
    println!("{name:<60} {:>8} ns (fastest {})", rounds[4], rounds[0]);
}

#[test]
#[ignore = "prints times, which depend on the machine"]
fn decisions() {
    for name in DESIGNS {
        let (design, text) = load(name);
        let start = Instant::now();
        let policies = Policies::compile(&design, &text, &[]).unwrap();
        println!("{name}: compiled in {:?}, {} policies", start.elapsed(), policies.stated().count());
    }
    let (design, policies) = compiled("catalogue");
    let ada = Caller {
        roles: vec!["manager".to_owned(), "staff".to_owned()],
        groups: vec!["Squash".to_owned()],
        ..Caller::member("t", "ada")
    };
    let access = |name: &str, verb| Access { caller: &ada, verb, entity: entity(&design, name), pattern: None };
    let (site, rating, player) =
        (access("Site", Verb::Get), access("Rating", Verb::Update), access("Player", Verb::Update));
    measure("anyone, decided when compiled", || {
        black_box(policies.decide(&site));
    });
    measure("role and group, asked before", || {
        black_box(policies.decide(&player));
    });
    measure("role and group, asked of Cedar with the rule", || drop(black_box(policies.explain(&player, None))));
    let text = |value: &str| AttributeValue::S(value.to_owned());
    let item = Attributes::from([
        ("user".to_owned(), text("ada")),
        ("site".to_owned(), text("s")),
        ("note".to_owned(), text("n")),
    ]);
    measure("the owner, one item", || assert!(policies.decide_item(&rating, &item)));
    let other = Attributes::from([("user".to_owned(), text("bob"))]);
    measure("the owner, one item of someone else", || assert!(!policies.decide_item(&rating, &other)));
    measure("the owner, one item, with the rule", || drop(black_box(policies.explain(&rating, Some(&item)))));

    let file = "forbid (principal, action, resource is Rating) when { resource.updatedAt < datetime(\"2020-01-01\") && resource.stars > 3 };";
    let policies = with_file(&design, "extra.cedar", file).unwrap();
    let stars = AttributeValue::N(keyfold_dynamo::Number::parse("3").unwrap());
    let mut dated = item.clone();
    dated.extend([("updatedAt".to_owned(), text("2026-11-15T08:00:00.000Z")), ("stars".to_owned(), stars)]);
    measure("the owner and a forbid with a date and a number, one item", || {
        assert!(policies.decide_item(&rating, &dated))
    });
}
