//! What the reference says an answer must be, and whether the engine's answer is that.

use std::collections::BTreeMap;

use keyfold_dynamo::error::{CancellationCode, CancellationReason};
use keyfold_dynamo::operation::PageOutput;
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};

use crate::scene::requests::decoded;

/// What the engine answered.
#[derive(Debug)]
pub(super) enum Answered {
    Written(Option<Attributes>),
    Done,
    Item(Option<Attributes>),
    Items(BTreeMap<String, Vec<Attributes>>),
    Slots(Vec<Option<Attributes>>),
    /// The pages of each segment; of a query there is one.
    Pages(Vec<Vec<PageOutput>>),
    Described(Vec<(String, u64, u64)>),
    Failed(ServiceError),
}

#[derive(Debug)]
pub(super) enum Expected {
    Written(Option<Attributes>),
    /// Written, whatever is returned.
    WrittenAnyhow,
    Done,
    Item(Option<Attributes>),
    /// In any order.
    Items(BTreeMap<String, Vec<Attributes>>),
    Slots(Vec<Option<Attributes>>),
    Pages(Rows),
    /// The counts; those of the index named are not yet final.
    Described(Vec<(String, u64, u64)>, Option<&'static str>),
    Failed(Failure),
    /// The index is being filled: it is not read before it is done, and when that is, is not known.
    FailedOr(Failure, Box<Expected>),
}

#[derive(Debug)]
pub(super) enum Failure {
    /// The text begins with one of these.
    Validation(Vec<&'static str>),
    Condition {
        item: Option<Attributes>,
    },
    /// An error of this kind, whatever its text.
    Code(&'static str),
    /// Either the request is wrong in itself (items twice, a token used for another, index keys of a wrong type), and
    /// the service says one of it; or there are reasons.
    Transaction {
        duplicates: bool,
        mismatch: bool,
        mistyped: Vec<bool>,
        reasons: Option<Vec<Reason>>,
    },
}

#[derive(Debug)]
pub(super) enum Reason {
    None,
    Condition(Option<Attributes>),
    Validation(Vec<&'static str>),
}

/// What a query or a scan reads.
#[derive(Debug)]
pub(super) struct Rows {
    pub limit: Option<usize>,
    pub count_only: bool,
    /// The attributes of a last evaluated key.
    pub key_names: Vec<&'static str>,
    pub partition_name: &'static str,
    /// Whether `scanned` is in the order of the answer, up to equal sort keys.
    pub sorted: bool,
    pub sort_name: Option<&'static str>,
    /// The sort keys of what passed the filter.
    pub matched_sort_keys: Option<Vec<AttributeValue>>,
    pub scanned: Vec<Attributes>,
    /// What passed the filter, as it is returned.
    pub matched: Vec<Attributes>,
}

impl Failure {
    pub(super) fn validation(text: &'static str) -> Self {
        Self::Validation(vec![text])
    }
}

type Verdict = Result<(), String>;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, answered: &T) -> Verdict {
    if expected == answered {
        return Ok(());
    }
    Err(format!("{what}\n  expected {expected:?}\n  answered {answered:?}"))
}

impl Expected {
    pub(super) fn compare(&self, answered: &Answered) -> Verdict {
        match (self, answered) {
            (Self::Written(expected), Answered::Written(found)) => same("returned attributes", expected, found),
            (Self::WrittenAnyhow, Answered::Written(_)) | (Self::Done, Answered::Done) => Ok(()),
            (Self::Item(expected), Answered::Item(found)) => same("item", expected, found),
            (Self::Items(expected), Answered::Items(found)) => {
                let sorted = |items: &BTreeMap<String, Vec<Attributes>>| -> BTreeMap<String, Vec<Attributes>> {
                    items.iter().map(|(name, items)| (name.clone(), in_any_order(items))).collect()
                };
                same("items", &sorted(expected), &sorted(found))
            }
            (Self::Slots(expected), Answered::Slots(found)) => same("items", expected, found),
            (Self::Described(expected, unknown), Answered::Described(found)) => {
                let known = |counts: &[(String, u64, u64)]| -> Vec<(String, u64, u64)> {
                    counts.iter().filter(|(name, ..)| Some(name.as_str()) != *unknown).cloned().collect()
                };
                same("counts", &known(expected), &known(found))
            }
            (Self::Pages(rows), Answered::Pages(segments)) => compare_pages(rows, segments),
            (Self::FailedOr(failure, _), Answered::Failed(error)) => compare_failure(failure, error),
            (Self::FailedOr(_, otherwise), _) => otherwise.compare(answered),
            (Self::Failed(expected), Answered::Failed(error)) => compare_failure(expected, error),
            _ => Err(format!("\n  expected {self:?}\n  answered {answered:?}")),
        }
    }
}

fn in_any_order(items: &[Attributes]) -> Vec<Attributes> {
    let mut sorted = items.to_vec();
    sorted.sort_by_cached_key(|item| format!("{item:?}"));
    sorted
}

fn compare_failure(expected: &Failure, error: &ServiceError) -> Verdict {
    let fits = match (expected, error) {
        (Failure::Validation(texts), ServiceError::Validation(text)) => begins_with_any(text, texts),
        (Failure::Condition { item }, ServiceError::ConditionalCheckFailed { item: found }) => {
            item == found && error.to_string() == "The conditional request failed"
        }
        (Failure::Code(code), error) => error.code() == *code,
        (Failure::Transaction { mismatch, .. }, ServiceError::IdempotentParameterMismatch(_)) => *mismatch,
        (Failure::Transaction { duplicates, .. }, ServiceError::Validation(text)) => {
            *duplicates && text == "Transaction request cannot include multiple operations on one item"
        }
        (Failure::Transaction { reasons: None, mistyped, .. }, ServiceError::TransactionCanceled { reasons }) => {
            // Whether the conditions of the other actions are looked at then, is not documented.
            mistyped.len() == reasons.len()
                && mistyped.iter().zip(reasons).all(|(wrong, reason)| match reason.code {
                    CancellationCode::ValidationError => *wrong,
                    CancellationCode::None | CancellationCode::ConditionalCheckFailed => !wrong,
                    _ => false,
                })
        }
        (Failure::Transaction { reasons: Some(expected), .. }, ServiceError::TransactionCanceled { reasons }) => {
            expected.len() == reasons.len()
                && expected.iter().zip(reasons).all(|(one, two)| same_reason(one, two))
                && error.to_string() == cancellation_text(reasons)
        }
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("\n  expected {expected:?}\n  answered {error:?}")) }
}

fn cancellation_text(reasons: &[CancellationReason]) -> String {
    let codes: Vec<&str> = reasons.iter().map(|reason| reason.code.as_str()).collect();
    format!("Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", codes.join(", "))
}

fn begins_with_any(text: &str, beginnings: &[&'static str]) -> bool {
    beginnings.iter().any(|beginning| text.starts_with(beginning))
}

fn same_reason(expected: &Reason, found: &CancellationReason) -> bool {
    let message = found.message.as_deref();
    match expected {
        Reason::None => *found == CancellationReason::NONE,
        Reason::Condition(item) => {
            found.code == CancellationCode::ConditionalCheckFailed
                && message == Some("The conditional request failed")
                && found.item == *item
        }
        Reason::Validation(texts) => {
            found.code == CancellationCode::ValidationError
                && message.is_some_and(|message| begins_with_any(message, texts))
                && found.item.is_none()
        }
    }
}

fn compare_pages(rows: &Rows, segments: &[Vec<PageOutput>]) -> Verdict {
    let pages = || segments.iter().flatten();
    same("scanned count", &rows.scanned.len(), &pages().map(|page| page.scanned_count).sum())?;
    same("count", &rows.matched.len(), &pages().map(|page| page.count).sum())?;
    for segment in segments {
        check_page_sizes(rows, segment)?;
    }
    let last_keys: Vec<&Attributes> = pages().filter_map(|page| page.last_evaluated_key.as_ref()).collect();
    check_last_keys(rows, &last_keys)?;
    if rows.count_only {
        return if pages().all(|page| page.items.is_none()) { Ok(()) } else { Err("items in a count".to_owned()) };
    }
    if pages().any(|page| page.items.as_ref().map(Vec::len) != Some(page.count)) {
        return Err("a page counts other items than it has".to_owned());
    }
    let items: Vec<Attributes> = pages().filter_map(|page| page.items.clone()).flatten().map(decoded).collect();
    same("items", &in_any_order(&rows.matched), &in_any_order(&items))?;
    if rows.sorted { check_order(rows, &items) } else { check_partitions(rows, &items) }
}

/// Every page but the last is full and says where to go on; one that is exactly full is followed by another.
fn check_page_sizes(rows: &Rows, pages: &[PageOutput]) -> Verdict {
    let scanned: usize = pages.iter().map(|page| page.scanned_count).sum();
    let expected_pages = rows.limit.map_or(1, |limit| scanned / limit + 1);
    same("number of pages", &expected_pages, &pages.len())?;
    for (number, page) in pages.iter().enumerate() {
        let is_last = number + 1 == pages.len();
        same("whether a page is the last", &is_last, &page.last_evaluated_key.is_none())?;
        if !is_last {
            same("scanned count of a full page", &rows.limit.unwrap_or(0), &page.scanned_count)?;
        }
    }
    Ok(())
}

fn check_last_keys(rows: &Rows, last_keys: &[&Attributes]) -> Verdict {
    for (number, key) in last_keys.iter().enumerate() {
        let names: Vec<&str> = key.keys().map(String::as_str).collect();
        same("attributes of a last evaluated key", &rows.key_names, &names)?;
        let is_of = |item: &Attributes| rows.key_names.iter().all(|name| item.get(*name) == key.get(*name));
        if !rows.scanned.iter().any(is_of) {
            return Err(format!("a last evaluated key of no item: {key:?}"));
        }
        if last_keys.iter().take(number).any(|earlier| earlier == key) {
            return Err(format!("a last evaluated key for the second time: {key:?}"));
        }
        if let (true, Some(sort), Some(limit)) = (rows.sorted, rows.sort_name, rows.limit) {
            let last_read = &rows.scanned[(number + 1) * limit - 1];
            same("sort key of a last evaluated key", &last_read[sort], &key[sort])?;
        }
    }
    Ok(())
}

/// Equal sort keys may come in any order.
fn check_order(rows: &Rows, items: &[Attributes]) -> Verdict {
    let Some(sort_keys) = &rows.matched_sort_keys else { return Ok(()) };
    let distinct = sort_keys.windows(2).all(|pair| pair[0] != pair[1]);
    if distinct {
        return same("order of items", &rows.matched.as_slice(), &items);
    }
    match rows.sort_name {
        Some(name) if items.iter().all(|item| item.contains_key(name)) => {
            let found: Vec<AttributeValue> = items.iter().map(|item| item[name].clone()).collect();
            same("order of sort keys", sort_keys, &found)
        }
        _ => Ok(()),
    }
}

/// A scan gives the items of one partition together.
fn check_partitions(rows: &Rows, items: &[Attributes]) -> Verdict {
    let partitions: Option<Vec<&AttributeValue>> = items.iter().map(|item| item.get(rows.partition_name)).collect();
    let Some(mut partitions) = partitions else { return Ok(()) };
    partitions.dedup();
    for (number, partition) in partitions.iter().enumerate() {
        if partitions.iter().take(number).any(|earlier| earlier == partition) {
            return Err(format!("the partition {partition:?} is scattered over a scan"));
        }
    }
    Ok(())
}
