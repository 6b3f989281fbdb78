//! The program that the tests `embedded_store` run: a store in a program that does not forward its messages, as an
//! embedder has it. Commits once in the folder of its argument, prints that it is ready, goes on after a line on its
//! standard input, and prints the kind of the error and whether it is final. It commits once more, or, with the
//! argument `flushes`, until a flush in the background has failed.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use keyfold_engine::store::{Change, Durability, FjallStore, Store as _, StoreError, StoreSettings};

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap());
    let error = match arguments.next() {
        None => {
            let store = FjallStore::open(&folder, StoreSettings::default()).unwrap();
            commit(&store, 1, Durability::Durable).unwrap();
            wait_for_a_line();
            commit(&store, 2, Durability::Durable).unwrap_err()
        }
        Some(_) => {
            let settings = StoreSettings { write_buffer_bytes: 128 << 10, ..StoreSettings::default() };
            let store = FjallStore::open(&folder, settings).unwrap();
            commit(&store, 0, Durability::Relaxed).unwrap();
            wait_for_a_line();
            (1..10_000).find_map(|key| commit(&store, key, Durability::Relaxed).err()).unwrap()
        }
    };
    println!("kind: {} {}", error.kind(), error.is_final());
    // Closing would free memory, which makes the C library read a file, and the preload library needs memory then.
    std::process::exit(0);
}

fn commit(store: &FjallStore, key: u64, durability: Durability) -> Result<(), StoreError> {
    store.commit(vec![Change::Put(key.to_be_bytes().to_vec(), vec![0; 20_000])], durability)
}

fn wait_for_a_line() {
    println!("ready");
    std::io::stdin().read_line(&mut String::new()).unwrap();
}
