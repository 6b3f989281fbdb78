//! What a design needs of a backend that not every backend has.

use super::{BackendKind, Design, OnDelete, Projection};
use crate::span::Span;

/// A part of DynamoDB that some backends lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// `TransactWriteItems`.
    Transactions,
    /// Index keys of several attributes.
    MultiAttributeKeys,
    /// Index projections other than all attributes.
    Projections,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Self; 3] = [Self::Transactions, Self::MultiAttributeKeys, Self::Projections];

    /// As a message names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Transactions => "transactions",
            Self::MultiAttributeKeys => "multi-attribute keys",
            Self::Projections => "projections",
        }
    }

    /// Whether backends of a kind have the feature.
    pub fn is_on(self, backend: BackendKind) -> bool {
        match (backend, self) {
            (BackendKind::DynamoDb, _) => true,
            (BackendKind::Embedded, Self::Transactions | Self::Projections) => true,
            (BackendKind::Embedded, Self::MultiAttributeKeys) => false,
            // Transactions and multi-attribute keys are refused there, and projections ignored.
            (BackendKind::Alternator, Self::Transactions | Self::MultiAttributeKeys | Self::Projections) => false,
        }
    }
}

/// Something in a design that needs a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// What is needed.
    pub feature: Feature,
    /// The entity or index concerned.
    pub owner: String,
    /// As it reads in a sentence: "the unique `email` of `User`".
    pub what: String,
    /// How to do without, where there is a way.
    pub instead: Option<&'static str>,
    /// Where the design file states it.
    pub span: Span,
}

impl Design {
    /// What the design needs and a backend lacks.
    pub fn lacks_on(&self, backend: BackendKind) -> Vec<Need> {
        self.needs().into_iter().filter(|need| !need.feature.is_on(backend)).collect()
    }

    fn needs(&self) -> Vec<Need> {
        let mut needs = Vec::new();
        for entity in &self.entities {
            let mut need = |span: Span, what: String, instead: Option<&'static str>| {
                let owner = entity.name.clone();
                needs.push(Need { feature: Feature::Transactions, owner, what, instead, span });
            };
            for unique in &entity.uniques {
                need(unique.span, format!("the unique `{}` of `{}`", unique.name, entity.name), None);
            }
            if let Some(derivation) = &entity.derivation {
                need(derivation.span, format!("the derived entity `{}`", entity.name), None);
            }
            for reference in &entity.references {
                if reference.on_delete != OnDelete::Ignore || reference.counted_as.is_some() || reference.acyclic {
                    let what = format!("the reference `{}.{}`", entity.name, reference.attribute);
                    need(reference.span, what, Some("write `delete ignored` without a counter"));
                }
            }
            if !entity.is_found_by_key() {
                need(entity.span, format!("moving a `{}` to another key", entity.name), None);
            }
        }
        for index in &self.indexes {
            let mut need = |feature: Feature, what: String, instead: Option<&'static str>| {
                needs.push(Need { feature, owner: index.name.clone(), what, instead, span: index.span });
            };
            if index.partition.len() > 1 || index.sort.len() > 1 {
                need(Feature::MultiAttributeKeys, format!("the index `{}`", index.name), None);
            }
            if index.projection != Projection::All {
                let what = format!("the projection of `{}`", index.name);
                need(Feature::Projections, what, Some("project all attributes"));
            }
        }
        needs
    }
}
