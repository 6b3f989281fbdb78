//! Tables move from one backend to another.

use crate::support;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::{
    Mischief, Unruly, engine, everything, expire_by, fill, index, item, options, put, side, table, text,
};
use keyfold_dynamo::operation::{DeleteItemInput, UpdateTableInput};
use keyfold_dynamo::table::ProjectionType::{All, KeysOnly};
use keyfold_dynamo::table::TimeToLiveStatus;
use keyfold_dynamo::{AttributeValue, Backend, ServiceError};
use keyfold_environment::{Clock, SystemClock};
use keyfold_tables::copy::{CopyError, CopyEvent, CopyOptions, Outcome, Progress, Side, Verdict, compare, copy};

type Shared = Arc<dyn Backend>;

/// An engine with a table `orders` of so many items.
async fn source(items: u64) -> Shared {
    let source = engine();
    let mut orders =
        table("orders", vec![index("byOwner", "owner", Some("SK"), All), index("byScore", "score", None, KeysOnly)]);
    orders.create.tags.insert("team".to_owned(), "orders".to_owned());
    source.create_table(orders.create).await.unwrap();
    fill(source.as_ref(), "orders", 0..items).await;
    source
}

async fn run(from: &Shared, to: &Shared, options: &CopyOptions) -> Result<Outcome, CopyError> {
    observed(from, to, options).await.0
}

async fn between(from: Side, to: Side, options: CopyOptions) -> Result<Outcome, CopyError> {
    copy(&from, &to, &options, &Arc::new(Progress::default()), &|_| {}).await
}

async fn observed(from: &Shared, to: &Shared, options: &CopyOptions) -> (Result<Outcome, CopyError>, Vec<CopyEvent>) {
    let events = Mutex::new(Vec::new());
    let report = |event| events.lock().unwrap().push(event);
    let progress = Arc::new(Progress::default());
    let (source, target) = (side(from, "orders", "a/orders"), side(to, "moved", "b/moved"));
    let outcome = copy(&source, &target, options, &progress, &report).await;
    (outcome, events.into_inner().unwrap())
}

async fn compared(from: &Shared, to: &Shared, options: &CopyOptions) -> Result<Verdict, CopyError> {
    let progress = Arc::new(Progress::default());
    compare(&side(from, "orders", "a/orders"), &side(to, "moved", "b/moved"), options, &progress, &|_| {}).await
}

async fn assert_moved(from: &Shared, to: &Shared) {
    let (here, there) = (everything(from.as_ref(), "orders", None).await, everything(to.as_ref(), "moved", None).await);
    assert_eq!(here.len(), there.len());
    assert_eq!(here, there);
}

