//! Counts denials, so that a caller who repeats them does not fill the table: of the denials of one kind by one subject,
//! the first of each minute has an entry of its own, and the others share one.

use std::collections::HashMap;
use std::mem;

use super::entry::Actor;

const MINUTE_MS: u64 = 60 * 1000;
/// An operator may name any tenant. After so many kinds of denials within a minute, the named one is disregarded.
const KINDS_OF_SUBJECT: usize = 100;
/// The number of kinds in memory. When it is reached, what was counted is written before the minute ends.
const KINDS: usize = 4096;

/// What denials that share an entry have in common besides the subject.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct DenialKind {
    /// The tenant whose log has the entry.
    pub tenant: Option<String>,
    pub by: &'static str,
    pub verb: String,
    pub entity: String,
}

/// Denials that are to be written as one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CountedDenials {
    pub design: String,
    pub subject: String,
    pub kind: DenialKind,
    pub count: u64,
    /// The time of the first of them, and the request of the last.
    pub since_ms: u64,
    pub request_id: String,
}

/// What to do about a denial.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Noted {
    /// It is the first of its kind within the minute: it gets an entry at once.
    First,
    Counted,
}

#[derive(Default)]
struct Counter {
    count: u64,
    since_ms: u64,
    request_id: String,
}

/// The denials of the current minute, and what earlier ones left to write.
#[derive(Default)]
pub(in crate::change_records) struct DenialCounts {
    minute: u64,
    /// By design and subject.
    subjects: HashMap<(String, String), HashMap<DenialKind, Counter>>,
    kinds: usize,
    due: Vec<CountedDenials>,
}

impl DenialCounts {
    pub(super) fn note(
        &mut self,
        now_ms: u64,
        design: &str,
        subject: &str,
        mut kind: DenialKind,
        actor: &Actor,
    ) -> Noted {
        self.end_minute(now_ms);
        let subject = (design.to_owned(), subject.to_owned());
        let known = self.subjects.get(&subject);
        if known.is_some_and(|kinds| kinds.len() >= KINDS_OF_SUBJECT && !kinds.contains_key(&kind)) {
            kind.tenant = actor.own_tenant.clone();
        }
        if let Some(counter) = self.subjects.get_mut(&subject).and_then(|kinds| kinds.get_mut(&kind)) {
            if counter.count == 0 {
                counter.since_ms = now_ms;
            }
            counter.count += 1;
            counter.request_id.clone_from(&actor.request_id);
            return Noted::Counted;
        }
        if self.kinds >= KINDS {
            self.end_window();
        }
        self.subjects.entry(subject).or_default().insert(kind, Counter::default());
        self.kinds += 1;
        Noted::First
    }

    /// What is to be written now: the counts of minutes that have ended.
    pub(super) fn take_due(&mut self, now_ms: u64) -> Vec<CountedDenials> {
        self.end_minute(now_ms);
        mem::take(&mut self.due)
    }

    /// Everything that is not written yet.
    pub(super) fn take_all(&mut self) -> Vec<CountedDenials> {
        self.end_window();
        mem::take(&mut self.due)
    }

    /// Whether more is waiting to be written than a minute should leave.
    pub(super) fn is_overdue(&self) -> bool {
        self.due.len() >= KINDS
    }

    /// Keeps what could not be written for the next attempt; `false` if too much is waiting already.
    pub(super) fn put_back(&mut self, counted: CountedDenials) -> bool {
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
                let Counter { count, since_ms, request_id } = counter;
                CountedDenials { design: design.clone(), subject: subject.clone(), kind, count, since_ms, request_id }
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(tenant: &str, verb: &str) -> DenialKind {
        DenialKind { tenant: Some(tenant.to_owned()), by: "token", verb: verb.to_owned(), entity: "License".to_owned() }
    }

    fn actor(request: u64) -> Actor {
        let own_tenant = Some("own".to_owned());
        let request_id = format!("r-{request}");
        Actor { subject: Some("eve".to_owned()), kind: "token", tenant: None, own_tenant, request_id }
    }

    fn note(counts: &mut DenialCounts, now_ms: u64, subject: &str, kind: DenialKind) -> Noted {
        counts.note(now_ms, "platform", subject, kind, &actor(now_ms))
    }

    #[test]
    fn each_kind_and_minute_begins_anew() {
        let mut counts = DenialCounts::default();
        assert_eq!(note(&mut counts, 1, "eve", kind("a", "get")), Noted::First);
        assert_eq!(note(&mut counts, 2, "eve", kind("a", "list")), Noted::First);
        assert_eq!(note(&mut counts, 3, "bob", kind("a", "get")), Noted::First);
        assert_eq!(note(&mut counts, 4, "eve", kind("a", "get")), Noted::Counted);
        assert_eq!(note(&mut counts, 59_999, "eve", kind("a", "get")), Noted::Counted);
        assert_eq!(counts.take_due(59_999), []);
        assert_eq!(note(&mut counts, 60_000, "eve", kind("a", "get")), Noted::First);
        let expected = CountedDenials {
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
    fn a_subject_has_few_entries_whatever_tenants_it_names() {
        let mut counts = DenialCounts::default();
        let noted = (0..1000).map(|tenant| note(&mut counts, 1, "eve", kind(&tenant.to_string(), "get")));
        assert_eq!(noted.filter(|noted| *noted == Noted::First).count(), KINDS_OF_SUBJECT + 1);
        let due = counts.take_all();
        assert_eq!(due.len(), 1);
        assert_eq!((due[0].count, due[0].kind.tenant.as_deref()), (899, Some("own")));
    }

    #[test]
    fn memory_is_bounded_however_many_subjects_are_denied() {
        let mut counts = DenialCounts::default();
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
