//! The keywords of an entity: the one list that the reader, the JSON Schema and the importer share.

/// A keyword; any other key of an entity is a key attribute or a fixed attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityKeyword {
    /// `scope: tenant`
    Scope,
    /// `description: …`
    Description,
    /// `attributes: {name: string}`
    Attributes,
    /// `unique: {email: [email]}`
    Unique,
    /// `must hold: {a message: an expression}`
    MustHold,
    /// `derived from: Site, for each tag in tags`
    DerivedFrom,
    /// `collects: placeIds <id>`
    Collects,
    /// `owner: userId`
    Owner,
    /// `append only: yes`
    AppendOnly,
    /// `strict: no`: the opposite of `open`.
    Strict,
    /// `open: yes`
    Open,
    /// `helpers: {PK: pkTenant}`: names of generated key builders.
    Helpers,
    /// `plural: People`
    Plural,
    /// `delete: never`
    Delete,
    /// `identity: id`
    Identity,
    /// `keeps: sequences`
    Keeps,
    /// `audit reads: yes`
    AuditReads,
}

impl EntityKeyword {
    /// Every keyword, in the order in which messages list them.
    pub const ALL: [Self; 17] = [
        Self::Scope,
        Self::Description,
        Self::Attributes,
        Self::Unique,
        Self::MustHold,
        Self::DerivedFrom,
        Self::Collects,
        Self::Owner,
        Self::AppendOnly,
        Self::Strict,
        Self::Open,
        Self::Helpers,
        Self::Plural,
        Self::Delete,
        Self::Identity,
        Self::Keeps,
        Self::AuditReads,
    ];

    /// As the design spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Description => "description",
            Self::Attributes => "attributes",
            Self::Unique => "unique",
            Self::MustHold => "must hold",
            Self::DerivedFrom => "derived from",
            Self::Collects => "collects",
            Self::Owner => "owner",
            Self::AppendOnly => "append only",
            Self::Strict => "strict",
            Self::Open => "open",
            Self::Helpers => "helpers",
            Self::Plural => "plural",
            Self::Delete => "delete",
            Self::Identity => "identity",
            Self::Keeps => "keeps",
            Self::AuditReads => "audit reads",
        }
    }

    /// Whether a key of an entity is a keyword, so that an attribute of that name has to be declared under
    /// `attributes:`.
    pub fn is_keyword(name: &str) -> bool {
        Self::ALL.into_iter().any(|keyword| keyword.as_str() == name)
    }
}
