//! The spellings of bounded integers: how templates with different bounds are told apart.

/// The values of an integer that has bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntegerRange {
    /// The least value.
    pub least: i64,
    /// The most value.
    pub most: i64,
}

/// The characters at one position of a text, from the first to the last.
pub type CharacterRange = (char, char);

impl IntegerRange {
    /// Whether a text is a value of the range.
    pub fn admits(&self, text: &str) -> bool {
        text.parse::<i64>().is_ok_and(|value| (self.least..=self.most).contains(&value))
    }

    /// The texts of the values: each is spelt by one of the sequences. With a width, values have leading zeros, and
    /// those without room are left out.
    pub fn spellings(&self, width: Option<usize>) -> Vec<Vec<CharacterRange>> {
        let mut found = Vec::new();
        if self.least < 0 && width.is_none() {
            let least = if self.most < 0 { self.most.unsigned_abs() } else { 1 };
            let magnitudes = of_magnitudes(least.into(), self.least.unsigned_abs().into());
            found.extend(magnitudes.into_iter().map(|digits| preceded(('-', '-'), digits)));
        }
        let Ok(most) = u64::try_from(self.most) else { return found };
        let least = u64::try_from(self.least).unwrap_or(0);
        match width {
            None => found.extend(of_magnitudes(least.into(), most.into())),
            Some(width) => {
                let (low, high) = (format!("{least:0>width$}"), format!("{most:0>width$}"));
                if low.len() == width {
                    let high = if high.len() == width { high } else { "9".repeat(width) };
                    found.extend(between(&low, &high));
                }
            }
        }
        found
    }
}

/// The numbers from one to another without leading zeros, length by length.
fn of_magnitudes(least: u128, most: u128) -> Vec<Vec<CharacterRange>> {
    let (shortest, longest) = (least.to_string().len(), most.to_string().len());
    let lengths = (shortest..=longest).flat_map(|length| {
        let first = if length == 1 { 0 } else { 10_u128.pow(u32::try_from(length - 1).unwrap_or(0)) };
        let last = 10_u128.pow(u32::try_from(length).unwrap_or(0)) - 1;
        between(&least.max(first).to_string(), &most.min(last).to_string())
    });
    lengths.collect()
}

/// The texts from one to another of the same length.
fn between(low: &str, high: &str) -> Vec<Vec<CharacterRange>> {
    let (Some(first), Some(last)) = (low.chars().next(), high.chars().next()) else { return vec![Vec::new()] };
    let (after_low, after_high) = (low.get(1..).unwrap_or_default(), high.get(1..).unwrap_or_default());
    let (zeros, nines) = ("0".repeat(after_low.len()), "9".repeat(after_low.len()));
    if first == last {
        return between(after_low, after_high).into_iter().map(|rest| preceded((first, first), rest)).collect();
    }
    let mut found = Vec::new();
    let (mut from, mut to) = (first, last);
    if after_low != zeros {
        found.extend(between(after_low, &nines).into_iter().map(|rest| preceded((first, first), rest)));
        from = next(first);
    }
    if after_high != nines {
        found.extend(between(&zeros, after_high).into_iter().map(|rest| preceded((last, last), rest)));
        to = previous(last);
    }
    if from <= to {
        found.push(preceded((from, to), vec![('0', '9'); after_low.len()]));
    }
    found
}

fn preceded(first: CharacterRange, rest: Vec<CharacterRange>) -> Vec<CharacterRange> {
    std::iter::once(first).chain(rest).collect()
}

fn next(digit: char) -> char {
    char::from_u32(digit as u32 + 1).unwrap_or(digit)
}

fn previous(digit: char) -> char {
    char::from_u32(digit as u32 - 1).unwrap_or(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(spellings: &[Vec<CharacterRange>], text: &str) -> bool {
        spellings.iter().any(|spelling| {
            spelling.len() == text.chars().count()
                && spelling.iter().zip(text.chars()).all(|((from, to), own)| (*from..=*to).contains(&own))
        })
    }

    #[test]
    fn a_range_is_spelt_by_its_own_values_only() {
        for (least, most) in [(0, 0), (1, 9), (1, 10), (7, 123), (10, 99), (95, 1_004), (-12, 3), (-30, -4), (0, 999)] {
            let range = IntegerRange { least, most };
            let (plain, padded) = (range.spellings(None), range.spellings(Some(4)));
            for value in -1_100..=1_100_i64 {
                let is_within = (least..=most).contains(&value);
                assert_eq!(accepts(&plain, &value.to_string()), is_within, "{value} in {least} to {most}");
                if value >= 0 {
                    assert_eq!(accepts(&padded, &format!("{value:04}")), is_within, "{value:04} in {least} to {most}");
                }
            }
            assert!(!accepts(&plain, "01") && !accepts(&plain, "") && !accepts(&plain, "-0"));
        }
    }

    #[test]
    fn the_whole_range_is_spelt_in_few_sequences() {
        let all = IntegerRange { least: i64::MIN, most: i64::MAX };
        let spellings = all.spellings(None);
        assert!(spellings.len() < 100, "{}", spellings.len());
        assert!(accepts(&spellings, "9223372036854775807") && !accepts(&spellings, "9223372036854775808"));
        assert!(accepts(&spellings, "-9223372036854775808") && !accepts(&spellings, "-9223372036854775809"));
        assert_eq!(
            IntegerRange { least: 5, most: 2_000 }.spellings(Some(2)),
            IntegerRange { least: 5, most: 99 }.spellings(Some(2))
        );
        assert_eq!(IntegerRange { least: 500, most: 2_000 }.spellings(Some(2)), Vec::<Vec<CharacterRange>>::new());
    }
}
