//! Checking a design, and what the model of a design costs per item.

use crate::{Outcome, large_design, statistics::median};
use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use std::{hint::black_box, time::Instant};

const PLATFORM: &str = include_str!("../../designs/platform/design.yaml");
/// So many calls make up one measured value of an operation that takes microseconds.
const CALLS: u32 = 20_000;

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct DesignOptions {
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// Entities of the generated design.
    #[arg(long, default_value_t = 500)]
    entities: usize,
}

pub(crate) fn run(options: &DesignOptions) -> Outcome<()> {
    let large = large_design::generated(options.entities);
    let check = |text: &str| {
        let times: Vec<f64> = (0..options.rounds)
            .map(|_| {
                let start = Instant::now();
                let _ = black_box(keyfold_design::load("design.yaml", black_box(text)));
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        median(&times)
    };
    println!("checking platform: {:.2} ms; target below 20 ms", check(PLATFORM));
    println!("checking {} generated entities: {:.0} ms; target below 500 ms for 500", options.entities, check(&large));
    let (design, _) = keyfold_design::load("design.yaml", PLATFORM).map_err(|_| "platform does not check")?;
    operations(&design, options.rounds)
}

/// What the runtime does with the model for each item.
fn operations(design: &Design, rounds: usize) -> Outcome<()> {
    let license = design.entity_named("License").ok_or("there is no License")?;
    let item = license_item();
    let stored: Attributes = item.clone().into_iter().chain(license.layout.compute(|name| item.get(name))?).collect();
    let rule = license.must_hold.first().ok_or("License has no rule")?;
    let time = |what: &str, call: &dyn Fn()| {
        let times: Vec<f64> = (0..rounds)
            .map(|_| {
                let start = Instant::now();
                for _ in 0..CALLS {
                    call();
                }
                start.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS)
            })
            .collect();
        println!("{what}: {:.2} µs", median(&times));
    };
    time("the table's key of an item", &|| {
        let _ = black_box(license.layout.key(|name| item.get(name)));
    });
    time("all keys of an item, in three indexes", &|| {
        let _ = black_box(license.layout.compute(|name| item.get(name)));
    });
    time("recognizing an item among all entities", &|| {
        black_box(design.recognize(&stored));
    });
    time("reading an item's key back", &|| {
        black_box(license.read_key(&stored));
    });
    time("a rule over two attributes", &|| {
        let _ = black_box(rule.expression.evaluate(|name| item.get(name)));
    });
    Ok(())
}

fn license_item() -> Attributes {
    let id = "01K9ZV0000000000000000AAAA";
    let texts = [
        ("accountId", id),
        ("licenseId", id),
        ("enterpriseId", id),
        ("status", "active"),
        ("startDate", "2026-01-01"),
        ("endDate", "2026-12-31"),
    ];
    let mut item: Attributes =
        texts.into_iter().map(|(name, value)| (name.to_owned(), AttributeValue::S(value.to_owned()))).collect();
    item.insert("seats".to_owned(), AttributeValue::N(Number::from(25_u64)));
    item
}
