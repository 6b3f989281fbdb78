//! Enumerations of attributes.

use super::layout::array;
use super::names::Names;
use crate::lines::Lines;

pub(super) fn text(names: &Names) -> String {
    let mut out = Lines::of_four();
    out.line("use keyfold_typed as typed;");
    out.line("use serde::{Deserialize, Serialize};");
    for enumeration in &names.enumerations {
        let name = &enumeration.name;
        out.blank();
        out.line(format!("/// {}", enumeration.comment));
        out.line("#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]");
        out.block(format!("pub enum {name} {{"), "}", |out| {
            for (value, variant) in &enumeration.variants {
                if value != variant {
                    out.line(format!("#[serde(rename = {value:?})]"));
                }
                out.line(format!("{variant},"));
            }
        });
        out.blank();
        out.block(format!("impl typed::Enumeration for {name} {{"), "}", |out| {
            let all: Vec<String> = enumeration.variants.iter().map(|(_, variant)| format!("Self::{variant}")).collect();
            array(out, "const ALL: &'static [Self] = &", &all, ";");
            out.blank();
            out.block("fn as_str(self) -> &'static str {", "}", |out| {
                out.block("match self {", "}", |out| {
                    for (value, variant) in &enumeration.variants {
                        out.line(format!("Self::{variant} => {value:?},"));
                    }
                });
            });
        });
    }
    out.into_text()
}
