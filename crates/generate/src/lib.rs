//! Files from a design: infrastructure, policies, documents, code. Pure functions of the checked model: nothing here
//! does I/O, and the same design gives the same bytes.
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
//! let (design, _) = keyfold_design::load("notes.yaml", text).unwrap();
//! let input = keyfold_generate::Input::new(&design);
//! let files = keyfold_generate::generate(keyfold_generate::Target::CloudFormation, &input);
//! assert_eq!(files[0].path, "cloudformation/template.yaml");
//! assert!(files[0].text.contains("TableName: notes"));
//! ```

mod cdk;
mod cedar;
mod cloudformation;
mod document;
mod iam;
mod json_schema;
mod lines;
mod naming;
pub mod openapi;
mod rust;
mod schema;
mod series;
mod table_parts;
mod target;
mod terraform;
mod typescript;
mod typescript_text;
mod wrap;

pub use document::escape_html;
pub use series::series;
pub use target::Target;

use keyfold_design::Design;
use keyfold_dynamo::Attributes;

/// A generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Within the folder of generated files, with `/` between its parts.
    pub path: String,
    pub text: String,
}

/// What files are generated from.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    pub design: &'a Design,
    /// The design's file, as the first line of a generated file names it.
    pub source: &'a str,
    /// Items as the table holds them, for documents.
    pub samples: &'a [Attributes],
    /// What was measured for the design's budgets, in their order.
    pub measured: &'a [Option<f64>],
    /// The rules in Cedar's language, for the files of that target.
    pub cedar: Option<&'a Cedar>,
    /// The server that the OpenAPI document describes, for the file of that target.
    pub openapi: Option<&'a openapi::Server>,
}

/// The schema and the policies of a design in Cedar's language, as `keyfold-policy` renders them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cedar {
    pub schema: String,
    pub policies: String,
}

impl<'a> Input<'a> {
    /// A design without sample data.
    pub fn new(design: &'a Design) -> Self {
        Self { design, source: "design.yaml", samples: &[], measured: &[], cedar: None, openapi: None }
    }

    /// The sentence that a generated file begins with.
    fn origin(&self, target: Target) -> String {
        format!(
            "Generated from {} by `keyfold generate {}`. Do not edit: change the design and generate again.",
            self.source,
            target.name()
        )
    }
}

/// The files of a target.
pub fn generate(target: Target, input: &Input<'_>) -> Vec<File> {
    match target {
        Target::CloudFormation => cloudformation::files(input),
        Target::Terraform => terraform::files(input),
        Target::Cdk => cdk::files(input),
        Target::Iam => iam::files(input),
        Target::Markdown => document::markdown(input),
        Target::Html => document::html(input),
        Target::TypeScript => typescript::files(input),
        Target::Rust => rust::files(input),
        Target::JsonSchema => json_schema::files(input),
        Target::OpenApi => openapi::files(input),
        Target::Cedar => cedar::files(input),
    }
}

/// The deployments that lead from the table of one design to that of another: a deployment may create or delete one
/// global index only, so several changes become an ordered series. Empty where one deployment is enough.
pub fn generate_series(target: Target, from: &Design, input: &Input<'_>) -> Vec<File> {
    let steps = series(from, input.design);
    if steps.len() < 2 {
        return Vec::new();
    }
    let count = steps.len();
    let mut files = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let made = generate(target, &Input { design: &step.design, ..input.clone() });
        files.extend(made.into_iter().map(|file| File {
            path: format!("{}/step-{}-of-{count}-{}/{}", target.name(), number + 1, step.name, file_name(&file.path)),
            text: file.text,
        }));
    }
    files
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
