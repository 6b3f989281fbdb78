//! Revoked tokens, by their id or by their subject: a file that is read again when it changes.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use keyfold_environment::{read_plain_file, update_file};
use keyfold_runtime::{Clock, MACHINE_SUBJECT};
use serde::Serialize;

use super::entry_list::{self, EntryListError, MemberMistake, Members, Value};
use super::key_file::{Content, FileKeys, KeyFile, OnMistake};
use crate::identity::principal::Unauthenticated;

/// Begins a new file.
const HEADER: &str =
    "# Revoked tokens. `keyfold token revoke` adds lines, and removes those of tokens that have expired.\n";
const CONTENT: Content =
    Content { name: "revocations", consequence: "no token is accepted", on_mistake: OnMistake::DisableKeys };
const MEMBERS: &[&str] = &["jti", "subject", "issuer", "issued-before", "expires"];
/// Those that name no token.
const LIMITS: &[&str] = &["issuer", "issued-before", "expires"];
/// The longest id or subject of a token.
const MAX_BYTES: usize = 1024;
/// An entry is kept for a while after its tokens have expired: clocks differ.
const MARGIN_MS: u64 = 60 * 60_000;
/// How long an entry is kept that does not say when its tokens expire: longer than tokens are valid.
const DEFAULT_LIFETIME_MS: u64 = 365 * 24 * 60 * 60_000;

/// Tokens to revoke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevocation {
    pub tokens: RevokedTokens,
    /// Of this issuer only.
    pub issuer: Option<String>,
    /// When the last of the tokens expires; in a year if it is not known.
    pub expires: Option<String>,
}

/// Which tokens are revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RevokedTokens {
    /// The one with this `jti`.
    Id(String),
    /// Those of a subject that were issued before a point in time; before now if it is not stated.
    Subject { subject: String, issued_before: Option<String> },
}

