//! The progress file of a copy: a line of JSON for its parameters, one for the target, and one for each step of a
//! segment. Lines are only appended. The last line of a segment counts; a line that a crash cut short is dropped.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::item::codec;
use serde::{Deserialize, Serialize};

#[derive(Debug, thiserror::Error)]
pub enum ProgressFileError {
    #[error("the progress file `{}` cannot be used", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("another copy is running with the progress file `{}`", path.display())]
    InUse { path: PathBuf },
    #[error("`{}` is not a progress file of a copy", path.display())]
    Foreign { path: PathBuf },
    #[error("the progress file `{}` belongs to another copy: {difference}; use that copy's arguments to resume it, or delete the file to start again", path.display())]
    OtherCopy { path: PathBuf, difference: String },
}

/// The parameters of a copy. Positions are meaningless under different ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub from: String,
    /// The identity of the source table, which changes when it is recreated.
    pub source: String,
    pub to: String,
    pub segments: u32,
    pub merge: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    KeyfoldCopy(Header),
    /// Written before the target is created, and again before the first item.
    Target(TargetState),
    Segment {
        number: u32,
        items: u64,
        bytes: u64,
        #[serde(default)]
        position: Option<String>,
        #[serde(default)]
        done: bool,
    },
    Copied {
        items: u64,
        bytes: u64,
    },
}

/// What a copy did to its target so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TargetState {
    /// The target does not exist and will be created.
    ToBeCreated,
    Created {
        identity: String,
    },
    /// The target existed before the copy.
    Found {
        identity: String,
    },
}

/// The progress of an earlier run of the same copy.
#[derive(Debug, Clone, Default)]
pub(super) struct EarlierProgress {
    pub target: Option<TargetState>,
    pub segments: Vec<SegmentState>,
    /// Items and bytes, once all segments are done.
    pub copied: Option<(u64, u64)>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SegmentState {
    pub items: u64,
    pub bytes: u64,
    /// The last key that was copied.
    pub position: Option<Attributes>,
    pub done: bool,
}

impl EarlierProgress {
    pub(super) fn counts(&self) -> (u64, u64) {
        self.segments.iter().fold((0, 0), |(items, bytes), segment| (items + segment.items, bytes + segment.bytes))
    }
}

pub(super) struct ProgressFile {
    path: PathBuf,
    file: Mutex<File>,
    /// Whether the target has a line, because it was or is about to be changed.
    has_target: AtomicBool,
}

impl ProgressFile {
    /// Opens or creates the progress file of a copy, and locks it against other processes until it is dropped.
    pub(super) fn open(path: &Path, header: &Header) -> Result<(Self, EarlierProgress), ProgressFileError> {
        let io = |source| ProgressFileError::Io { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ProgressFileError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        let (lines, length) = match text.rsplit_once('\n') {
            Some((lines, _)) => (lines, lines.len() + 1),
            None => ("", 0),
        };
        let begun = read(path, lines, header)?;
        file.set_len(length as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(io)?;
        let progress_file =
            Self { path: path.to_owned(), file: Mutex::new(file), has_target: AtomicBool::new(begun.target.is_some()) };
        if length == 0 {
            progress_file.add(&Line::KeyfoldCopy(header.clone()))?;
        }
        Ok((progress_file, begun))
    }

    pub(super) fn target(&self, target: &TargetState) -> Result<(), ProgressFileError> {
        self.has_target.store(true, Ordering::Relaxed);
        self.add(&Line::Target(target.clone()))
    }

    /// Removes the progress file of a copy that failed before it began.
    pub(super) fn remove_unless_begun(&self) -> Result<(), ProgressFileError> {
        if self.has_target.load(Ordering::Relaxed) { Ok(()) } else { self.remove() }
    }

    /// Records that the target has acknowledged a segment up to a position.
    pub(super) fn segment(&self, number: u32, state: &SegmentState) -> Result<(), ProgressFileError> {
        let SegmentState { items, bytes, position, done } = state;
        let position = position.as_ref().map(|key| STANDARD.encode(codec::encode(key)));
        self.add(&Line::Segment { number, items: *items, bytes: *bytes, position, done: *done })
    }

    pub(super) fn copied(&self, items: u64, bytes: u64) -> Result<(), ProgressFileError> {
        self.add(&Line::Copied { items, bytes })
    }

    /// Removes the progress file of a finished copy.
    pub(super) fn remove(&self) -> Result<(), ProgressFileError> {
        std::fs::remove_file(&self.path).map_err(|source| ProgressFileError::Io { path: self.path.clone(), source })
    }

    fn add(&self, line: &Line) -> Result<(), ProgressFileError> {
        let io = |source| ProgressFileError::Io { path: self.path.clone(), source };
        let mut text = serde_json::to_string(line).map_err(|error| io(error.into()))?;
        text.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(io)
    }
}

fn read(path: &Path, text: &str, header: &Header) -> Result<EarlierProgress, ProgressFileError> {
    let foreign = || ProgressFileError::Foreign { path: path.to_owned() };
    let mut begun = EarlierProgress {
        segments: vec![SegmentState::default(); header.segments as usize],
        ..EarlierProgress::default()
    };
    for (at, line) in text.lines().enumerate() {
        let line: Line = serde_json::from_str(line).map_err(|_| foreign())?;
        match line {
            Line::KeyfoldCopy(found) if at == 0 => {
                if let Some(difference) = difference(&found, header) {
                    return Err(ProgressFileError::OtherCopy { path: path.to_owned(), difference });
                }
            }
            _ if at == 0 => return Err(foreign()),
            Line::KeyfoldCopy(_) => return Err(foreign()),
            Line::Target(target) => begun.target = Some(target),
            Line::Copied { items, bytes } => begun.copied = Some((items, bytes)),
            Line::Segment { number, items, bytes, position, done } => {
                let position = position.map(|text| decode(&text).ok_or_else(foreign)).transpose()?;
                let segment = begun.segments.get_mut(number as usize).ok_or_else(foreign)?;
                *segment = SegmentState { items, bytes, position, done };
            }
        }
    }
    Ok(begun)
}

fn decode(position: &str) -> Option<Attributes> {
    codec::decode(&STANDARD.decode(position).ok()?).ok()
}

fn difference(found: &Header, wanted: &Header) -> Option<String> {
    let names = [("from", &found.from, &wanted.from), ("to", &found.to, &wanted.to)];
    if let Some((word, found, wanted)) = names.into_iter().find(|(_, found, wanted)| found != wanted) {
        return Some(format!("that one is {word} `{found}`, this one {word} `{wanted}`"));
    }
    if found.source != wanted.source {
        return Some("the source was recreated since".to_owned());
    }
    if found.segments != wanted.segments {
        return Some(format!("that one has {} segments, this one {}", found.segments, wanted.segments));
    }
    (found.merge != wanted.merge).then(|| {
        let [found, wanted] = [found, wanted].map(|header| if header.merge { "merges" } else { "does not merge" });
        format!("that one {found}, this one {wanted}")
    })
}
