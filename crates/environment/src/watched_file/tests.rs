use std::fs::{self, FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::mpsc;

use tempfile::TempDir;

use super::*;
use crate::ManualClock;

struct Watched {
    folder: TempDir,
    clock: Arc<ManualClock>,
    file: WatchedFile<SecretFileError>,
}

impl Watched {
    fn new(content: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("file"), content);
        let clock = Arc::new(ManualClock::default());
        let (file, read) =
            WatchedFile::open_secret(&folder.path().join("file"), Arc::clone(&clock) as Arc<dyn Clock>).unwrap();
        assert_eq!(read, content.as_bytes());
        Self { folder, clock, file }
    }

    /// The content, or why there is none, of a change that is seen at once.
    fn poll(&self) -> Option<String> {
        let mut seen = None;
        self.file.poll(|change| seen = Some(describe(change)));
        seen.map(|text| text.replace(&self.folder.path().display().to_string(), "D"))
    }

    fn poll_after(&self, milliseconds: u64) -> Option<String> {
        self.clock.advance(milliseconds);
        self.poll()
    }

    fn write(&self, content: &str) {
        write(self.file.path(), content);
    }

    /// Other content with the stamp of the last read, as a second write within the resolution of the file system's
    /// clock leaves it.
    fn write_unnoticed(&self, content: &str) {
        self.write(content);
        self.file.last_read.lock().as_mut().unwrap().stamp = FileStamp::read(self.file.path()).ok();
    }
}

fn write(path: &Path, content: &str) {
    fs::write(path, content).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o600)).unwrap();
}

fn describe(change: FileChange<SecretFileError>) -> String {
    match change {
        FileChange::Changed(content) => String::from_utf8(content).unwrap(),
        FileChange::Unreadable(error) => error.to_string(),
    }
}

fn describe_plain(change: FileChange) -> String {
    match change {
        FileChange::Changed(content) => String::from_utf8(content).unwrap(),
        FileChange::Unreadable(error) => error.to_string(),
    }
}

#[test]
fn a_change_is_seen_once_and_after_a_second() {
    let watched = Watched::new("one");
    watched.write("three");
    assert_eq!(watched.poll(), None);
    assert_eq!(watched.poll_after(999), None);
    assert_eq!(watched.poll_after(1), Some("three".to_owned()));
    for _ in 0..5 {
        assert_eq!(watched.poll_after(1_000), None);
    }
    watched.write("five");
    assert_eq!(watched.poll_after(1_000), Some("five".to_owned()));
}

#[test]
fn setting_the_wall_clock_delays_no_check() {
    let watched = Watched::new("one");
    watched.clock.step_to_second(0);
    watched.write("three");
    assert_eq!(watched.poll_after(1_000), Some("three".to_owned()));
}

/// Content and times as before, in another file.
#[test]
fn a_replaced_file_is_seen() {
    let watched = Watched::new("one");
    for _ in 0..3 {
        watched.poll_after(1_000);
    }
    let modified = fs::metadata(watched.file.path()).unwrap().modified().unwrap();
    let other = watched.folder.path().join("other");
    write(&other, "two");
    fs::File::options().write(true).open(&other).unwrap().set_times(FileTimes::new().set_modified(modified)).unwrap();
    fs::rename(&other, watched.file.path()).unwrap();
    assert_eq!(watched.poll_after(1_000), Some("two".to_owned()));
}

#[test]
fn a_second_write_that_leaves_the_same_stamp_is_seen() {
    let watched = Watched::new("one");
    watched.write_unnoticed("two");
    assert_eq!(watched.poll_after(1_000), Some("two".to_owned()));
    assert_eq!(watched.poll_after(999), None);
    watched.write_unnoticed("six");
    assert_eq!(watched.poll_after(1), Some("six".to_owned()));
    // From here on the stamp is settled, and the file is not read without another one.
    assert!(watched.file.last_read.lock().as_ref().unwrap().content.is_none());
    assert_eq!(watched.poll_after(1_000), None);
}