/// An entry of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    jti: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issuer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issued_before: Option<String>,
    /// When the entry can be removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum RevocationError {
    #[error("{0}")]
    File(#[from] io::Error),
    #[error(transparent)]
    List(#[from] EntryListError),
    #[error("line {line}: {cause}")]
    Entry { line: usize, cause: Box<Self> },
    #[error(transparent)]
    Member(#[from] MemberMistake),
    #[error("an entry has either a `jti` or a `subject`")]
    Target,
    #[error("`issued-before` belongs to an entry with a `subject`")]
    TimeOfId,
    #[error("`{0}` is not a timestamp such as 2027-01-01T00:00:00Z")]
    Time(String),
    #[error("`{0}` is not the id or the subject of a token")]
    Name(String),
    #[error("`{0}` is a machine key, not a token: remove its line from the file of machine keys")]
    Machine(String),
    #[error("it is empty but had entries: restore it, or leave a comment in it if no token is revoked any more")]
    Emptied,
    #[error("an entry cannot be appended: write the file as a list, one `- …` per entry")]
    NotAppendable,
}

/// What decides whether a token is revoked.
#[derive(Debug, Clone, Copy)]
pub(super) struct RevocableToken<'t> {
    pub issuer: &'t str,
    pub id: Option<&'t str>,
    pub subject: Option<&'t str>,
    /// A token that does not say when it was issued counts as older than any.
    pub issued_at_ms: Option<u64>,
    /// How far the clock of the issuer may be ahead.
    pub clock_skew_ms: u64,
}

/// The revocations of a file.
pub(super) struct RevocationFile {
    file: KeyFile<Arc<Revocations>, RevocationError>,
}

#[derive(Default)]
struct Revocations {
    by_id: HashMap<String, Vec<Revocation>>,
    by_subject: HashMap<String, Vec<Revocation>>,
}

struct Revocation {
    issuer: Option<String>,
    issued_before_ms: Option<u64>,
}

impl RevocationFile {
    pub(super) fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, RevocationError> {
        let (shown, is_opened, had_entries) = (path.to_owned(), AtomicBool::new(false), AtomicBool::new(false));
        // Once the server runs, a mistake in one entry must neither keep it from seeing another nor admit anybody.
        let parse = move |content: &[u8]| {
            let revocations = match is_opened.swap(true, Ordering::SeqCst) {
                false => Revocations::parse(content, Err)?,
                true => Revocations::parse(content, |cause| {
                    let path = shown.display();
                    tracing::error!(%path, %cause, "an entry has a mistake: whatever ids and subjects it names are revoked");
                    Ok(())
                })?,
            };
            // Nobody removes every entry by leaving nothing at all; a full disk or an interrupted copy does.
            if content.is_empty() && had_entries.load(Ordering::SeqCst) {
                return Err(RevocationError::Emptied);
            }
            had_entries.fetch_or(!revocations.is_empty(), Ordering::SeqCst);
            Ok(revocations)
        };
        Ok(Self { file: KeyFile::open(path, CONTENT, parse, clock)? })
    }

    /// Rejects a revoked token; every token while it is not known which ones are revoked.
    pub(super) fn check(&self, token: &RevocableToken<'_>) -> Result<(), Unauthenticated> {
        let FileKeys::Usable(revocations) = self.file.current() else {
            let reason = "revoked tokens are not known at the moment; try again later".to_owned();
            return Err(Unauthenticated { reason, temporary: true });
        };
        match revocations.revokes(token) {
            true => Err(Unauthenticated { reason: "the token was revoked".to_owned(), temporary: false }),
            false => Ok(()),
        }
    }

    pub(super) fn reload(&self) {
        self.file.reload();
    }

    /// Why no token is accepted, if so.
    pub(super) fn fault(&self) -> Option<String> {
        self.file.fault().map(|fault| format!("the file of revocations `{}` {fault}", self.file.path().display()))
    }
}

impl Revocations {
    /// The revocations of a file. `mistaken` decides what a mistake in an entry leads to, besides that the entry is
    /// taken to revoke every token that it may be about.
    fn parse(
        content: &[u8],
        mistaken: impl Fn(RevocationError) -> Result<(), RevocationError>,
    ) -> Result<Arc<Self>, RevocationError> {
        let mut revocations = Self::default();
        for entry_list::Entry { line, value } in entry_list::read(content)? {
            if let Err(cause) = revocations.add(&value) {
                mistaken(RevocationError::Entry { line, cause: Box::new(cause) })?;
                revocations.add_all_named(&value);
            }
        }
        Ok(Arc::new(revocations))
    }

    fn add(&mut self, value: &Value) -> Result<(), RevocationError> {
        let entry = Entry::read(value)?;
        let issued_before_ms = entry.issued_before.as_deref().map(milliseconds).transpose()?;
        entry.expires.as_deref().map(milliseconds).transpose()?;
        let revocation = Revocation { issuer: entry.issuer, issued_before_ms };
        match (entry.jti, entry.subject) {
            (Some(_), None) if issued_before_ms.is_some() => return Err(RevocationError::TimeOfId),
            (Some(id), None) => self.by_id.entry(id).or_default().push(revocation),
            (None, Some(subject)) => self.by_subject.entry(subject).or_default().push(revocation),
            (Some(_), Some(_)) | (None, None) => return Err(RevocationError::Target),
        }
        Ok(())
    }

    /// Revokes the tokens with any id or subject in an entry: those of all issuers, whenever they were issued.
    fn add_all_named(&mut self, value: &Value) {
        for text in value.texts_besides(LIMITS) {
            // `subject:ada`, without a space, is one text, as are `subject ada` and `subject=ada`.
            let is_separator = |c: char| c.is_whitespace() || c == ':' || c == '=';
            let rest = text.split_once(is_separator).map(|(_, rest)| rest.trim_matches(is_separator));
            for name in std::iter::once(text).chain(rest).chain(text.split(is_separator)) {
                for names in [&mut self.by_id, &mut self.by_subject] {
                    names.entry(name.to_owned()).or_default().push(Revocation { issuer: None, issued_before_ms: None });
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.by_id.is_empty() && self.by_subject.is_empty()
    }

    fn revokes(&self, token: &RevocableToken<'_>) -> bool {
        let find = |list: &HashMap<String, Vec<Revocation>>, name: Option<&str>| {
            name.and_then(|name| list.get(name)).is_some_and(|found| found.iter().any(|one| one.revokes(token)))
        };
        find(&self.by_id, token.id) || find(&self.by_subject, token.subject)
    }
}

impl Revocation {
    fn revokes(&self, token: &RevocableToken<'_>) -> bool {
        let is_of_issuer = self.issuer.as_deref().is_none_or(|issuer| issuer == token.issuer);
        let is_older = self
            .issued_before_ms
            .is_none_or(|end| token.issued_at_ms.is_none_or(|issued| issued < end.saturating_add(token.clock_skew_ms)));
        is_of_issuer && is_older
    }
}

fn milliseconds(text: &str) -> Result<u64, RevocationError> {
    let wrong = || RevocationError::Time(text.to_owned());
    let timestamp: Timestamp = text.parse().map_err(|_| wrong())?;
    u64::try_from(timestamp.as_millisecond()).map_err(|_| wrong())
}

fn timestamp(milliseconds: u64) -> Result<String, RevocationError> {
    let time = i64::try_from(milliseconds).ok().and_then(|time| Timestamp::from_millisecond(time).ok());
    time.map(|time| time.to_string()).ok_or_else(|| RevocationError::Time(milliseconds.to_string()))
}

/// Fails if a server would not accept the file when it starts.
pub fn check_revocations(path: &Path) -> Result<(), RevocationError> {
    Revocations::parse(&read_plain_file(path)?, Err).map(drop)
}

/// Adds an entry to the file, which is created if it is missing, and removes those whose tokens have expired, whatever
/// is wrong with other entries. Returns the number of removed entries.
pub fn revoke_tokens(path: &Path, new: NewRevocation, now_ms: u64) -> Result<usize, RevocationError> {
    let entry = Entry::new(new, now_ms)?;
    let mut removed = 0;
    update_file(path, |content| {
        let text = str::from_utf8(&content).map_err(|_| EntryListError::NotText)?;
        let (kept, count) = without_expired(text, now_ms);
        removed = count;
        append(kept, &entry)
    })?;
    Ok(removed)
}

impl Entry {
    fn read(value: &Value) -> Result<Self, MemberMistake> {
        let mut members = Members::new(value, MEMBERS);
        let entry = Self {
            jti: members.text("jti"),
            subject: members.text("subject"),
            issuer: members.text("issuer"),
            issued_before: members.text("issued-before"),
            expires: members.text("expires"),
        };
        members.into_mistake().map_or(Ok(entry), Err)
    }

    fn new(new: NewRevocation, now_ms: u64) -> Result<Self, RevocationError> {
        let NewRevocation { tokens, issuer, expires } = new;
        let expires = match expires {
            Some(expires) => expires,
            None => timestamp(now_ms.saturating_add(DEFAULT_LIFETIME_MS))?,
        };
        milliseconds(&expires)?;
        let common = Self { issuer, expires: Some(expires), ..Self::default() };
        match tokens {
            RevokedTokens::Id(id) => Ok(Self { jti: Some(name(id)?), ..common }),
            RevokedTokens::Subject { subject, .. } if subject.starts_with(MACHINE_SUBJECT) => {
                Err(RevocationError::Machine(subject))
            }
            RevokedTokens::Subject { subject, issued_before } => {
                let issued_before = issued_before.map_or_else(|| timestamp(now_ms), Ok)?;
                milliseconds(&issued_before)?;
                Ok(Self { subject: Some(name(subject)?), issued_before: Some(issued_before), ..common })
            }
        }
    }
}

fn name(text: String) -> Result<String, RevocationError> {
    if text.is_empty() || text.len() > MAX_BYTES || text.chars().any(char::is_control) {
        return Err(RevocationError::Name(text));
    }
    Ok(text)
}

/// The text without the lines of entries whose tokens have expired, and their number. Entries of several lines, which
/// people write, and comments stay.
fn without_expired(text: &str, now_ms: u64) -> (String, usize) {
    let is_expired = |line: &str| {
        let read = line.starts_with("- ").then(|| entry_list::read(line.as_bytes()).ok()).flatten();
        let [entry] = read.as_deref().unwrap_or_default() else { return false };
        let Ok(Entry { expires: Some(expires), .. }) = Entry::read(&entry.value) else { return false };
        milliseconds(&expires).is_ok_and(|expires| expires.saturating_add(MARGIN_MS) <= now_ms)
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_entry_of_one_line = |position: usize| {
        // An indented line continues the entry before it.
        !lines.get(position + 1).is_some_and(|next| next.starts_with([' ', '\t']) && !next.trim().is_empty())
    };
    let mut kept = String::with_capacity(text.len());
    let mut removed = 0;
    for (position, line) in lines.iter().enumerate() {
        match is_expired(line.trim_end()) && is_entry_of_one_line(position) {
            true => removed += 1,
            false => kept.push_str(line),
        }
    }
    (kept, removed)
}

/// Appends a line of JSON, which is valid YAML, and leaves the rest of the file untouched.
fn append(mut text: String, entry: &Entry) -> Result<Vec<u8>, RevocationError> {
    if text.is_empty() {
        text.push_str(HEADER);
    }
    let mut expected = values(&text)?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let line = format!("- {}\n", serde_json::to_string(entry).map_err(io::Error::from)?);
    text.push_str(&line);
    expected.extend(values(&line)?);
    match values(&text) {
        Ok(read) if read == expected => Ok(text.into_bytes()),
        _ => Err(RevocationError::NotAppendable),
    }
}

fn values(text: &str) -> Result<Vec<Value>, EntryListError> {
    Ok(entry_list::read(text.as_bytes())?.into_iter().map(|entry| entry.value).collect())
}
