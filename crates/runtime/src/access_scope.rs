//! The scope of a credential: what it may be used for, within what the rules allow its caller. It never adds to the
//! rules.

use std::fmt;

use keyfold_design::Design;
use keyfold_design::diagnostic::did_you_mean;
use keyfold_design::model::{Entity, Pattern, Verb};

/// Words for verbs, as in rules.
const WORDS: [(&str, &[Verb]); 7] = [
    ("read", &[Verb::Get, Verb::List]),
    ("write", &[Verb::Create, Verb::Update, Verb::Delete]),
    ("get", &[Verb::Get]),
    ("list", &[Verb::List]),
    ("create", &[Verb::Create]),
    ("update", &[Verb::Update]),
    ("delete", &[Verb::Delete]),
];
/// Verbs of the API that rules, and therefore scopes, do not distinguish.
const OTHER_VERBS: [&str; 3] = ["patch", "put", "upsert"];
/// Stands before the name of an access pattern.
const PATTERN: &str = "pattern";

/// What a credential may be used for. A caller without a scope may do whatever the rules allow.
///
/// ```
/// use keyfold_runtime::AccessScope;
///
/// let scope = AccessScope::parse(["License:read", "pattern:open-invoices"])?;
/// assert_eq!(scope.texts(), ["License:read", "pattern:open-invoices"]);
/// # Ok::<(), keyfold_runtime::ScopeError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct AccessScope {
    texts: Vec<String>,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Part {
    /// Verbs on items: of one entity, or of all.
    Verbs {
        entity: Option<String>,
        verbs: &'static [Verb],
    },
    /// Pages of one access pattern, by its name or its slug.
    Pattern(String),
    Area(ScopeArea),
}

/// What a server offers besides items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScopeArea {
    /// The audit log of a design.
    AuditLog,
    /// The metrics of the server, and the causes of failed probes.
    Metrics,
    /// The machine keys of the server.
    MachineKeys,
}

impl ScopeArea {
    const ALL: [Self; 3] = [Self::AuditLog, Self::Metrics, Self::MachineKeys];

    const fn as_str(self) -> &'static str {
        match self {
            Self::AuditLog => "audit",
            Self::Metrics => "metrics",
            Self::MachineKeys => "machine-keys",
        }
    }
}

/// A text that is not part of a scope, or names something that the design does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// A word that is neither a verb nor an area.
    #[error("unknown word `{word}` in the scope `{scope}`{}", hint(suggestion.as_deref(), "write `read`, `License:update`, `pattern:NAME` or `audit`"))]
    Word {
        /// The whole scope.
        scope: String,
        /// What is unknown.
        word: String,
        /// A known word that is similar; `None` if there is none.
        suggestion: Option<String>,
    },
    /// An entity that the design does not have.
    #[error("unknown entity `{entity}` in the scope `{scope}`{}", hint(suggestion.as_deref(), "name an entity of the design"))]
    Entity {
        /// The whole scope.
        scope: String,
        /// What is unknown.
        entity: String,
        /// An entity with a similar name; `None` if there is none.
        suggestion: Option<String>,
    },
    /// An access pattern that the design does not have.
    #[error("unknown access pattern `{pattern}` in the scope `{scope}`{}", hint(suggestion.as_deref(), "name an access pattern of the design"))]
    Pattern {
        /// The whole scope.
        scope: String,
        /// What is unknown.
        pattern: String,
        /// A pattern with a similar name; `None` if there is none.
        suggestion: Option<String>,
    },
}

fn hint(suggestion: Option<&str>, otherwise: &str) -> String {
    suggestion.map_or_else(|| format!("; {otherwise}"), |close| format!("; did you mean `{close}`?"))
}

impl AccessScope {
    /// Reads scopes such as `read`, `License:read`, `License:update`, `pattern:open-invoices` and `audit`. Names of
    /// entities and patterns are not compared with a design; see [`AccessScope::check`].
    pub fn parse(texts: impl IntoIterator<Item = impl Into<String>>) -> Result<Self, ScopeError> {
        let texts: Vec<String> = texts.into_iter().map(Into::into).collect();
        let parts = texts.iter().map(|text| Part::parse(text)).collect::<Result<_, _>>()?;
        Ok(Self { texts, parts })
    }

    /// The scopes as they were written.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Fails if the scope names an entity or an access pattern that none of the designs has.
    pub fn check<'d>(&self, designs: impl Iterator<Item = &'d Design> + Clone) -> Result<(), ScopeError> {
        for (part, scope) in self.parts.iter().zip(&self.texts) {
            match part {
                Part::Verbs { entity: Some(entity), .. } => {
                    let names = designs.clone().flat_map(|design| &design.entities).map(|entity| entity.name.as_str());
                    if !names.clone().any(|name| name == entity) {
                        let suggestion = did_you_mean(entity, names).map(str::to_owned);
                        return Err(ScopeError::Entity { scope: scope.clone(), entity: entity.clone(), suggestion });
                    }
                }
                Part::Pattern(named) => {
                    let patterns = designs.clone().flat_map(|design| &design.patterns);
                    if !patterns.clone().any(|pattern| is_named(pattern, named)) {
                        let suggestion = did_you_mean(named, patterns.map(|pattern| pattern.slug.as_str()));
                        let (scope, pattern) = (scope.clone(), named.clone());
                        return Err(ScopeError::Pattern { scope, pattern, suggestion: suggestion.map(str::to_owned) });
                    }
                }
                Part::Verbs { entity: None, .. } | Part::Area(_) => {}
            }
        }
        Ok(())
    }

    /// Whether an access to items is in the scope. A list by no particular pattern is if one of the patterns that the
    /// scope names has the entity; without a design, if the scope names any pattern.
    pub(crate) fn admits(
        &self,
        verb: Verb,
        entity: &Entity,
        pattern: Option<&Pattern>,
        design: Option<&Design>,
    ) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Verbs { entity: own, verbs } => {
                verbs.contains(&verb) && own.as_ref().is_none_or(|own| *own == entity.name)
            }
            Part::Pattern(own) if verb == Verb::List => match (pattern, design) {
                (Some(pattern), _) => is_named(pattern, own),
                (None, Some(design)) => {
                    let mut listed = design.patterns.iter().filter(|pattern| is_named(pattern, own));
                    listed.any(|pattern| pattern.entities().any(|id| id == entity.id))
                }
                (None, None) => true,
            },
            Part::Pattern(_) | Part::Area(_) => false,
        })
    }

    /// Whether something that a server offers besides items is in the scope.
    pub fn admits_area(&self, area: ScopeArea) -> bool {
        self.parts.contains(&Part::Area(area))
    }
}

