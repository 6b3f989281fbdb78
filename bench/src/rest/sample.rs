//! What is measured on: licenses and products of `platform`, comments of `catalogue`. The backend makes one of each,
//! and as stored it is the template of all others.

use super::{
    backend::Backend,
    requests::{NAME, ask},
};
use crate::{
    Outcome,
    http::{
        load::{RequestSource, drive},
        request::request_bytes,
        table::call,
    },
};
use std::{net::SocketAddr, time::Duration};

/// Items of one partition.
pub(crate) const PER_PARTITION: u64 = 20;
/// The account of the template.
const ACCOUNT: &str = "acct-000000";
/// Comments of the user who asks for their own.
const COMMENTS: u64 = 20;
/// A site of the sample data.
const SITE: &str = "01KDVS00000000000000000A01";

/// Items as DynamoDB's JSON tells of them.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) product: String,
    pub(crate) product_body: String,
}

pub(crate) fn account(partition: u64) -> String {
    format!("acct-{partition:06}")
}

pub(crate) fn license(number: u64) -> String {
    format!("bench-{number:010}")
}

impl Sample {
    /// Creates one of each over REST, and of licenses `total` over the DynamoDB endpoint.
    pub(crate) fn load(backend: &Backend, total: u64) -> Outcome<Self> {
        let operator = backend.token("platform", "operator")?;
        let rest = backend.rest.address;
        let note = "An item of about a kilobyte, as they are in the other benchmarks. ".repeat(10);
        let account = format!("{{\"accountId\":\"{ACCOUNT}\",\"name\":\"Bench\"}}");
        ask(rest, "POST", "/v1/platform/accounts", operator, &account)?;
        let license = format!(
            "{{\"accountId\":\"{ACCOUNT}\",\"licenseId\":\"{NAME}\",\"enterpriseId\":\"globex\",\"endDate\":\"2027-01-01\",\
             \"seats\":5,\"note\":\"{note}\"}}"
        );
        ask(rest, "POST", "/v1/platform/licenses", operator, &license)?;
        let product_body = format!("{{\"productId\":\"{NAME}\",\"name\":\"{}\"}}", "A product. ".repeat(18).trim());
        ask(rest, "POST", "/v1/platform/products", operator, &product_body)?;
        let product = stored(backend, &format!("PRODUCT#{NAME}"), "METADATA")?;
        let license = stored(backend, &format!("ACCOUNT#{ACCOUNT}"), &format!("LICENSE#{NAME}"))?;
        let mut batches = Batches::new(backend.dynamodb, license, total);
        drive(backend.dynamodb, 16, Duration::ZERO, Duration::from_secs(600), &mut batches)?;
        Ok(Self { product, product_body })
    }
}

/// Comments of a user, whom the rules let see their own alone: each is authorized.
pub(crate) fn load_comments(backend: &Backend, token: &str, user: &str) -> Outcome<()> {
    for number in 0..COMMENTS {
        let body = format!(
            "{{\"user\":\"{user}\",\"site\":\"{SITE}\",\"commentId\":\"bench-{number:04}\",\"body\":\"{}\"}}",
            "A comment of some length, as people write them. ".repeat(12).trim()
        );
        ask(backend.rest.address, "POST", "/v1/catalogue/comments", token, &body)?;
    }
    Ok(())
}

fn stored(backend: &Backend, partition: &str, sort: &str) -> Outcome<String> {
    let key = format!("{{\"PK\":{{\"S\":\"{partition}\"}},\"SK\":{{\"S\":\"{sort}\"}}}}");
    let body = format!("{{\"TableName\":\"{TABLE}\",\"Key\":{key}}}");
    let (_, answer) = call(backend.dynamodb, "GetItem", &body)?;
    let answer: serde_json::Value = serde_json::from_str(&answer)?;
    answer.get("Item").map(ToString::to_string).ok_or_else(|| format!("no item {partition} {sort}").into())
}

/// The table of `platform`.
pub(crate) const TABLE: &str = "app_data";

/// `BatchWriteItem` requests that put every license once.
struct Batches {
    host: String,
    template: String,
    total: u64,
    next: u64,
    current: Vec<u8>,
}

impl Batches {
    fn new(address: SocketAddr, template: String, total: u64) -> Self {
        Self { host: address.to_string(), template, total, next: 0, current: Vec::new() }
    }
}

impl RequestSource for Batches {
    fn next(&mut self, _: usize, _: usize) -> Option<&[u8]> {
        if self.next >= self.total {
            return None;
        }
        let end = (self.next + 25).min(self.total);
        let puts: Vec<String> = (self.next..end)
            .map(|number| {
                // Scattered, like real arrivals.
                let number = number.wrapping_mul(7919) % self.total;
                let item = self.template.replace(ACCOUNT, &account(number / PER_PARTITION));
                format!("{{\"PutRequest\":{{\"Item\":{}}}}}", item.replace(NAME, &license(number)))
            })
            .collect();
        self.next = end;
        let body = format!("{{\"RequestItems\":{{\"{TABLE}\":[{}]}}}}", puts.join(","));
        self.current = request_bytes(&self.host, "BatchWriteItem", &body);
        Some(&self.current)
    }

    fn accepts(&self, body: &[u8]) -> bool {
        String::from_utf8_lossy(body).contains("\"UnprocessedItems\":{}")
    }
}
