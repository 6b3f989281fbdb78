//! The settings as command line flags.

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::raw_value::{RawValue, Source};
use super::setting::{About, DefaultValue, Form};
use super::settings;

/// The settings given on the command line.
pub(crate) struct Flags {
    given: Vec<(&'static About, Vec<String>)>,
}

impl Flags {
    pub(crate) fn find(&self, about: &About) -> Option<RawValue> {
        let (_, texts) = self.given.iter().find(|(given, _)| given.name == about.name)?;
        Some(RawValue { texts: texts.clone(), source: Source::Flag(about.flag()), is_secret: false })
    }
}

impl clap::Args for Flags {
    fn augment_args(command: Command) -> Command {
        settings::about().fold(command, |command, about| command.arg(flag(about)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let texts = |about: &'static About| {
            let texts = matches.get_many::<String>(about.name)?;
            let texts: Vec<String> = match about.form {
                // File names may contain commas.
                Form::Arguments => texts.cloned().collect(),
                _ => texts.flat_map(|text| about.split(text)).collect(),
            };
            Some((about, texts))
        };
        Ok(Self { given: settings::about().filter_map(texts).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn flag(about: &'static About) -> Arg {
    let arg = Arg::new(about.name).value_name(about.value).help(help(about)).help_heading(about.section);
    match about.form {
        Form::Arguments => arg.num_args(0..),
        Form::Many => arg.long(about.name).action(ArgAction::Append),
        Form::Switch => arg.long(about.name).num_args(0..=1).require_equals(true).default_missing_value("on"),
        Form::One | Form::Secret | Form::ConfigurationFile => arg.long(about.name),
    }
}

fn help(about: &About) -> String {
    let default_value = match about.default_value {
        DefaultValue::None => String::new(),
        DefaultValue::Always(value) => format!(" [default: {value}]"),
        DefaultValue::Mode { dev, otherwise } => format!(" [default: {otherwise}; with --dev {dev}]"),
    };
    let variable = match about.secret_variable() {
        Some(direct) => format!("{} or {direct}", about.variable()),
        None => about.variable(),
    };
    format!("{} [env: {variable}]{default_value}", about.help)
}
