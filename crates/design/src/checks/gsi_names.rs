//! KF070: the convention `gsi-n`.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Convention, Index, KeyAttribute};

pub(super) static CODE: Code = Code {
    id: "KF070",
    title: "index not named `GSI<n>`",
    severity: Severity::Warning,
    explanation: "`conventions: gsi-n` requires indexes named `GSI1`, `GSI2`, …, keys that mirror the name (`GSI1PK`, \
                  `GSI1SK`), and a stated purpose for each.",
    fix: "Rename the index or its keys, add its `purpose`, or remove the convention.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    if !draft.design.conventions.contains(&Convention::GsiN) {
        return;
    }
    for index in draft.design.indexes.iter().filter(|index| !index.local) {
        let number =
            index.name.strip_prefix("GSI").and_then(|number| number.parse::<u32>().ok()).filter(|number| *number > 0);
        if number.is_none() || number.is_some_and(|number| format!("GSI{number}") != index.name) {
            let message = format!("the index `{}` is not named `GSI<n>`", index.name);
            findings.push(
                Diagnostic::new(&CODE, index.span, message)
                    .help("name it `GSI1`, `GSI2` and so on")
                    .about(index.name.clone()),
            );
            continue;
        }
        mirrored(index, &index.partition, "PK", findings);
        mirrored(index, &index.sort, "SK", findings);
        if index.purpose.is_none() {
            let message = format!("the index `{}` does not state what it is for", index.name);
            findings
                .push(Diagnostic::new(&CODE, index.span, message).help("add `purpose: …`").about(index.name.clone()));
        }
    }
}

fn mirrored(index: &Index, keys: &[KeyAttribute], suffix: &str, findings: &mut Findings) {
    let wanted = format!("{}{suffix}", index.name);
    if let [key] = keys
        && key.name != wanted
    {
        let message = format!("the key `{}` of `{}` does not mirror the index", key.name, index.name);
        findings.push(
            Diagnostic::new(&CODE, key.span, message).help(format!("name it `{wanted}`")).about(index.name.clone()),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, PLATFORM, all, assert_says, patched};

    #[test]
    fn keys_that_do_not_mirror_their_index() {
        let text = patched(AGENCIES, &[("table: agencies\n", "table: agencies\nconventions: gsi-n\n")]);
        let found = all(&text);
        assert_eq!(found.iter().map(|found| found.code.id).collect::<Vec<_>>(), ["KF070"; 4]);
        assert_says(&text, &found[0], "the key `type` of `GSI1` does not mirror the index", "type", "name it `GSI1PK`");
    }

    #[test]
    fn a_design_that_keeps_the_convention() {
        let text = patched(
            PLATFORM,
            &[(
                "tenant: {attribute: accountId, entity: Account}\n",
                "tenant: {attribute: accountId, entity: Account}\nconventions: gsi-n\n",
            )],
        );
        assert_eq!(all(&text), []);
    }
}
