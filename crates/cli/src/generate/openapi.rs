//! The OpenAPI document that the backend serves for a design, as it serves it where nothing else is configured.

use std::sync::Arc;

use keyfold_api::journal::{Journal, JournalSettings};
use keyfold_api::{Limits, ServedDesign, openapi_document};
use keyfold_dynamo::Backend;
use keyfold_engine::Engine;
use keyfold_runtime::{Options, SystemClock, SystemRandom};

use crate::design::Place;

pub fn text(place: &Place) -> anyhow::Result<String> {
    let backend: Arc<dyn Backend> = Arc::new(Engine::in_memory(keyfold_engine::Options::default())?);
    let limits = Limits::default();
    let (design, policies) = (Arc::clone(&place.design), Arc::new(place.policies()?));
    let options = Options::standard(&design)?;
    let served = ServedDesign::new(design, Arc::clone(&backend), policies, options, &limits)?;
    let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let settings = JournalSettings::default();
    let journal = Journal::open(backend, settings, Arc::new(SystemClock), Arc::new(SystemRandom));
    let journal = executor.block_on(journal)?;
    Ok(openapi_document(&served, &limits, &journal).to_string())
}