fn equal(items: u64) -> Option<Verdict> {
    Some(Verdict { items, ..Verdict::default() })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_moves_with_everything() {
    let folder = tempfile::tempdir().unwrap();
    let progress_file = folder.path().join("progress");
    let from = source(20_000).await;
    let to: Shared = engine();
    expire_by(from.as_ref(), "orders", "until").await;
    let protect = UpdateTableInput {
        table_name: "orders".to_owned(),
        deletion_protection: Some(true),
        ..UpdateTableInput::default()
    };
    from.update_table(protect).await.unwrap();

    let (outcome, events) = observed(&from, &to, &options(&progress_file)).await;
    let outcome = outcome.unwrap();
    assert_eq!((outcome.items, outcome.verdict), (20_000, equal(20_000)));
    let (items, bytes) = (20_000, outcome.bytes);
    assert_eq!(
        events,
        [
            CopyEvent::TargetCreated,
            CopyEvent::Copying { about: 20_000 },
            CopyEvent::Copied { items, bytes },
            CopyEvent::Verifying,
            CopyEvent::Verified { items, expired: 0, repaired: 0 },
            CopyEvent::ExpiryEnabled,
            CopyEvent::ProtectionEnabled,
        ]
    );
    assert!(!progress_file.exists(), "a copy that is done needs no progress file");
    assert_moved(&from, &to).await;
    let source = from.describe_table("orders".to_owned()).await.unwrap();
    let target = to.describe_table("moved".to_owned()).await.unwrap();
    assert_eq!(bytes, source.size_bytes);
    assert_eq!((target.item_count, target.size_bytes), (20_000, source.size_bytes));
    assert_eq!(target.key_schema, source.key_schema);
    assert_eq!(target.billing_mode, source.billing_mode);
    assert!(target.deletion_protection);
    for (one, other) in source.global_indexes.iter().zip(&target.global_indexes) {
        assert_eq!(
            (&one.name, &one.key_schema, &one.projection, one.item_count, one.size_bytes),
            (&other.name, &other.key_schema, &other.projection, other.item_count, other.size_bytes)
        );
    }
    let expiry = to.describe_time_to_live("moved".to_owned()).await.unwrap();
    assert_eq!((expiry.status, expiry.attribute_name.as_deref()), (TimeToLiveStatus::Enabled, Some("until")));
    let tags = to.list_tags_of_resource(target.arn.unwrap(), None).await.unwrap().tags;
    assert_eq!(tags, [("team".to_owned(), "orders".to_owned())]);
}

fn engine_that_never_sweeps() -> Arc<keyfold_engine::Engine> {
    let options = keyfold_engine::Options { sweep_interval: None, ..keyfold_engine::Options::default() };
    Arc::new(keyfold_engine::Engine::in_memory(options).unwrap())
}

/// DynamoDB Local, for one, has no tags.
#[tokio::test(flavor = "multi_thread")]
async fn a_source_without_tags_is_no_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    let inner = source(5).await;
    let from: Shared = Unruly::new(inner, |operation, _| match operation {
        "list_tags_of_resource" => Mischief::Fail(ServiceError::Internal("UnknownOperationException".to_owned())),
        _ => Mischief::None,
    });
    let (outcome, events) = observed(&from, &(engine() as Shared), &options(&folder.path().join("progress"))).await;
    assert_eq!(outcome.unwrap().verdict, equal(5));
    assert_eq!(events[..2], [CopyEvent::TagsUnknown, CopyEvent::TargetCreated]);
}

/// A source that still has items whose time has passed, as DynamoDB's have for days.
#[tokio::test(flavor = "multi_thread")]
async fn items_that_have_expired_move_and_are_deleted_after() {
    let folder = tempfile::tempdir().unwrap();
    let from: Shared = engine_that_never_sweeps();
    from.create_table(table("orders", vec![]).create).await.unwrap();
    fill(from.as_ref(), "orders", 0..50).await;
    let now = SystemClock.now_ms() / 1000;
    for number in 0..10 {
        let mut past = item(number);
        past.insert("until".to_owned(), AttributeValue::N((now - 1_000).into()));
        put(from.as_ref(), "orders", past).await;
    }
    expire_by(from.as_ref(), "orders", "until").await;
    let engine = engine();
    let to: Shared = Arc::clone(&engine) as _;
    let outcome = run(&from, &to, &options(&folder.path().join("progress"))).await.unwrap();
    assert_eq!((outcome.items, outcome.verdict), (50, equal(50)));
    engine.run_maintenance().unwrap();
    assert_eq!(everything(to.as_ref(), "moved", None).await.len(), 40);
    // What one side has deleted already is no difference.
    let options = options(&folder.path().join("other"));
    let verdict = compared(&from, &to, &options).await.unwrap();
    assert_eq!(verdict, Verdict { items: 50, expired: 10, ..Verdict::default() });
    // Times more than five years ago are taken for something else: such items never expire.
    let mut ancient = item(40);
    ancient.insert("until".to_owned(), AttributeValue::N(1_000u64.into()));
    ancient.insert("SK".to_owned(), text("ancient"));
    put(from.as_ref(), "orders", ancient).await;
    let verdict = compared(&from, &to, &options).await.unwrap();
    assert_eq!((verdict.differences, verdict.expired), (1, 10));
}

