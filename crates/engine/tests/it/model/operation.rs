//! What a sequence is made of.

use keyfold_dynamo::operation::ReturnValues;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::model::condition::Condition;
use crate::model::path::Path;
use crate::model::update::Update;

#[derive(Debug, Clone)]
pub(super) enum Operation {
    Write(Write, ReturnValues),
    BatchWrite(Vec<(&'static str, Change)>),
    Transact(Vec<Write>, Option<&'static str>),
    Get(Get),
    BatchGet(Vec<Get>),
    TransactGet(Vec<Get>),
    Query(Query),
    Scan(Scan),
    /// The counts and bytes of all tables and indexes.
    Describe,
    /// Adds the index that a table does not have from the beginning; filling it takes until the next `Maintain`.
    AddIndex,
    DropIndex,
    /// Does to the end what otherwise happens in the background.
    Maintain,
    /// Closes the engine and opens it again.
    Reopen,
}

#[derive(Debug, Clone)]
pub(super) struct Write {
    pub table: &'static str,
    pub change: Change,
    pub condition: Option<Condition>,
    pub old_on_failure: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Change {
    Put(Attributes),
    Update(Attributes, Option<Update>),
    Delete(Attributes),
    /// In transactions only.
    Check(Attributes),
}

#[derive(Debug, Clone)]
pub(super) struct Get {
    pub table: &'static str,
    pub key: Attributes,
    pub projection: Option<Vec<Path>>,
}

/// What Query and Scan have in common.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub table: &'static str,
    pub index: Option<&'static str>,
    pub limit: Option<usize>,
    pub filter: Option<Condition>,
    pub projection: Option<Vec<Path>>,
    pub count_only: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Query {
    pub reading: Reading,
    pub partition: AttributeValue,
    pub sort: Option<SortTest>,
    pub forward: bool,
}

#[derive(Debug, Clone)]
pub(super) enum SortTest {
    Compare(&'static str, AttributeValue),
    Between(AttributeValue, AttributeValue),
    BeginsWith(AttributeValue),
}

#[derive(Debug, Clone)]
pub(super) struct Scan {
    pub reading: Reading,
    /// The number of segments, all of which are read.
    pub segments: Option<usize>,
}
