//! A desk that hands out licenses: a small application on the design `platform`, through the module that `keyfold
//! generate rust` made of it. It opens two accounts, gives them licenses and users, lists what expires, and shows what
//! the members of one account see of the other.

mod desk;
mod member;
mod place;
#[expect(unreachable_pub, reason = "the module is generated for libraries as well")]
#[rustfmt::skip]
#[path = "../../../designs/platform/generated/rust/mod.rs"]
mod platform;

use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::Parser;
use keyfold_design::Design;
use keyfold_runtime::{Caller, Options, Runtime};
use platform::Platform;

/// The design is a part of the program, as the module made from it is.
const DESIGN: &str = include_str!("../../../designs/platform/design.yaml");

#[derive(Parser)]
#[command(about = "Opens two accounts with licenses and users, and shows what each sees")]
struct Arguments {
    #[command(flatten)]
    place: place::Place,
    /// The table, where it does not have the design's own name
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let (design, _) = Design::load("design.yaml", DESIGN)
        .map_err(|found| anyhow!("the design has {} errors; ask `keyfold check`", found.len()))?;
    let design = Arc::new(design);
    let options = Options { table_name: arguments.table, ..Options::standard(&design)? };
    let runtime = Runtime::new(design, arguments.place.open().await?, options);
    runtime.create_table().await.context("the table cannot be made")?;

    // The program's own setup is trusted: no rule applies to a superuser.
    desk::open(&Platform::new(&runtime, Caller::superuser("the desk"))).await?;
    // Her role is an item of the table, and so is what it permits.
    let ada = runtime.resolve_caller(Caller::member("northwind", "ada")).await?;
    member::look_around(&Platform::new(&runtime, ada)).await
}
