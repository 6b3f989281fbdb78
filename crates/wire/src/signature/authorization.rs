//! The `Authorization` header and the credential in it.

use crate::failure::Failure;

pub(super) struct Authorization<'a> {
    pub(super) credential: &'a str,
    /// Names of headers, separated by semicolons.
    pub(super) signed_headers: &'a str,
    pub(super) signature: &'a str,
}

impl<'a> Authorization<'a> {
    /// `has_date`: whether the request says when it was signed.
    pub(super) fn parse(header: &'a str, has_date: bool) -> Result<Self, Failure> {
        let parameters = header.split_once(' ').map_or("", |(_, parameters)| parameters);
        let (mut credential, mut signed_headers, mut signature) = (None, None, None);
        for parameter in parameters.split([',', ' ']).filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').ok_or_else(|| {
                Failure::IncompleteSignature(format!(
                    "'{parameter}' not a valid key=value pair (missing equal-sign) in Authorization header: '{header}'."
                ))
            })?;
            let place = match name {
                "Credential" => &mut credential,
                "SignedHeaders" => &mut signed_headers,
                "Signature" => &mut signature,
                _ => continue,
            };
            if place.replace(value).is_some() {
                let text = format!("Authorization header has several '{name}' parameters. Authorization={header}");
                return Err(Failure::IncompleteSignature(text));
            }
        }
        if let (Some(credential), Some(signature), Some(signed_headers), true) =
            (credential, signature, signed_headers, has_date)
        {
            return Ok(Self { credential, signed_headers, signature });
        }
        let mut text = String::new();
        for (name, value) in [("Credential", credential), ("Signature", signature), ("SignedHeaders", signed_headers)] {
            if value.is_none() {
                text.push_str(&format!("Authorization header requires '{name}' parameter. "));
            }
        }
        if !has_date {
            text.push_str("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
        }
        Err(Failure::IncompleteSignature(format!("{text}Authorization={header}")))
    }
}

/// `access key/date/region/service/terminator`.
pub(super) struct Credential<'a> {
    pub(super) access_key: &'a str,
    pub(super) date: &'a str,
    pub(super) region: &'a str,
    pub(super) service: &'a str,
    pub(super) terminator: &'a str,
}

impl<'a> Credential<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, Failure> {
        let parts: Vec<&str> = text.split('/').collect();
        match parts.as_slice() {
            &[access_key, date, region, service, terminator] => {
                Ok(Self { access_key, date, region, service, terminator })
            }
            _ => Err(Failure::IncompleteSignature(format!(
                "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got \
                 '{text}'"
            ))),
        }
    }

    pub(super) fn scope(&self) -> String {
        format!("{}/{}/{}/{}", self.date, self.region, self.service, self.terminator)
    }
}
