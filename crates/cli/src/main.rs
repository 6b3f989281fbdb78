//! The binary `keyfold`.

#[macro_use]
mod say;

mod audit;
mod backend;
mod check;
mod config;
mod control;
mod copy;
mod descriptors;
mod design;
mod endpoint_tls;
mod engine;
mod erasures;
mod executor;
mod exit_code;
mod generate;
mod import;
mod log_output;
mod logging;
mod machine_key;
mod memory;
mod new;
mod person;
mod private_files;
mod readiness;
mod reload;
mod running_time;
mod serve;
mod signals;
mod stop;
mod supervisor;
mod table;
mod table_name;
mod token;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use keyfold_runtime::WriteVerb;

/// Fast with many threads, and gives memory back when idle. Without the feature, the allocator is the system's.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Nearly as fast, and compiled in seconds: what `./run` builds.
#[cfg(all(feature = "mimalloc", not(feature = "jemalloc")))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Run single-table designs for DynamoDB: check, query, serve and deploy them
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
    /// Write a small commented design to start from
    New(new::Arguments),
    /// Draft a design from an existing table or a CloudFormation template
    #[command(subcommand)]
    Import(import::Command),
    /// Create an item; fails if it exists
    Create(design::WriteArguments),
    /// Create or replace an item
    Put(design::WriteArguments),
    /// Create an item, or change the given attributes of an existing one
    Upsert(design::WriteArguments),
    /// Change attributes of an existing item
    Patch(design::PatchArguments),
    /// Read an item
    Get(design::GetArguments),
    /// Delete an item
    Delete(design::DeleteArguments),
    /// Run an access pattern
    Query(design::QueryArguments),
    /// Show the requests a call would send and their approximate cost
    Explain(design::ExplainArguments),
    /// Create a design's table and load its sample data
    Load(design::LoadArguments),
    /// Run a design's scenarios, examples and budgets
    Test(design::TestArguments),
    /// Generate infrastructure, policies, documentation and code from a design, or check that they are current
    Generate(generate::Arguments),
    /// Serve designs as REST APIs with authentication, authorization and tenants, and optionally a DynamoDB endpoint
    Serve(config::Flags),
    /// Inspect the settings of `keyfold serve`
    #[command(subcommand)]
    Config(config::Command),
    /// Manage machine keys: credentials of programs
    #[command(subcommand)]
    MachineKey(machine_key::Command),
    /// Revoke tokens of identity providers
    #[command(subcommand)]
    Token(token::Command),
    /// Export the audit log, and verify that nothing is missing from it
    #[command(subcommand)]
    Audit(audit::Command),
    /// Export or erase the personal data of one subject
    #[command(subcommand)]
    Person(person::Command),
    /// Create the first administrator of a design
    #[command(subcommand)]
    Admin(design::AdminCommand),
    /// Compare a live table with its design, and migrate it
    #[command(subcommand)]
    Table(table::Command),
    /// Copy a table between backends, resumable and verified
    Copy(copy::Arguments),
    /// Serve and inspect the embedded engine
    #[command(subcommand)]
    Engine(engine::Command),
}

fn main() -> ExitCode {
    let command = Arguments::parse().command;
    // Servers have their own log settings, and print nothing that is a result.
    let is_server = matches!(command, Command::Serve(_) | Command::Engine(engine::Command::Serve(_)));
    if !is_server {
        logging::start();
    }
    let outcome = match command {
        Command::Check(arguments) => check::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
        Command::Import(command) => command.run(),
        Command::Create(arguments) => design::write(WriteVerb::Create, &arguments),
        Command::Put(arguments) => design::write(WriteVerb::Put, &arguments),
        Command::Upsert(arguments) => design::write(WriteVerb::Upsert, &arguments),
        Command::Patch(arguments) => design::patch(&arguments),
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
        Command::Token(command) => command.run(),
        Command::Audit(command) => command.run(),
        Command::Person(command) => command.run(),
        Command::Admin(command) => command.run(),
        Command::Table(command) => command.run(),
        Command::Copy(arguments) => copy::run(&arguments),
        Command::Engine(command) => command.run(),
    };
    let code = outcome.unwrap_or_else(|error| {
        report!("error: {error:#}");
        ExitCode::FAILURE
    });
    match say::failure() {
        Some(error) if !is_server => {
            report!("error: cannot write to standard output: {error}");
            ExitCode::FAILURE
        }
        _ => code,
    }
}
