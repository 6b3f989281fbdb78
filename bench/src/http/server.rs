//! Servers in processes of their own, stopped when the benchmark ends.

use super::{
    load::{RequestSource, Throughput, drive},
    table::call,
};
use crate::{Outcome, process::process_cpu_seconds};
use std::{
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// A server under measurement.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: &'static str,
    pub(crate) address: SocketAddr,
    process: Option<Child>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Server {
    /// The bare server that answers 1 KB.
    pub(crate) fn floor() -> Outcome<Self> {
        Self::of_this_binary("floor", &["floor"])
    }

    /// `keyfold engine serve` with its default durability.
    pub(crate) fn keyfold(binary: &Path, data: &Path) -> Outcome<Self> {
        let port = free_port()?;
        let mut command = Command::new(binary);
        command.args(["engine", "serve", "--port", &port.to_string(), "--data"]).arg(data);
        let server = Self::start("keyfold", &mut command, port)?;
        server.wait_for_answer(Duration::from_secs(30))?;
        Ok(server)
    }

    /// DynamoDB Local in memory, from the folder that holds its jar.
    pub(crate) fn dynamodb_local(folder: &Path) -> Outcome<Self> {
        let port = free_port()?;
        let mut command = Command::new("java");
        command
            .arg(format!("-Djava.library.path={}", folder.join("DynamoDBLocal_lib").display()))
            .args(["-Xmx1g", "-jar"])
            .arg(folder.join("DynamoDBLocal.jar"))
            .args(["-inMemory", "-sharedDb", "-disableTelemetry", "-port", &port.to_string()])
            .env("DDB_LOCAL_TELEMETRY", "0");
        let server = Self::start("DynamoDB Local", &mut command, port)?;
        server.wait_for_answer(Duration::from_secs(60))?;
        Ok(server)
    }

    /// A server someone else started.
    pub(crate) fn running(name: &'static str, address: SocketAddr) -> Self {
        Self { name, address, process: None }
    }

    pub(crate) fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// Drives this server and notes its processor time for one request.
    pub(crate) fn drive(
        &self,
        connections: usize,
        length: Duration,
        source: &mut dyn RequestSource,
    ) -> Outcome<Throughput> {
        let settling = Duration::from_millis(300);
        drive(self.address, connections, Duration::ZERO, settling, source)?;
        let (start, cpu) = (Instant::now(), self.cpu_seconds());
        let mut measured = drive(self.address, connections, Duration::ZERO, length, source)?;
        let requests = measured.per_second * start.elapsed().as_secs_f64();
        measured.cpu = (self.cpu_seconds() - cpu) * 1e6 / requests.max(1.0);
        Ok(measured)
    }

    /// Waits until the server has nothing to do any more.
    pub(crate) fn settle(&self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut used = self.cpu_seconds();
        while Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(200));
            let before = std::mem::replace(&mut used, self.cpu_seconds());
            // One tick of the kernel's counter.
            if used - before <= 0.011 {
                return;
            }
        }
        eprintln!("{} is still at work: what comes next is measured beside that", self.name);
    }

    fn cpu_seconds(&self) -> f64 {
        self.process_id().map_or(0.0, process_cpu_seconds)
    }

    /// A process that someone else started, and that ends with this.
    pub(crate) fn started(name: &'static str, process: Child, port: u16) -> Self {
        Self { name, address: SocketAddr::from(([127, 0, 0, 1], port)), process: Some(process) }
    }

    /// This binary as a server of its own, once it listens.
    pub(crate) fn of_this_binary(name: &'static str, arguments: &[&str]) -> Outcome<Self> {
        let port = free_port()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments).args(["--port", &port.to_string()]);
        let server = Self::start(name, &mut command, port)?;
        server.wait_for_port(Duration::from_secs(10))?;
        Ok(server)
    }

    fn start(name: &'static str, command: &mut Command, port: u16) -> Outcome<Self> {
        let process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start {name}: {error}"))?;
        Ok(Self::started(name, process, port))
    }

    fn wait_for_port(&self, limit: Duration) -> Outcome<()> {
        self.wait(limit, || TcpStream::connect(self.address).is_ok())
    }

    fn wait_for_answer(&self, limit: Duration) -> Outcome<()> {
        self.wait(limit, || matches!(call(self.address, "ListTables", "{}"), Ok((200, _))))
    }

    fn wait(&self, limit: Duration, ready: impl Fn() -> bool) -> Outcome<()> {
        let start = Instant::now();
        while !ready() {
            if start.elapsed() > limit {
                return Err(format!("{} did not answer within {limit:?}", self.name).into());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }
}

pub(crate) fn free_port() -> Outcome<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
