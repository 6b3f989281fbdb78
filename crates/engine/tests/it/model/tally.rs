//! How often each kind of answer came, so that a generator that misses one is noticed.

use std::collections::BTreeMap;

use keyfold_dynamo::error::{CancellationCode, ServiceError};

use crate::model::expected::Answered;

#[derive(Default, Debug)]
pub(super) struct Tally(BTreeMap<&'static str, usize>);

impl Tally {
    pub(super) fn add(&mut self, answered: &Answered) {
        let mut count = |kind| *self.0.entry(kind).or_default() += 1;
        match answered {
            Answered::Written(None) => count("write without attributes"),
            Answered::Written(Some(_)) => count("write with attributes"),
            Answered::Item(None) => count("get of nothing"),
            Answered::Item(Some(_)) => count("get of an item"),
            Answered::Pages(segments) => {
                let pages = || segments.iter().flatten();
                if pages().count() > segments.len() {
                    count("read in pages");
                }
                if pages().any(|page| page.count > 0) {
                    count("read of items");
                }
                if pages().any(|page| page.count > 0 && page.scanned_count > page.count) {
                    count("read of items with a filter");
                }
            }
            Answered::Failed(error) => self.add_error(error),
            _ => {}
        }
    }

    fn add_error(&mut self, error: &ServiceError) {
        let mut count = |kind| *self.0.entry(kind).or_default() += 1;
        match error {
            ServiceError::Validation(text) => count(match text.split([' ', ':']).nth(1) {
                Some("operand") => "operand of a wrong type",
                Some("provided") => "absent attribute",
                Some("document") => "invalid path",
                Some("request") => "duplicates in a transaction",
                Some("list") => "duplicates in a batch",
                Some("table") => "index that is not there",
                Some("read") => "index that is being filled",
                Some("to") => "index that is there already",
                _ => "index key of a wrong type",
            }),
            ServiceError::ConditionalCheckFailed { item: None } => count("failed condition"),
            ServiceError::ConditionalCheckFailed { item: Some(_) } => count("failed condition with the item"),
            ServiceError::TransactionCanceled { reasons } => {
                for reason in reasons {
                    match reason.code {
                        CancellationCode::ConditionalCheckFailed => count("cancelled by a condition"),
                        CancellationCode::ValidationError => count("cancelled by a wrong update"),
                        _ => {}
                    }
                }
            }
            ServiceError::ResourceNotFound(_) => count("index that is not there"),
            ServiceError::IdempotentParameterMismatch(_) => count("token used for another transaction"),
            other => panic!("not an answer that was expected anywhere: {other:?}"),
        }
    }

    /// Every kind came at least so often.
    pub(super) fn assert_each(&self, least: usize) {
        let kinds = [
            "write without attributes",
            "write with attributes",
            "get of nothing",
            "get of an item",
            "read in pages",
            "read of items",
            "read of items with a filter",
            "operand of a wrong type",
            "absent attribute",
            "invalid path",
            "duplicates in a transaction",
            "duplicates in a batch",
            "index key of a wrong type",
            "failed condition",
            "failed condition with the item",
            "cancelled by a condition",
            "cancelled by a wrong update",
            "token used for another transaction",
            "index that is not there",
            "index that is being filled",
        ];
        for kind in kinds {
            let count = self.0.get(kind).copied().unwrap_or(0);
            assert!(count >= least, "only {count} times: {kind}, in {:?}", self.0);
        }
    }
}
