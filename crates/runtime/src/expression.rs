//! Expressions with their aliases: every name and value goes through one, so that no attribute can be a reserved word.

use keyfold_dynamo::operation::{Aliases, NameAliases, ValueAliases};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

/// Collects the aliases of one request.
#[derive(Debug, Default)]
pub struct AliasWriter {
    names: NameAliases,
    values: ValueAliases,
}

impl AliasWriter {
    /// The alias of an attribute's name.
    pub fn name(&mut self, name: &str) -> String {
        if let Some((alias, _)) = self.names.iter().find(|(_, known)| *known == name) {
            return alias.clone();
        }
        let alias = format!("#n{}", self.names.len());
        self.names.insert(alias.clone(), name.to_owned());
        alias
    }

    pub fn value(&mut self, value: &AttributeValue) -> String {
        let alias = format!(":v{}", self.values.len());
        self.values.insert(alias.clone(), value.clone());
        alias
    }

    pub fn into_aliases(self) -> Aliases {
        let names = (!self.names.is_empty()).then_some(self.names);
        let values = (!self.values.is_empty()).then_some(self.values);
        Aliases { names, values }
    }
}

/// One condition on an item, which can be written as an expression and checked against an item at hand.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// The item is there; its partition key is this attribute.
    Exists(String),
    NotExists(String),
    Equals(String, AttributeValue),
    Differs(String, AttributeValue),
    /// There is no item, or one whose second of expiry has passed and which DynamoDB has not removed yet.
    NotExistsOrExpired {
        partition_key: String,
        expiry: String,
        now: u64,
    },
    /// The attribute is absent.
    Absent(String),
    AbsentOrEquals(String, AttributeValue),
    /// A counter that is absent or says no more than this.
    AtMost(String, u64),
    /// A counter that is there and says no less than this.
    AtLeast(String, u64),
}

impl Condition {
    /// As DynamoDB reads it.
    pub fn write(&self, aliases: &mut AliasWriter) -> String {
        match self {
            Self::Exists(name) => format!("attribute_exists({})", aliases.name(name)),
            Self::NotExists(name) | Self::Absent(name) => format!("attribute_not_exists({})", aliases.name(name)),
            Self::NotExistsOrExpired { partition_key, expiry, now } => {
                let (name, expiry) = (aliases.name(partition_key), aliases.name(expiry));
                let now = aliases.value(&AttributeValue::N(Number::from(*now)));
                format!("(attribute_not_exists({name}) OR {expiry} < {now})")
            }
            Self::Equals(name, value) => format!("{} = {}", aliases.name(name), aliases.value(value)),
            Self::Differs(name, value) => format!("{} <> {}", aliases.name(name), aliases.value(value)),
            Self::AbsentOrEquals(name, value) => {
                let name = aliases.name(name);
                format!("(attribute_not_exists({name}) OR {name} = {})", aliases.value(value))
            }
            Self::AtMost(name, most) => {
                let name = aliases.name(name);
                let most = aliases.value(&AttributeValue::N(Number::from(*most)));
                format!("(attribute_not_exists({name}) OR {name} <= {most})")
            }
            Self::AtLeast(name, least) => {
                format!("{} >= {}", aliases.name(name), aliases.value(&AttributeValue::N(Number::from(*least))))
            }
        }
    }

    /// Whether an item, or its absence, satisfies the condition.
    pub fn holds(&self, item: Option<&Attributes>) -> bool {
        let stored = |name: &str| item.and_then(|item| item.get(name));
        match self {
            Self::Exists(name) => stored(name).is_some(),
            Self::NotExists(name) | Self::Absent(name) => stored(name).is_none(),
            Self::NotExistsOrExpired { partition_key, expiry, now } => {
                let expired =
                    stored(expiry).and_then(AttributeValue::as_number).is_some_and(|at| *at < Number::from(*now));
                stored(partition_key).is_none() || expired
            }
            Self::Equals(name, value) => stored(name) == Some(value),
            Self::Differs(name, value) => stored(name) != Some(value),
            Self::AbsentOrEquals(name, value) => stored(name).is_none_or(|found| found == value),
            Self::AtMost(name, most) => {
                stored(name).is_none_or(|found| found.as_number().is_some_and(|number| *number <= Number::from(*most)))
            }
            Self::AtLeast(name, least) => {
                stored(name).and_then(AttributeValue::as_number).is_some_and(|number| *number >= Number::from(*least))
            }
        }
    }
}

/// Conditions joined by `AND`; `None` where there is none.
pub fn conjunction<'c>(
    conditions: impl IntoIterator<Item = &'c Condition>,
    aliases: &mut AliasWriter,
) -> Option<String> {
    let mut conditions = conditions.into_iter();
    let mut written = conditions.next()?.write(aliases);
    for condition in conditions {
        written.push_str(" AND ");
        written.push_str(&condition.write(aliases));
    }
    Some(written)
}
