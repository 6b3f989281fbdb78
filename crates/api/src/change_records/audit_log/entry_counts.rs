//! Counts denials and audited reads, so that a caller who repeats them does not fill the table: of those of one kind by
//! one subject, the first of each minute have entries of their own, and the others share one.

use std::collections::HashMap;
use std::mem;

use super::DENIED;
use super::entry::Actor;

const MINUTE_MS: u64 = 60 * 1000;
/// The number of denials of a kind within a minute that have entries of their own.
const DENIALS: u64 = 1;
/// The same for reads.
const READS: u64 = 100;
/// An operator may name any tenant. Of further kinds of denials within a minute, the named tenant is disregarded.
const KINDS_OF_SUBJECT: usize = 100;
/// The number of kinds in memory. When it is reached, what was counted is written before the minute ends.
const KINDS: usize = 4096;

/// What requests that share an entry have in common besides the subject.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct EntryKind {
    /// The tenant whose log has the entry.
    pub tenant: Option<String>,
    pub by: &'static str,
    pub verb: String,
    pub entity: String,
    /// Allowed or denied.
    pub outcome: &'static str,
}

impl EntryKind {
    /// How many requests of a minute have an entry of their own.
    fn single_entries(&self) -> u64 {
        if self.outcome == DENIED { DENIALS } else { READS }
    }
}

/// Requests that are to be written as one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CountedEntries {
    pub design: String,
    pub subject: String,
    pub kind: EntryKind,
    pub count: u64,
    /// The time of the first of them, and the request of the last.
    pub since_ms: u64,
    pub request_id: String,
}

/// How a request is recorded.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EntryRecord {
    /// It is one of the first of this kind within the minute: it gets an entry at once. The tenant may be another than
    /// the named one.
    First(EntryKind),
    /// It is counted, for one entry at the end of the minute.
    Aggregated,
}

#[derive(Default)]
struct Counter {
    /// The number of entries that were written at once.
    single: u64,
    count: u64,
    since_ms: u64,
    request_id: String,
}

/// The requests of the current minute, and what earlier ones left to write.
#[derive(Default)]
pub(in crate::change_records) struct EntryCounts {
    minute: u64,
    /// By design and subject.
    subjects: HashMap<(String, String), HashMap<EntryKind, Counter>>,
    kinds: usize,
    due: Vec<CountedEntries>,
}

impl EntryCounts {
    pub(super) fn note(
        &mut self,
        now_ms: u64,
        design: &str,
        subject: &str,
        mut kind: EntryKind,
        actor: &Actor,
    ) -> EntryRecord {
        self.end_minute(now_ms);
        let subject = (design.to_owned(), subject.to_owned());
        let known = self.subjects.get(&subject);
        if known.is_some_and(|kinds| kinds.len() >= KINDS_OF_SUBJECT && !kinds.contains_key(&kind)) {
            kind.tenant = actor.own_tenant.clone();
        }
        if let Some(counter) = self.subjects.get_mut(&subject).and_then(|kinds| kinds.get_mut(&kind)) {
            if counter.single < kind.single_entries() {
                counter.single += 1;
                return EntryRecord::First(kind);
            }
            if counter.count == 0 {
                counter.since_ms = now_ms;
            }
            counter.count += 1;
            counter.request_id.clone_from(&actor.request_id);
            return EntryRecord::Aggregated;
        }
        if self.kinds >= KINDS {
            self.end_window();
        }
        self.subjects.entry(subject).or_default().insert(kind.clone(), Counter { single: 1, ..Counter::default() });
        self.kinds += 1;
        EntryRecord::First(kind)
    }

    /// What is to be written now: the counts of minutes that have ended.
    pub(super) fn take_due(&mut self, now_ms: u64) -> Vec<CountedEntries> {
        self.end_minute(now_ms);
        mem::take(&mut self.due)
    }

    /// Everything that is not written yet.
    pub(super) fn take_all(&mut self) -> Vec<CountedEntries> {
        self.end_window();
        mem::take(&mut self.due)
    }

    /// Whether more is waiting to be written than a minute should leave.
    pub(super) fn is_overdue(&self) -> bool {
        self.due.len() >= KINDS
    }

    /// Keeps what could not be written for the next attempt; `false` if too much is waiting already.
    pub(super) fn put_back(&mut self, counted: CountedEntries) -> bool {
        let has_space = !self.is_overdue();
        if has_space {
            self.due.push(counted);
        }
        has_space
    }

    fn end_minute(&mut self, now_ms: u64) {
        // Also where the clock was set back.
        if self.minute != now_ms / MINUTE_MS {
            self.end_window();
            self.minute = now_ms / MINUTE_MS;
        }
    }