#[tokio::test(flavor = "multi_thread")]
async fn throttling_and_half_taken_batches_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let inner = source(3_000).await;
    let throttled = || ServiceError::ProvisionedThroughputExceeded("slower".to_owned());
    let mut reads = 0u32;
    let from = Unruly::new(Arc::clone(&inner), move |operation, _| {
        reads += 1;
        match operation {
            "scan" if reads.is_multiple_of(3) => Mischief::Fail(throttled()),
            "scan" if reads.is_multiple_of(7) => {
                Mischief::Fail(ServiceError::Unavailable("gone for a moment".to_owned()))
            }
            _ => Mischief::None,
        }
    });
    let mut writes = 0usize;
    let to = Unruly::new(engine(), move |operation, size| {
        if operation != "batch_write_item" {
            return Mischief::None;
        }
        writes += 1;
        match writes % 11 {
            1 | 2 => Mischief::Fail(throttled()),
            4 => Mischief::Fail(ServiceError::RequestLimitExceeded("slower".to_owned())),
            5 => Mischief::Fail(ServiceError::Internal("who knows".to_owned())),
            6 => Mischief::TakeOnly(0),
            7 | 8 => Mischief::TakeOnly(size / 2),
            9 => Mischief::TakeOnly(size.saturating_sub(1)),
            _ => Mischief::None,
        }
    });
    let (source, target): (Shared, Shared) = (Arc::clone(&from) as _, Arc::clone(&to) as _);
    let mut patient = options(&folder.path().join("progress"));
    patient.backoff.attempts = 60;
    let outcome = run(&source, &target, &patient).await.unwrap();
    assert_eq!((outcome.items, outcome.verdict), (3_000, equal(3_000)));
    assert_moved(&inner, &target).await;
    assert_eq!(to.largest("batch_write_item"), 25);
    let sizes: Vec<usize> =
        to.seen.lock().unwrap().iter().filter(|(name, _)| name == "batch_write_item").map(|(_, size)| *size).collect();
    assert!(sizes.windows(2).any(|pair| pair[1] * 2 <= pair[0]), "batches never became smaller");
}

/// A target that takes nothing any more is given up; what it took before is not copied again.
#[tokio::test(flavor = "multi_thread")]
async fn patience_ends_and_the_copy_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let progress_file = folder.path().join("progress");
    let from = source(3_000).await;
    let engine = engine();
    let taken = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&taken);
    let tired = Unruly::new(Arc::clone(&engine) as _, move |operation, size| {
        if operation != "batch_write_item" {
            return Mischief::None;
        }
        if count.fetch_add(size as u64, Ordering::Relaxed) < 1_500 {
            return Mischief::None;
        }
        Mischief::Fail(ServiceError::ProvisionedThroughputExceeded("no more".to_owned()))
    });
    let options = CopyOptions { page_items: 100, ..options(&progress_file) };
    let to: Shared = tired;
    let error = run(&from, &to, &options).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`b/moved` throttles every write (6 attempts in a row); the copy can be resumed later"
    );
    let to: Shared = Arc::clone(&engine) as _;
    let (outcome, events) = observed(&from, &to, &options).await;
    assert_eq!(outcome.unwrap().verdict, equal(3_000));
    let [CopyEvent::Resumed { items }, CopyEvent::Copying { about: 3_000 }, ..] = events[..] else {
        panic!("{events:?}")
    };
    assert!((500..2_000).contains(&items), "{items} items were known to be copied");
    assert_moved(&from, &to).await;
}

