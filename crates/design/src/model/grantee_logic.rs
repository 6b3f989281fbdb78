//! Which callers are always among others: operators among `operators or group admin`.

use super::{Design, Grantee};

impl Design {
    /// Whether every caller of one kind is also of the other, whoever they are. `false` where that depends on the
    /// caller.
    pub(crate) fn includes_all(&self, wanted: &Grantee, given: &Grantee) -> bool {
        match (given, wanted) {
            (given, wanted) if given == wanted => true,
            (Grantee::Operators, wanted) if self.operators().is_some_and(|own| self.includes_all(wanted, own)) => true,
            (Grantee::Any(parts), wanted) => parts.iter().all(|part| self.includes_all(wanted, part)),
            (given, Grantee::All(parts)) => parts.iter().all(|part| self.includes_all(part, given)),
            (given, Grantee::Any(parts)) => parts.iter().any(|part| self.includes_all(part, given)),
            (Grantee::All(parts), wanted) => {
                parts.iter().any(|part| self.includes_all(wanted, part)) || self.are_operators(wanted, given)
            }
            (_, Grantee::Anyone) => true,
            // Nobody without a token has a role, a tenant, or anything else of their own.
            (given, Grantee::SignedIn) => *given != Grantee::Anyone,
            (given, wanted) => self.are_operators(wanted, given),
        }
    }

    /// Whether `operators` is wanted, and the others are named as the design names its operators.
    fn are_operators(&self, wanted: &Grantee, given: &Grantee) -> bool {
        *wanted == Grantee::Operators && self.operators().is_some_and(|operators| self.includes_all(operators, given))
    }

    /// What makes callers operators; `None` if the design defines them by themselves.
    fn operators(&self) -> Option<&Grantee> {
        let operators = &self.callers.operators;
        let mut is_defined_by_itself = false;
        operators.walk(&mut |part| is_defined_by_itself |= *part == Grantee::Operators);
        (!is_defined_by_itself).then_some(operators)
    }

    /// Whether a person is one of these only because someone gave them a role, a group or a permission. People
    /// sign in, are members and own items without that.
    pub(crate) fn is_given_by_others(&self, grantee: &Grantee) -> bool {
        match grantee {
            Grantee::Role(_) | Grantee::Group(_) | Grantee::Permission(_) => true,
            Grantee::Operators => self.operators().is_some_and(|own| self.is_given_by_others(own)),
            Grantee::Anyone | Grantee::SignedIn | Grantee::Members | Grantee::Owner => false,
            Grantee::All(parts) => parts.iter().any(|part| self.is_given_by_others(part)),
            Grantee::Any(parts) => parts.iter().all(|part| self.is_given_by_others(part)),
        }
    }

    /// Whether only callers who act on the whole platform are meant.
    pub(crate) fn is_for_operators_only(&self, grantee: &Grantee) -> bool {
        self.includes_all(&Grantee::Operators, grantee)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_always_among_others() {
        let text = include_str!("../../../../designs/albums/design.yaml");
        let design = crate::load("design.yaml", text).unwrap().0;
        let role = |name: &str| Grantee::Role(name.to_owned());
        let group = |name: &str| Grantee::Group(name.to_owned());
        let admins = Grantee::All(vec![Grantee::Members, group("admin")]);
        let setters = Grantee::Any(vec![Grantee::Operators, group("admin")]);
        for (given, wanted, expected) in [
            (&Grantee::Operators, &setters, true),
            (&role("operator"), &setters, true),
            (&Grantee::Operators, &Grantee::Any(vec![role("operator"), Grantee::Members]), true),
            (&Grantee::Operators, &Grantee::Members, false),
            (&admins, &setters, true),
            (&Grantee::Any(vec![admins.clone(), Grantee::Operators]), &setters, true),
            (&Grantee::Any(vec![admins.clone(), group("editor")]), &setters, false),
            (&Grantee::Members, &setters, false),
            (&admins, &Grantee::SignedIn, true),
            (&Grantee::Anyone, &Grantee::SignedIn, false),
            (&role("editor"), &Grantee::Operators, false),
            (&setters, &Grantee::Operators, false),
            (&Grantee::All(vec![role("operator"), Grantee::Members]), &Grantee::Operators, true),
            (&admins, &Grantee::All(vec![group("admin"), Grantee::Members]), true),
        ] {
            assert_eq!(design.includes_all(wanted, given), expected, "{given} among {wanted}");
        }
    }
}
