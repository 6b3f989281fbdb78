//! TypeScript: typed entities, key builders, and one query function for each access pattern, on the AWS SDK's document
//! client.

mod conditions;
mod entities;
mod keys;
mod parameters;
mod patterns;
mod shapes;
mod template;
mod value;

use crate::typescript_text::quoted;
use crate::{File, Input, Target};

pub(crate) fn files(input: &Input<'_>) -> Vec<File> {
    let origin = format!("// {}\n", input.origin(Target::TypeScript));
    let file =
        |name: &str, text: String| File { path: format!("typescript/{name}.ts"), text: format!("{origin}{text}") };
    vec![
        file("entities", entities::text(input.design)),
        file("keys", keys::text(input.design)),
        file("shapes", shapes::text(input.design)),
        file("patterns", patterns::text(input.design)),
        file("access", include_str!("access.ts").to_owned()),
        file("support", include_str!("support.ts").to_owned()),
    ]
}

/// A name of a property: quoted if it is not an identifier.
fn property(name: &str) -> String {
    let is_identifier = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '$')
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_' || character == '$');
    if is_identifier { name.to_owned() } else { quoted(name) }
}

/// Access to a property of a value.
fn member(value: &str, name: &str) -> String {
    let spelt = property(name);
    if spelt == name { format!("{value}.{name}") } else { format!("{value}[{spelt}]") }
}
