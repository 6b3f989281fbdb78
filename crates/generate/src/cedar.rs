//! Cedar: the schema of a design and its rules as policies, for use with another Cedar engine.

use crate::{File, Input, Target};

pub(crate) fn files(input: &Input<'_>) -> Vec<File> {
    let Some(cedar) = input.cedar else { return Vec::new() };
    let name = &input.design.name;
    let file = |ending: &str, text: &str| File {
        path: format!("cedar/{name}.{ending}"),
        text: format!("// {}\n{text}", input.origin(Target::Cedar)),
    };
    vec![file("cedarschema", &cedar.schema), file("cedar", &cedar.policies)]
}