/// Whichever write is the last one before the end, the next run has all items, each counted once.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_may_end_between_any_two_writes() {
    let folder = tempfile::tempdir().unwrap();
    let from = source(300).await;
    let mut ends = 0;
    for last in 0.. {
        let progress_file = folder.path().join(format!("progress {last}"));
        let options = CopyOptions { page_items: 20, segments: 3, ..options(&progress_file) };
        let engine = engine();
        let mut writes = 0;
        let dying = Unruly::new(Arc::clone(&engine) as _, move |operation, _| {
            writes += usize::from(["batch_write_item", "create_table"].contains(&operation));
            if writes > last { Mischief::Fail(ServiceError::AccessDenied("dead".to_owned())) } else { Mischief::None }
        });
        let to: Shared = dying;
        if run(&from, &to, &options).await.is_ok() {
            break;
        }
        ends += 1;
        let to: Shared = Arc::clone(&engine) as _;
        let outcome = run(&from, &to, &options).await.unwrap();
        assert_eq!((outcome.items, outcome.verdict), (300, equal(300)), "after {last} writes");
        assert_moved(&from, &to).await;
    }
    assert!(ends > 10, "only {ends} ends were tried");
}

/// A crash may leave half a line, and everything before any line.
#[tokio::test(flavor = "multi_thread")]
async fn a_truncated_progress_file_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let progress_file = folder.path().join("progress");
    let from = source(200).await;
    let engine = engine();
    let mut writes = 0;
    let dying = Unruly::new(Arc::clone(&engine) as _, move |operation, _| {
        writes += usize::from(operation == "batch_write_item");
        if writes > 6 { Mischief::Fail(ServiceError::AccessDenied("dead".to_owned())) } else { Mischief::None }
    });
    let options = CopyOptions { page_items: 20, segments: 2, ..options(&progress_file) };
    let to: Shared = dying;
    run(&from, &to, &options).await.unwrap_err();
    let whole = std::fs::read(&progress_file).unwrap();
    let target_known = String::from_utf8(whole.clone()).unwrap().find("created").unwrap();
    let to: Shared = Arc::clone(&engine) as _;
    for length in (target_known + 100..=whole.len()).step_by(7) {
        std::fs::write(&progress_file, &whole[..length]).unwrap();
        let outcome = run(&from, &to, &options).await.unwrap();
        assert_eq!((outcome.items, outcome.verdict), (200, equal(200)), "cut at {length}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_progress_file_belongs_to_one_copy() {
    let folder = tempfile::tempdir().unwrap();
    let progress_file = folder.path().join("progress");
    let from = source(100).await;
    let engine = engine();
    let dying = Unruly::new(Arc::clone(&engine) as _, |operation, _| match operation {
        "batch_write_item" => Mischief::Fail(ServiceError::AccessDenied("dead".to_owned())),
        _ => Mischief::None,
    });
    let to: Shared = dying;
    let known = options(&progress_file);
    let error = run(&from, &to, &known).await.unwrap_err();
    assert_eq!(error.to_string(), "`b/moved` cannot be written");
    let to: Shared = Arc::clone(&engine) as _;
    let of_another = |difference: &str| {
        format!(
            "the progress file `{}` belongs to another copy: {difference}; use that copy's arguments to resume it, or delete the file to start again",
            progress_file.display()
        )
    };
    let error = run(&from, &to, &CopyOptions { segments: 4, ..known.clone() }).await.unwrap_err();
    assert_eq!(error.to_string(), of_another("that one has 8 segments, this one 4"));
    let error = run(&from, &to, &CopyOptions { merge: true, ..known.clone() }).await.unwrap_err();
    assert_eq!(error.to_string(), of_another("that one does not merge, this one merges"));
    let elsewhere = between(side(&from, "orders", "a/orders"), side(&to, "other", "b/other"), known.clone());
    let error = elsewhere.await.unwrap_err();
    assert_eq!(error.to_string(), of_another("that one is to `b/moved`, this one to `b/other`"));
    let error = run(&source(100).await, &to, &known).await.unwrap_err();
    assert_eq!(error.to_string(), of_another("the source was recreated since"));
    engine.delete_table("moved".to_owned()).await.unwrap();
    let error = run(&from, &to, &known).await.unwrap_err();
    let begin = format!("since the copy began; delete the progress file `{}` to start again", progress_file.display());
    assert_eq!(error.to_string(), format!("the target `b/moved` was deleted {begin}"));
    engine.create_table(table("moved", vec![]).create).await.unwrap();
    let error = run(&from, &to, &known).await.unwrap_err();
    assert_eq!(error.to_string(), format!("the target `b/moved` was recreated {begin}"));
    std::fs::write(&progress_file, "something else\n").unwrap();
    let error = run(&from, &to, &known).await.unwrap_err();
    assert_eq!(error.to_string(), format!("`{}` is not a progress file of a copy", progress_file.display()));
    assert_eq!(std::fs::read(&progress_file).unwrap(), b"something else\n", "the file of someone else is left alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_progress_file_is_locked_by_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let progress_file = folder.path().join("progress");
    let held = std::fs::File::create(&progress_file).unwrap();
    held.lock().unwrap();
    let error = run(&source(1).await, &(engine() as Shared), &options(&progress_file)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("another copy is running with the progress file `{}`", progress_file.display())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let progress_file = |name: &str| options(&folder.path().join(name));
    let from = source(10).await;
    let to = engine();
    let mut other = table("moved", vec![]).create;
    other.key_schema = support::schema("PK", None);
    other.attribute_definitions.truncate(1);
    to.create_table(other).await.unwrap();
    let shared: Shared = Arc::clone(&to) as _;
    let error = run(&from, &shared, &progress_file("keys")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the target `b/moved` has different keys: partition PK (S); the source has partition PK (S), sort SK (S)"
    );
    to.delete_table("moved".to_owned()).await.unwrap();
    to.create_table(table("moved", vec![]).create).await.unwrap();
    fill(to.as_ref(), "moved", 1_000..1_001).await;
    let error = run(&from, &shared, &progress_file("full")).await.unwrap_err();
    assert_eq!(error.to_string(), "the target `b/moved` is not empty");
    let merged = run(&from, &shared, &CopyOptions { merge: true, ..progress_file("merge") }).await.unwrap();
    assert_eq!((merged.items, merged.verdict), (10, equal(10)));
    assert_eq!(everything(to.as_ref(), "moved", None).await.len(), 11);
    let gone = between(side(&from, "none", "a/none"), side(&shared, "moved", "b/moved"), progress_file("gone"));
    assert_eq!(gone.await.unwrap_err().to_string(), "table `a/none` not found");
    let itself = between(side(&from, "orders", "a/orders"), side(&from, "orders", "a/orders"), progress_file("itself"));
    assert_eq!(itself.await.unwrap_err().to_string(), "`a/orders` is both source and target");
    assert!(!Path::new(&folder.path().join("gone")).exists());
}

/// A refused copy leaves nothing behind that the next one would stumble over.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_copy_can_be_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(&folder.path().join("progress"));
    let from = source(10).await;
    let to = engine();
    to.create_table(table("moved", vec![]).create).await.unwrap();
    fill(to.as_ref(), "moved", 1_000..1_001).await;
    let shared: Shared = Arc::clone(&to) as _;
    run(&from, &shared, &options).await.unwrap_err();
    let merged = run(&from, &shared, &CopyOptions { merge: true, ..options }).await.unwrap();
    assert_eq!(merged.verdict, equal(10));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_item_that_the_target_refuses_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let from = source(60).await;
    let mut odd = item(7);
    odd.insert("owner2".to_owned(), AttributeValue::N(3u64.into()));
    put(from.as_ref(), "orders", odd).await;
    let to: Shared = engine();
    // The source's items need not have a text there; this target's must.
    to.create_table(table("moved", vec![index("byOwner2", "owner2", None, All)]).create).await.unwrap();
    let error = run(&from, &to, &options(&folder.path().join("progress"))).await.unwrap_err();
    assert_eq!(error.to_string(), "`b/moved` rejects the item PK=\"ACCOUNT#7\", SK=\"ORDER#00000007\"");
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("owner2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_difference_is_found_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let known = options(&folder.path().join("progress"));
    let from = source(2_000).await;
    let to: Shared = engine();
    run(&from, &to, &known).await.unwrap();
    let key = |number: u64| {
        let mut key = item(number);
        key.retain(|name, _| ["PK", "SK"].contains(&name.as_str()));
        key
    };
    let delete = DeleteItemInput { table_name: "moved".to_owned(), key: key(17), ..DeleteItemInput::default() };
    to.delete_item(delete).await.unwrap();
    let mut other = item(18);
    other.insert("owner".to_owned(), text("someone else"));
    other.remove("raw");
    put(to.as_ref(), "moved", other).await;
    put(to.as_ref(), "moved", item(5_000)).await;
    let slow = Unruly::new(Arc::clone(&to), {
        let mut asked = 0;
        move |operation, size| {
            asked += 1;
            match operation {
                "batch_get_item" if asked % 3 == 0 => Mischief::TakeOnly(size / 2),
                "batch_get_item" if asked % 5 == 0 => {
                    Mischief::Fail(ServiceError::ProvisionedThroughputExceeded(String::new()))
                }
                _ => Mischief::None,
            }
        }
    });
    let unruly: Shared = slow;
    let verdict = compared(&from, &unruly, &known).await.unwrap();
    let told: Vec<String> = verdict.findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "PK=\"ACCOUNT#17\", SK=\"ORDER#00000017\": missing in the target",
            "PK=\"ACCOUNT#18\", SK=\"ORDER#00000018\": differs in owner, raw",
            "PK=\"ACCOUNT#53\", SK=\"ORDER#00005000\": only in the target",
        ]
    );
    assert_eq!((verdict.items, verdict.differences, verdict.expired, verdict.repaired), (2_000, 3, 0, 0));
    assert!(!verdict.is_equal());
    let repaired = compared(&from, &to, &CopyOptions { repair: true, ..known.clone() }).await.unwrap();
    assert_eq!(repaired, Verdict { items: 2_000, repaired: 3, ..Verdict::default() });
    assert_moved(&from, &to).await;
}

/// A source in use: what was written behind the back of the copy is told, and the next run brings it over.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_with_differences_is_not_done_until_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let progress_file = folder.path().join("progress");
    let inner = source(500).await;
    expire_by(inner.as_ref(), "orders", "until").await;
    let busy = Arc::clone(&inner);
    let mut scans = 0;
    let from = Unruly::new(Arc::clone(&inner), move |operation, _| {
        scans += usize::from(operation == "scan");
        if scans == 5 {
            // Behind the segments that have been read, as likely as not; twenty of them make sure.
            let busy = Arc::clone(&busy);
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
                runtime.block_on(fill(busy.as_ref(), "orders", 900..920));
            })
            .join()
            .unwrap();
        }
        Mischief::None
    });
    let from: Shared = from;
    let to: Shared = engine();
    let known = CopyOptions { segments: 1, page_items: 100, ..options(&progress_file) };
    let outcome = run(&from, &to, &known).await.unwrap();
    let missing = outcome.verdict.unwrap().differences;
    assert!(missing > 0, "all twenty landed in the last fifth of the table");
    assert!(progress_file.exists());
    let expiry = to.describe_time_to_live("moved".to_owned()).await.unwrap();
    assert_eq!(expiry.status, TimeToLiveStatus::Disabled, "items do not expire before all are there");
    let outcome = run(&from, &to, &CopyOptions { repair: true, ..known }).await.unwrap();
    assert_eq!(outcome.verdict, Some(Verdict { items: 520, repaired: missing, ..Verdict::default() }));
    assert_moved(&inner, &to).await;
    assert!(!progress_file.exists());
    let expiry = to.describe_time_to_live("moved".to_owned()).await.unwrap();
    assert_eq!(expiry.status, TimeToLiveStatus::Enabled);
}
