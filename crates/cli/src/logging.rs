//! Logging to standard error; `KEYFOLD_LOG` is the filter (for example `info` or `keyfold_wire=debug`).

use tracing_subscriber::EnvFilter;

use crate::config::Found;

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    /// One JSON object per line.
    Json,
}

/// Starts logging for commands other than `serve`; they print their own errors.
pub(crate) fn start() {
    let filter = std::env::var("KEYFOLD_LOG").unwrap_or_else(|_| "warn".to_owned());
    start_with(&filter, Format::Text);
}

pub(crate) fn start_with(filter: &str, format: Format) {
    // The SDK's messages about its search for credentials are part of the error, if it fails.
    let filter = EnvFilter::try_new(format!("aws_config=error,{filter}")).unwrap_or_else(|_| EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        Format::Text => log.init(),
        Format::Json => log.json().flatten_event(true).with_current_span(false).with_span_list(false).init(),
    }
}

pub(crate) fn read_filter(found: &Found) -> Result<String, String> {
    // Commas are part of the filter.
    let text = found.texts.join(",");
    match EnvFilter::try_new(&text) {
        Ok(_) if !text.is_empty() => Ok(text),
        _ => Err(format!("`{text}` is not a valid log filter; examples: `info`, `warn,keyfold_api=debug`")),
    }
}

pub(crate) fn read_format(found: &Found) -> Result<Format, String> {
    match found.text() {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        other => Err(format!("expected `text` or `json`, found `{other}`")),
    }
}
