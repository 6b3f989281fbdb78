//! The program that the tests `embedded_store` run: a store in a program that does not forward its messages, as an
//! embedder has it. Commits once in the folder of its argument, prints that it is ready, commits again after a line on
//! its standard input, and prints the kind of the error and whether it is final.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use keyfold_engine::store::{Change, Durability, FjallStore, Store as _, StoreSettings};

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap());
    let store = FjallStore::open(&folder, StoreSettings::default()).unwrap();
    let commit = |key: u8| store.commit(vec![Change::Put(vec![key], vec![key; 20_000])], Durability::Durable);
    commit(1).unwrap();
    println!("ready");
    std::io::stdin().read_line(&mut String::new()).unwrap();
    let error = commit(2).unwrap_err();
    println!("kind: {} {}", error.kind(), error.is_final());
}
