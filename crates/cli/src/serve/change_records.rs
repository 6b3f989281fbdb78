//! Settings of idempotency and the audit log.

use std::sync::Arc;

use anyhow::{Context, bail};
use keyfold_api::ServedDesign;
use keyfold_api::change_records::{ChangeRecordSettings, ChangeRecords};
use keyfold_dynamo::Backend;
use keyfold_runtime::{Clock, SystemRandom};

use crate::backend::BackendPlace;
use crate::config::{Config, Source, settings};

pub(super) async fn open(
    config: &Config,
    backend: &Arc<dyn Backend>,
    place: &BackendPlace,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<ChangeRecords> {
    let settings = read_settings(config, place)?;
    let table = settings.table.clone();
    let opened = ChangeRecords::open(Arc::clone(backend), settings, Arc::clone(clock), Arc::new(SystemRandom)).await;
    opened.with_context(|| format!("cannot open the table `{table}` for idempotency and the audit log"))
}

fn read_settings(config: &Config, place: &BackendPlace) -> anyhow::Result<ChangeRecordSettings> {
    let mut change_records = ChangeRecordSettings {
        table: config.get(&settings::AUDIT_TABLE)?,
        idempotency: config.get(&settings::IDEMPOTENCY)?,
        audit: config.get(&settings::AUDIT)?,
        audit_days: config.get(&settings::AUDIT_DAYS)?,
        audit_readers: config.get(&settings::AUDIT_READERS)?,
    };
    // Both are written in the transaction of the change, and Alternator has no transactions.
    if matches!(place, BackendPlace::Alternator(_)) {
        for (kept, setting) in
            [(&mut change_records.idempotency, &settings::IDEMPOTENCY), (&mut change_records.audit, &settings::AUDIT)]
        {
            if *kept && config.source(setting) != Source::Default {
                bail!("`{}` needs transactions, which Alternator does not support", setting.about.name);
            }
            *kept = false;
        }
    }
    Ok(change_records)
}

/// Warns about designs that ask for entries of reads on a server that keeps no audit log.
pub(super) fn warn_of_unaudited(change_records: &ChangeRecords, served: &[ServedDesign]) {
    if change_records.keeps_audit_log() {
        return;
    }
    for design in served.iter().map(ServedDesign::design) {
        for entity in design.entities.iter().filter(|entity| entity.audit_reads) {
            let (design, entity) = (&design.name, &entity.name);
            report!("keyfold: warning: {design}: reads of `{entity}` are not recorded, because `audit` is off");
        }
    }
}
