//! A real `keyfold engine serve` under 64 writers, ended without warning, started again, and audited.
//!
//! Every writer keeps a ledger of what the server acknowledged. After each restart the audit compares the table with
//! all ledgers, and the table with itself: indexes against a rebuild from the base items, balances against transfers,
//! the item count against a scan.

// Each test binary uses its own part.
#![allow(dead_code)]

pub mod audit;
pub mod ledger;
pub mod randomness;
pub mod rounds;
pub mod server;
pub mod table;
pub mod writer;
