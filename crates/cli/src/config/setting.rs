//! One setting. Its name is its flag, its key in the file, and, in capitals, its variable.

use super::raw_value::RawValue;

/// A setting with a typed value.
pub(crate) struct Setting<T: 'static> {
    pub about: About,
    pub read: Reader<T>,
}

/// Parses a value, or explains what is expected.
pub(super) type Reader<T> = fn(&RawValue) -> Result<T, String>;

/// The description of a setting, without its type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About {
    pub name: &'static str,
    /// The placeholder of its value in the help.
    pub value: &'static str,
    pub help: &'static str,
    pub section: &'static str,
    pub form: Form,
    pub default_value: DefaultValue,
    /// Whether it names files, which are relative to the configuration file.
    pub is_path: bool,
    /// Settings of the same group are mutually exclusive.
    pub group: Option<&'static str>,
}

/// The form in which a setting is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    One,
    /// A list: several flags, commas in a variable, a sequence in the file.
    Many,
    /// A list of positional arguments.
    Arguments,
    /// On if the flag is present.
    Switch,
    /// A file with a secret. The variable without `_FILE` may hold the secret itself.
    Secret,
    /// The configuration file, which cannot contain this setting.
    ConfigurationFile,
}

/// The default value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefaultValue {
    None,
    Always(&'static str),
    /// The default differs in development mode.
    Mode {
        dev: &'static str,
        otherwise: &'static str,
    },
}

impl<T> Setting<T> {
    pub(crate) const fn new(
        name: &'static str,
        value: &'static str,
        form: Form,
        help: &'static str,
        read: Reader<T>,
    ) -> Self {
        let about = About {
            name,
            value,
            help,
            section: "",
            form,
            default_value: DefaultValue::None,
            is_path: false,
            group: None,
        };
        Self { about, read }
    }

    pub(super) const fn default_value(mut self, value: &'static str) -> Self {
        self.about.default_value = DefaultValue::Always(value);
        self
    }

    pub(super) const fn default_by_mode(mut self, dev: &'static str, otherwise: &'static str) -> Self {
        self.about.default_value = DefaultValue::Mode { dev, otherwise };
        self
    }

    pub(crate) const fn path(mut self) -> Self {
        self.about.is_path = true;
        self
    }

    pub(crate) const fn group(mut self, group: &'static str) -> Self {
        self.about.group = Some(group);
        self
    }

    pub(crate) const fn section(mut self, section: &'static str) -> Self {
        self.about.section = section;
        self
    }
}

impl About {
    pub(crate) fn flag(&self) -> String {
        match self.form {
            Form::Arguments => format!("<{}>", self.value),
            _ => format!("--{}", self.name),
        }
    }

    pub(crate) fn variable(&self) -> String {
        format!("KEYFOLD_{}", self.name.replace('-', "_").to_uppercase())
    }

    /// The variable with the secret itself.
    pub(crate) fn secret_variable(&self) -> Option<String> {
        let variable = self.variable();
        (self.form == Form::Secret).then(|| variable.strip_suffix("_FILE").unwrap_or(&variable).to_owned())
    }

    /// A value for display, without secrets.
    pub(crate) fn display(&self, value: &RawValue) -> String {
        match self.form {
            Form::Secret if value.is_secret => "(set)".to_owned(),
            Form::Secret => format!("(set, from file {})", value.text()),
            _ if value.texts.is_empty() => "(none)".to_owned(),
            _ => value.texts.join(", "),
        }
    }

    pub(crate) fn is_in_file(&self) -> bool {
        self.form != Form::ConfigurationFile
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.form, Form::Many | Form::Arguments)
    }

    /// Splits the text of a list.
    pub(crate) fn split(&self, text: &str) -> Vec<String> {
        match self.is_list() {
            true => text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect(),
            false => vec![text.to_owned()],
        }
    }
}

/// A setting of any type.
pub(crate) trait AnySetting: Sync {
    fn about(&self) -> &About;

    /// Validates a value.
    fn check(&self, found: &RawValue) -> Result<(), String>;
}

impl<T> AnySetting for Setting<T> {
    fn about(&self) -> &About {
        &self.about
    }

    fn check(&self, found: &RawValue) -> Result<(), String> {
        (self.read)(found).map(drop)
    }
}
