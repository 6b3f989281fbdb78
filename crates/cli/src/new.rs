//! `keyfold new`: a design to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};

use crate::design::DesignFiles;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Name of the design: lower-case letters, digits and hyphens
    name: String,
    /// Folder to write design.yaml to [default: the name of the design]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let name = &arguments.name;
    if !keyfold_design::is_design_name(name) {
        report!(
            "error: `{name}` is not a valid design name; use lower-case letters, digits and hyphens, starting with a letter"
        );
        return Ok(ExitCode::from(2));
    }
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from(name));
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    let files = DesignFiles::in_folder(&folder);
    let path = files.file();
    // Never overwrite an existing design.
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => anyhow!("`{}` already exists", path.display()),
        _ => anyhow!("cannot write `{}`: {error}", path.display()),
    })?;
    file.write_all(keyfold_design::starter(name).as_bytes())?;
    say!("{} written; check it with `keyfold check {}`", path.display(), folder.display());
    Ok(ExitCode::SUCCESS)
}
