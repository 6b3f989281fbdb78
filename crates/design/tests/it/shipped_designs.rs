//! The designs that ship are clean, and are what their documents say.

use keyfold_design::diagnostic::to_text;
use keyfold_design::{Design, load};

const AGENCIES: &str = include_str!("../../../../designs/agencies/design.yaml");
const PLATFORM: &str = include_str!("../../../../designs/platform/design.yaml");
const ALBUMS: &str = include_str!("../../../../designs/albums/design.yaml");
const ARCHIVE: &str = include_str!("../../../../designs/archive/design.yaml");
const CATALOGUE: &str = include_str!("../../../../designs/catalogue/design.yaml");

fn clean(name: &str, text: &str) -> Design {
    match load(name, text) {
        Ok((design, found)) => {
            assert!(found.is_empty(), "{}", to_text(name, text, &found, false));
            design
        }
        Err(found) => panic!("{}", to_text(name, text, &found, false)),
    }
}

#[test]
fn agencies_is_clean() {
    let design = clean("designs/agencies/design.yaml", AGENCIES);
    assert_eq!(design.patterns.len(), 5);
}

#[test]
fn platform_is_clean() {
    let design = clean("designs/platform/design.yaml", PLATFORM);
    assert_eq!(design.entities.len(), 17);
}

#[test]
fn albums_is_clean() {
    clean("designs/albums/design.yaml", ALBUMS);
}

#[test]
fn archive_is_clean() {
    clean("designs/archive/design.yaml", ARCHIVE);
}

#[test]
fn catalogue_is_clean() {
    clean("designs/catalogue/design.yaml", CATALOGUE);
}