    fn end_window(&mut self) {
        self.kinds = 0;
        for ((design, subject), kinds) in mem::take(&mut self.subjects) {
            self.due.extend(kinds.into_iter().filter(|(_, counter)| counter.count > 0).map(|(kind, counter)| {
                let Counter { count, since_ms, request_id, .. } = counter;
                CountedEntries { design: design.clone(), subject: subject.clone(), kind, count, since_ms, request_id }
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(tenant: &str, verb: &str) -> EntryKind {
        let (verb, entity) = (verb.to_owned(), "License".to_owned());
        EntryKind { tenant: Some(tenant.to_owned()), by: "token", verb, entity, outcome: DENIED }
    }

    fn actor(request: u64) -> Actor {
        let own_tenant = Some("own".to_owned());
        let request_id = format!("r-{request}");
        Actor { subject: Some("eve".to_owned()), kind: "token", tenant: None, own_tenant, request_id }
    }

    fn note(counts: &mut EntryCounts, now_ms: u64, subject: &str, kind: EntryKind) -> EntryRecord {
        counts.note(now_ms, "platform", subject, kind, &actor(now_ms))
    }

    fn first(tenant: &str, verb: &str) -> EntryRecord {
        EntryRecord::First(kind(tenant, verb))
    }

    #[test]
    fn each_kind_and_minute_begins_anew() {
        let mut counts = EntryCounts::default();
        assert_eq!(note(&mut counts, 1, "eve", kind("a", "get")), first("a", "get"));
        assert_eq!(note(&mut counts, 2, "eve", kind("a", "list")), first("a", "list"));
        assert_eq!(note(&mut counts, 3, "bob", kind("a", "get")), first("a", "get"));
        assert_eq!(note(&mut counts, 4, "eve", kind("a", "get")), EntryRecord::Aggregated);
        assert_eq!(note(&mut counts, 59_999, "eve", kind("a", "get")), EntryRecord::Aggregated);
        assert_eq!(counts.take_due(59_999), []);
        assert_eq!(note(&mut counts, 60_000, "eve", kind("a", "get")), first("a", "get"));
        let expected = CountedEntries {
            design: "platform".to_owned(),
            subject: "eve".to_owned(),
            kind: kind("a", "get"),
            count: 2,
            since_ms: 4,
            request_id: "r-59999".to_owned(),
        };
        assert_eq!(counts.take_due(60_001), [expected]);
        assert_eq!(counts.take_all(), []);
    }

    #[test]
    fn the_first_hundred_reads_of_a_minute_have_entries_of_their_own() {
        let mut counts = EntryCounts::default();
        let read = || EntryKind { outcome: super::super::ALLOWED, ..kind("a", "get") };
        for _ in 0..100 {
            assert_eq!(note(&mut counts, 1, "eve", read()), EntryRecord::First(read()));
        }
        assert_eq!(note(&mut counts, 2, "eve", read()), EntryRecord::Aggregated);
        assert_eq!(note(&mut counts, 3, "eve", read()), EntryRecord::Aggregated);
        // Denials have a limit of their own.
        assert_eq!(note(&mut counts, 3, "eve", kind("a", "get")), first("a", "get"));
        let due = counts.take_due(60_000);
        assert_eq!((due.len(), due[0].count, due[0].since_ms), (1, 2, 2));
    }

    #[test]
    fn a_subject_has_few_entries_whatever_tenants_it_names() {
        let mut counts = EntryCounts::default();
        let noted = (0..1000).map(|tenant| note(&mut counts, 1, "eve", kind(&tenant.to_string(), "get")));
        let first: Vec<EntryRecord> = noted.filter(|noted| *noted != EntryRecord::Aggregated).collect();
        assert_eq!(first.len(), KINDS_OF_SUBJECT + 1);
        // The one beyond the limit is not written to the log of the tenant that it names.
        assert_eq!(first.last(), Some(&EntryRecord::First(kind("own", "get"))));
        let due = counts.take_all();
        assert_eq!(due.len(), 1);
        assert_eq!((due[0].count, due[0].kind.tenant.as_deref()), (899, Some("own")));
    }

    #[test]
    fn memory_is_bounded_however_many_subjects_are_denied() {
        let mut counts = EntryCounts::default();
        for subject in 0..3 * KINDS {
            for _ in 0..2 {
                note(&mut counts, 1, &subject.to_string(), kind("a", "get"));
            }
            assert!(counts.kinds <= KINDS);
        }
        assert!(counts.is_overdue());
        let due = counts.take_all();
        assert_eq!(due.len(), 3 * KINDS);
        assert!(due.into_iter().filter(|counted| counts.put_back(counted.clone())).count() == KINDS);
    }
}
