//! Durable writes from 64 threads: through the engine, and through a bare group commit of the same rows.

use super::{bare::BareRows, engine::put_input};
use crate::{
    Outcome,
    dataset::License,
    statistics::rate,
    store::rows::{IndexRows, put_rows},
};
use fjall::PersistMode;
use keyfold_dynamo::{Backend as _, operation::PutItemInput};
use keyfold_engine::Engine;
use parking_lot::{Condvar, Mutex};
use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

const THREADS: u64 = 64;
/// Items of a size that no other part of the benchmark uses, so that every put is of a new item.
const FRESH: u64 = 1_000_000_000;

/// Puts per second of `per_thread` new items from each thread; inputs are prepared before the clock starts.
pub(crate) fn engine_puts(engine: &Engine, round: u64, per_thread: u64) -> Outcome<f64> {
    let prepared = prepare(round, per_thread, |number| put_input(number, FRESH))?;
    run(prepared, |inputs: Vec<PutItemInput>| {
        for input in inputs {
            pollster::block_on(engine.put_item(input))?;
        }
        Ok(())
    })
}

type Rows = [(Vec<u8>, Vec<u8>); 4];

/// The same from the same threads, each waiting for one committer that makes a batch of whatever has gathered.
pub(crate) fn bare_puts(bare: &BareRows, round: u64, per_thread: u64) -> Outcome<f64> {
    let prepared = prepare(round, per_thread, |number| {
        let license = License::new(number, FRESH);
        let item = license.json(0);
        let stored = item.as_bytes().get(..bare.item_bytes).unwrap_or(item.as_bytes());
        Ok(put_rows(&license, stored, IndexRows::Pointing))
    })?;
    let queue = Queue::default();
    thread::scope(|scope| {
        let committer = scope.spawn(|| queue.commit_until_closed(bare));
        let result = run(prepared, |writes: Vec<Rows>| {
            let (done, wait) = mpsc::sync_channel(1);
            for rows in writes {
                queue.push(rows, done.clone());
                wait.recv()?;
            }
            Ok(())
        });
        queue.close();
        committer.join().map_err(|_| "the committer panicked")??;
        result
    })
}

#[derive(Default)]
struct Gathered {
    waiting: Vec<(Rows, mpsc::SyncSender<()>)>,
    closed: bool,
}

#[derive(Default)]
struct Queue {
    gathered: Mutex<Gathered>,
    wake: Condvar,
}

impl Queue {
    fn push(&self, rows: Rows, done: mpsc::SyncSender<()>) {
        self.gathered.lock().waiting.push((rows, done));
        self.wake.notify_one();
    }

    fn close(&self) {
        self.gathered.lock().closed = true;
        self.wake.notify_one();
    }

    fn commit_until_closed(&self, bare: &BareRows) -> Outcome<()> {
        loop {
            let mut gathered = self.gathered.lock();
            while gathered.waiting.is_empty() {
                if gathered.closed {
                    return Ok(());
                }
                self.wake.wait(&mut gathered);
            }
            let group = std::mem::take(&mut gathered.waiting);
            drop(gathered);
            let mut batch = bare.database.batch().durability(Some(PersistMode::SyncData));
            let mut waiting = Vec::with_capacity(group.len());
            for (rows, done) in group {
                for (key, value) in rows {
                    batch.insert(&bare.rows, key, value);
                }
                waiting.push(done);
            }
            batch.commit()?;
            for done in waiting {
                done.send(())?;
            }
        }
    }
}

/// One list of writes for each thread.
fn prepare<T>(round: u64, per_thread: u64, write: impl Fn(u64) -> Outcome<T>) -> Outcome<Vec<Vec<T>>> {
    (0..THREADS)
        .map(|thread| {
            let first = FRESH / 2 + (round * THREADS + thread) * per_thread;
            (first..first + per_thread).map(&write).collect()
        })
        .collect()
}

fn run<T: Send>(prepared: Vec<Vec<T>>, work: impl Fn(Vec<T>) -> Outcome<()> + Sync) -> Outcome<f64> {
    let count: usize = prepared.iter().map(Vec::len).sum();
    let start = Instant::now();
    let elapsed = thread::scope(|scope| -> Outcome<Duration> {
        let work = &work;
        let threads: Vec<_> = prepared.into_iter().map(|writes| scope.spawn(move || work(writes))).collect();
        for thread in threads {
            thread.join().map_err(|_| "a writer panicked")??;
        }
        Ok(start.elapsed())
    })?;
    Ok(rate(count as u64, elapsed))
}
