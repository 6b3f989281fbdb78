//! Requests from the wire to the engine: each line of the input is the name of an operation, a space and a body. No
//! request makes the engine fail, and after all of them the indexes agree with the items.

#![no_main]

use std::sync::Arc;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::table::KeyType;
use keyfold_engine::store::MemoryStore;
use keyfold_fuzz::{TABLE, create_table, engine_on};
use keyfold_wire::{Request, decode_request, execute};
use libfuzzer_sys::fuzz_target;
use pollster::block_on;

fuzz_target!(|text: &str| {
    let requests: Vec<Request> = text.lines().take(8).filter_map(request_of).collect();
    if requests.is_empty() {
        return;
    }
    let engine = engine_on(Arc::new(MemoryStore::default()));
    create_table(&engine, TABLE, KeyType::N);
    for request in requests {
        let shown = format!("{request:?}");
        if let Err(error) = block_on(execute(&engine, request, "localhost")) {
            assert!(
                !matches!(error, ServiceError::Internal(_) | ServiceError::Unavailable(_)),
                "{error:?} for {shown}"
            );
        }
    }
    engine.run_maintenance().expect("maintenance succeeds");
    let findings = engine.check().expect("the check succeeds");
    assert!(findings.is_empty(), "{findings:?}");
});

fn request_of(line: &str) -> Option<Request> {
    let (operation, body) = line.split_once(' ')?;
    decode_request(&format!("DynamoDB_20120810.{operation}"), body.as_bytes()).ok()
}
