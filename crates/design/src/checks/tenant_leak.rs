//! KF030: a pattern that reads items of all tenants without saying so.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::TenantMode;

pub(super) static CODE: Code = Code {
    id: "KF030",
    title: "tenant data reachable without the tenant",
    severity: Severity::Warning,
    explanation: "The partition key of the pattern does not contain the tenant, so the pattern reads items of all \
                  tenants. For members the runtime drops items of other tenants, which costs reads and is easy to \
                  overlook when the pattern changes; operators see everything. Such a pattern must state which of the \
                  two is intended.",
    fix: "Put the tenant into the partition key, or state the intention:\n\n    licenses by enterprise: GSI2PK = …, own tenant only\n    expiring licenses: GSI3PK = …, across tenants        # for operators",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for pattern in &draft.design.patterns {
        if pattern.tenant != TenantMode::Filtered || pattern.tenant_stated {
            continue;
        }
        let owned: Vec<&str> = pattern
            .entities()
            .map(|id| &draft.design[id])
            .filter(|entity| entity.scope.has_tenant())
            .map(|entity| entity.name.as_str())
            .collect();
        let message = format!("`{}` reads `{}` of all tenants", pattern.name, owned.join("`, `"));
        findings.push(
            Diagnostic::new(&CODE, pattern.span, message)
                .help("add `, own tenant only` for members, or `, across tenants` for operators")
                .about(pattern.name.clone()),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn a_pattern_without_the_tenant_in_its_partition_says_so() {
        let text = patched(PLATFORM, &[("and GSI3SK <= <before>, across tenants", "and GSI3SK <= <before>")]);
        assert_says(
            &text,
            &one(&text, "KF030"),
            "`expiring licenses` reads `License` of all tenants",
            "expiring licenses",
            "add `, own tenant only` for members, or `, across tenants` for operators",
        );
    }
}
