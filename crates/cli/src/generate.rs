//! `keyfold generate`: the files that follow from a design, and whether those of a folder still do.

mod difference;
mod samples;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_api::{Limits, openapi_server};
use keyfold_design::counted;
use keyfold_generate::openapi::Server;
use keyfold_generate::{Cedar, File, Input, Target, generate, generate_series};

use crate::design::Project;
use samples::Samples;

/// Files that differ from what the design gives.
const STALE: u8 = 1;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Target to generate, or `all`
    #[arg(value_name = "TARGET", value_parser = parse_targets)]
    targets: Targets,
    /// Design file, or folder with a design.yaml
    #[arg(value_name = "DESIGN")]
    design: PathBuf,
    /// Output folder [default: `generated` next to the design]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing; fail with a diff if a file is out of date
    #[arg(long)]
    check: bool,
    /// Currently deployed design; a change of more than one index becomes an ordered series of deployments
    #[arg(long, value_name = "DESIGN", conflicts_with = "check")]
    from: Option<PathBuf>,
}

#[derive(Clone)]
struct Targets(Vec<Target>);

fn parse_targets(text: &str) -> Result<Targets, String> {
    if text == "all" {
        return Ok(Targets(Target::ALL.to_vec()));
    }
    Target::named(text).map(|target| Targets(vec![target])).ok_or_else(|| {
        let names: Vec<&str> = Target::ALL.into_iter().map(Target::name).collect();
        format!("targets are {} and all", names.join(", "))
    })
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let project = Project::open(&arguments.design)?;
    let source = project.files.file();
    let source = source.file_name().with_context(|| format!("`{}` is not a file", source.display()))?;
    let source = source.to_string_lossy().into_owned();
    let folder = arguments.out.clone().unwrap_or_else(|| project.files.generated());
    let needs_samples = arguments.targets.0.iter().any(|target| target.shows_samples());
    let samples = if needs_samples { samples::read(&project)? } else { Samples::default() };
    let targets = &arguments.targets.0;
    let cedar = if targets.contains(&Target::Cedar) { Some(cedar(&project)?) } else { None };
    let server = default_server();
    let input = Input {
        design: &project.design,
        source: &source,
        samples: &samples.items,
        measured: &samples.measured,
        cedar: cedar.as_ref(),
        openapi: Some(&server),
    };
    let files: Vec<File> = targets.iter().flat_map(|target| generate(*target, &input)).collect();
    if arguments.check {
        return check(&folder, targets, &files);
    }
    for file in &files {
        write(&folder, file)?;
    }
    say!("{} in {}", counted(files.len(), "file"), folder.display());
    if let Some(from) = &arguments.from {
        let from = Project::open(from)?;
        for target in targets.iter().filter(|target| target.deploys_in_steps()) {
            let steps = generate_series(*target, &from.design, &input);
            for file in &steps {
                write(&folder, file)?;
                say!("{}", file.path);
            }
            if !steps.is_empty() {
                say!("a deployment can change only one index: deploy these in order");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The REST server as it is where nothing else is configured.
fn default_server() -> Server {
    let change_records = ChangeRecordSettings::default();
    openapi_server(&Limits::default(), change_records.idempotency, change_records.audit)
}

/// The rules that the backend evaluates, with those of the `.cedar` files beside the design.
fn cedar(project: &Project) -> anyhow::Result<Cedar> {
    let policies = project.policies()?;
    Ok(Cedar { schema: policies.schema_text().to_owned(), policies: policies.policies_text().to_owned() })
}

fn write(folder: &Path, file: &File) -> anyhow::Result<()> {
    let path = folder.join(&file.path);
    let parent = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent).with_context(|| format!("cannot create `{}`", parent.display()))?;
    std::fs::write(&path, &file.text).with_context(|| format!("cannot write `{}`", path.display()))
}

fn check(folder: &Path, targets: &[Target], files: &[File]) -> anyhow::Result<ExitCode> {
    let mut stale = 0;
    for file in files {
        let path = folder.join(&file.path);
        let found = match std::fs::read_to_string(&path) {
            Ok(found) => found,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => bail!("cannot read `{}`: {error}", path.display()),
        };
        if found != file.text {
            stale += 1;
            say!("{}", difference::describe(&path.display().to_string(), &found, &file.text));
        }
    }
    let known: BTreeSet<PathBuf> = files.iter().map(|file| folder.join(&file.path)).collect();
    for target in targets {
        for path in files_in(&folder.join(target.name()))? {
            if !known.contains(&path) {
                stale += 1;
                say!("{}: the design no longer produces this file", path.display());
            }
        }
    }
    if stale == 0 {
        let verb = if files.len() == 1 { "is" } else { "are" };
        say!("{} {verb} up to date", counted(files.len(), "file"));
        return Ok(ExitCode::SUCCESS);
    }
    say!("{stale} out of date; run the same command without --check");
    Ok(ExitCode::from(STALE))
}

/// The files of a folder, those of the steps to a changed design aside: they are for one deployment and not kept.
fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if folder.is_dir() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
