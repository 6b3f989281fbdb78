//! The ends of journals that were cut off when a store was opened, until somebody confirms them.

use std::path::Path;

use super::fault::unwritable;
use super::folder::Folder;
use super::lock::{FileLock, FolderLock};
use super::read_manifest;
use crate::store::StoreError;
use crate::store::fjall::manifest::{Cut, MANIFEST};

/// Reads the manifest alone.
pub(crate) fn unconfirmed(path: &Path) -> Result<Vec<Cut>, StoreError> {
    let Some(folder) = Folder::list(path)? else { return Ok(Vec::new()) };
    Ok(read_manifest(&folder)?.map(|manifest| manifest.cuts).unwrap_or_default())
}

/// Removes them from the manifest, and gives them.
pub(crate) fn confirm(path: &Path) -> Result<Vec<Cut>, StoreError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let _locks = (FolderLock::take(path)?, FileLock::take(path)?);
    let Some(folder) = Folder::list(path)? else { return Ok(Vec::new()) };
    let Some(mut manifest) = read_manifest(&folder)? else { return Ok(Vec::new()) };
    let cuts = std::mem::take(&mut manifest.cuts);
    if !cuts.is_empty() {
        manifest.write(path).map_err(unwritable(&path.join(MANIFEST)))?;
    }
    Ok(cuts)
}
