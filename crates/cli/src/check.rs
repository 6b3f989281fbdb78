//! `keyfold check`: the diagnostics of a design and its policy files.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use keyfold_design::diagnostic::{Diagnostic, Severity, explain, to_json, to_text};
use keyfold_policy::{Policies, PolicyProblem};

use crate::design::policy_files;

/// Errors, or warnings with `--deny warnings`.
const FOUND: u8 = 1;
/// An unreadable file, or an unknown code.
const UNUSABLE: u8 = 2;

#[derive(clap::Args)]
pub struct Arguments {
    /// Design files, or folders with a design.yaml
    #[arg(required_unless_present_any = ["explain", "schema"], value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Explain a diagnostic code
    #[arg(long, value_name = "CODE", conflicts_with_all = ["paths", "schema"])]
    explain: Option<String>,
    /// Print the JSON Schema of design files, for editors
    #[arg(long, conflicts_with = "paths")]
    schema: bool,
    /// Fail on warnings too
    #[arg(long, value_enum)]
    deny: Option<Deny>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Human-readable
    Text,
    /// One JSON array of all diagnostics, for editors and continuous integration
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Deny {
    Warnings,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if arguments.schema {
        writeln!(out, "{}", serde_json::to_string_pretty(&keyfold_design::schema())?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(id) = &arguments.explain {
        return Ok(match keyfold_design::code(&id.to_uppercase()) {
            Some(code) => {
                write!(out, "{}", explain(code))?;
                ExitCode::SUCCESS
            }
            None => {
                let codes: Vec<&str> = keyfold_design::codes().iter().map(|code| code.id).collect();
                eprintln!("error: unknown code `{id}`; codes are {}", codes.join(", "));
                ExitCode::from(UNUSABLE)
            }
        });
    }
    let mut tally = Tally::default();
    let mut objects = Vec::new();
    for path in &arguments.paths {
        let file = design_file(path);
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("error: cannot read `{}`: {error}", file.display());
                tally.unreadable += 1;
                continue;
            }
        };
        let name = file.display().to_string();
        let (found, problems) = match keyfold_design::load(&name, &text) {
            Ok((design, found)) => {
                let policies = policy_files(file.parent().unwrap_or(Path::new("")))?;
                let problems = Policies::compile(&Arc::new(design), &text, &policies).err();
                (found, problems.unwrap_or_default())
            }
            Err(found) => (found, Vec::new()),
        };
        tally.count(&found);
        tally.errors += problems.len();
        match arguments.format {
            Format::Text => {
                write!(out, "{}", to_text(&name, &text, &found, std::io::stdout().is_terminal()))?;
                for problem in &problems {
                    writeln!(out, "error: {problem}\n")?;
                }
            }
            Format::Json => {
                objects.extend(to_json(&name, &text, &found).as_array().cloned().unwrap_or_default());
                objects.extend(problems.iter().map(as_json));
            }
        }
    }
    match arguments.format {
        Format::Text => writeln!(out, "{}", tally.sentence(arguments.paths.len()))?,
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&objects)?)?,
    }
    Ok(tally.exit_code(arguments.deny.is_some()))
}

/// A problem of a policy file, in the format of design diagnostics.
fn as_json(problem: &PolicyProblem) -> serde_json::Value {
    serde_json::json!({
        "file": problem.file,
        "severity": "error",
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
        "help": problem.help,
    })
}

/// The design file of a path, which may be a folder.
fn design_file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("design.yaml") } else { path.to_owned() }
}

#[derive(Default)]
struct Tally {
    errors: usize,
    warnings: usize,
    notes: usize,
    unreadable: usize,
}

impl Tally {
    fn count(&mut self, found: &[Diagnostic]) {
        for diagnostic in found {
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Note => self.notes += 1,
            }
        }
    }

    fn sentence(&self, files: usize) -> String {
        let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let checked = plural(files - self.unreadable, "design");
        if self.errors + self.warnings + self.notes == 0 {
            return format!("{checked} checked, no problems found");
        }
        let parts: Vec<String> = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| plural(count, what))
            .collect();
        format!("{checked} checked, {}", parts.join(", "))
    }

    fn exit_code(&self, deny_warnings: bool) -> ExitCode {
        if self.unreadable > 0 {
            ExitCode::from(UNUSABLE)
        } else if self.errors > 0 || (deny_warnings && self.warnings > 0) {
            ExitCode::from(FOUND)
        } else {
            ExitCode::SUCCESS
        }
    }
}
