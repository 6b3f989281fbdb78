//! Creates the measured table on an endpoint and loads it.

use super::{
    load::{RequestSource, drive},
    request::request_bytes,
    workload::TABLE,
};
use crate::{Outcome, dataset::License};
use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

const BATCH: u64 = 25;

/// Creates the table with its three indexes and puts `total` items into it.
pub(crate) fn load(address: SocketAddr, total: u64) -> Outcome<()> {
    let (status, answer) = call(address, "CreateTable", &create_table())?;
    if status != 200 {
        return Err(format!("CreateTable failed: {answer}").into());
    }
    let host = address.to_string();
    let mut batches = Batches { host, total, next: 0, current: Vec::new() };
    drive(address, 16, Duration::ZERO, Duration::from_secs(600), &mut batches)?;
    Ok(())
}

/// One request on a connection of its own; the status and the body.
pub(crate) fn call(address: SocketAddr, operation: &str, body: &str) -> Outcome<(u16, String)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let request = request_bytes(&address.to_string(), operation, body);
    let text = String::from_utf8(request)?.replacen("\r\n", "\r\nConnection: close\r\n", 1);
    stream.write_all(text.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or("no HTTP status")?;
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
    Ok((status, body))
}

fn create_table() -> String {
    let names = ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK", "GSI3SK"];
    let attributes = names.map(|name| format!("{{\"AttributeName\":\"{name}\",\"AttributeType\":\"S\"}}")).join(",");
    let keys = |hash: &str, range: &str| {
        format!(
            "\"KeySchema\":[{{\"AttributeName\":\"{hash}\",\"KeyType\":\"HASH\"}},\
             {{\"AttributeName\":\"{range}\",\"KeyType\":\"RANGE\"}}]"
        )
    };
    let indexes = [1, 2, 3].map(|number| {
        let schema = keys(&format!("GSI{number}PK"), &format!("GSI{number}SK"));
        format!("{{\"IndexName\":\"GSI{number}\",{schema},\"Projection\":{{\"ProjectionType\":\"ALL\"}}}}")
    });
    format!(
        "{{\"TableName\":\"{TABLE}\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":[{attributes}],\
         {},\"GlobalSecondaryIndexes\":[{}]}}",
        keys("PK", "SK"),
        indexes.join(",")
    )
}

/// `BatchWriteItem` requests that put every item once.
struct Batches {
    host: String,
    total: u64,
    next: u64,
    current: Vec<u8>,
}

impl RequestSource for Batches {
    fn next(&mut self, _: usize, _: usize) -> Option<&[u8]> {
        if self.next >= self.total {
            return None;
        }
        let end = (self.next + BATCH).min(self.total);
        let puts: Vec<String> = (self.next..end)
            .map(|number| {
                // Scattered, like real arrivals.
                let license = License::new(number.wrapping_mul(7919) % self.total, self.total);
                format!("{{\"PutRequest\":{{\"Item\":{}}}}}", license.json(0))
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
