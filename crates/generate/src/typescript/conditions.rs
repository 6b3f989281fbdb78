//! The conditions of a plan as the expressions of a query.

use keyfold_design::access::{
    AccessPlan, KeyValue, PartitionSet, SortBound, SortRange, TenantCondition, above_separator, end_of_prefix,
};
use keyfold_design::model::{Filter, Operand};
use keyfold_design::template::Template;

use super::member;
use super::template::{self, expression_of};
use super::value::literal;
use crate::typescript_text::quoted;

/// The variable that holds the value of the partition being read.
pub(super) const PARTITION: &str = "partition";

/// The expressions of one query, with their names and values.
#[derive(Debug, Default)]
pub(super) struct Expressions {
    pub key: Vec<String>,
    pub filter: Option<String>,
    pub names: Vec<(String, String)>,
    pub values: Vec<(String, String)>,
    /// The names of the values between which the sort key lies.
    pub between: Option<(String, String)>,
    /// The placeholder that stands for the partition being read.
    shard: Option<String>,
}

impl Expressions {
    pub(super) fn new(plan: &AccessPlan) -> Self {
        let shard = plan.partitions.as_ref().and_then(PartitionSet::placeholder).map(str::to_owned);
        let mut expressions = Self { shard, ..Self::default() };
        for condition in &plan.equal {
            let name = expressions.name(&condition.attribute);
            let value = expressions.key_value(&condition.value);
            expressions.key.push(format!("{name} = {value}"));
        }
        if let Some(bound) = &plan.sort {
            let condition = expressions.sort(bound);
            expressions.key.push(condition);
        }
        expressions.filter = plan.filter.as_ref().map(|filter| expressions.filter(filter));
        expressions
    }

    fn name(&mut self, attribute: &str) -> String {
        if let Some((known, _)) = self.names.iter().find(|(_, name)| name == attribute) {
            return known.clone();
        }
        let name = format!("#n{}", self.names.len());
        self.names.push((name.clone(), attribute.to_owned()));
        name
    }

    fn value(&mut self, code: String) -> String {
        let name = format!(":v{}", self.values.len());
        self.values.push((name.clone(), code));
        name
    }

    fn template(&self, template: &Template) -> String {
        expression_of(template, &|placeholder| match &self.shard {
            Some(shard) if *shard == placeholder.attribute => PARTITION.to_owned(),
            _ => member("args", &placeholder.attribute),
        })
    }

    fn key_value(&mut self, value: &KeyValue) -> String {
        let code = match value {
            KeyValue::Template(template) => self.template(template),
            KeyValue::Partition => PARTITION.to_owned(),
            KeyValue::AboveComponent { component, separator } => {
                format!("{} + {}", self.template(component), quoted(&above_separator(*separator).to_string()))
            }
            KeyValue::Prefix(prefix) => quoted(prefix),
            KeyValue::EndOfPrefix(prefix) => quoted(&end_of_prefix(prefix)),
        };
        self.value(code)
    }

    fn sort(&mut self, bound: &SortBound) -> String {
        let name = self.name(&bound.attribute);
        match &bound.range {
            SortRange::Equal(key) => format!("{name} = {}", self.key_value(key)),
            SortRange::BeginsWith(prefix) => format!("begins_with({name}, {})", self.key_value(prefix)),
            SortRange::Less(bound) => format!("{name} < {}", self.key_value(bound)),
            SortRange::LessOrEqual(bound) => format!("{name} <= {}", self.key_value(bound)),
            SortRange::Greater(bound) => format!("{name} > {}", self.key_value(bound)),
            SortRange::GreaterOrEqual(bound) => format!("{name} >= {}", self.key_value(bound)),
            SortRange::Between(low, high) => {
                let (low, high) = (self.key_value(low), self.key_value(high));
                let condition = format!("{name} BETWEEN {low} AND {high}");
                self.between = Some((low, high));
                condition
            }
        }
    }

    fn filter(&mut self, filter: &Filter) -> String {
        match filter {
            Filter::Compare { attribute, comparison, operand } => {
                format!("{} {} {}", self.name(attribute), comparison.as_str(), self.operand(operand))
            }
            Filter::Between { attribute, low, high } => {
                format!("{} BETWEEN {} AND {}", self.name(attribute), self.operand(low), self.operand(high))
            }
            Filter::In { attribute, operands } => {
                let name = self.name(attribute);
                let operands: Vec<String> = operands.iter().map(|operand| self.operand(operand)).collect();
                format!("{name} IN ({})", operands.join(", "))
            }
            Filter::BeginsWith { attribute, operand } => {
                format!("begins_with({}, {})", self.name(attribute), self.operand(operand))
            }
            Filter::Contains { attribute, operand } => {
                format!("contains({}, {})", self.name(attribute), self.operand(operand))
            }
            Filter::Exists { attribute } => format!("attribute_exists({})", self.name(attribute)),
            Filter::NotExists { attribute } => format!("attribute_not_exists({})", self.name(attribute)),
            Filter::Not(inner) => format!("NOT ({})", self.filter(inner)),
            Filter::And(parts) => self.joined(parts, " AND "),
            Filter::Or(parts) => self.joined(parts, " OR "),
        }
    }

    fn joined(&mut self, parts: &[Filter], word: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| format!("({})", self.filter(part))).collect();
        parts.join(word)
    }

    fn operand(&mut self, operand: &Operand) -> String {
        let code = match operand {
            Operand::Parameter(name) => member("args", name),
            Operand::Moment { parameter, edge } => {
                format!("support.momentValue({}, {})", member("args", parameter), template::spelling(*edge))
            }
            Operand::Value(value) => literal(value),
        };
        self.value(code)
    }
}

/// The conditions by which the table leaves out other tenants' items: an item of the tenant satisfies one of them.
/// `None` where the table cannot tell them apart.
pub(super) fn tenant_conditions(plan: &AccessPlan) -> Option<String> {
    let conditions = AccessPlan::tenant_conditions(&plan.results);
    let texts: Vec<String> = conditions.into_iter().map(tenant_condition).collect();
    (!texts.is_empty()).then(|| format!("[{}]", texts.join(", ")))
}

/// One condition, whose value is a function of the tenant: a key may not be able to hold it.
fn tenant_condition(condition: &TenantCondition) -> String {
    let attribute = quoted(condition.attribute());
    match condition {
        TenantCondition::Key { template, .. } => {
            let value = expression_of(template, &|_| "tenant".to_owned());
            format!("{{ attribute: {attribute}, value: (tenant) => {value} }}")
        }
        TenantCondition::Stored { .. } => format!("{{ attribute: {attribute}, value: (tenant) => tenant }}"),
        TenantCondition::StoredOrAbsent { .. } => {
            format!("{{ attribute: {attribute}, value: (tenant) => tenant, orAbsent: true }}")
        }
    }
}
