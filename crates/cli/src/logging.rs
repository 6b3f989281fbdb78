//! Logging to standard error or a file; `KEYFOLD_LOG` is the filter (for example `info` or `keyfold_wire=debug`).

use tracing_subscriber::EnvFilter;

use crate::log_output::LogOutput;

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    Text,
    /// One JSON object per line.
    Json,
}

/// Starts logging for commands without log settings; they print their own errors.
pub(crate) fn start() {
    start_with(&environment_filter(), LogFormat::Text, &LogOutput::StandardError);
}

/// The filter of commands that have no setting for it.
pub(crate) fn environment_filter() -> String {
    std::env::var("KEYFOLD_LOG").unwrap_or_else(|_| "warn".to_owned())
}

pub(crate) fn start_with(filter: &str, format: LogFormat, output: &LogOutput) {
    // The SDK's messages about its search for credentials are part of the error, if it fails.
    let filter = EnvFilter::try_new(format!("aws_config=error,{filter}")).unwrap_or_else(|_| EnvFilter::new("warn"));
    let log =
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(output.is_terminal()).with_writer(output.clone());
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).with_current_span(false).with_span_list(false).init(),
    }
    keyfold_engine::store::forward_log();
    // Only now can there be a warning about it.
    output.tighten();
}

/// Whether a text is a filter of log lines.
pub(crate) fn is_filter(text: &str) -> bool {
    !text.is_empty() && EnvFilter::try_new(text).is_ok()
}