impl Part {
    fn parse(text: &str) -> Result<Self, ScopeError> {
        let (entity, word) = match text.split_once(':') {
            Some((PATTERN, name)) if !name.is_empty() => return Ok(Self::Pattern(name.to_owned())),
            Some((entity, word)) => (Some(entity), word),
            None => (None, text),
        };
        let verbs = WORDS.iter().find(|(name, _)| *name == word).map(|(_, verbs)| *verbs);
        match (entity, verbs) {
            (_, Some(verbs)) => return Ok(Self::Verbs { entity: entity.map(str::to_owned), verbs }),
            (None, None) => {
                if let Some(area) = ScopeArea::ALL.into_iter().find(|area| area.as_str() == word) {
                    return Ok(Self::Area(area));
                }
            }
            (Some(_), None) => {}
        }
        let suggestion = match word {
            word if OTHER_VERBS.contains(&word) => Some("update"),
            word => {
                let areas = ScopeArea::ALL.into_iter().map(ScopeArea::as_str).filter(|_| entity.is_none());
                did_you_mean(word, WORDS.iter().map(|(name, _)| *name).chain(areas))
            }
        };
        let (scope, word) = (text.to_owned(), word.to_owned());
        Err(ScopeError::Word { scope, word, suggestion: suggestion.map(str::to_owned) })
    }
}

fn is_named(pattern: &Pattern, name: &str) -> bool {
    pattern.slug == name || pattern.name == name
}

impl fmt::Display for AccessScope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.texts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(texts: &[&str]) -> AccessScope {
        AccessScope::parse(texts.iter().copied()).unwrap()
    }

    fn design() -> Design {
        let text = "
design: desk
table: desk
entities:
  License: {PK: LICENSE#<id>, SK: LICENSE, attributes: {id: string}}
  Note: {PK: NOTE#<id>, SK: NOTE, attributes: {id: string}}
patterns:
  one note: PK = NOTE#<id>
  one license: PK = LICENSE#<id>
";
        Design::load("design.yaml", text).unwrap().0
    }

    #[test]
    fn scopes_name_verbs_of_entities_and_patterns() {
        let design = design();
        let [license, note] = ["License", "Note"].map(|name| design.entity_named(name).unwrap());
        let pattern = |name: &str| design.patterns.iter().find(|pattern| pattern.name == name).unwrap();
        let admits = |texts: &[&str], verb, entity, listed: Option<&str>| {
            scope(texts).admits(verb, entity, listed.map(pattern), Some(&design))
        };
        assert!(admits(&["read"], Verb::Get, note, None));
        assert!(!admits(&["read"], Verb::Update, note, None));
        assert!(admits(&["License:write"], Verb::Delete, license, None));
        assert!(!admits(&["License:write"], Verb::Delete, note, None));
        assert!(!admits(&["License:update"], Verb::Create, license, None));
        assert!(admits(&["pattern:one-note"], Verb::List, note, Some("one note")));
        assert!(!admits(&["pattern:one-note"], Verb::List, note, Some("one license")));
        assert!(admits(&["pattern:one note"], Verb::List, note, None));
        assert!(!admits(&["pattern:one note"], Verb::List, license, None));
        assert!(!admits(&["pattern:one-note"], Verb::Get, note, None));
        assert!(!admits(&["audit"], Verb::Get, note, None));
        assert!(!admits(&[], Verb::Get, note, None));
        assert!(scope(&["audit"]).admits_area(ScopeArea::AuditLog));
        assert!(!scope(&["read", "write"]).admits_area(ScopeArea::AuditLog));
    }

    #[test]
    fn unknown_names_are_reported_with_a_suggestion() {
        let told = |text: &str| AccessScope::parse([text]).unwrap_err().to_string();
        assert_eq!(told("raed"), "unknown word `raed` in the scope `raed`; did you mean `read`?");
        assert_eq!(told("License:patch"), "unknown word `patch` in the scope `License:patch`; did you mean `update`?");
        assert_eq!(
            told("License:audit"),
            "unknown word `audit` in the scope `License:audit`; write `read`, `License:update`, `pattern:NAME` or `audit`"
        );
        let design = design();
        let told = |text: &str| scope(&[text]).check(std::iter::once(&design)).unwrap_err().to_string();
        assert_eq!(
            told("Licence:read"),
            "unknown entity `Licence` in the scope `Licence:read`; did you mean `License`?"
        );
        assert_eq!(
            told("pattern:one-nite"),
            "unknown access pattern `one-nite` in the scope `pattern:one-nite`; did you mean `one-note`?"
        );
        assert_eq!(scope(&["read", "audit", "Note:get"]).check(std::iter::once(&design)), Ok(()));
    }
}
