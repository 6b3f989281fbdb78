//! Random damage in every kind of file. `KEYFOLD_SEED` repeats a run, `KEYFOLD_LONG=1` tries a thousand.

use super::image::Image;
use super::scene::{JOURNAL, Outcome, outcome, scene};
use crate::model::random::Random;

#[test]
fn random_damage_is_found_or_does_no_harm() {
    let is_long = std::env::var("KEYFOLD_LONG").is_ok_and(|value| value == "1");
    let seed = std::env::var("KEYFOLD_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(13);
    let mut random = Random::new(seed);
    let files: Vec<_> = scene().image.paths().filter(|path| !path.ends_with("lock")).map(ToOwned::to_owned).collect();
    let last = scene().commits.last().unwrap();
    for round in 0..if is_long { 1000 } else { 60 } {
        // Half of them in the journal, which has the most to lose.
        let file = if random.chance(50) { JOURNAL.into() } else { random.pick(&files) };
        let length = scene().image.bytes(&file).len();
        let (image, what, first) = damage(&mut random, scene().image.clone(), &file, length);
        let what = format!("seed {seed}, round {round}: {what} of `{}`", file.display());
        let found = outcome(&image, &what);
        // The end of the newest journal looks like that of a torn commit.
        if found == Outcome::LastCut {
            assert!(file.ends_with(JOURNAL) && first >= last.start, "{what}: the last commit is lost");
        }
    }
}

/// The damaged files, what was done, and the first byte that was changed.
fn damage(random: &mut Random, image: Image, file: &std::path::Path, length: usize) -> (Image, String, usize) {
    let at = random.below(length.max(1));
    match random.below(10) {
        0..=5 => {
            let bit = random.below(8) as u8;
            (image.flip(file, at, bit), format!("bit {bit} of byte {at}"), at)
        }
        6 | 7 => {
            let sector = at / 512 * 512;
            let end = (sector + 512).min(length);
            // Zeros to the end of the journal are what an earlier end looks like.
            let sector = if file.ends_with(JOURNAL) && end > length - 512 { 0..512 } else { sector..end };
            let first = sector.start;
            (image.change(file, |bytes| bytes[sector].fill(0)), format!("zeros in the sector of byte {first}"), first)
        }
        8 if !file.ends_with(JOURNAL) => (image.truncate(file, at), format!("the end at byte {at}"), at),
        _ => (image.remove(file), "absence".to_owned(), 0),
    }
}
