//! The REST backend as its clients see it: over sockets, with the sample data of the shipped designs.

mod access;
mod audit;
mod authorize;
mod bodies;
mod caller_state;
mod cascades;
mod client;
mod documents;
mod drain;
mod hostile;
mod idempotency;
mod items;
mod manners;
mod non_ascii_names;
mod pages;
mod preconditions;
mod role_matrix;
mod settable_attributes;
mod table_rows;
mod tables;
mod tenant_oracle;
mod transactions;
mod world;
mod written_items;
