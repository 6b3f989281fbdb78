//! The Cedar schema of a design.

use std::fmt::Write;

use keyfold_design::Design;
use keyfold_design::model::{Entity, Verb};

use crate::names::{self, CALLER_TYPE, EntityTypes};
use crate::types::CedarType;

const CALLER: &str = "\
namespace Keyfold {
  // The caller, from the token and the table. A caller without a token has no subject.
  entity Caller = {
    subject?: String,
    tenant?: String,
    roles: Set<String>,
    groups: Set<String>,
    permissions: Set<String>,
  };
}
";

/// The schema as Cedar's own text, in the order of the design.
pub(crate) fn text(design: &Design, types: &EntityTypes) -> String {
    let mut out = format!("// The Cedar schema of the design `{}`.\n\n{CALLER}", design.name);
    for entity in &design.entities {
        out.push('\n');
        entity_text(entity, types.name(entity), &mut out);
    }
    out.push_str("\naction read, write;\n");
    let resources = types.names().collect::<Vec<_>>().join(", ");
    for verb in Verb::ALL {
        let group = if matches!(verb, Verb::Get | Verb::List) { "read" } else { "write" };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\naction {} in [{group}] appliesTo {{\n  principal: [{CALLER_TYPE}],\n  resource: [{resources}],\n  \
             context: {{ holds: Set<String>, pattern?: String }},\n}};\n",
            verb.as_str()
        );
    }
    out
}

fn entity_text(entity: &Entity, name: &str, out: &mut String) {
    if name != entity.name {
        let _ = writeln!(out, "// `{}` of the design.", entity.name);
    }
    let _ = writeln!(out, "entity {name} = {{");
    for attribute in &entity.attributes {
        let _ = match CedarType::for_attribute(entity, attribute) {
            Some(cedar_type) => {
                let optional = if attribute.may_be_absent() { "?" } else { "" };
                writeln!(out, "  {}{optional}: {},", names::attribute(&attribute.name), cedar_type.spelling())
            }
            None => {
                let name = attribute.name.escape_debug();
                writeln!(out, "  // {name}: {}, which Cedar has no type for", attribute.value_type.spelling())
            }
        };
    }
    out.push_str("};\n");
}
