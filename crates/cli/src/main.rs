//! The binary `keyfold`.

#[macro_use]
mod say;

mod backend;
mod check;
mod config;
mod copy;
mod design;
mod engine;
mod generate;
mod import;
mod logging;
mod machine_key;
mod new;
mod serve;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Fast with many threads, and gives memory back when idle. Without the feature, the allocator is the system's.
#[cfg(feature = "jemalloc")]
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
    /// Check designs: names, keys, access patterns, tenancy, cost
    Check(check::Arguments),
    /// Write a small, commented design to start from
    New(new::Arguments),
    /// Draft a design from a table that is there already: a CloudFormation template, or a live table
    #[command(subcommand)]
    Import(import::Command),
    /// Create an item that does not exist yet
    Create(design::WriteArguments),
    /// Create an item, or replace it
    Put(design::WriteArguments),
    /// Create an item, or change what is given
    Upsert(design::WriteArguments),
    /// Change an item that exists
    Patch(design::WriteArguments),
    /// Read an item
    Get(design::GetArguments),
    /// Delete an item
    Delete(design::DeleteArguments),
    /// Read items through an access pattern
    Query(design::QueryArguments),
    /// Show the requests that a call would send, and about what they cost
    Explain(design::ExplainArguments),
    /// Create the table of a design and load its sample data
    Load(design::LoadArguments),
    /// Try out everything a design says about itself: scenarios, examples, budgets
    Test(design::TestArguments),
    /// Generate files from a design: infrastructure, policies, documents, code; or check that they are current
    Generate(generate::Arguments),
    /// Serve designs over REST, with identities, roles and tenants; the DynamoDB endpoint beside it
    Serve(config::Flags),
    /// The settings of `serve`: what they are, and where that is said
    #[command(subcommand)]
    Config(config::Command),
    /// Keys of machines, which call the backend without a token
    #[command(subcommand)]
    MachineKey(machine_key::Command),
    /// The live table of a design: what it takes to create or change it, and doing that
    #[command(subcommand)]
    Table(table::Command),
    /// Move a table between the embedded engine and DynamoDB, resumable and verified
    Copy(copy::Arguments),
    /// The embedded engine: DynamoDB's semantics on this machine, durable
    #[command(subcommand)]
    Engine(engine::Command),
}

fn main() -> ExitCode {
    let command = Arguments::parse().command;
    // The backend has settings for its log.
    if !matches!(command, Command::Serve(_)) {
        logging::start();
    }
    let outcome = match command {
        Command::Check(arguments) => check::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
        Command::Import(command) => command.run(),
        Command::Create(arguments) => design::write(design::WriteVerb::Create, &arguments),
        Command::Put(arguments) => design::write(design::WriteVerb::Put, &arguments),
        Command::Upsert(arguments) => design::write(design::WriteVerb::Upsert, &arguments),
        Command::Patch(arguments) => design::write(design::WriteVerb::Patch, &arguments),
        Command::Get(arguments) => design::get(&arguments),
        Command::Delete(arguments) => design::delete(&arguments),
        Command::Query(arguments) => design::query(&arguments),
        Command::Explain(arguments) => design::explain(&arguments),
        Command::Load(arguments) => design::load(&arguments),
        Command::Test(arguments) => design::test(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Serve(flags) => serve::run(&flags),
        Command::Config(command) => command.run(),
        Command::MachineKey(command) => command.run(),
        Command::Table(command) => command.run(),
        Command::Copy(arguments) => copy::run(&arguments),
        Command::Engine(command) => command.run(),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
