//! `accept:`, known weaknesses with the reason why they are fine.

use super::codes::BAD_ACCEPT;
use super::reader::Reader;
use crate::model::{Acceptance, Design};
use crate::syntax::Entry;

pub(super) fn build(stated: &Entry, design: &mut Design, reader: &mut Reader<'_>) {
    let example = "accept: {KF031 ENTITY#USER: a few thousand users}";
    for stated in reader.mapping(&stated.value, "`accept`", example) {
        let Some((code, subject)) = stated.name().split_once(' ') else {
            let message = format!("`{}` does not state what is accepted", stated.name());
            reader.fault(
                &BAD_ACCEPT,
                stated.key.span,
                message,
                "write the code and its subject: `KF031 ENTITY#USER: reason`",
            );
            continue;
        };
        let Some(reason) = reader.text(&stated.value, "the reason", "KF031 ENTITY#USER: a few thousand users") else {
            continue;
        };
        design.accepted.push(Acceptance {
            span: stated.key.span,
            code: code.to_owned(),
            subject: subject.trim().to_owned(),
            reason: reason.to_owned(),
        });
    }
}
