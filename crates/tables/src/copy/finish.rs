//! Enables time to live and deletion protection on a new target after its items are copied.

use keyfold_dynamo::operation::{UpdateTableInput, UpdateTimeToLiveInput};
use keyfold_dynamo::table::TimeToLiveStatus;

use super::progress_file::TargetState;
use super::{CopyError, CopyEvent, Job, Source};

pub(super) async fn finish(job: &Job<'_>, source: &Source, target: TargetState) -> Result<(), CopyError> {
    // A target that existed before keeps its settings.
    if !matches!(target, TargetState::Created { .. }) {
        return Ok(());
    }
    let (backend, table) = (&job.to.backend, &job.to.table);
    let writing = |error| CopyError::writing(job.to, error);
    if let Some(attribute) = &source.expires_by {
        let now = backend.describe_time_to_live(table.clone()).await.map_err(writing)?;
        if matches!(now.status, TimeToLiveStatus::Disabled | TimeToLiveStatus::Disabling) {
            let input =
                UpdateTimeToLiveInput { table_name: table.clone(), enabled: true, attribute_name: attribute.clone() };
            backend.update_time_to_live(input).await.map_err(writing)?;
            (job.report)(CopyEvent::ExpiryEnabled);
        }
    }
    if source.description.deletion_protection {
        let input = UpdateTableInput {
            table_name: table.clone(),
            deletion_protection: Some(true),
            ..UpdateTableInput::default()
        };
        backend.update_table(input).await.map_err(writing)?;
        (job.report)(CopyEvent::ProtectionEnabled);
    }
    Ok(())
}
