//! Defaults that contain the delimiter: whether a key that contains one still reads back in one way only.

use keyfold_dynamo::AttributeValue;

use super::overlap::have_common_text;
use super::{Part, Placeholder, Template};

/// More sentinels in one template are not proven.
const MOST: usize = 4;

impl Template {
    /// The text of a value at the placeholder at an index that no other value there may have: it contains what
    /// separates the parts of the key. `None` for a text that any value may have.
    pub(crate) fn sentinel_at(
        &self,
        index: usize,
        placeholder: &Placeholder,
        value: &AttributeValue,
    ) -> Option<String> {
        if self.is_last(index) || placeholder.counted_length().is_some() {
            return None;
        }
        let separators = [Some(self.delimiter), self.terminator(index)];
        let mut formats = placeholder.formats.iter();
        let piece = formats.try_fold(placeholder.kind.text_of(value)?, |piece, format| format.apply(piece))?;
        separators.into_iter().flatten().any(|separator| piece.contains(separator)).then_some(piece)
    }

    /// Whether no text is one of the template in two ways: with a sentinel where another reading has a value, or with
    /// different sentinels.
    pub(crate) fn is_uniquely_readable(&self) -> bool {
        let is_sentinel =
            |part: &Part| matches!(part, Part::Placeholder(placeholder) if placeholder.sentinel.is_some());
        let count = self.parts.iter().filter(|part| is_sentinel(part)).count();
        if count > MOST {
            return false;
        }
        let readings: Vec<Template> = (0..1_usize << count).map(|chosen| self.with_sentinels(chosen)).collect();
        readings
            .iter()
            .enumerate()
            .all(|(position, reading)| readings.iter().take(position).all(|other| !have_common_text(reading, other)))
    }

    /// The template with some of its sentinels as literal text and the other placeholders without theirs; `chosen` has
    /// one bit for each.
    fn with_sentinels(&self, chosen: usize) -> Template {
        let mut position = 0;
        let part = |part: &Part| match part {
            Part::Placeholder(placeholder) => {
                let Some(sentinel) = &placeholder.sentinel else { return part.clone() };
                let is_chosen = (chosen >> position) & 1 == 1;
                position += 1;
                match is_chosen {
                    true => Part::Literal(sentinel.clone()),
                    false => Part::Placeholder(Placeholder { sentinel: None, ..placeholder.clone() }),
                }
            }
            Part::Literal(_) => part.clone(),
        };
        let parts = self.parts.iter().map(part).collect();
        Template::new(self.source.clone(), self.span, parts, self.delimiter)
    }
}
