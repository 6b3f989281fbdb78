// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Key builders.

use keyfold_typed as typed;

use super::enumerations::*;

/// PK of Option: `OPTION#<type>`.
pub fn pk_option(r#type: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("OPTION#<type>", '#');
    key.literal("OPTION#");
    key.part("type", r#type, &[]);
    key.text()
}

/// SK of Option: `METADATA`.
pub fn sk_option() -> &'static str {
    "METADATA"
}

/// Option in GSI1.
pub fn gsi1_option(
    kind: OptionEntityKind,
    foo_bar: &str,
    foo_bar_: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("KIND#<kind>", '#');
    gsi1_pk.literal("KIND#");
    gsi1_pk.part("kind", &kind, &[]);
    let mut gsi1_sk = typed::Key::new("<fooBar>#<foo_bar>", '#');
    gsi1_sk.part("fooBar", foo_bar, &[]);
    gsi1_sk.literal("#");
    gsi1_sk.part("foo_bar", foo_bar_, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of Result: `OPTION#<type>`.
pub fn pk_result(r#type: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("OPTION#<type>", '#');
    key.literal("OPTION#");
    key.part("type", r#type, &[]);
    key.text()
}

/// SK of Result: `RESULT#<options:width(6)>`.
pub fn sk_result(options: i64) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("RESULT#<options:width(6)>", '#');
    key.literal("RESULT#");
    key.part("options", &options, &[typed::Format::Width(6)]);
    key.text()
}

/// PK of Promise: `PROMISE`.
pub fn pk_promise() -> &'static str {
    "PROMISE"
}

/// SK of Promise: `PROMISE`.
pub fn sk_promise() -> &'static str {
    "PROMISE"
}

/// PK of NewOption: `NEW#<crate>`.
pub fn pk_new_option(crate_: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("NEW#<crate>", '#');
    key.literal("NEW#");
    key.part("crate", crate_, &[]);
    key.text()
}

/// SK of NewOption: `METADATA#<theLongestNameInAllOfThisDesign>`.
pub fn sk_new_option(
    the_longest_name_in_all_of_this_design: &str,
) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("METADATA#<theLongestNameInAllOfThisDesign>", '#');
    key.literal("METADATA#");
    key.part(
        "theLongestNameInAllOfThisDesign",
        the_longest_name_in_all_of_this_design,
        &[],
    );
    key.text()
}
