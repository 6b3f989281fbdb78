//! How two runs of one scenario differ.

use keyfold_design::Design;
use keyfold_dynamo::error::CancellationReason;
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};

use crate::designs_on_backends::play::Run;
use crate::designs_on_backends::recording::{Exchange, Page, Told};

/// How exactly a service does what the engine does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exactness {
    Everything,
    /// Except for what DynamoDB leaves open or documents otherwise than DynamoDB Local does it.
    AsDynamoDbLocal,
    /// What the scenario says and what is stored in the end.
    Outcome,
}

pub(super) fn between(design: &Design, expected: &Run, found: &Run, exactness: Exactness) -> Option<String> {
    if let Some(broken) = &expected.broken {
        return Some(format!("broken in process: {broken}"));
    }
    if let Some(broken) = &found.broken {
        return Some(format!("broken on the service: {broken}"));
    }
    if let Some(text) = between_exchanges(design, &expected.exchanges, &found.exchanges, exactness) {
        return Some(text);
    }
    (expected.stored != found.stored).then(|| {
        let differs = |(key, item): &(&String, &Attributes)| found.stored.get(*key) != Some(*item);
        let missing: Vec<_> = expected.stored.iter().filter(differs).collect();
        let differs = |(key, item): &(&String, &Attributes)| expected.stored.get(*key) != Some(*item);
        let surplus: Vec<_> = found.stored.iter().filter(differs).collect();
        format!("stored in process\n  {missing:?}\nand on the service\n  {surplus:?}")
    })
}

fn between_exchanges(
    design: &Design,
    expected: &[Exchange],
    found: &[Exchange],
    exactness: Exactness,
) -> Option<String> {
    for (number, (one, two)) in expected.iter().zip(found).enumerate() {
        let same = match exactness {
            Exactness::Everything => one == two,
            Exactness::AsDynamoDbLocal => {
                one.asked == two.asked && is_same_but_for_local(design, &one.answer, &two.answer)
            }
            Exactness::Outcome => return None,
        };
        if !same {
            return Some(format!("request {}, in process\n  {one:?}\nand on the service\n  {two:?}", number + 1));
        }
        if one.answer.items() != two.answer.items() {
            // What is asked for next follows from the order of these items. The answers of the scenario and what is
            // stored in the end are compared all the same.
            return None;
        }
    }
    let (expected, found) = (expected.len(), found.len());
    (expected != found).then(|| format!("{expected} requests in process, and {found} on the service"))
}

fn is_same_but_for_local(design: &Design, one: &Told, two: &Told) -> bool {
    match (one, two) {
        (Told::Page(one), Told::Page(two)) => {
            let same_key = sort_values(design, one) == sort_values(design, two);
            let same_items = match one.last == two.last {
                true => in_any_order(one) == in_any_order(two),
                // The page ends among items with the same key.
                false => one.last.is_some() && two.last.is_some(),
            };
            let same = if one.index.is_some() { same_key && same_items } else { one == two };
            same && (one.counts, one.units) == (two.counts, two.units)
        }
        // DynamoDB Local leaves what a transaction writes to indexes out of its capacity.
        (Told::Other { text: one, .. }, Told::Other { text: two, .. }) => one == two,
        (Told::Failed(one), Told::Failed(two)) => without_dots(one) == without_dots(two),
        (one, two) => one == two,
    }
}

/// Items with the same key in an index have no order among themselves.
fn in_any_order(page: &Page) -> Vec<String> {
    let mut items: Vec<String> = page.items.iter().map(|item| format!("{item:?}")).collect();
    items.sort();
    items
}

/// The values of an index's sort key, item by item.
fn sort_values(design: &Design, page: &Page) -> Vec<Option<AttributeValue>> {
    let index = design.indexes.iter().find(|index| Some(&index.name) == page.index.as_ref());
    let names: Vec<&str> = index.iter().flat_map(|index| &index.sort).map(|key| key.name.as_str()).collect();
    page.items.iter().flat_map(|item| names.iter().map(|name| item.get(*name).cloned())).collect()
}

/// DynamoDB Local ends the text of some failed checks with a dot.
fn without_dots(error: &ServiceError) -> ServiceError {
    match error {
        ServiceError::TransactionCanceled { reasons } => {
            let without_dot = |reason: &CancellationReason| CancellationReason {
                message: reason.message.as_ref().map(|text| text.trim_end_matches('.').to_owned()),
                ..reason.clone()
            };
            ServiceError::TransactionCanceled { reasons: reasons.iter().map(without_dot).collect() }
        }
        error => error.clone(),
    }
}
