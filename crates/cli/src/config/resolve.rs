//! Resolves settings: flags override the environment, which overrides the file, which overrides the defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use keyfold_design::diagnostic::did_you_mean;

use super::file::{self, DEFAULT_FILE, FileValues};
use super::flags::Flags;
use super::raw_value::{RawValue, Source};
use super::setting::{About, DefaultValue, Form, Setting};
use super::settings;

/// All settings, with the sources of their values.
pub(crate) struct Config {
    values: BTreeMap<&'static str, RawValue>,
    /// Settings overridden by another one of their group.
    overruled: BTreeMap<&'static str, &'static str>,
    pub warnings: Vec<String>,
}

/// The environment variables that begin with `KEYFOLD_`.
pub(super) type Variables = BTreeMap<String, String>;

impl Config {
    /// Reads all sources and reports all errors together.
    pub(crate) fn read(flags: &Flags) -> anyhow::Result<Self> {
        Self::from_sources(flags, &variables()?)
    }

    pub(crate) fn from_sources(flags: &Flags, variables: &Variables) -> anyhow::Result<Self> {
        let mut faults = Vec::new();
        let file = configuration_file(flags, variables);
        let mut of_file = match &file {
            Some(path) => file::read(path, &settings::about().collect::<Vec<_>>(), &mut faults),
            None => FileValues::new(),
        };
        let mut values = BTreeMap::new();
        for about in settings::about() {
            let in_file = of_file.remove(about.name);
            match of_variables(about, variables) {
                Ok(of_variable) => {
                    if let Some(one) = flags.find(about).or(of_variable).or(in_file) {
                        values.insert(about.name, one);
                    }
                }
                Err(fault) => faults.push(fault),
            }
        }
        if let Some(path) = file {
            let texts = vec![path.display().to_string()];
            let implicit = RawValue { texts, source: Source::Default, is_secret: false };
            values.entry(settings::CONFIG.about.name).or_insert(implicit);
        }
        let mut config = Self::validated(values, unknown_variables(variables), &mut faults);
        match faults.as_slice() {
            [] => {}
            [fault] => bail!("{fault}"),
            faults => bail!("{} invalid settings:\n  {}", faults.len(), faults.join("\n  ")),
        }
        config.add_defaults()?;
        Ok(config)
    }

    /// The configuration with these values, without defaults. Adds what is wrong with them to the faults.
    pub(super) fn validated(
        values: BTreeMap<&'static str, RawValue>,
        warnings: Vec<String>,
        faults: &mut Vec<String>,
    ) -> Self {
        let mut config = Self { values, overruled: BTreeMap::new(), warnings };
        config.decide_groups(faults);
        // Overridden settings are not validated: in development mode, for example, a secret file may be missing.
        for setting in settings::ALL {
            let about = setting.about();
            if let Some(one) = config.values.get(about.name)
                && let Err(fault) = setting.check(one)
            {
                faults.push(format!("{}: {fault}", place_of(about, &one.source)));
            }
        }
        config
    }

    /// Among mutually exclusive settings, the source with the highest precedence wins.
    fn decide_groups(&mut self, faults: &mut Vec<String>) {
        for group in settings::groups() {
            let mut members: Vec<_> = settings::about()
                .filter(|about| about.group == Some(group))
                .filter_map(|about| Some((about, self.values.get(about.name)?)))
                // A switch that is off excludes nothing.
                .filter(|(about, found)| about.form != Form::Switch || super::read::switch(found) == Ok(true))
                .map(|(about, found)| (found.source.rank(), about))
                .collect();
            members.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
            let Some(((rank, chosen), rest)) = members.split_first() else { continue };
            for (other_rank, other) in rest {
                match other_rank == rank {
                    true => faults.push(format!("`{}` and `{}` are mutually exclusive", chosen.name, other.name)),
                    false => drop(self.values.remove(other.name)),
                }
            }
            let others = settings::about().filter(|about| about.group == Some(group) && about.name != chosen.name);
            self.overruled.extend(others.map(|about| (about.name, chosen.name)));
        }
    }

