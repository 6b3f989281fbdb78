//! The backend of a table: the embedded engine in a folder, Amazon DynamoDB, or another service that speaks its
//! protocol.

mod client;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, bail};
use keyfold_design::model::BackendKind;
use keyfold_dynamo::Backend;
use keyfold_engine::{Engine, Options as EngineOptions};

/// The default data folder.
pub(crate) const DEFAULT_FOLDER: &str = "./data";

/// The flags that select the backend. At most one of them is given.
#[derive(clap::Args)]
pub(crate) struct BackendArguments {
    /// Data folder of the embedded engine [default: ./data]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["aws", "endpoint", "alternator"])]
    data: Option<PathBuf>,
    /// Use Amazon DynamoDB with the standard AWS configuration: AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB
    #[arg(long, conflicts_with_all = ["endpoint", "alternator"])]
    aws: bool,
    /// Use another service that speaks the DynamoDB protocol: `keyfold engine serve`, DynamoDB Local
    #[arg(long, value_name = "URL", conflicts_with = "alternator")]
    endpoint: Option<String>,
    /// Use a ScyllaDB cluster with Alternator, which has no transactions
    #[arg(long, value_name = "URL")]
    alternator: Option<String>,
}

impl BackendArguments {
    pub(crate) fn place(&self) -> anyhow::Result<BackendPlace> {
        let place = match self {
            Self { endpoint: Some(url), .. } => BackendPlace::Endpoint(checked(url)?),
            Self { alternator: Some(url), .. } => BackendPlace::Alternator(checked(url)?),
            Self { aws: true, .. } => BackendPlace::Aws,
            Self { data, .. } => BackendPlace::Folder(data.clone().unwrap_or_else(|| DEFAULT_FOLDER.into())),
        };
        Ok(place)
    }

    /// Opens the backend; see [`BackendPlace::open`].
    pub(crate) async fn open(&self) -> anyhow::Result<OpenBackend> {
        self.place()?.open().await
    }
}

/// The location of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BackendPlace {
    Folder(PathBuf),
    Aws,
    Endpoint(String),
    Alternator(String),
}

/// Parses `aws`, `http://…` or `https://…`, `alternator:http://…`, or a folder.
impl FromStr for BackendPlace {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        Ok(match text {
            "" => bail!("expected a folder, a URL or `aws`"),
            "aws" => Self::Aws,
            url if url.contains("://") => match url.strip_prefix("alternator:") {
                Some(url) => Self::Alternator(checked(url)?),
                None => Self::Endpoint(checked(url)?),
            },
            folder => Self::Folder(folder.into()),
        })
    }
}

impl std::fmt::Display for BackendPlace {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folder(folder) => write!(out, "the engine in `{}`", folder.display()),
            Self::Aws => out.write_str("Amazon DynamoDB"),
            Self::Endpoint(url) => write!(out, "the service at {url}"),
            Self::Alternator(url) => write!(out, "Alternator at {url}"),
        }
    }
}

/// An open backend.
pub(crate) struct OpenBackend {
    pub backend: Arc<dyn Backend>,
    /// The same, if it is the embedded engine.
    pub engine: Option<Arc<Engine>>,
    /// Its location; `Display` gives a text for sentences.
    pub place: BackendPlace,
}

impl BackendPlace {
    /// The kind of backend that a design must support.
    pub(crate) fn kind(&self) -> BackendKind {
        match self {
            Self::Folder(_) => BackendKind::Embedded,
            Self::Aws | Self::Endpoint(_) => BackendKind::DynamoDb,
            Self::Alternator(_) => BackendKind::Alternator,
        }
    }

    /// Opens the folder, or creates a client without sending a request. Needs a running tokio runtime.
    pub(crate) async fn open(self) -> anyhow::Result<OpenBackend> {
        self.open_with(EngineOptions::default()).await
    }

    /// The same, with options for the embedded engine.
    pub(crate) async fn open_with(self, options: EngineOptions) -> anyhow::Result<OpenBackend> {
        let backend: Arc<dyn Backend> = match &self {
            Self::Folder(folder) => {
                let engine = Arc::new(crate::engine::open(folder, options)?);
                let backend = Arc::clone(&engine);
                return Ok(OpenBackend { backend, engine: Some(engine), place: self });
            }
            Self::Aws => client::connect(None, self.kind()).await?,
            Self::Endpoint(url) | Self::Alternator(url) => client::connect(Some(url.clone()), self.kind()).await?,
        };
        Ok(OpenBackend { backend, engine: None, place: self })
    }
}

/// Validates a URL early: the SDK reports an invalid one only with the first request, and without detail.
fn checked(url: &str) -> anyhow::Result<String> {
    let uri: http::Uri = url.parse().with_context(|| format!("`{url}` is not a valid URL"))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        bail!("`{url}` is not a valid service URL; example: http://127.0.0.1:8000");
    }
    Ok(url.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        backend: BackendArguments,
    }

    fn place(arguments: &[&str]) -> BackendPlace {
        let given = std::iter::once("keyfold").chain(arguments.iter().copied());
        Command::try_parse_from(given).unwrap().backend.place().unwrap()
    }

    #[test]
    fn flags_say_where_the_table_is() {
        assert_eq!(place(&[]), BackendPlace::Folder("./data".into()));
        assert_eq!(place(&["--data", "x"]), BackendPlace::Folder("x".into()));
        assert_eq!(place(&["--aws"]), BackendPlace::Aws);
        assert_eq!(place(&["--endpoint", "http://a:1"]), BackendPlace::Endpoint("http://a:1".to_owned()));
        assert_eq!(place(&["--alternator", "http://a:1"]), BackendPlace::Alternator("http://a:1".to_owned()));
    }

    #[test]
    fn one_place_at_a_time() {
        let both = [
            ["--aws", "--data", "x"].as_slice(),
            &["--aws", "--endpoint", "http://a"],
            &["--data", "x", "--endpoint", "http://a"],
            &["--endpoint", "http://a", "--alternator", "http://a"],
        ];
        for arguments in both {
            let given = std::iter::once(&"keyfold").chain(arguments);
            assert!(Command::try_parse_from(given).is_err(), "{arguments:?}");
        }
    }

    #[test]
    fn one_text_says_it_as_well() {
        let read = |text: &str| text.parse::<BackendPlace>();
        assert_eq!(read("aws").unwrap(), BackendPlace::Aws);
        assert_eq!(read("./data").unwrap(), BackendPlace::Folder("./data".into()));
        assert_eq!(read("http://a:1").unwrap(), BackendPlace::Endpoint("http://a:1".to_owned()));
        assert_eq!(read("alternator:http://a:1").unwrap(), BackendPlace::Alternator("http://a:1".to_owned()));
        assert_eq!(
            read("ftp://a").unwrap_err().to_string(),
            "`ftp://a` is not a valid service URL; example: http://127.0.0.1:8000"
        );
    }
}
