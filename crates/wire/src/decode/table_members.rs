//! The parts that CreateTable and UpdateTable have in common: attribute definitions, key schemas, indexes, throughput.

use std::fmt::Display;

use keyfold_dynamo::table::{
    AttributeDefinition, IndexSpec, KeyRole, KeySchemaElement, KeyType, OnDemandThroughput, ProjectionSpec,
    ProjectionType, Throughput,
};

use super::constraint::Constraints;
use super::expression_parameters::Text;
use super::shape::{self, Position};
use crate::failure::Failure;
use crate::json::Reader;

const KEY_TYPES: &[(&str, KeyType)] = &[("B", KeyType::B), ("N", KeyType::N), ("S", KeyType::S)];
const KEY_ROLES: &[(&str, KeyRole)] = &[("HASH", KeyRole::Hash), ("RANGE", KeyRole::Range)];
const PROJECTION_TYPES: [(&str, ProjectionType); 3] =
    [("ALL", ProjectionType::All), ("INCLUDE", ProjectionType::Include), ("KEYS_ONLY", ProjectionType::KeysOnly)];

/// A list of structures; `read` reads one.
pub(super) fn structures<'a, T>(
    reader: &mut Reader<'a>,
    mut read: impl FnMut(&mut Reader<'a>) -> Result<T, Failure>,
) -> Result<Option<Vec<T>>, Failure> {
    let mut elements = Vec::new();
    let there = shape::list(reader, |reader| {
        elements.push(read(reader)?);
        Ok(())
    })?;
    Ok(there.then_some(elements))
}

/// The checked elements of a list that a request need not have; `None` if one of them breaks a constraint.
pub(super) fn all_or_none<T>(elements: Option<Vec<Option<T>>>) -> Option<Option<Vec<T>>> {
    match elements {
        None => Some(None),
        Some(elements) => elements.into_iter().collect::<Option<Vec<T>>>().map(Some),
    }
}

/// A name with a type or a role, as attribute definitions and key schemas have them.
#[derive(Default)]
pub(super) struct NamedKind<'a> {
    name: Text<'a>,
    kind: Text<'a>,
}

impl<'a> NamedKind<'a> {
    pub(super) fn read_definition(reader: &mut Reader<'a>) -> Result<Self, Failure> {
        Self::read(reader, "AttributeDefinition", "AttributeType")
    }

    pub(super) fn read_key(reader: &mut Reader<'a>) -> Result<Self, Failure> {
        Self::read(reader, "KeySchemaElement", "KeyType")
    }

