//! The measured operations, as pools of prepared requests.

use super::{load::RequestSource, request::request_bytes};
use crate::dataset::{License, PARTITION_ITEMS, account_partition, enterprise_partition, license_sort_key};
use keyfold_environment::SplitMix64;

/// The table every endpoint is loaded with.
pub(crate) const TABLE: &str = "keyfold_bench_app_data";

/// A measured operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Workload {
    GetItem,
    Query,
    QueryIndex,
    PutItem,
    UpdateItem,
    TransactWrite,
}

impl Workload {
    /// Reads first: writes leave background work behind.
    pub(crate) const ALL: [Self; 6] =
        [Self::GetItem, Self::Query, Self::QueryIndex, Self::PutItem, Self::UpdateItem, Self::TransactWrite];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::GetItem => "GetItem",
            Self::Query => "Query of 20",
            Self::QueryIndex => "Query of 20 through a GSI",
            Self::PutItem => "PutItem",
            Self::UpdateItem => "UpdateItem",
            Self::TransactWrite => "TransactWriteItems of 4",
        }
    }

    fn operation(self) -> &'static str {
        match self {
            Self::GetItem => "GetItem",
            Self::Query | Self::QueryIndex => "Query",
            Self::PutItem => "PutItem",
            Self::UpdateItem => "UpdateItem",
            Self::TransactWrite => "TransactWriteItems",
        }
    }

    /// What every good response contains.
    fn sign_of_success(self) -> &'static [u8] {
        match self {
            Self::GetItem => b"\"Item\"",
            Self::Query | Self::QueryIndex => b"\"Count\":20",
            Self::PutItem | Self::UpdateItem | Self::TransactWrite => b"{",
        }
    }

    /// How many different requests there are for a data set.
    fn pool_size(self, total: u64) -> u64 {
        match self {
            Self::GetItem | Self::PutItem | Self::UpdateItem => total,
            Self::Query | Self::QueryIndex => total / PARTITION_ITEMS,
            Self::TransactWrite => total / 4,
        }
    }

    fn body(self, number: u64, total: u64, revision: u64) -> String {
        match self {
            Self::GetItem => format!("{{\"TableName\":\"{TABLE}\",\"Key\":{}}}", key(number)),
            Self::Query => format!(
                "{{\"TableName\":\"{TABLE}\",\"KeyConditionExpression\":\"PK = :pk\",\
                 \"ExpressionAttributeValues\":{{\":pk\":{{\"S\":\"{}\"}}}}}}",
                account_partition(number * PARTITION_ITEMS)
            ),
            Self::QueryIndex => format!(
                "{{\"TableName\":\"{TABLE}\",\"IndexName\":\"GSI2\",\"KeyConditionExpression\":\"GSI2PK = :pk\",\
                 \"ExpressionAttributeValues\":{{\":pk\":{{\"S\":\"{}\"}}}}}}",
                enterprise_partition(number)
            ),
            Self::PutItem => {
                format!("{{\"TableName\":\"{TABLE}\",\"Item\":{}}}", License::new(number, total).json(revision))
            }
            Self::UpdateItem => format!("{{{}}}", update(number, revision)),
            Self::TransactWrite => transaction(number, total, revision),
        }
    }

    /// Requests of this workload against one host, for at most `most` different items spread over a data set.
    pub(crate) fn pool(self, host: &str, most: u64, total: u64, revision: u64) -> RequestPool {
        let available = self.pool_size(total);
        let prepared = self.pool_size(most.min(total)).max(1);
        let requests = (0..prepared)
            .map(|number| {
                let spread = number * available / prepared;
                request_bytes(host, self.operation(), &self.body(spread, total, revision))
            })
            .collect();
        RequestPool::new(requests, revision + 1, self.sign_of_success())
    }
}

fn key(number: u64) -> String {
    format!("{{\"PK\":{{\"S\":\"{}\"}},\"SK\":{{\"S\":\"{}\"}}}}", account_partition(number), license_sort_key(number))
}

fn update(number: u64, revision: u64) -> String {
    format!(
        "\"TableName\":\"{TABLE}\",\"Key\":{},\"UpdateExpression\":\"SET seats = :seats, revision = revision + :one\",\
         \"ExpressionAttributeValues\":{{\":seats\":{{\"N\":\"{revision}\"}},\":one\":{{\"N\":\"1\"}}}}",
        key(number)
    )
}

/// Two puts and two updates, one of them conditional, over four neighbouring items.
fn transaction(number: u64, total: u64, revision: u64) -> String {
    let first = number * 4;
    let put = |offset: u64| {
        let item = License::new(first + offset, total).json(revision);
        format!("{{\"Put\":{{\"TableName\":\"{TABLE}\",\"Item\":{item}}}}}")
    };
    format!(
        "{{\"TransactItems\":[{},{},{{\"Update\":{{{}}}}},\
         {{\"Update\":{{{},\"ConditionExpression\":\"attribute_exists(PK)\"}}}}]}}",
        put(0),
        put(1),
        update(first + 2, revision),
        update(first + 3, revision),
    )
}

/// Prepared requests, chosen at random, endlessly.
#[derive(Debug)]
pub(crate) struct RequestPool {
    requests: Vec<Vec<u8>>,
    random: SplitMix64,
    sign_of_success: &'static [u8],
}

impl RequestPool {
    pub(crate) fn new(requests: Vec<Vec<u8>>, seed: u64, sign_of_success: &'static [u8]) -> Self {
        Self { requests, random: SplitMix64::new(seed), sign_of_success }
    }

    /// For the floor, whose answers say nothing.
    pub(crate) fn accepting_anything(mut self) -> Self {
        self.sign_of_success = b"x";
        self
    }
}

impl RequestSource for RequestPool {
    /// Connections choose from disjoint parts, so that two transactions under way never touch one item.
    fn next(&mut self, connection: usize, connections: usize) -> Option<&[u8]> {
        let share = (self.requests.len() / connections.max(1)).max(1);
        let chosen = usize::try_from(self.random.below(share as u64)).unwrap_or(0);
        self.requests.get((chosen * connections + connection) % self.requests.len().max(1)).map(Vec::as_slice)
    }

    fn accepts(&self, body: &[u8]) -> bool {
        // The sign stands at the start or the end of a body: DynamoDB writes `Count` after `Items`, others before.
        let near = 64.max(self.sign_of_success.len());
        let start = body.get(..near.min(body.len())).unwrap_or_default();
        let end = body.get(body.len().saturating_sub(near)..).unwrap_or_default();
        [start, end]
            .iter()
            .any(|part| part.windows(self.sign_of_success.len()).any(|window| window == self.sign_of_success))
    }
}
