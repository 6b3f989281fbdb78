//! Opens files whose content is there: a pipe can keep its reader waiting, and a device can be without end.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

/// Whether a pipe is opened, too: it passes its content on once, as a shell does with `<(command)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pipes {
    Opened,
    Refused,
}

/// Reads a file; an error for a pipe or a device.
pub fn read_plain_file(path: &Path) -> io::Result<Vec<u8>> {
    read(path, Pipes::Refused)
}

pub(crate) fn read(path: &Path, pipes: Pipes) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open(path, pipes)?.read_to_end(&mut content)?;
    Ok(content)
}

pub(crate) fn open(path: &Path, pipes: Pipes) -> io::Result<File> {
    // To open a pipe is to wait for whoever writes to it.
    check(&std::fs::metadata(path)?, pipes)?;
    let file = File::open(path)?;
    // It may have been replaced since.
    check(&file.metadata()?, pipes)?;
    Ok(file)
}

fn check(metadata: &Metadata, pipes: Pipes) -> io::Result<()> {
    let kind = metadata.file_type();
    let found = match pipes {
        Pipes::Refused if kind.is_fifo() => "a pipe",
        _ if kind.is_block_device() || kind.is_char_device() => "a device",
        _ if kind.is_socket() => "a socket",
        _ => return Ok(()),
    };
    Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {found}, not a file")))
}
