//! Conditions of policies, put together and simplified before they are written out.

/// A condition that no item and no caller can make fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Formula {
    Always,
    Never,
    /// Cedar text that binds tighter than `&&`.
    Atom(String),
    /// Cedar text within `!(…)`.
    Not(String),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::Atom(text.into())
    }

    pub(super) fn not(text: impl Into<String>) -> Self {
        Self::Not(text.into())
    }

    pub(super) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::Always => {}
                Self::Never => return Self::Never,
                Self::All(inner) => inner.into_iter().for_each(|part| add(&mut kept, part)),
                part => add(&mut kept, part),
            }
        }
        one_or(kept, Self::Always, Self::All)
    }

    pub(super) fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::Never => {}
                Self::Always => return Self::Always,
                Self::Any(inner) => inner.into_iter().for_each(|part| add(&mut kept, part)),
                part => add(&mut kept, part),
            }
        }
        one_or(kept, Self::Never, Self::Any)
    }

    /// As Cedar text, one conjunct on a line.
    pub(super) fn text(&self, indent: &str) -> String {
        match self {
            Self::All(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::operand).collect();
                parts.join(&format!(" &&\n{indent}"))
            }
            _ => self.inline(),
        }
    }

    fn inline(&self) -> String {
        let joined =
            |parts: &[Self], operator: &str| parts.iter().map(Self::operand).collect::<Vec<_>>().join(operator);
        match self {
            Self::Always => "true".to_owned(),
            Self::Never => "false".to_owned(),
            Self::Atom(text) => text.clone(),
            Self::Not(text) => format!("!({text})"),
            Self::All(parts) => joined(parts, " && "),
            Self::Any(parts) => joined(parts, " || "),
        }
    }

    fn operand(&self) -> String {
        match self {
            Self::All(_) | Self::Any(_) => format!("({})", self.inline()),
            _ => self.inline(),
        }
    }
}

fn add(kept: &mut Vec<Formula>, part: Formula) {
    if !kept.contains(&part) {
        kept.push(part);
    }
}

fn one_or(mut parts: Vec<Formula>, none: Formula, several: fn(Vec<Formula>) -> Formula) -> Formula {
    match parts.len() {
        0 => none,
        1 => parts.remove(0),
        _ => several(parts),
    }
}
