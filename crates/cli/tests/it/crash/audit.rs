//! Compares the table with what the writers know, and with itself.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_conformance::Endpoint;

use super::ledger::{BALANCES, COUNTERS, Ledger, OPENING_BALANCE, balance_key, counter_key, shared_items};
use super::table::{self, INDEXES, Item, Key};
use super::writer::is_transfer;

/// What an audit found to be wrong.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    /// Acknowledged writes that are not there.
    pub lost: Vec<String>,
    /// Items that nobody wrote, half transactions, indexes that differ from their items.
    pub inconsistent: Vec<String>,
}

impl Findings {
    pub(crate) fn is_clean(&self) -> bool {
        self.lost.is_empty() && self.inconsistent.is_empty()
    }
}

/// Audits the table and then takes it as the ledger's new start.
pub(crate) fn audit(endpoint: &Endpoint, ledger: &mut Ledger) -> Findings {
    let mut findings = Findings::default();
    let Some(description) = table::description(endpoint) else {
        findings.lost.push("the whole table".to_owned());
        return findings;
    };
    let items = by_key(table::scan(endpoint, None), "the table", &mut findings);
    compare_owned_items(&items, ledger, &mut findings);
    compare_counters(&items, ledger, &mut findings);
    compare_balances(&items, &mut findings);
    for index in INDEXES {
        compare_index(endpoint, index, &items, &mut findings);
    }
    let counted = description["ItemCount"].as_u64();
    if counted != Some(items.len() as u64) {
        let what = format!("DescribeTable counts {counted:?} items, a scan {}", items.len());
        findings.inconsistent.push(what);
    }
    ledger.settle(&items);
    findings
}

fn by_key(rows: Vec<Item>, place: &str, findings: &mut Findings) -> BTreeMap<Key, Item> {
    let mut found = BTreeMap::new();
    for row in rows {
        let key = Key::of(&row);
        if found.insert(key.clone(), row).is_some() {
            findings.inconsistent.push(format!("{place} holds {key:?} twice"));
        }
    }
    found
}

fn compare_owned_items(items: &BTreeMap<Key, Item>, ledger: &Ledger, findings: &mut Findings) {
    let mut explained: BTreeSet<Key> = shared_items().iter().map(Key::of).collect();
    for (key, known) in ledger.writers.iter().flat_map(|writer| &writer.known) {
        let actual = items.get(key);
        let in_doubt = known.in_doubt.as_ref().map(Option::as_ref);
        if actual != known.acknowledged.as_ref() && Some(actual) != in_doubt {
            findings.lost.push(format!(
                "{key:?}: acknowledged {}, in doubt {}, found {}",
                shown(known.acknowledged.as_ref()),
                in_doubt.map_or("nothing".to_owned(), shown),
                shown(actual),
            ));
        }
        explained.insert(key.clone());
    }
    for key in items.keys().filter(|key| !explained.contains(key)) {
        findings.inconsistent.push(format!("{key:?} is there, though nobody wrote it"));
    }
}

fn shown(item: Option<&Item>) -> String {
    item.map_or("absence".to_owned(), |item| {
        let mut short = item.clone();
        short.remove("Payload");
        serde_json::Value::Object(short).to_string()
    })
}

fn compare_counters(items: &BTreeMap<Key, Item>, ledger: &Ledger, findings: &mut Findings) {
    for number in 0..COUNTERS {
        let increments = || ledger.writers.iter().map(|writer| &writer.increments[number]);
        let acknowledged: i64 = increments().map(|round| round.seen.len() as i64).sum();
        let in_doubt: i64 = increments().map(|round| round.in_doubt).sum();
        let distinct: BTreeSet<i64> = increments().flat_map(|round| round.seen.iter().copied()).collect();
        if distinct.len() as i64 != acknowledged {
            let what = format!("counter {number}: {acknowledged} increments saw {} values", distinct.len());
            findings.inconsistent.push(what);
        }
        let actual = items.get(&counter_key(number)).map_or(0, |item| table::number(item, "Hits"));
        let grown = actual - ledger.counters[number];
        let highest = distinct.last().copied().unwrap_or_default();
        if grown < acknowledged || actual < highest {
            findings.lost.push(format!(
                "counter {number} grew by {grown} to {actual}; acknowledged: {acknowledged}, up to {highest}"
            ));
        }
        if grown > acknowledged + in_doubt {
            let what = format!("counter {number} grew by {grown}, of which {in_doubt} in doubt, {acknowledged} known");
            findings.inconsistent.push(what);
        }
    }
}

/// Each balance is what its transfers, standing and settled, make it; a half transaction would break this.
fn compare_balances(items: &BTreeMap<Key, Item>, findings: &mut Findings) {
    let mut expected = [OPENING_BALANCE; BALANCES];
    let mut actual = [0; BALANCES];
    for number in 0..BALANCES {
        let Some(item) = items.get(&balance_key(number)) else {
            findings.lost.push(format!("balance {number}"));
            continue;
        };
        actual[number] = table::number(item, "Balance");
        expected[number] += table::number(item, "SettledTo") - table::number(item, "SettledFrom");
    }
    for transfer in items.iter().filter(|(key, _)| is_transfer(key)).map(|(_, item)| item) {
        let amount = table::number(transfer, "Amount");
        expected[table::number(transfer, "From") as usize] -= amount;
        expected[table::number(transfer, "To") as usize] += amount;
    }
    if actual != expected {
        findings.inconsistent.push(format!("balances are {actual:?}, their transfers make them {expected:?}"));
    }
    let (sum, start) = (actual.iter().sum::<i64>(), OPENING_BALANCE * BALANCES as i64);
    if sum != start {
        findings.inconsistent.push(format!("balances sum up to {sum}, not {start}"));
    }
}

fn compare_index(endpoint: &Endpoint, index: &str, items: &BTreeMap<Key, Item>, findings: &mut Findings) {
    let expected: BTreeMap<Key, Item> =
        items.iter().filter_map(|(key, item)| Some((key.clone(), table::index_row(index, item)?))).collect();
    let scanned = by_key(table::scan(endpoint, Some(index)), index, findings);
    compare_rows(&format!("a scan of {index}"), &scanned, &expected, findings);

    let partition_name = format!("{index}PK");
    let sort_name = format!("{index}SK");
    let mut partitions: BTreeMap<&str, BTreeMap<Key, Item>> = BTreeMap::new();
    for (key, row) in &expected {
        partitions.entry(table::text(row, &partition_name)).or_default().insert(key.clone(), row.clone());
    }
    for (partition, expected) in partitions {
        let rows = table::query(endpoint, index, partition);
        let sorts: Vec<&str> = rows.iter().map(|row| table::text(row, &sort_name)).collect();
        if !sorts.is_sorted() {
            findings.inconsistent.push(format!("a query of {index} for {partition} is out of order"));
        }
        let found = by_key(rows, index, findings);
        compare_rows(&format!("a query of {index} for {partition}"), &found, &expected, findings);
    }
}

pub(crate) fn compare_rows(
    place: &str,
    found: &BTreeMap<Key, Item>,
    expected: &BTreeMap<Key, Item>,
    findings: &mut Findings,
) {
    for (key, row) in expected.iter().filter(|(key, row)| found.get(key) != Some(row)) {
        let what = format!("{place} holds for {key:?} {}, not {}", shown(found.get(key)), shown(Some(row)));
        findings.inconsistent.push(what);
    }
    for key in found.keys().filter(|key| !expected.contains_key(key)) {
        findings.inconsistent.push(format!("{place} holds {key:?}, which no item accounts for"));
    }
}
