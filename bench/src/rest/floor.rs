//! The floor: a bare axum handler that answers the bytes of a file.

use crate::Outcome;
use axum::{Router, body::Bytes, http::header::CONTENT_TYPE, routing::get, serve::ListenerExt as _};
use std::path::Path;
use tokio::net::TcpListener;

/// Serves until the process is killed.
pub(crate) fn serve(port: u16, answer: &Path) -> Outcome<()> {
    let answer = Bytes::from(std::fs::read(answer)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let handler = move || {
            let answer = answer.clone();
            async move { ([(CONTENT_TYPE, "application/json")], answer) }
        };
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        axum::serve(listener, Router::new().route("/{*path}", get(handler))).await?;
        Ok(())
    })
}
