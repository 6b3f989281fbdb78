//! `--as`: the caller.

use anyhow::bail;
use keyfold_runtime::Caller;

/// `tenant=acme,subject=ada,role=admin,permission=licenses.write`; without it, a superuser.
pub(super) fn parse(text: Option<&str>) -> anyhow::Result<Caller> {
    let Some(text) = text else { return Ok(Caller::superuser("cli")) };
    let mut caller = Caller { subject: Some("cli".to_owned()), ..Caller::default() };
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some(("tenant", tenant)) => caller.tenant = Some(tenant.to_owned()),
            Some(("subject", subject)) => caller.subject = Some(subject.to_owned()),
            Some(("role", role)) => caller.roles.push(role.to_owned()),
            Some(("group", group)) => caller.groups.push(group.to_owned()),
            Some(("permission", permission)) => caller.permissions.push(permission.to_owned()),
            None if part == "anyone" => caller.subject = None,
            _ => bail!(
                "invalid caller `{part}`; write tenant=…,subject=…,role=…,group=…,permission=…, or `anyone` for an \
                 anonymous caller"
            ),
        }
    }
    Ok(caller)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_named_is_a_superuser() {
        assert!(parse(None).unwrap().superuser);
    }

    #[test]
    fn a_member_with_roles() {
        let caller = parse(Some("tenant=acme, subject=ada,role=admin,permission=licenses.write")).unwrap();
        let expected = Caller {
            subject: Some("ada".to_owned()),
            tenant: Some("acme".to_owned()),
            roles: vec!["admin".to_owned()],
            permissions: vec!["licenses.write".to_owned()],
            ..Caller::default()
        };
        assert_eq!(caller, expected);
        assert_eq!(parse(Some("anyone")).unwrap(), Caller::default());
        assert!(parse(Some("admin")).unwrap_err().to_string().starts_with("invalid caller `admin`"));
    }
}
