//! KF036: an item collection that can outgrow its limit.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};

pub(super) static CODE: Code = Code {
    id: "KF036",
    title: "item collection may exceed its size limit",
    severity: Severity::Warning,
    explanation: "In a table with local indexes, all items of one partition key, including their entries in local \
                  indexes, are limited to 10 GB. Beyond that, DynamoDB rejects writes to the partition, and the only \
                  remedy is another table. Without local indexes there is no such limit.",
    fix: "Use a global index instead of the local one, or accept the warning with the reason why the collection stays \
          small.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    for index in design.indexes.iter().filter(|index| index.local) {
        let growing: Vec<&str> = design
            .entities
            .iter()
            .filter(|entity| {
                // The sort key distinguishes the items of a partition: with a placeholder of its own there are many.
                let partition = entity.layout.partition.template.attributes();
                let sort = entity.layout.sort.as_ref().map(|sort| sort.template.attributes()).unwrap_or_default();
                sort.iter().any(|name| !partition.contains(name))
            })
            .map(|entity| entity.name.as_str())
            .collect();
        if growing.is_empty() {
            continue;
        }
        let message = format!(
            "`{}` limits each partition of the table to 10 GB, and `{}` can grow",
            index.name,
            growing.join("`, `")
        );
        let help = format!("make it a global index (remove `local`), or accept it: `KF036 {}: REASON`", index.name);
        findings.push(Diagnostic::new(&CODE, index.span, message).help(help).about(index.name.clone()));
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, assert_says, one, patched};

    #[test]
    fn a_local_index_limits_the_partition() {
        let text = patched(
            AGENCIES,
            &[
                ("  GSI2:", "  byChange: {sort: modified, local: yes}\n  GSI2:"),
                (
                    "  all agencies:",
                    "  recent changes: PK = AGENCY#<agencyId> and modified > <since> -> Member\n  all agencies:",
                ),
            ],
        );
        assert_says(
            &text,
            &one(&text, "KF036"),
            "`byChange` limits each partition of the table to 10 GB, and `Member` can grow",
            "byChange",
            "make it a global index (remove `local`), or accept it: `KF036 byChange: REASON`",
        );
    }
}
