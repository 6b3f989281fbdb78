//! How the base keys of two layouts meet.

use super::{Layout, layouts_can_meet};
use crate::template::{Overlap, overlap};

/// How the base keys of two layouts meet, with an example of a key that both give.
pub(crate) enum KeyCollision {
    Never,
    Direct(String),
    ThroughDelimiter(String),
}

pub(crate) fn key_collision(left: &Layout, right: &Layout) -> KeyCollision {
    if !layouts_can_meet(left, right) {
        return KeyCollision::Never;
    }
    let partition = overlap(&left.partition.template, &right.partition.template);
    let sort = match (&left.sort, &right.sort) {
        (Some(left), Some(right)) => overlap(&left.template, &right.template),
        _ => Overlap::Direct(String::new()),
    };
    let key = |partition: &str, sort: &str| {
        if sort.is_empty() { partition.to_owned() } else { format!("{partition}` / `{sort}") }
    };
    match (&partition, &sort) {
        (Overlap::Never, _) | (_, Overlap::Never) => KeyCollision::Never,
        (Overlap::Direct(partition), Overlap::Direct(sort)) => KeyCollision::Direct(key(partition, sort)),
        (
            Overlap::Direct(partition) | Overlap::ThroughDelimiter(partition),
            Overlap::Direct(sort) | Overlap::ThroughDelimiter(sort),
        ) => KeyCollision::ThroughDelimiter(key(partition, sort)),
    }
}
