//! A real `keyfold engine serve` under 64 writers, ended without warning, started again, and audited.
//!
//! Every writer keeps a ledger of what the server acknowledged. After each restart the audit compares the table with
//! all ledgers, and the table with itself: indexes against a rebuild from the base items, balances against transfers,
//! the item count against a scan.

pub(crate) mod audit;
pub(crate) mod ledger;
pub(crate) mod randomness;
pub(crate) mod rounds;
pub(crate) mod server;
pub(crate) mod table;
pub(crate) mod writer;
