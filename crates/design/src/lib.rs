//! The design language: YAML text to spanned syntax, to a checked model, to diagnostics. Pure: nothing here does I/O.
//!
//! ```
//! let text = "
//! design: notes
//! table: notes
//! entities:
//!   Note:
//!     PK: NOTE#<noteId>
//!     SK: METADATA
//!     attributes: {noteId: ulid, text: string}
//! patterns: {}
//! allow: [{signed in: everything}]
//! ";
//! let (design, _warnings) = keyfold_design::load("notes.yaml", text).unwrap();
//! assert_eq!(design.entities[0].name, "Note");
//! ```

#![warn(missing_docs)]

mod build;
pub mod casing;
mod checks;
pub mod constraint;
pub mod diagnostic;
mod dynamo_name;
mod entity_keyword;
pub mod model;
mod schema;
pub mod span;
mod starter;
mod syntax;
pub mod template;
mod wording;

pub use build::item_filter;
pub use checks::{code, codes};
pub use diagnostic::{Code, Diagnostic, Severity};
pub use dynamo_name::is_dynamo_name;
pub use entity_keyword::EntityKeyword;
pub use model::{Design, access};
pub use schema::schema;
pub use starter::{is_design_name, starter};
pub use wording::{counted, plural_of, with_article};

use diagnostic::Findings;

/// Reads and checks a design. Returns warnings and notes with the design, or all diagnostics if there is an error. The
/// file name is used in diagnostics only: no file is opened.
pub fn load(_file_name: &str, text: &str) -> Result<(Design, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut findings = Findings::default();
    let Some(root) = syntax::read(text, &mut findings) else { return Err(findings.into_sorted()) };
    let draft = build::build(&root, text, &mut findings);
    if let Some(draft) = &draft {
        checks::run(draft, &mut findings);
    }
    let failed = findings.has_errors();
    let mut diagnostics = findings.into_sorted();
    if draft.as_ref().is_some_and(|draft| draft.has_stand_ins) {
        diagnostics.retain(Diagnostic::is_error);
    }
    match draft {
        Some(draft) if !failed => Ok((draft.design, diagnostics)),
        _ => Err(diagnostics),
    }
}

impl Design {
    /// Reads and checks a design, see [`load`].
    pub fn load(file_name: &str, text: &str) -> Result<(Self, Vec<Diagnostic>), Vec<Diagnostic>> {
        load(file_name, text)
    }
}
