//! A damaged block that holds the definition of a table.

use super::repair::{history, open};
use keyfold_engine::DataFolder;
use keyfold_engine::check::Finding;

#[test]
fn rows_whose_definition_may_be_damaged_are_not_called_stray() {
    let folder = history().image.write();
    // Closing brings all rows to tables.
    drop(open(folder.path()));
    for table in std::fs::read_dir(folder.path().join("keyspaces/1/tables")).unwrap() {
        let path = table.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        // The engine's own records come first.
        bytes[20] ^= 4;
        std::fs::write(path, bytes).unwrap();
    }
    let report = DataFolder::open(folder.path()).unwrap().check(&mut |_| {}).unwrap();
    assert_eq!(report.tables, 0, "the definition can be read");
    let is_damage = |finding: &Finding| matches!(finding, Finding::DamagedBlock { .. });
    assert!(report.findings.iter().all(is_damage) && !report.findings.is_empty(), "{:?}", report.findings);
    let is_about_rows = |note: &&String| note.contains(" belong to no table whose definition can be read: ");
    assert!(report.notes.iter().any(|note| is_about_rows(&note)), "{:?}", report.notes);
}
