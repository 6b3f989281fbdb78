//! A small file system for one test.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::crash::server::{Launch, Server};
use keyfold_conformance::{Endpoint, EndpointError, Response};
use serde_json::json;

/// A file system of 64 MB. Dropping it unmounts it.
pub(crate) struct Disk {
    space: tempfile::TempDir,
}

impl Disk {
    /// In memory; `None` if nothing can be mounted.
    pub(crate) fn mount() -> Option<Self> {
        Self::mount_with(&["-t", "tmpfs", "-o", "size=64m"], |_| Some("tmpfs".into()))
    }

    /// In a file, with ext4, which an administrator can make read-only as an error does; `None` if that cannot be
    /// mounted.
    pub(crate) fn mount_ext4() -> Option<Self> {
        Self::mount_with(&["-t", "ext4", "-o", "loop"], |space| {
            let image = space.join("image");
            std::fs::File::create(&image).unwrap().set_len(64 << 20).unwrap();
            succeeds(Command::new("mkfs.ext4").args(["-q", "-F"]).arg(&image)).then_some(image)
        })
    }

    fn mount_with(options: &[&str], device: impl FnOnce(&Path) -> Option<PathBuf>) -> Option<Self> {
        let space = tempfile::tempdir().unwrap();
        let folder = space.path().join("disk");
        std::fs::create_dir(&folder).unwrap();
        let mount = |device| succeeds(Command::new("mount").args(options).arg(device).arg(&folder));
        let is_mounted = device(space.path()).is_some_and(mount);
        if !is_mounted {
            println!("skipped: a file system can be mounted on Linux, as root, only");
        }
        is_mounted.then_some(Self { space })
    }

    /// Mounts it again with other options.
    pub(crate) fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        assert!(succeeds(Command::new("mount").args(["-o", &options]).arg(self.path())), "{options}");
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.space.path().join("disk")
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.space.path().join("output")).unwrap_or_default()
    }

    pub(crate) fn start(&self, options: &[&str]) -> Server {
        let (data, output) = (self.data(), self.space.path().join("output"));
        let mut server = Launch { data: &data, output: &output, options, watch: None }.start();
        server.wait_until_ready();
        server
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a failed test may have left a process that still ends.
        let _ = Command::new("umount").arg("-l").arg(self.path()).output();
    }
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

pub(crate) fn create_table(endpoint: &Endpoint) {
    assert!(try_to_create_table(endpoint).unwrap().is_success());
}

pub(crate) fn try_to_create_table(endpoint: &Endpoint) -> Result<Response, EndpointError> {
    let table = json!({
        "TableName": "items", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    });
    endpoint.call("CreateTable", &table)
}
