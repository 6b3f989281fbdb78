//! One scenario on one backend.

use std::collections::BTreeMap;
use std::sync::Arc;

use keyfold_dynamo::operation::{PageOptions, ScanInput};
use keyfold_dynamo::{Attributes, Backend, Item};
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_runtime::scenario::{Scenario, Verdict, run_scenario};
use keyfold_runtime::{DesignRules, Options, Runtime};

use crate::designs_on_backends::designs::Played;
use crate::designs_on_backends::difference::Exactness;
use crate::designs_on_backends::recording::{Exchange, Recording};

/// What came of a scenario.
pub(super) struct Run {
    /// What is broken about it.
    pub broken: Option<String>,
    pub exchanges: Vec<Exchange>,
    /// What the table holds at its end, by key.
    pub stored: BTreeMap<String, Attributes>,
}

pub(super) async fn play(
    played: &Played,
    scenario: &Scenario,
    (backend, exactness): (Arc<dyn Backend>, Exactness),
    table: &str,
) -> Run {
    let clock = Arc::new(ManualClock::default());
    let (recording, exchanges) = Recording::of(backend.clone(), exactness, table);
    let options = Options {
        authorizer: Arc::new(DesignRules::new(Arc::clone(&played.design))),
        clock: Arc::clone(&clock) as _,
        random: Arc::new(SeededRandom::default()),
        cursor_secret: vec![7; 32],
        table_name: Some(table.to_owned()),
    };
    let runtime = Runtime::new(Arc::clone(&played.design), recording, options);
    assert!(runtime.create_table().await.unwrap(), "the table {table} is there already");
    let broken = match run_scenario(&runtime, &clock, played.data.as_ref(), scenario).await {
        Ok(Verdict::Held) => None,
        Ok(Verdict::Broken { step, difference }) => Some(format!("step {step}: {difference}")),
        Err(error) => Some(error.to_string()),
    };
    let stored = stored(played, backend.as_ref(), table).await;
    backend.delete_table(table.to_owned()).await.unwrap();
    let exchanges = exchanges.lock().unwrap().clone();
    Run { broken, exchanges, stored }
}

async fn stored(played: &Played, backend: &dyn Backend, table: &str) -> BTreeMap<String, Attributes> {
    let mut items = BTreeMap::new();
    let mut start = None;
    loop {
        let page = PageOptions { exclusive_start_key: start, consistent_read: true, ..PageOptions::default() };
        let input = ScanInput { table_name: table.to_owned(), page, ..ScanInput::default() };
        let output = backend.scan(input).await.unwrap();
        for item in output.items.unwrap() {
            let item = Item::into_attributes(item).unwrap();
            let key: Vec<_> = item.iter().filter(|(name, _)| played.design.is_table_key(name)).collect();
            items.insert(format!("{key:?}"), item);
        }
        start = output.last_evaluated_key;
        if start.is_none() {
            return items;
        }
    }
}
