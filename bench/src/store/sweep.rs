//! Many settings, interleaved, each in a process of its own.

use super::probe::MEASURES;
use crate::{
    Outcome,
    statistics::{markdown, median},
};
use std::{path::Path, process::Command};

/// Runs every setting `rounds` times, interleaved, and prints the medians, one setting per row.
pub(crate) fn run(settings: &[String], rounds: usize, total: u64, parent: &Path) -> Outcome<()> {
    let mut results: Vec<Vec<Vec<f64>>> = vec![Vec::new(); settings.len()];
    for _ in 0..rounds {
        for (setting, gathered) in settings.iter().zip(&mut results) {
            let numbers = probe(setting, total, parent)?;
            eprintln!("{setting}: {numbers:?}");
            gathered.push(numbers);
        }
    }
    let mut header = vec!["settings"];
    header.extend(MEASURES);
    header.extend(["open ms", "open MB"]);
    let rows: Vec<Vec<String>> = settings
        .iter()
        .zip(&results)
        .map(|(setting, rounds)| {
            let columns = (0..header.len() - 1).map(|column| {
                let values: Vec<f64> = rounds.iter().filter_map(|round| round.get(column).copied()).collect();
                let middle = median(&values);
                if middle >= 100.0 { format!("{middle:.0}") } else { format!("{middle:.2}") }
            });
            std::iter::once(setting.clone()).chain(columns).collect()
        })
        .collect();
    println!("{}", markdown(&header, &rows));
    Ok(())
}

fn probe(setting: &str, total: u64, parent: &Path) -> Outcome<Vec<f64>> {
    let folder = tempfile::tempdir_in(parent)?;
    let mut numbers = child_numbers("store-probe", folder.path(), setting, total)?;
    numbers.extend(child_numbers("store-reopen", folder.path(), setting, total)?);
    Ok(numbers)
}

fn child_numbers(command: &str, folder: &Path, setting: &str, total: u64) -> Outcome<Vec<f64>> {
    let output = Command::new(std::env::current_exe()?)
        .arg(command)
        .arg("--folder")
        .arg(folder)
        .args(["--settings", setting, "--items", &total.to_string()])
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    let numbers = numbers?;
    if numbers.is_empty() {
        return Err(format!("{command} failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(numbers)
}
