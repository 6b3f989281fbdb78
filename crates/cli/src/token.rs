//! `keyfold token revoke`: tokens that a server no longer accepts.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use keyfold_api::identity::{NewRevocation, RevokedTokens, check_revocations, revoke_tokens};
use keyfold_design::counted;
use keyfold_runtime::{Clock, SystemClock};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Revoke a token, or all tokens that a subject has. Running servers refuse them within two seconds
    Revoke(Arguments),
}

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Id of the token (`jti`)
    #[arg(long, value_name = "ID", conflicts_with = "subject", required_unless_present = "subject")]
    jti: Option<String>,
    /// Subject whose tokens and sessions are revoked; a later sign-in works again
    #[arg(long, value_name = "SUBJECT")]
    subject: Option<String>,
    /// Only tokens of this issuer
    #[arg(long, value_name = "ISSUER")]
    issuer: Option<String>,
    /// Only tokens of the subject that were issued before this time, for example 2027-01-01T00:00:00Z [default: now]
    #[arg(long, value_name = "TIME", requires = "subject")]
    issued_before: Option<String>,
    /// When the last of the tokens expires; afterwards the entry is removed from the file [default: in a year]
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
    /// File of revocations, as in `keyfold serve --revocations`; created if missing
    #[arg(long, value_name = "FILE", env = "KEYFOLD_REVOCATIONS")]
    revocations: PathBuf,
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let Self::Revoke(Arguments { jti, subject, issuer, issued_before, expires, revocations }) = self;
        let tokens = match (jti, subject) {
            (Some(id), _) => RevokedTokens::Id(id),
            (None, subject) => {
                let subject = subject.context("use --jti or --subject")?;
                RevokedTokens::Subject { subject, issued_before }
            }
        };
        let removed = revoke_tokens(&revocations, NewRevocation { tokens, issuer, expires }, SystemClock.now_ms());
        let removed = removed.with_context(|| format!("cannot add an entry to `{}`", revocations.display()))?;
        if removed > 0 {
            report!("keyfold: {} of expired tokens removed", counted(removed, "entry"));
        }
        check_revocations(&revocations).with_context(|| {
            format!(
                "the tokens are revoked, but `{}` has to be corrected: no server could start with it",
                revocations.display()
            )
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