    pub(super) fn add_defaults(&mut self) -> anyhow::Result<()> {
        let is_dev = self.find(&settings::DEV)?.unwrap_or(false);
        for about in settings::about() {
            let default_value = match about.default_value {
                DefaultValue::None => continue,
                _ if self.overruled.contains_key(about.name) && about.form != Form::Switch => continue,
                DefaultValue::Always(value) => value,
                DefaultValue::Mode { dev, .. } if is_dev => dev,
                DefaultValue::Mode { otherwise, .. } => otherwise,
            };
            let texts = about.split(default_value);
            let made = || RawValue { texts, source: Source::Default, is_secret: false };
            self.values.entry(about.name).or_insert_with(made);
        }
        Ok(())
    }

    /// An optional value.
    pub(crate) fn find<T>(&self, setting: &Setting<T>) -> anyhow::Result<Option<T>> {
        let about = &setting.about;
        let Some(found) = self.values.get(about.name) else { return Ok(None) };
        match (setting.read)(found) {
            Ok(value) => Ok(Some(value)),
            Err(fault) => bail!("{}: {fault}", place_of(about, &found.source)),
        }
    }

    /// A value that is always present, at least by default.
    pub(crate) fn get<T>(&self, setting: &Setting<T>) -> anyhow::Result<T> {
        self.find(setting)?.with_context(|| format!("the setting `{}` is missing", setting.about.name))
    }

    pub(crate) fn source<T>(&self, setting: &Setting<T>) -> Source {
        self.source_of(&setting.about)
    }

    pub(crate) fn source_of(&self, about: &About) -> Source {
        self.values.get(about.name).map_or(Source::Default, |found| found.source.clone())
    }

    pub(super) fn found(&self, about: &About) -> Option<&RawValue> {
        self.values.get(about.name)
    }

    pub(super) fn overruled_by(&self, about: &About) -> Option<&'static str> {
        self.overruled.get(about.name).copied()
    }
}

/// The prefix of an error message.
fn place_of(about: &About, source: &Source) -> String {
    match source {
        Source::Default => format!("the default of `{}`", about.name),
        Source::File { path, line } => format!("{}:{line}: `{}`", path.display(), about.name),
        Source::Variable(name) => name.clone(),
        Source::Flag(name) => name.clone(),
    }
}

fn variables() -> anyhow::Result<Variables> {
    let ours = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok().filter(|name| name.starts_with("KEYFOLD_"))?;
        Some((name, value))
    });
    ours.map(|(name, value)| match value.into_string() {
        Ok(value) => Ok((name, value)),
        Err(_) => Err(anyhow::anyhow!("{name} is not valid UTF-8")),
    })
    .collect()
}

fn of_variables(about: &About, variables: &Variables) -> Result<Option<RawValue>, String> {
    let direct = about.secret_variable().and_then(|name| {
        let texts = vec![set_text(&name, variables)?.to_owned()];
        Some(RawValue { texts, source: Source::Variable(name), is_secret: true })
    });
    match (of_variable(about, variables), direct) {
        (Some(file), Some(direct)) => Err(format!("{} and {} are both set", file.source, direct.source)),
        (file, direct) => Ok(direct.or(file)),
    }
}

/// The value in the variable of a setting's own name; for a secret, the name of its file.
fn of_variable(about: &About, variables: &Variables) -> Option<RawValue> {
    let name = about.variable();
    let texts = about.split(set_text(&name, variables)?);
    Some(RawValue { texts, source: Source::Variable(name), is_secret: false })
}

/// The text of a variable; an empty one counts as unset.
fn set_text<'v>(name: &str, variables: &'v Variables) -> Option<&'v str> {
    variables.get(name).map(String::as_str).filter(|text| !text.is_empty())
}

/// Warnings about variables that are probably misspelled and would be ignored silently.
fn unknown_variables(variables: &Variables) -> Vec<String> {
    let mut known: Vec<String> = settings::about().map(About::variable).collect();
    known.extend(settings::about().filter_map(About::secret_variable));
    let unknown = variables.keys().filter(|name| !known.contains(name));
    unknown
        .filter_map(|name| {
            let close = did_you_mean(name, known.iter().map(String::as_str))?;
            Some(format!("unknown setting {name}; did you mean {close}?"))
        })
        .collect()
}

fn configuration_file(flags: &Flags, variables: &Variables) -> Option<PathBuf> {
    let about = &settings::CONFIG.about;
    match flags.find(about).or_else(|| of_variable(about, variables)) {
        Some(found) => Some(PathBuf::from(found.text())),
        None => Some(PathBuf::from(DEFAULT_FILE)).filter(|path: &PathBuf| Path::exists(path)),
    }
}
