//! A server in the background of a test.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use keyfold_environment::SeededRandom;
use keyfold_wire::{AccessKeys, BindError, Config, Credentials, Limits, Server};
use tokio::sync::oneshot;

use crate::backend::{Behaviour, Scripted};

pub(crate) struct Running {
    pub address: SocketAddr,
    pub backend: Arc<Scripted>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The configuration that most tests use: short waits, and nothing that the tests' requests come near.
pub(crate) fn config() -> Config {
    let limits = Limits { drain: Duration::from_secs(5), ..Limits::default() };
    let standard = Config::new(([127, 0, 0, 1], 0).into(), Credentials::AnyOnLoopback, &SeededRandom::default());
    Config { limits, ..standard.unwrap() }
}

pub(crate) fn start() -> Running {
    start_with(config())
}

pub(crate) fn start_with(config: Config) -> Running {
    start_on(2, config)
}

/// On so many worker threads.
pub(crate) fn start_on(workers: usize, config: Config) -> Running {
    let backend = Arc::new(Scripted::new(Behaviour::Nothing));
    let (stop, stopped) = oneshot::channel::<()>();
    let (tell_address, address) = std::sync::mpsc::channel();
    let serving = backend.clone();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build().unwrap();
        runtime.block_on(async {
            let server = Server::bind(config).await.unwrap();
            tell_address.send(server.local_addr()).unwrap();
            server.serve(serving, async { stopped.await.unwrap_or_default() }).await;
        });
    });
    Running { address: address.recv().unwrap(), backend, stop: Some(stop), thread: Some(thread) }
}

impl Running {
    /// Asks the server to stop, without waiting for it.
    pub(crate) fn ask_to_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    pub(crate) fn wait_until_stopped(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.ask_to_stop();
        if let Some(thread) = self.thread.take() {
            // A failure of the test itself has been reported already.
            let _ = thread.join();
        }
    }
}

#[test]
fn development_mode_listens_on_loopback_only() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let outside = Config { address: ([0, 0, 0, 0], 0).into(), ..config() };
    match runtime.block_on(Server::bind(outside.clone())) {
        Err(error @ BindError::NotLoopback(_)) => assert_eq!(
            error.to_string(),
            "0.0.0.0:0 is not a loopback address: credentials must be configured to listen there"
        ),
        _ => panic!("a server in development mode listens to everybody"),
    }
    let secrets = [("key".to_owned(), "secret".to_owned())].into();
    let protected = Config { credentials: Credentials::Configured(AccessKeys::new(secrets)), ..outside };
    runtime.block_on(Server::bind(protected)).map(|_| ()).unwrap();
}

#[test]
fn a_port_in_use_is_an_error() {
    let running = start();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let taken = Config { address: running.address, ..config() };
    match runtime.block_on(Server::bind(taken)) {
        Err(BindError::Listen { address, .. }) => assert_eq!(address, running.address),
        _ => panic!("two servers listen on one port"),
    }
}
