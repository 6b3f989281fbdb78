//! The binary `keyfold`.

mod engine;
mod logging;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Many threads allocate small values of different lives here.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Keyfold makes single-table designs for DynamoDB executable.
#[derive(Parser)]
#[command(name = "keyfold", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The embedded engine: DynamoDB's semantics on this machine, durable
    #[command(subcommand)]
    Engine(engine::Command),
}

fn main() -> ExitCode {
    logging::start();
    let outcome = match Arguments::parse().command {
        Command::Engine(command) => command.run(),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
