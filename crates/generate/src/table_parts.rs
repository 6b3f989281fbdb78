//! The parts of a table shared by all infrastructure targets.

use keyfold_design::Design;
use keyfold_design::model::{Billing, Index, Projection};

use crate::naming::pascal;

/// `AppDataTable`.
pub(crate) fn logical_name(design: &Design) -> String {
    format!("{}Table", pascal(&design.table.name))
}

pub(crate) fn description(design: &Design) -> String {
    let stated = design.table.description.as_ref().or(design.description.as_ref());
    stated.cloned().unwrap_or_else(|| format!("The table of the design {}.", design.name))
}

/// A key as AWS takes it: an ARN, or an alias with its prefix.
pub(crate) fn key_name(stated: &str) -> String {
    match stated.starts_with("arn:") || stated.starts_with("alias/") {
        true => stated.to_owned(),
        false => format!("alias/{stated}"),
    }
}

/// The description of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OutputValue {
    Name,
    Arn,
    StreamArn,
}

/// The outputs that a design states, those of the table's name first.
pub(crate) fn outputs(design: &Design) -> Vec<(&str, &str, OutputValue)> {
    let mut outputs: Vec<(&str, &str, OutputValue)> = design
        .table
        .outputs
        .iter()
        .map(|(name, description)| (name.as_str(), description.as_str(), output_value(name)))
        .collect();
    outputs.sort_by_key(|(_, _, value)| *value);
    outputs
}

fn output_value(name: &str) -> OutputValue {
    match name {
        _ if name.ends_with("StreamArn") => OutputValue::StreamArn,
        _ if name.ends_with("Arn") => OutputValue::Arn,
        _ => OutputValue::Name,
    }
}

pub(crate) fn projection_type(projection: &Projection) -> &'static str {
    match projection {
        Projection::All => "ALL",
        Projection::KeysOnly => "KEYS_ONLY",
        Projection::Include(_) => "INCLUDE",
    }
}

pub(crate) fn provisioned(design: &Design) -> Option<(i64, i64)> {
    match design.table.billing {
        Billing::OnDemand => None,
        Billing::Provisioned { read, write } => Some((read, write)),
    }
}

/// Global or local indexes.
pub(crate) fn indexes(design: &Design, local: bool) -> impl Iterator<Item = &Index> {
    design.indexes.iter().filter(move |index| index.local == local)
}
