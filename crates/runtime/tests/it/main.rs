//! The integration tests of `runtime`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod access;
mod albums;
mod archive;
mod batched_puts;
mod batches;
mod caller_state;
mod cascade;
mod catalogue;
mod designs;
mod designs_in_step;
mod expiry;
mod explanations;
mod forbidden_cascades;
mod further_reads;
mod hidden_attributes;
mod identities;
mod index_keys;
mod known_callers;
mod lagging_index;
mod pages;
mod patches;
mod races;
mod rebuild;
mod recreated_items;
mod rules;
mod sequences;
mod settable_attributes;
mod side_writes;
mod strict_reads;
mod support;
mod table_creation;
mod taken_keys;
mod tenants;
mod transactions;
mod unreadable_items;
