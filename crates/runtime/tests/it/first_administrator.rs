//! Whether a design has an administrator already.

use std::collections::BTreeMap;
use std::sync::Arc;

use keyfold_dynamo::operation::{PageOutput, ScanInput};
use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend};
use keyfold_runtime::FirstAdministrator;

use crate::support::*;

/// A table whose scans come back without items.
struct WithoutItems(Arc<dyn Backend>);

impl ForwardingBackend for WithoutItems {
    fn inner(&self) -> &dyn Backend {
        self.0.as_ref()
    }

    fn scan(&self, input: ScanInput) -> BackendFuture<'_, PageOutput> {
        Box::pin(async move { Ok(PageOutput { items: None, ..self.0.scan(input).await? }) })
    }
}

#[tokio::test]
async fn a_scan_without_items_is_an_error_and_not_a_design_without_administrators() {
    let design = design(&design_text("../../designs/archive/design.yaml"));
    let runtime = runtime_on(&design, Arc::new(WithoutItems(engine())));
    runtime.create_table().await.unwrap();
    let given: BTreeMap<String, String> =
        [("name", "Ada"), ("issuer", "https://id.example.com"), ("subject", "ada")].map(owned).into();
    let administrator = FirstAdministrator::new(&runtime, given).unwrap();
    let error = administrator.exists().await.unwrap_err();
    assert!(error.to_string().contains("a scan returned no items"), "{error}");
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}
