//! The orders, one per line: a verb, then its words.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, IoSlice, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

pub(super) fn obey(line: &str) -> io::Result<()> {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["create", path] => File::create(path).map(drop),
        ["append", path, text] => appender(path)?.write_all(text.as_bytes()),
        ["append-synced", path, text] => {
            OpenOptions::new().append(true).custom_flags(libc::O_DSYNC).open(path)?.write_all(text.as_bytes())
        }
        ["append-parts", path, first, second] => {
            let parts = [IoSlice::new(first.as_bytes()), IoSlice::new(second.as_bytes())];
            appender(path)?.write_vectored(&parts).map(drop)
        }
        ["write-at", path, offset, text] => writer(path)?.write_all_at(text.as_bytes(), number(offset)?),
        ["seek-and-write", path, offset, text] => {
            let mut file = writer(path)?;
            file.seek(SeekFrom::Start(number(offset)?))?;
            file.write_all(text.as_bytes())
        }
        ["set-length", path, length] => writer(path)?.set_len(number(length)?),
        ["allocate", path, length] => {
            let file = writer(path)?;
            // SAFETY: the descriptor is open.
            checked(unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, number(length)?.cast_signed()) })
        }
        ["copy", from, to] => fs::copy(from, to).map(drop),
        ["rename", from, to] => fs::rename(from, to),
        ["rename-past-libc", from, to] => {
            let (from, to) = (terminated(from)?, terminated(to)?);
            // SAFETY: both paths are terminated and outlive the call.
            let result = unsafe {
                libc::syscall(libc::SYS_renameat, libc::AT_FDCWD, from.as_ptr(), libc::AT_FDCWD, to.as_ptr())
            };
            checked(result as i32)
        }
        ["link", from, to] => fs::hard_link(from, to),
        ["remove", path] => fs::remove_file(path),
        ["make-folder", path] => fs::create_dir(path),
        ["remove-folder", path] => fs::remove_dir(path),
        ["sync", path] => File::open(path)?.sync_all(),
        ["sync-data", path] => File::open(path)?.sync_data(),
        ["map", path] => map(path),
        ["fail-to-create", path] => match File::create_new(path) {
            Err(_) => Ok(()),
            Ok(_) => Err(io::Error::other("the file was created")),
        },
        _ => Err(io::Error::other(format!("not understood: {line}"))),
    }
}

fn writer(path: &str) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

fn appender(path: &str) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

fn map(path: &str) -> io::Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: the kernel chooses the address; the mapping is not used.
    let address = unsafe { libc::mmap(std::ptr::null_mut(), 4096, protection, libc::MAP_SHARED, file.as_raw_fd(), 0) };
    if address == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn number(word: &str) -> io::Result<u64> {
    word.parse().map_err(io::Error::other)
}

fn terminated(path: &str) -> io::Result<CString> {
    CString::new(path).map_err(io::Error::other)
}

fn checked(result: i32) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
