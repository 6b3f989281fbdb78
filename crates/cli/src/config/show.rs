//! `keyfold config show`: all settings with their values and sources.

use std::process::ExitCode;

use super::flags::Flags;
use super::resolve::Config;
use super::settings;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Print each setting with its value and source (flag, environment, file or default). Takes the arguments of
    /// `keyfold serve`
    Show(Flags),
}

impl Command {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let Self::Show(flags) = self;
        let config = Config::read(flags)?;
        config.warn();
        say!("{}", text(&config));
        Ok(ExitCode::SUCCESS)
    }
}

impl Config {
    pub(crate) fn warn(&self) {
        for warning in &self.warnings {
            report!("keyfold: {warning}");
        }
    }
}

/// Columns of name, value and source.
pub(super) fn text(config: &Config) -> String {
    let mut rows = Vec::new();
    for about in settings::about() {
        let row = match (config.found(about), config.overruled_by(about)) {
            (Some(found), None) => (about.name, about.display(found), found.source.to_string()),
            (_, Some(other)) => (about.name, "-".to_owned(), format!("overridden by `{other}`")),
            (None, None) => (about.name, "-".to_owned(), "default".to_owned()),
        };
        rows.push(row);
    }
    let width = |column: &dyn Fn(&(&str, String, String)) -> usize| rows.iter().map(column).max().unwrap_or_default();
    let (names, values) = (width(&|row| row.0.len()), width(&|row| row.1.chars().count()).min(60));
    let lines = rows.iter().map(|(name, value, source)| format!("{name:<names$}  {value:<values$}  {source}"));
    lines.collect::<Vec<_>>().join("\n")
}
