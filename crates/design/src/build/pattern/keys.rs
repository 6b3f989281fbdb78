//! The conditions of a pattern, sorted into partition and sort key.

use super::line::{Condition, FanOutUnit, Operator, PatternLine};
use super::source::Source;
use crate::build::access::{KeyRange, covered};
use crate::build::codes::{BAD_FAN_OUT, BAD_PATTERN, NO_PARTITION_EQUALITY};
use crate::build::reader::Reader;
use crate::model::{Layout, SortCondition, SortRange};
use crate::syntax::Entry;
use crate::template::{Format, Part, Template};

/// `GSI2PK = ENTERPRISE#<enterpriseId>`; the placeholders are parameters.
#[derive(Clone)]
pub(super) struct KeyCondition {
    pub attribute: String,
    pub template: Template,
}

/// Several partitions, before the types of the parameters are known.
#[derive(Clone)]
pub(super) enum FanOut {
    /// Every shard of a write-sharded partition; the placeholder stands for the shard's number.
    Shards { placeholder: String, count: u32 },
    /// Every day or whole number from one bound to the other, both included.
    Range { attribute: String, from: Template, to: Template, at_most: u32, unit: FanOutUnit },
    /// Every value of a list parameter.
    Values { attribute: String, parameter: String, at_most: u32 },
}

/// The conditions, sorted into partition and sort key.
#[derive(Clone)]
pub(super) struct Keys {
    pub partition: Vec<KeyCondition>,
    pub sort_equal: Vec<KeyCondition>,
    pub sort: Option<SortCondition>,
    pub fan_out: Option<FanOut>,
}

/// Whether the last part of a bound is a number whose keys descend.
pub(super) fn ends_descending(bound: &Template) -> bool {
    match bound.parts.last() {
        Some(Part::Placeholder(own)) => matches!(own.formats.last(), Some(Format::Descending(_))),
        Some(Part::Literal(_)) | None => false,
    }
}

impl Keys {
    pub(super) fn sort(
        line: &PatternLine<'_>,
        source: &Source<'_>,
        declared: &Entry,
        reader: &mut Reader<'_>,
    ) -> Option<Self> {
        let mut keys = Self { partition: Vec::new(), sort_equal: Vec::new(), sort: None, fan_out: None };
        for condition in &line.conditions {
            let name = condition.attribute.value.clone();
            if source.partition.iter().any(|key| key.name == name) {
                keys.partition_condition(condition, line, source, reader)?;
                continue;
            }
            if keys.sort.is_some() && source.sort.len() < 2 {
                let message = format!("`{}` has two conditions on `{name}`", declared.name());
                let help = "a query has one condition on its sort key; use `between … and …`";
                reader.fault(&BAD_PATTERN, condition.span, message, help);
                return None;
            }
            let Operator::Range(range) = &condition.operator else {
                let message = format!("`in` cannot be used on the sort key `{name}`");
                reader.fault(&BAD_PATTERN, condition.span, message, "use `=`, `between` or a filter");
                return None;
            };
            if let Some(SortCondition { attribute, range: SortRange::Equal(template), .. }) = keys.sort.take() {
                keys.sort_equal.push(KeyCondition { attribute, template });
            }
            keys.sort =
                Some(SortCondition { attribute: name, range: range.clone(), component: None, is_beyond_prefix: true });
        }
        keys.multi_attribute_order(source, declared, reader)?;
        Some(keys)
    }

    /// The templates of all conditions, each with its key.
    pub(super) fn templates_mut(&mut self) -> Vec<(String, &mut Template)> {
        let equal = self.partition.iter_mut().chain(&mut self.sort_equal);
        let mut templates: Vec<(String, &mut Template)> =
            equal.map(|condition| (condition.attribute.clone(), &mut condition.template)).collect();
        if let Some(sort) = &mut self.sort {
            let bounds = sort.range.bounds_mut();
            templates.extend(bounds.map(|bound| (sort.attribute.clone(), bound)));
        }
        if let Some(FanOut::Range { attribute, from, to, .. }) = &mut self.fan_out {
            templates.extend([from, to].map(|bound| (attribute.clone(), bound)));
        }
        templates
    }