    fn read(reader: &mut Reader<'a>, class: &str, kind_member: &str) -> Result<Self, Failure> {
        let mut element = Self::default();
        shape::structure(reader, class, Position::Element, |name, reader| {
            match name {
                "AttributeName" => element.name = shape::string(reader)?,
                _ if name == kind_member => element.kind = shape::string(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(element)
    }

    /// The name and what the kind means; only where neither breaks a constraint.
    fn check<T: Copy>(
        self,
        constraints: &mut Constraints,
        at: impl Display,
        kind_path: &str,
        kinds: &[(&str, T)],
    ) -> Option<(String, T)> {
        constraints.required(format_args!("{at}.attributeName"), &self.name);
        if let Some(name) = &self.name {
            constraints.length(format_args!("{at}.attributeName"), name, 1, 255);
        }
        constraints.required(format_args!("{at}.{kind_path}"), &self.kind);
        let kind = constraints.one_of(format_args!("{at}.{kind_path}"), self.kind.as_deref(), kinds)?;
        Some((self.name?.into_owned(), kind))
    }
}

pub(super) fn attribute_definitions(
    constraints: &mut Constraints,
    elements: Option<Vec<NamedKind<'_>>>,
) -> Vec<AttributeDefinition> {
    let elements = elements.into_iter().flatten().enumerate();
    elements
        .filter_map(|(index, element)| {
            let at = format_args!("attributeDefinitions.{}.member", index + 1);
            let (name, key_type) = element.check(constraints, at, "attributeType", KEY_TYPES)?;
            Some(AttributeDefinition { name, key_type })
        })
        .collect()
}

pub(super) fn key_schema(
    constraints: &mut Constraints,
    path: impl Display + Copy,
    elements: Vec<NamedKind<'_>>,
) -> Vec<KeySchemaElement> {
    if elements.is_empty() {
        constraints.size(path, || "[]".to_owned(), 0, 1, usize::MAX);
    }
    let elements = elements.into_iter().enumerate();
    elements
        .filter_map(|(index, element)| {
            let at = format_args!("{path}.{}.member", index + 1);
            let (name, role) = element.check(constraints, at, "keyType", KEY_ROLES)?;
            Some(KeySchemaElement { name, role })
        })
        .collect()
}

/// `ProvisionedThroughput` as it was read.
#[derive(Default)]
pub(super) struct ThroughputMembers {
    read: Option<i64>,
    write: Option<i64>,
}

impl ThroughputMembers {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Option<Self>, Failure> {
        let mut throughput = Self::default();
        let there = shape::structure(reader, "ProvisionedThroughput", Position::Member, |name, reader| {
            match name {
                "ReadCapacityUnits" => throughput.read = shape::integer(reader, "Long")?,
                "WriteCapacityUnits" => throughput.write = shape::integer(reader, "Long")?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(there.then_some(throughput))
    }

    pub(super) fn check(self, constraints: &mut Constraints, at: impl Display) -> Option<Throughput> {
        for (member, value) in [("readCapacityUnits", self.read), ("writeCapacityUnits", self.write)] {
            constraints.required(format_args!("{at}.{member}"), &value);
            constraints.at_least(format_args!("{at}.{member}"), value, 1);
        }
        Some(Throughput { read: self.read?, write: self.write? })
    }
}

pub(super) fn on_demand_throughput(reader: &mut Reader<'_>) -> Result<Option<OnDemandThroughput>, Failure> {
    let mut throughput = OnDemandThroughput::default();
    let there = shape::structure(reader, "OnDemandThroughput", Position::Member, |name, reader| {
        match name {
            "MaxReadRequestUnits" => throughput.max_read_request_units = shape::integer(reader, "Long")?,
            "MaxWriteRequestUnits" => throughput.max_write_request_units = shape::integer(reader, "Long")?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    Ok(there.then_some(throughput))
}

/// An index as it was read, local or global, or one that is to be created.
#[derive(Default)]
pub(super) struct IndexMembers<'a> {
    name: Text<'a>,
    key_schema: Option<Vec<NamedKind<'a>>>,
    projection: Option<ProjectionMembers<'a>>,
    throughput: Option<ThroughputMembers>,
    on_demand: Option<OnDemandThroughput>,
}

#[derive(Default)]
struct ProjectionMembers<'a> {
    projection_type: Text<'a>,
    non_key_attributes: Option<Vec<Option<String>>>,
}

impl<'a> IndexMembers<'a> {
    pub(super) fn read(reader: &mut Reader<'a>, class: &str, position: Position) -> Result<Option<Self>, Failure> {
        let mut index = Self::default();
        let there = shape::structure(reader, class, position, |name, reader| {
            match name {
                "IndexName" => index.name = shape::string(reader)?,
                "KeySchema" => index.key_schema = structures(reader, NamedKind::read_key)?,
                "Projection" => index.projection = ProjectionMembers::read(reader)?,
                "ProvisionedThroughput" => index.throughput = ThroughputMembers::read(reader)?,
                "OnDemandThroughput" => index.on_demand = on_demand_throughput(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(there.then_some(index))
    }

    /// `None` if a required member is missing.
    pub(super) fn check(self, constraints: &mut Constraints, at: impl Display) -> Option<IndexSpec> {
        constraints.required(format_args!("{at}.indexName"), &self.name);
        if let Some(name) = &self.name {
            constraints.name(format_args!("{at}.indexName"), name);
        }
        constraints.required(format_args!("{at}.keySchema"), &self.key_schema);
        let key_schema =
            self.key_schema.map(|elements| key_schema(constraints, format_args!("{at}.keySchema"), elements));
        constraints.required(format_args!("{at}.projection"), &self.projection);
        let projection = self.projection.map(|projection| projection.check(constraints, &at));
        let throughput = self
            .throughput
            .and_then(|throughput| throughput.check(constraints, format_args!("{at}.provisionedThroughput")));
        Some(IndexSpec {
            name: self.name?.into_owned(),
            key_schema: key_schema?,
            projection: projection?,
            throughput,
            on_demand: self.on_demand,
        })
    }
}

impl<'a> ProjectionMembers<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Option<Self>, Failure> {
        let mut projection = Self::default();
        let there = shape::structure(reader, "Projection", Position::Member, |name, reader| {
            match name {
                "ProjectionType" => projection.projection_type = shape::string(reader)?,
                "NonKeyAttributes" => projection.non_key_attributes = shape::strings(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(there.then_some(projection))
    }

    fn check(self, constraints: &mut Constraints, at: impl Display) -> ProjectionSpec {
        let known = PROJECTION_TYPES.each_ref().map(|(name, meaning)| (*name, meaning));
        let path = format_args!("{at}.projection.projectionType");
        let projection_type = constraints.one_of(path, self.projection_type.as_deref(), &known).cloned();
        let names = self.non_key_attributes.map(|names| names.into_iter().flatten().collect::<Vec<_>>());
        if let Some(names) = &names {
            let path = format_args!("{at}.projection.nonKeyAttributes");
            constraints.size(path, || format!("[{}]", names.join(", ")), names.len(), 1, 20);
            for (index, name) in names.iter().enumerate() {
                constraints.length(format_args!("{path}.{}.member", index + 1), name, 1, 255);
            }
        }
        ProjectionSpec { projection_type, non_key_attributes: names }
    }
}
