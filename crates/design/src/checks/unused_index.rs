//! KF046: an index that no pattern uses.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};

pub(super) static CODE: Code = Code {
    id: "KF046",
    title: "unused index",
    severity: Severity::Warning,
    explanation: "Every write of an item costs storage and a write in each index that contains it. An index that \
                  neither a pattern nor a reference reads is an unnecessary cost, or a pattern is missing.",
    fix: "Remove the index and its keys, or add the pattern it is for.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    if draft.patterns_incomplete {
        return;
    }
    let design = &draft.design;
    for index in &design.indexes {
        let by_pattern = design.patterns.iter().any(|pattern| pattern.index == Some(index.id));
        let references = design.entities.iter().flat_map(|entity| &entity.references);
        let by_reference =
            references.filter_map(|reference| reference.range.as_ref()).any(|range| range.index == Some(index.id));
        if !by_pattern && !by_reference {
            let message = format!("no pattern uses the index `{}`", index.name);
            findings.push(
                Diagnostic::new(&CODE, index.span, message)
                    .help("remove it with its keys, or add the pattern it is for")
                    .about(index.name.clone()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, assert_says, one, patched};

    #[test]
    fn an_index_without_a_pattern() {
        let text = patched(
            AGENCIES,
            &[
                ("  members by idpid: idpid = <idpid>, own tenant only -> Member\n", ""),
                (
                    "      query: members by idpid\n      with: {idpid: ada}\n",
                    "      query: members by agency\n      with: {agencyId: 01K9ZV0000000000000000AAAA}\n",
                ),
            ],
        );
        assert_says(
            &text,
            &one(&text, "KF046"),
            "no pattern uses the index `GSI2`",
            "GSI2",
            "remove it with its keys, or add the pattern it is for",
        );
    }
}
