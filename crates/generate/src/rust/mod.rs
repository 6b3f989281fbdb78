//! Rust: a module that an application includes, on Keyfold's runtime: structs for entities, inputs for verbs, key
//! builders, and a method for each access pattern. It is laid out as `rustfmt` does without settings.

mod entities;
mod enumerations;
mod inputs;
mod keys;
mod layout;
mod lookups;
mod names;
mod operators;
mod patterns;
mod types;

use keyfold_design::Design;

use crate::lines::Lines;
use crate::{File, Input, Target};
use names::Names;

pub(crate) fn files(input: &Input<'_>) -> Vec<File> {
    let design = input.design;
    let names = Names::new(design);
    let origin = format!("// {}\n", input.origin(Target::Rust));
    let file = |name: &str, text: String| File { path: format!("rust/{name}.rs"), text: format!("{origin}{text}") };
    let mut files = vec![
        file("mod", module(design, &names)),
        file("entities", entities::text(design, &names)),
        file("inputs", inputs::text(design, &names)),
        file("keys", keys::text(design, &names)),
        file("patterns", patterns::text(design, &names)),
    ];
    if names.has_enumerations() {
        files.push(file("enumerations", enumerations::text(&names)));
    }
    files
}

/// The root of the module: what it is made of, and the session.
fn module(design: &Design, names: &Names) -> String {
    let mut out = Lines::of_four();
    if let Some(description) = &design.description {
        out.line(format!("//! {description}"));
    } else {
        out.line(format!("//! The design {}.", design.name));
    }
    out.blank();
    out.line("// An application rarely uses all of a design.");
    out.line("#![allow(dead_code, unused_imports)]");
    out.blank();
    out.line("mod entities;");
    if names.has_enumerations() {
        out.line("mod enumerations;");
    }
    out.line("mod inputs;");
    out.line("pub mod keys;");
    out.line("mod patterns;");
    out.blank();
    out.line("pub use entities::*;");
    if names.has_enumerations() {
        out.line("pub use enumerations::*;");
    }
    out.line("pub use inputs::*;");
    if names.has_collections() {
        out.line("pub use patterns::*;");
    }
    out.blank();
    out.line("use keyfold_typed as typed;");
    let (session, marker) = (&names.session, &names.marker);
    out.blank();
    out.line(format!("/// The design `{}` as a type.", design.name));
    out.line("#[derive(Debug, Clone, Copy, PartialEq, Eq)]");
    out.line(format!("pub enum {marker} {{}}"));
    out.blank();
    out.block(format!("impl typed::Design for {marker} {{"), "}", |out| {
        out.line(format!("const NAME: &'static str = {:?};", design.name));
    });
    out.blank();
    out.line(format!(
        "/// A session of a caller with the design `{}`: the access patterns are methods, the verbs come from `typed::Session`.",
        design.name
    ));
    out.line(format!("pub struct {session}<'r>(typed::Session<'r, {marker}>);"));
    out.blank();
    out.block(format!("impl<'r> {session}<'r> {{"), "}", |out| {
        out.line("/// Starts a session. The runtime must run this design.");
        out.block("pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {", "}", |out| {
            out.line("Self(typed::Session::new(runtime, caller))");
        });
    });
    out.blank();
    out.block(format!("impl<'r> std::ops::Deref for {session}<'r> {{"), "}", |out| {
        out.line(format!("type Target = typed::Session<'r, {marker}>;"));
        out.blank();
        out.block("fn deref(&self) -> &Self::Target {", "}", |out| out.line("&self.0"));
    });
    out.into_text()
}

/// A comment of documentation, a line for each of the text's.
fn documented(text: Option<&str>, out: &mut Lines) {
    text.into_iter().flat_map(str::lines).for_each(|line| out.line(format!("/// {}", line.trim())));
}
