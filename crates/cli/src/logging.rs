//! Logs go to standard error; `KEYFOLD_LOG` chooses what (for example `info` or `keyfold_wire=debug`).

use tracing_subscriber::EnvFilter;

use crate::config::Found;

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    /// One JSON object for each line.
    Json,
}

/// Starts the log of commands, which tell people what went wrong themselves.
pub fn start() {
    let filter = std::env::var("KEYFOLD_LOG").unwrap_or_else(|_| "warn".to_owned());
    start_with(&filter, Format::Text);
}

pub fn start_with(filter: &str, format: Format) {
    // What the SDK says about its search for credentials is told with the failure, if there is one.
    let filter = EnvFilter::try_new(format!("aws_config=error,{filter}")).unwrap_or_else(|_| EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        Format::Text => log.init(),
        Format::Json => log.json().flatten_event(true).with_current_span(false).with_span_list(false).init(),
    }
}

pub fn read_filter(found: &Found) -> Result<String, String> {
    // The filter of a list is split nowhere: its commas are its own.
    let text = found.texts.join(",");
    match EnvFilter::try_new(&text) {
        Ok(_) if !text.is_empty() => Ok(text),
        _ => Err(format!("`{text}` is no filter of logs; one is `info`, or `warn,keyfold_api=debug`")),
    }
}

pub fn read_format(found: &Found) -> Result<Format, String> {
    match found.text() {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        other => Err(format!("`{other}` is neither `text` nor `json`")),
    }
}
