//! The file of issuers: a list, in which each issuer has the settings that a single one has in the configuration file.

use std::path::Path;

use anyhow::bail;

use super::file::read_list;
use super::resolve::Config;
use super::setting::About;
use super::settings;

/// An issuer of the file.
pub(crate) struct IssuerConfig {
    /// The file and the line at which it begins.
    pub place: String,
    /// Its settings.
    pub config: Config,
}

/// Reads the issuers, and reports all errors of the file together.
pub(crate) fn read_issuers(path: &Path) -> anyhow::Result<Vec<IssuerConfig>> {
    let known: Vec<&'static About> = settings::about_issuers().collect();
    let mut faults = Vec::new();
    let entries = read_list(path, &known, settings::ISSUER.about.name, &mut faults);
    if entries.is_empty() && faults.is_empty() {
        bail!("`{}` names no issuers; write one `- issuer: …` each", path.display());
    }
    let mut issuers = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for entry in entries {
        let place = format!("{}:{}", path.display(), entry.line);
        for required in [&settings::ISSUER.about, &settings::AUDIENCE.about] {
            if !entry.values.contains_key(required.name) {
                faults.push(format!("{place}: this issuer has no `{}`, which is required", required.name));
            }
        }
        if let Some(name) = entry.values.get(settings::ISSUER.about.name).map(|name| name.text().to_owned()) {
            if names.contains(&name) {
                faults.push(format!("{place}: duplicate issuer `{name}`"));
            }
            names.push(name);
        }
        let mut own_faults = Vec::new();
        let config = Config::validated(entry.values, Vec::new(), &mut own_faults);
        let is_placed = |fault: &str| fault.starts_with(&format!("{}:", path.display()));
        let placed = |fault: String| if is_placed(&fault) { fault } else { format!("{place}: {fault}") };
        faults.extend(own_faults.into_iter().map(placed));
        issuers.push(IssuerConfig { place, config });
    }
    match faults.as_slice() {
        [] => {}
        [fault] => bail!("{fault}"),
        faults => bail!("{} invalid settings of issuers:\n  {}", faults.len(), faults.join("\n  ")),
    }
    for issuer in &mut issuers {
        issuer.config.add_defaults()?;
    }
    Ok(issuers)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// The issuers of a file with this text, or what is wrong with it.
    fn read(text: &str) -> Result<Vec<IssuerConfig>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("issuers.yaml");
        std::fs::write(&path, text).unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "s".repeat(64)).unwrap();
        std::fs::set_permissions(&secret, PermissionsExt::from_mode(0o600)).unwrap();
        read_issuers(&path).map_err(|error| error.to_string().replace(&path.display().to_string(), "F"))
    }

    #[test]
    fn each_issuer_has_settings_of_its_own() {
        let text = "- issuer: https://a.example\n  audience: [x, y]\n  designs: [shop]\n  role-claims: groups\n\
                    - issuer: b\n  audience: z\n  jwks: keys.json\n";
        let issuers = read(text).unwrap();
        let [first, second] = issuers.as_slice() else { panic!("{}", issuers.len()) };
        assert_eq!(first.config.find(&settings::ISSUER).unwrap().as_deref(), Some("https://a.example"));
        assert_eq!(first.config.get(&settings::AUDIENCE).unwrap(), ["x", "y"]);
        assert_eq!(first.config.get(&settings::ISSUER_DESIGNS).unwrap(), ["shop"]);
        assert_eq!(first.config.get(&settings::ROLE_CLAIMS).unwrap(), ["groups"]);
        assert_eq!(first.config.find(&settings::JWKS).unwrap(), None);
        assert_eq!(second.config.get(&settings::ROLE_CLAIMS).unwrap(), ["roles"]);
        // File names are relative to the file.
        assert!(second.config.get(&settings::JWKS).unwrap().ends_with("/keys.json"));
        assert!(second.config.get(&settings::JWKS).unwrap().starts_with('/'));
        assert!(second.place.ends_with("issuers.yaml:5"));
    }

    #[test]
    fn every_error_is_reported_with_its_position() {
        let text = "- issuer: a\n  audiense: x\n  port: 1\n- issuer: b\n  audience: y\n  jwks: k.json\n  \
                    token-secret-file: secret\n  algorithms: rot13\n- issuer: b\n  audience: z\n  token-secret: hunter2\n";
        assert_eq!(
            read(text).err().unwrap(),
            "7 invalid settings of issuers:
  F:2: unknown setting `audiense`; did you mean `audience`?
  F:3: unknown setting `port`; settings of an issuer are: issuer, jwks, token-secret-file, audience, algorithms, clock-skew, \
             subject-claim, tenant-claim, role-claims, design-claim, designs, shares-subjects, sign-in-client-id, sign-in-client-secret-file, \
             sign-in-scopes, sign-in-parameters, sign-in-token
  F:11: secrets are not allowed in this file; use `token-secret-file` to name a file that contains it
  F:1: this issuer has no `audience`, which is required
  F:4: `jwks` and `token-secret-file` are mutually exclusive
  F:8: `algorithms`: unknown signature algorithm `rot13`
  F:9: duplicate issuer `b`"
        );
    }

    #[test]
    fn a_file_of_another_form_is_rejected() {
        assert_eq!(read("issuer: a\n").err().unwrap(), "F:1: expected a list, one `- issuer: …` each");
        assert_eq!(read("- a\n").err().unwrap(), "F:1: expected a list, one `- issuer: …` each");
        assert_eq!(read("# none yet\n").err().unwrap(), "`F` names no issuers; write one `- issuer: …` each");
    }
}
