//! Logs go to standard error; `KEYFOLD_LOG` chooses what (for example `info` or `keyfold_wire=debug`).

use tracing_subscriber::EnvFilter;

pub fn start() {
    // What the SDK says about its search for credentials is told with the failure, if there is one.
    let filter = EnvFilter::try_from_env("KEYFOLD_LOG").unwrap_or_else(|_| EnvFilter::new("warn,aws_config=error"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}
