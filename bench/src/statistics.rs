//! Medians, percentiles and the text of a table.

use std::time::Duration;

/// Latencies of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latencies(Vec<u64>);

impl Latencies {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    pub(crate) fn record(&mut self, elapsed: Duration) {
        self.0.push(u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Milliseconds at the given fractions of the sorted latencies.
    pub(crate) fn milliseconds<const N: usize>(&mut self, fractions: [f64; N]) -> [f64; N] {
        self.0.sort_unstable();
        fractions.map(|fraction| {
            let last = self.0.len().saturating_sub(1);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
            let at = (last as f64 * fraction).round() as usize;
            self.0.get(at).map_or(0.0, |nanos| *nanos as f64 / 1e6)
        })
    }
}

/// The middle value; the mean of the two middle values of an even number.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted: Vec<f64> = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = sorted.get(middle).copied().unwrap_or(0.0);
    if sorted.len().is_multiple_of(2) && middle > 0 {
        let lower = sorted.get(middle - 1).copied().unwrap_or(upper);
        return f64::midpoint(lower, upper);
    }
    upper
}

/// Operations per second.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn rate(count: u64, elapsed: Duration) -> f64 {
    count as f64 / elapsed.as_secs_f64().max(1e-9)
}

/// `21600.0` as `21.6 k`.
pub(crate) fn thousands(value: f64) -> String {
    if value >= 100_000.0 {
        format!("{:.0} k", value / 1000.0)
    } else if value >= 1000.0 {
        format!("{:.1} k", value / 1000.0)
    } else {
        format!("{value:.0}")
    }
}

/// Rows as a markdown table with aligned columns.
pub(crate) fn markdown(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .chain(header.get(column).map(|cell| cell.chars().count()))
            .max()
            .unwrap_or(0)
    };
    let line = |cells: Vec<String>| {
        let padded: Vec<String> =
            cells.iter().enumerate().map(|(column, cell)| format!("{cell:<width$}", width = width(column))).collect();
        format!("| {} |\n", padded.join(" | "))
    };
    let mut out = line(header.iter().map(|cell| (*cell).to_owned()).collect());
    out.push_str(&line((0..header.len()).map(|column| "-".repeat(width(column))).collect()));
    for row in rows {
        out.push_str(&line(row.clone()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even_numbers() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn percentiles_pick_sorted_positions() {
        let mut latencies = Latencies::default();
        for millis in (1..=101).rev() {
            latencies.record(Duration::from_millis(millis));
        }
        assert_eq!(latencies.milliseconds([0.0, 0.5, 0.99, 1.0]), [1.0, 51.0, 100.0, 101.0]);
    }

    #[test]
    fn markdown_aligns_columns() {
        let text = markdown(&["a", "long"], &[vec!["123".into(), "4".into()]]);
        assert_eq!(text, "| a   | long |\n| --- | ---- |\n| 123 | 4    |\n");
    }
}
