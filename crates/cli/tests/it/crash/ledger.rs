//! What the writers know of the table: what was acknowledged, and what may or may not have happened.

use std::collections::BTreeMap;

use serde_json::json;

use super::randomness::Random;
use super::table::{self, Item, Key};
use super::writer::Writer;

pub(crate) const WRITERS: usize = 64;
pub(crate) const COUNTERS: usize = 8;
pub(crate) const BALANCES: usize = 16;
pub(crate) const OPENING_BALANCE: i64 = 1_000_000;

/// One item that only one writer writes. `None` stands for its absence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub acknowledged: Option<Item>,
    /// What the item is if the last write, whose answer never came, was carried out.
    pub in_doubt: Option<Option<Item>>,
}

/// Increments of one shared counter in one round, by one writer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Increments {
    /// The values that the server answered; no two increments may have seen the same.
    pub seen: Vec<i64>,
    pub in_doubt: i64,
}

pub(crate) struct Ledger {
    pub writers: Vec<Writer>,
    /// The counters as the last audit found them.
    pub counters: [i64; COUNTERS],
}

impl Ledger {
    pub(crate) fn new(random: &mut Random) -> Self {
        Self {
            writers: (0..WRITERS).map(|number| Writer::new(number, random.fork())).collect(),
            counters: [0; COUNTERS],
        }
    }

    /// How many writes of this round were acknowledged.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.writers.iter().map(|writer| writer.acknowledged).sum()
    }

    /// Takes the table as it is for the start of the next round. What was in doubt no longer is.
    pub(crate) fn settle(&mut self, items: &BTreeMap<Key, Item>) {
        for (number, counter) in self.counters.iter_mut().enumerate() {
            *counter = items.get(&counter_key(number)).map_or(0, |item| table::number(item, "Hits"));
        }
        for writer in &mut self.writers {
            writer.begin_round(items);
        }
    }
}

pub(crate) fn counter_key(number: usize) -> Key {
    Key { partition: format!("COUNTER#{number}"), sort: "COUNTER".to_owned() }
}

pub(crate) fn balance_key(number: usize) -> Key {
    Key { partition: format!("BALANCE#{number}"), sort: "BALANCE".to_owned() }
}

/// The shared items at the start, which the writers then only update.
pub(crate) fn shared_items() -> Vec<Item> {
    let indexed = |key: Key, kind: &str, attribute: &str, value: i64| {
        table::item(json!({
            "PK": {"S": key.partition}, "SK": {"S": key.sort},
            "GSI1PK": {"S": format!("ENTITY#{kind}")}, "GSI1SK": {"S": key.partition},
            attribute: {"N": value.to_string()},
        }))
    };
    let counters = (0..COUNTERS).map(|number| indexed(counter_key(number), "COUNTER", "Hits", 0));
    let balances = (0..BALANCES).map(|number| indexed(balance_key(number), "BALANCE", "Balance", OPENING_BALANCE));
    counters.chain(balances).collect()
}
