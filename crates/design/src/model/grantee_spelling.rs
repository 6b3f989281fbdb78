//! Grantees as the design language spells them.

use std::fmt;

use super::Grantee;

impl fmt::Display for Grantee {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anyone => out.write_str("anyone"),
            Self::SignedIn => out.write_str("signed in"),
            Self::Operators => out.write_str("operators"),
            Self::Members => out.write_str("members"),
            Self::Owner => out.write_str("the owner"),
            Self::Role(name) => write!(out, "role {name}"),
            Self::Group(name) => write!(out, "group {name}"),
            Self::Permission(name) => write!(out, "permission {name}"),
            Self::All(parts) => joined(parts, " and ", out),
            Self::Any(parts) => joined(parts, " or ", out),
        }
    }
}

fn joined(parts: &[Grantee], word: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.write_str(word)?;
        }
        fmt::Display::fmt(part, out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_design_spells_it() {
        let role = Grantee::Role("manager".to_owned());
        let group = Grantee::Group("Squash".to_owned());
        assert_eq!(Grantee::All(vec![role.clone(), group]).to_string(), "role manager and group Squash");
        assert_eq!(Grantee::Any(vec![Grantee::Owner, Grantee::Operators]).to_string(), "the owner or operators");
        assert_eq!(
            Grantee::All(vec![Grantee::Members, Grantee::Permission("licenses.write".to_owned())]).to_string(),
            "members and permission licenses.write"
        );
        assert_eq!(
            [Grantee::Anyone, Grantee::SignedIn, role].map(|grantee| grantee.to_string()),
            ["anyone", "signed in", "role manager"]
        );
    }
}