    /// Turns bounds on numbers that descend round: the keys of numbers up to a bound are those from its key on.
    pub(super) fn turn_descending(&mut self) {
        if let Some(sort) = &mut self.sort
            && sort.range.bounds().all(ends_descending)
        {
            let turned = match sort.range.clone() {
                SortRange::Less(bound) => SortRange::Greater(bound),
                SortRange::LessOrEqual(bound) => SortRange::GreaterOrEqual(bound),
                SortRange::Greater(bound) => SortRange::Less(bound),
                SortRange::GreaterOrEqual(bound) => SortRange::LessOrEqual(bound),
                SortRange::Between(low, high) => SortRange::Between(high, low),
                equal @ (SortRange::Equal(_) | SortRange::BeginsWith(_)) => equal,
            };
            sort.range = turned;
        }
    }

    /// Whether an item with a layout can be in the range; `false` is proven.
    pub(super) fn can_hold(&self, source: &Source<'_>, layout: &Layout) -> bool {
        let equal = self.partition.iter().chain(&self.sort_equal);
        let mut equal: Vec<(&str, &Template)> =
            equal.map(|condition| (condition.attribute.as_str(), &condition.template)).collect();
        if let Some(FanOut::Range { attribute, from, .. }) = &self.fan_out {
            equal.push((attribute, from));
        }
        let sort = self.sort.as_ref().map(|sort| (sort.attribute.as_str(), covered(sort)));
        KeyRange { index: source.index, equal, sort }.can_hold(layout)
    }

    /// Conditions on a multi-attribute sort key run from its first attribute on, without a gap.
    fn multi_attribute_order(&self, source: &Source<'_>, declared: &Entry, reader: &mut Reader<'_>) -> Option<()> {
        let given =
            self.sort_equal.iter().map(|equal| &equal.attribute).chain(self.sort.iter().map(|sort| &sort.attribute));
        for (position, name) in given.enumerate() {
            if source.sort.get(position).is_none_or(|key| key.name != *name) {
                let names: Vec<&str> = source.sort.iter().map(|key| key.name.as_str()).collect();
                let message = format!("`{}` skips a part of the sort key of `{}`", declared.name(), source.name);
                let help = format!("conditions begin with the first attribute: `{}`", names.join("`, `"));
                reader.fault(&BAD_PATTERN, declared.value.span, message, help);
                return None;
            }
        }
        Some(())
    }

    fn partition_condition(
        &mut self,
        condition: &Condition,
        line: &PatternLine<'_>,
        source: &Source<'_>,
        reader: &mut Reader<'_>,
    ) -> Option<()> {
        let attribute = condition.attribute.value.clone();
        match (&condition.operator, line.options.at_most) {
            (Operator::Range(SortRange::Equal(template)), _) => {
                self.partition.push(KeyCondition { attribute, template: template.clone() });
            }
            (Operator::Range(SortRange::Between(from, to)), Some((at_most, unit))) => {
                let (from, to) = (from.clone(), to.clone());
                self.fan_out = Some(FanOut::Range { attribute, from, to, at_most, unit });
            }
            (Operator::In(list), Some((at_most, FanOutUnit::Values))) => {
                let parameter = list.plain_attribute().map(|plain| plain.attribute.clone());
                let Some(parameter) = parameter else {
                    let message = format!("`{}` is not a list parameter", list.source);
                    reader.fault(&BAD_FAN_OUT, list.span, message, "write `in <values>, at most 20 values`");
                    return None;
                };
                self.fan_out = Some(FanOut::Values { attribute, parameter, at_most });
            }
            (Operator::Range(SortRange::Between(..)), None) => {
                let message = format!("the range over the partition key `{attribute}` has no bound");
                let help = "each value is a query of its own: add `, at most 92 days` for dates, `, at most 20 values` \
                            for whole numbers";
                reader.fault(&BAD_FAN_OUT, condition.span, message, help);
                return None;
            }
            (Operator::In(_), bound) => {
                let message = format!("the list of partition keys `{attribute}` has no bound on its values");
                let help = match bound {
                    Some(_) => "a list is bounded by its values: write `at most 20 values`",
                    None => "each value is a query of its own: add `, at most 20 values`",
                };
                reader.fault(&BAD_FAN_OUT, condition.span, message, help);
                return None;
            }
            _ => {
                let message =
                    format!("`{attribute}` is the partition key of `{}` and needs an equality condition", source.name);
                let help = format!("write `{attribute} = TEMPLATE`; prefixes and ranges are for the sort key");
                reader.fault(&NO_PARTITION_EQUALITY, condition.span, message, help);
                return None;
            }
        }
        Some(())
    }
}
