//! `keyfold check`: the diagnostics of a design and its policy files.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use keyfold_design::counted;
use keyfold_design::diagnostic::{Diagnostic, Severity, explain, to_json, to_text};
use keyfold_policy::Policies;

use crate::design::DesignFiles;

/// Errors, or warnings with `--deny warnings`.
const FOUND: u8 = 1;
/// An unreadable file, or an unknown code.
const UNUSABLE: u8 = 2;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Design files, or folders with a design.yaml
    #[arg(required_unless_present_any = ["explain", "schema"], value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: DiagnosticFormat,
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
enum DiagnosticFormat {
    /// Human-readable
    Text,
    /// One JSON array of all diagnostics, for editors and continuous integration
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Deny {
    Warnings,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if arguments.schema {
        writeln!(out, "{}", serde_json::to_string_pretty(&keyfold_design::schema())?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(id) = &arguments.explain {
        return explain_code(id, &mut out);
    }
    let mut report = Report {
        format: arguments.format,
        text: String::new(),
        objects: Vec::new(),
        tally: DiagnosticCount::default(),
    };
    for path in &arguments.paths {
        check(&DesignFiles::locate(path), &mut report)?;
    }
    match report.format {
        DiagnosticFormat::Text => writeln!(out, "{}{}", report.text, report.tally.sentence(arguments.paths.len()))?,
        DiagnosticFormat::Json => writeln!(out, "{}", serde_json::to_string_pretty(&report.objects)?)?,
    }
    Ok(report.tally.exit_code(arguments.deny.is_some()))
}

fn explain_code(id: &str, out: &mut impl Write) -> Result<ExitCode> {
    let mut codes = keyfold_design::codes();
    codes.extend(keyfold_policy::CODES);
    match codes.iter().find(|code| code.id == id.to_uppercase()) {
        Some(code) => {
            write!(out, "{}", explain(code))?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            let ids: Vec<&str> = codes.iter().map(|code| code.id).collect();
            report!("error: unknown code `{id}`; codes are {}", ids.join(", "));
            Ok(ExitCode::from(UNUSABLE))
        }
    }
}

/// Checks a design, and the policy files of one without errors.
fn check(files: &DesignFiles, report: &mut Report) -> Result<()> {
    let name = files.name();
    let text = match std::fs::read_to_string(files.file()) {
        Ok(text) => text,
        Err(error) => {
            report!("error: cannot read `{name}`: {error}");
            report.tally.unreadable += 1;
            return Ok(());
        }
    };
    let design = match keyfold_design::load(&name, &text) {
        Ok((design, found)) => {
            report.add(&name, &text, &found);
            Arc::new(design)
        }
        Err(found) => {
            report.add(&name, &text, &found);
            return Ok(());
        }
    };
    let policies = files.policies()?;
    let found = match Policies::compile(&design, &text, &policies) {
        Ok(compiled) => compiled.warnings().to_vec(),
        Err(found) => found,
    };
    for (file, source) in &policies {
        let of_file = found.iter().filter(|found| found.file == *file);
        let diagnostics: Vec<Diagnostic> = of_file.map(|found| found.diagnostic.clone()).collect();
        report.add(&files.policy_path(file), source, &diagnostics);
    }
    Ok(())
}

/// The diagnostics of all files, in the format that was asked for.
struct Report {
    format: DiagnosticFormat,
    text: String,
    objects: Vec<serde_json::Value>,
    tally: DiagnosticCount,
}

impl Report {
    fn add(&mut self, file: &str, source: &str, found: &[Diagnostic]) {
        self.tally.count(found);
        match self.format {
            DiagnosticFormat::Text => {
                self.text.push_str(&to_text(file, source, found, std::io::stdout().is_terminal()))
            }
            DiagnosticFormat::Json => {
                if let serde_json::Value::Array(objects) = to_json(file, source, found) {
                    self.objects.extend(objects);
                }
            }
        }
    }
}

#[derive(Default)]
struct DiagnosticCount {
    errors: usize,
    warnings: usize,
    notes: usize,
    unreadable: usize,
}

impl DiagnosticCount {
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
        let mut checked = format!("{} checked", counted(files - self.unreadable, "design"));
        if self.unreadable > 0 {
            checked += &format!(", {} could not be read", counted(self.unreadable, "file"));
            if files == self.unreadable {
                return checked;
            }
        }
        if self.errors + self.warnings + self.notes == 0 {
            return format!("{checked}, no problems found");
        }
        let parts: Vec<String> = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| counted(count, what))
            .collect();
        format!("{checked}, {}", parts.join(", "))
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