#[test]
fn an_unreadable_file_is_reported_once_and_tried_again() {
    let watched = Watched::new("one");
    fs::remove_file(watched.file.path()).unwrap();
    assert_eq!(watched.poll_after(1_000), Some("cannot read `D/file`".to_owned()));
    assert_eq!(watched.poll_after(1_000), None);
    watched.write("one");
    assert_eq!(watched.poll(), None);
    assert_eq!(watched.poll_after(1_000), Some("one".to_owned()));

    fs::set_permissions(watched.file.path(), Permissions::from_mode(0o604)).unwrap();
    let open = "every user of this machine has access to `D/file` (mode 604); run: chmod 600 'D/file'";
    assert_eq!(watched.poll_after(1_000), Some(open.to_owned()));
    fs::set_permissions(watched.file.path(), Permissions::from_mode(0o600)).unwrap();
    assert_eq!(watched.poll_after(1_000), Some("one".to_owned()));
}

#[test]
fn a_file_can_be_read_at_once() {
    let watched = Watched::new("one");
    assert_eq!(watched.file.read_now(describe), "one");
    watched.write("three");
    assert_eq!(watched.file.read_now(describe), "three");
    assert_eq!(watched.poll_after(1_000), None);
    fs::remove_file(watched.file.path()).unwrap();
    assert!(watched.file.read_now(describe).starts_with("cannot read"));
    assert_eq!(watched.poll_after(1_000), None, "it was reported");
}

/// A pipe gives its content once.
#[test]
fn what_is_no_file_is_read_once() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    std::io::Write::write_all(&mut writer, b"KEY").unwrap();
    drop(writer);
    let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
    let clock = Arc::new(ManualClock::default());
    let (file, content) = WatchedFile::open(Path::new(&path), Arc::clone(&clock) as Arc<dyn Clock>).unwrap();
    assert_eq!(content, b"KEY");
    clock.advance(1_000);
    file.poll(|change| panic!("{change:?}"));
    assert_eq!(file.read_now(describe_plain), "KEY");
}

/// Reading either could keep whoever reads it waiting, or never end.
#[test]
fn a_pipe_or_a_device_in_place_of_a_file_is_unreadable() {
    for (name, command) in [("a pipe", &["mkfifo"][..]), ("a device", &["ln", "-s", "/dev/zero"])] {
        let watched = Watched::new("one");
        fs::remove_file(watched.file.path()).unwrap();
        let (program, arguments) = command.split_first().unwrap();
        let done = std::process::Command::new(program).args(arguments).arg(watched.file.path()).status();
        assert!(done.unwrap().success());
        assert_eq!(watched.poll_after(1_000), Some("cannot read `D/file`".to_owned()), "{name}");
        watched.file.read_now(|change| {
            let FileChange::Unreadable(SecretFileError::Read(_, cause)) = change else { panic!("{change:?}") };
            assert_eq!(cause.to_string(), format!("it is {name}, not a file"));
        });
        let plain = crate::read_plain_file(watched.file.path()).unwrap_err();
        assert_eq!(plain.to_string(), format!("it is {name}, not a file"));
        assert!(crate::update_file(watched.file.path(), Ok::<_, io::Error>).is_err());
        fs::remove_file(watched.file.path()).unwrap();
        watched.write("two");
        assert_eq!(watched.poll_after(1_000), Some("two".to_owned()), "{name}");
    }
    let clock = Arc::new(ManualClock::default());
    assert!(WatchedFile::open(Path::new("/dev/zero"), clock).is_err());
    assert!(crate::read_secret_file(Path::new("/dev/zero")).is_err());
}

#[test]
fn nobody_waits_for_the_one_who_checks_the_file() {
    let watched = Arc::new(Watched::new("one"));
    watched.write("three");
    watched.clock.advance(1_000);
    let (has_begun, begun) = mpsc::channel();
    let (may_end, end) = mpsc::channel::<()>();
    let other = Arc::clone(&watched);
    let checking = std::thread::spawn(move || {
        other.file.poll(|_| {
            has_begun.send(()).unwrap();
            end.recv().unwrap();
        });
    });
    begun.recv().unwrap();
    assert_eq!(watched.poll(), None);
    assert_eq!(watched.poll_after(1_000), None);
    may_end.send(()).unwrap();
    checking.join().unwrap();
    assert_eq!(watched.poll(), None, "the change was accepted by the other");
}

#[test]
fn a_missing_file_cannot_be_opened() {
    let clock = || Arc::new(ManualClock::default()) as Arc<dyn Clock>;
    assert_eq!(
        WatchedFile::open(Path::new("/nowhere/file"), clock()).err().unwrap().kind(),
        std::io::ErrorKind::NotFound
    );
    let error = WatchedFile::open_secret(Path::new("/nowhere/file"), clock()).err().unwrap();
    assert_eq!(error.to_string(), "cannot read `/nowhere/file`");
}
