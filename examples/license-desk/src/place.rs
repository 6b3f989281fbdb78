//! Where the table is: the only part of the program that knows.

use std::path::PathBuf;
use std::sync::Arc;

use keyfold_aws::Aws;
use keyfold_dynamo::Backend;
use keyfold_engine::Engine;

#[derive(clap::Args)]
pub(crate) struct Place {
    /// A folder of the embedded engine; its memory, if nothing is said
    #[arg(long, value_name = "DIR", conflicts_with_all = ["aws", "endpoint"])]
    data: Option<PathBuf>,
    /// Amazon DynamoDB, by the configuration of AWS's own tools
    #[arg(long, conflicts_with = "endpoint")]
    aws: bool,
    /// Another service that speaks DynamoDB's protocol
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
}

impl Place {
    pub(crate) async fn open(&self) -> anyhow::Result<Arc<dyn Backend>> {
        if self.aws || self.endpoint.is_some() {
            let options = keyfold_aws::Options { endpoint: self.endpoint.clone(), ..Default::default() };
            return Ok(Arc::new(Aws::connect(options).await));
        }
        let options = keyfold_engine::Options::default();
        Ok(match &self.data {
            Some(folder) => Arc::new(Engine::open(folder, options)?),
            None => Arc::new(Engine::in_memory(options)?),
        })
    }
}
