//! The process that the test `idempotency::after_a_kill_each_request_was_executed_once` kills: executes changes with
//! idempotency keys in the folder of its argument, and prints each key before its request and after its response.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use keyfold_engine::Engine;
use keyfold_environment::ManualClock;

#[path = "../tests/it/change_record_support/desk.rs"]
mod desk;

use desk::{Desk, NOW_MS, create, operator};

const WORKERS: u32 = 4;
const REQUESTS_PER_WORKER: u32 = 100_000;

#[tokio::main]
async fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap());
    let engine = Arc::new(Engine::open(&folder, Default::default()).unwrap());
    let clock = Arc::new(ManualClock::at_ms(NOW_MS));
    let desk = Arc::new(Desk::on(engine, Default::default(), clock).await);
    let workers = (0..WORKERS).map(|worker| {
        let desk = Arc::clone(&desk);
        tokio::spawn(async move {
            for number in 0..REQUESTS_PER_WORKER {
                let key = format!("{worker}-{number}");
                println!("asked {key}");
                let agency = create("Agency", &[("name", &key)]);
                let (answer, _) = desk.request(&operator("ada"), Some(&key), agency).await.unwrap();
                println!("done {key} {}", String::from_utf8_lossy(&answer.body));
                std::io::stdout().flush().unwrap();
            }
        })
    });
    futures_util::future::join_all(workers.collect::<Vec<_>>()).await;
}
