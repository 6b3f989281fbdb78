//! A design with its sample data, once in process and once behind the wire.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use keyfold_aws::Aws;
use keyfold_design::Design;
use keyfold_design::model::Pattern;
use keyfold_dynamo::Backend;
use keyfold_engine::Engine;
use keyfold_runtime::scenario::{DataFile, load_data};
use keyfold_runtime::{Caller, Options, Page, QueryOptions, Runtime, json};
use keyfold_test_server::serve;
use serde_json::{Map, Value, json};

pub(crate) struct World {
    /// On the engine.
    in_process: Runtime,
    /// On the AWS SDK, which talks to a server before the same engine.
    pub over_the_wire: Runtime,
    called: RefCell<BTreeSet<String>>,
    found: RefCell<usize>,
}

impl World {
    /// The design of a folder.
    pub(crate) async fn of(folder: &str) -> Self {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(folder);
        let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
        let design = Arc::new(Design::load("design.yaml", &text).unwrap().0);
        // By the machine's clock, what the sample data writes may have expired long ago.
        let options = keyfold_engine::Options { sweep_interval: None, ..Default::default() };
        let engine = Arc::new(Engine::in_memory(options).unwrap());
        let endpoint = Some(serve(Arc::clone(&engine) as _).await.unwrap());
        let aws = Arc::new(Aws::connect(keyfold_aws::Options { endpoint, ..Default::default() }).await);
        let runtime =
            |backend: Arc<dyn Backend>| Runtime::new(Arc::clone(&design), backend, Options::standard(&design).unwrap());
        let (in_process, over_the_wire) = (runtime(engine), runtime(aws));
        in_process.create_table().await.unwrap();
        let text = std::fs::read_to_string(folder.join("data.yaml")).unwrap();
        let data: DataFile = serde_saphyr::from_str(&text).unwrap();
        load_data(&in_process, &data, &|_| {}).await.unwrap();
        Self { in_process, over_the_wire, called: RefCell::default(), found: RefCell::default() }
    }

    /// Compares what the generated method of a pattern gave with what the runtime gives in process.
    pub(crate) async fn compare(&self, method: &str, arguments: Value, whole: Vec<Value>, paged: Vec<Value>) {
        let design = self.in_process.design();
        let (pattern, page) = self.call(method, arguments).await;
        let is_tagged = pattern.returns.len() > 1;
        let wanted: Vec<Value> = page
            .records
            .iter()
            .map(|record| {
                let item: Map<String, Value> = json::object(&record.attributes);
                if is_tagged { json!({"entity": design[record.entity].name, "item": item}) } else { item.into() }
            })
            .collect();
        assert_eq!(whole, wanted, "{}", pattern.name);
        assert_eq!(paged, wanted, "{}, by pages", pattern.name);
    }

    /// The same for a pattern that counts.
    pub(crate) async fn compare_count(&self, method: &str, arguments: Value, count: usize) {
        let (pattern, page) = self.call(method, arguments).await;
        assert_eq!(count, page.count, "{}", pattern.name);
    }

    async fn call(&self, method: &str, arguments: Value) -> (&Pattern, Page) {
        let design = self.in_process.design();
        let pattern = design.pattern_named(&method.replace('_', " ")).unwrap_or_else(|| panic!("no pattern {method}"));
        let arguments =
            json::arguments(design.access_plan(pattern.id), &arguments.as_object().cloned().unwrap_or_default())
                .unwrap();
        let caller = Caller::superuser("tester");
        let page = self.in_process.query(&caller, &pattern.name, arguments, &QueryOptions::default()).await.unwrap();
        assert_eq!(page.cursor, None);
        *self.found.borrow_mut() += page.count;
        assert!(self.called.borrow_mut().insert(pattern.name.clone()), "{} was called before", pattern.name);
        (pattern, page)
    }

    /// Every pattern of the design was called, and they found so many items.
    pub(crate) fn has_called_every_pattern(&self, found: usize) {
        let patterns: BTreeSet<String> =
            self.in_process.design().patterns.iter().map(|pattern| pattern.name.clone()).collect();
        assert_eq!(*self.called.borrow(), patterns);
        assert_eq!(*self.found.borrow(), found);
    }
}

/// Calls a generated method whole and page by page, and compares: `same!(world, session, method(arguments), {JSON})`.
macro_rules! same {
    ($world:ident, $session:ident, $method:ident($($argument:expr),*), $json:tt) => {{
        use keyfold_typed::QueryOptions;
        let json = |item: &_| serde_json::to_value(item).unwrap();
        let page = $session.$method($($argument,)* &QueryOptions::default()).await.unwrap();
        assert_eq!(page.cursor, None);
        let whole = page.items.iter().map(json).collect();
        let mut paged = Vec::new();
        let mut options = Some(QueryOptions { take: Some(2), ..QueryOptions::default() });
        while let Some(asked) = options {
            let page = $session.$method($($argument,)* &asked).await.unwrap();
            assert!(page.items.len() <= 2);
            paged.extend(page.items.iter().map(json));
            options = page.next(&asked);
        }
        $world.compare(stringify!($method), serde_json::json!($json), whole, paged).await;
    }};
}
