//! The items every benchmark loads: licenses of the `platform` design, about 1 KB each, in the table and in three
//! indexes.
//!
//! Twenty items share a table partition and twenty others share a GSI2 partition, so a query of 20 reads a whole
//! partition. The items of one GSI2 partition are scattered over the table, as they are in the design.

use std::fmt::Write as _;

use keyfold_environment::SplitMix64;

/// Items per table partition and per GSI2 partition.
pub(crate) const PARTITION_ITEMS: u64 = 20;

/// A prime that divides no round data set size: multiplying by it scatters items over index partitions.
const SCATTER: u64 = 7919;

const WORDS: [&str; 24] = [
    "renewal",
    "enterprise",
    "support",
    "regional",
    "invoice",
    "contract",
    "seat",
    "monthly",
    "approved",
    "pending",
    "customer",
    "platform",
    "partner",
    "discount",
    "quarter",
    "billing",
    "account",
    "manager",
    "standard",
    "premium",
    "workload",
    "migration",
    "annual",
    "service",
];

/// The key strings of one license.
#[derive(Clone, Debug)]
pub(crate) struct License {
    pub(crate) pk: String,
    pub(crate) sk: String,
    pub(crate) gsi1_pk: String,
    pub(crate) gsi1_sk: String,
    pub(crate) gsi2_pk: String,
    pub(crate) gsi2_sk: String,
    pub(crate) gsi3_pk: String,
    pub(crate) gsi3_sk: String,
    number: u64,
    account: u64,
    enterprise: u64,
}

/// The table partition of item `number`.
pub(crate) fn account_partition(number: u64) -> String {
    format!("ACCOUNT#{:08}", number / PARTITION_ITEMS)
}

/// The GSI2 partition number `enterprise`.
pub(crate) fn enterprise_partition(enterprise: u64) -> String {
    format!("ENTERPRISE#{enterprise:08}")
}

/// The sort key of item `number`.
pub(crate) fn license_sort_key(number: u64) -> String {
    format!("LICENSE#{number:010}")
}

impl License {
    /// License `number` of a data set of `total`.
    pub(crate) fn new(number: u64, total: u64) -> Self {
        let account = number / PARTITION_ITEMS;
        let enterprise = (number.wrapping_mul(SCATTER) % total.max(1)) / PARTITION_ITEMS;
        let status = if number.is_multiple_of(10) { "expired" } else { "active" };
        let day = number % 28 + 1;
        let month = number / 28 % 12 + 1;
        let sort = license_sort_key(number);
        Self {
            pk: account_partition(number),
            sk: sort.clone(),
            gsi1_pk: "ENTITY#LICENSE".to_owned(),
            gsi1_sk: sort.clone(),
            gsi2_pk: enterprise_partition(enterprise),
            gsi2_sk: sort,
            gsi3_pk: format!("LICENSE#STATUS#{status}"),
            gsi3_sk: format!("2026-{month:02}-{day:02}#{number:010}"),
            number,
            account,
            enterprise,
        }
    }

    /// The item as DynamoDB's JSON, about 1.1 KB. `revision` changes attributes that are not keys.
    pub(crate) fn json(&self, revision: u64) -> String {
        let mut random = SplitMix64::new(self.number ^ (revision << 40));
        let mut out = String::with_capacity(1200);
        out.push('{');
        for (name, value) in [
            ("PK", &self.pk),
            ("SK", &self.sk),
            ("GSI1PK", &self.gsi1_pk),
            ("GSI1SK", &self.gsi1_sk),
            ("GSI2PK", &self.gsi2_pk),
            ("GSI2SK", &self.gsi2_sk),
            ("GSI3PK", &self.gsi3_pk),
            ("GSI3SK", &self.gsi3_sk),
        ] {
            let _ = write!(out, "\"{name}\":{{\"S\":\"{value}\"}},");
        }
        let _ = write!(
            out,
            concat!(
                "\"accountId\":{{\"S\":\"{account:08}\"}},\"enterpriseId\":{{\"S\":\"{enterprise:08}\"}},",
                "\"seats\":{{\"N\":\"{seats}\"}},\"price\":{{\"N\":\"{price}.95\"}},\"revision\":{{\"N\":\"{revision}\"}},",
                "\"autoRenew\":{{\"BOOL\":true}},",
                "\"contact\":{{\"M\":{{\"email\":{{\"S\":\"owner{account}@example.com\"}},\"phone\":{{\"S\":\"+49 30 {phone:07}\"}}}}}},",
                "\"tags\":{{\"L\":[{{\"S\":\"{tag_a}\"}},{{\"S\":\"{tag_b}\"}}]}},\"notes\":{{\"S\":\""
            ),
            account = self.account,
            enterprise = self.enterprise,
            seats = random.below(500),
            price = random.below(10_000),
            revision = revision,
            phone = random.below(10_000_000),
            tag_a = word(&mut random),
            tag_b = word(&mut random),
        );
        while out.len() < 1080 {
            out.push_str(word(&mut random));
            out.push(' ');
        }
        out.push_str("\"}}");
        out
    }
}

fn word(random: &mut SplitMix64) -> &'static str {
    let index = usize::try_from(random.below(WORDS.len() as u64)).unwrap_or(0);
    WORDS.get(index).copied().unwrap_or("standard")
}
