//! Roles that several designs share.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_api::ServedDesign;
use keyfold_design::Design;
use keyfold_design::model::{Grantee, Verb};

/// Warns about roles that may write in several designs of one issuer: a token for one of them must not be issued for
/// another by mistake. Each issuer is trusted with some designs, or with all if none is named.
pub(super) fn warn_of_shared(served: &[ServedDesign], issuers: &[Vec<String>]) {
    let designs: Vec<&Design> = served.iter().map(|served| served.design().as_ref()).collect();
    for (role, designs) in shared_by_issuers(&designs, issuers) {
        report!(
            "keyfold: warning: the role `{role}` may write in several designs: {}; a token for more than one design has to \
             name the design: `{}:{role}`",
            designs.join(", "),
            designs.first().map_or("DESIGN", String::as_str)
        );
    }
}

/// The roles with the designs that share them, each once.
fn shared_by_issuers(designs: &[&Design], issuers: &[Vec<String>]) -> BTreeSet<(String, Vec<String>)> {
    // Without issuers there are machine keys, which are for any designs.
    let everything = [Vec::new()];
    let issuers = if issuers.is_empty() { &everything } else { issuers };
    let of_issuer = |trusted_with: &Vec<String>| {
        let is_trusted = |design: &&Design| trusted_with.is_empty() || trusted_with.contains(&design.name);
        shared(designs.iter().copied().filter(is_trusted))
    };
    issuers.iter().flat_map(of_issuer).collect()
}

fn shared<'d>(designs: impl Iterator<Item = &'d Design>) -> BTreeMap<String, Vec<String>> {
    let mut roles: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for design in designs {
        for role in powerful(design) {
            roles.entry(role).or_default().push(design.name.clone());
        }
    }
    roles.retain(|_, designs| designs.len() > 1);
    roles
}

/// The roles of operators, and those in rules that allow writes or to set an attribute.
fn powerful(design: &Design) -> BTreeSet<String> {
    let mut roles = BTreeSet::new();
    let mut add = |who: &Grantee| {
        if let Grantee::Role(role) = who {
            roles.insert(role.clone());
        }
    };
    design.callers.operators.walk(&mut add);
    let is_write = |verb: &Verb| matches!(verb, Verb::Create | Verb::Update | Verb::Delete);
    for rule in design.rules.iter().filter(|rule| rule.verbs.iter().any(is_write)) {
        rule.grantee.walk(&mut add);
    }
    let attributes = design.entities.iter().flat_map(|entity| &entity.attributes);
    attributes.filter_map(|attribute| attribute.settable_by.as_ref()).for_each(|who| who.walk(&mut add));
    roles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(name: &str, rules: &str) -> Design {
        let text = format!(
            "design: {name}\ntable: {name}\nentities:\n  Note:\n    PK: NOTE#<id>\n    SK: NOTE\n    attributes: {{id: string}}\n{rules}"
        );
        Design::load("design.yaml", &text).unwrap().0
    }

    #[test]
    fn roles_that_write_in_several_designs_are_found() {
        let one = design(
            "one",
            "callers: {operators: role chief}\nallow: [{role admin: create Note}, {role guest: read Note}]",
        );
        let two = design("two", "callers: {operators: role admin}\nallow: [{role guest: create Note}]");
        let both = vec!["one".to_owned(), "two".to_owned()];
        assert_eq!(shared([&one, &two].into_iter()), BTreeMap::from([("admin".to_owned(), both)]));
        assert_eq!(shared([&one].into_iter()), BTreeMap::new());
        let of_issuers = |issuers: &[&[&str]]| {
            let named = |designs: &&[&str]| designs.iter().map(|design| (*design).to_owned()).collect();
            let issuers: Vec<Vec<String>> = issuers.iter().map(named).collect();
            shared_by_issuers(&[&one, &two], &issuers).len()
        };
        for (issuers, warnings) in [(&[][..], 1), (&[&[][..]], 1), (&[&["one", "two"][..], &[][..]], 1)] {
            assert_eq!(of_issuers(issuers), warnings, "{issuers:?}");
        }
        // No token is for both.
        assert_eq!(of_issuers(&[&["one"], &["two"]]), 0);
    }
}
