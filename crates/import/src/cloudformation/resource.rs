//! Reads the properties of a table resource.

use keyfold_design::model::{Billing, Index, KeyAttribute, Projection};
use keyfold_dynamo::table::{KeyRole, KeyType};

use super::error::TemplateError;
use super::tree::{Node, NodeKind};
use super::values::Template;
use crate::table::ImportedTable;

/// One `AWS::DynamoDB::Table` or `AWS::DynamoDB::GlobalTable`.
pub(super) struct Resource<'a> {
    pub template: &'a Template<'a>,
    pub logical_id: &'a str,
    pub properties: &'a Node,
    pub is_global: bool,
    pub notes: Vec<String>,
}

impl<'a> Resource<'a> {
    /// A property that is there and not `AWS::NoValue`.
    pub(super) fn property(&mut self, name: &str) -> Option<&'a Node> {
        let node = self.properties.get(name)?;
        self.template.value(node, &mut self.notes)
    }

    pub(super) fn required(&mut self, name: &str) -> Result<&'a Node, TemplateError> {
        let (id, position) = (self.logical_id, self.properties.position);
        self.property(name).ok_or_else(|| TemplateError::at(position, format!("`{id}` has no `{name}`")))
    }

    /// The items of a list property, each without `!If`; an absent property has none.
    pub(super) fn list(&mut self, name: &str) -> Result<Vec<&'a Node>, TemplateError> {
        let Some(node) = self.property(name) else { return Ok(Vec::new()) };
        self.items(node, name)
    }

    fn items(&mut self, node: &'a Node, what: &str) -> Result<Vec<&'a Node>, TemplateError> {
        match &node.kind {
            NodeKind::List(items) => {
                let (template, notes) = (self.template, &mut self.notes);
                Ok(items.iter().filter_map(|item| template.value(item, notes)).collect())
            }
            _ => Err(TemplateError::at(node.position, format!("`{what}` must be a list, but is {}", node.describe()))),
        }
    }

    /// The text of a key of a mapping that has to be there.
    fn field(&self, node: &Node, key: &str, of: &str) -> Result<String, TemplateError> {
        let value =
            node.get(key).ok_or_else(|| TemplateError::at(node.position, format!("this {of} has no `{key}`")))?;
        self.template.text(value, &format!("`{key}`"))
    }

    pub(super) fn attribute_types(&mut self) -> Result<Vec<(String, KeyType)>, TemplateError> {
        let mut types = Vec::new();
        for definition in self.list("AttributeDefinitions")? {
            let name = self.field(definition, "AttributeName", "attribute definition")?;
            let text = self.field(definition, "AttributeType", "attribute definition")?;
            let key_type = KeyType::parse(&text).ok_or_else(|| {
                TemplateError::at(
                    definition.position,
                    format!("the type of `{name}` must be `S`, `N` or `B`, not `{text}`"),
                )
            })?;
            types.push((name, key_type));
        }
        Ok(types)
    }

    pub(super) fn keys(
        &mut self,
        schema: &'a Node,
        types: &[(String, KeyType)],
    ) -> Result<(Vec<KeyAttribute>, Vec<KeyAttribute>), TemplateError> {
        let (mut partition, mut sort) = (Vec::new(), Vec::new());
        for element in self.items(schema, "KeySchema")? {
            let name = self.field(element, "AttributeName", "key")?;
            let role = self.field(element, "KeyType", "key")?;
            let Some((_, key_type)) = types.iter().find(|(known, _)| *known == name) else {
                let message = format!("`{name}` is a key, but `AttributeDefinitions` does not define it");
                return Err(TemplateError::at(element.position, message));
            };
            if name.contains(char::is_whitespace) {
                let message = format!("the key `{name}` has a space in its name, which a design does not support");
                return Err(TemplateError::at(element.position, message));
            }
            let key = KeyAttribute::new(name, *key_type);
            match KeyRole::parse(&role) {
                Some(KeyRole::Hash) => partition.push(key),
                Some(KeyRole::Range) => sort.push(key),
                None => {
                    let message = format!("a `KeyType` must be `HASH` or `RANGE`, not `{role}`");
                    return Err(TemplateError::at(element.position, message));
                }
            }
        }
        if partition.is_empty() {
            return Err(TemplateError::at(schema.position, "this key schema has no `HASH` key"));
        }
        Ok((partition, sort))
    }

    pub(super) fn index(
        &mut self,
        position: usize,
        node: &'a Node,
        types: &[(String, KeyType)],
        local: bool,
    ) -> Result<Index, TemplateError> {
        let name = self.field(node, "IndexName", "index")?;
        let schema = node
            .get("KeySchema")
            .ok_or_else(|| TemplateError::at(node.position, format!("the index `{name}` has no `KeySchema`")))?;
        let (partition, sort) = self.keys(schema, types)?;
        let projection = match node.get("Projection") {
            None => Projection::All,
            Some(projection) => self.projection(projection)?,
        };
        Ok(Index { projection, local, ..Index::new(position, name, partition, sort) })
    }

    fn projection(&mut self, node: &'a Node) -> Result<Projection, TemplateError> {
        let Some(kind) = node.get("ProjectionType") else { return Ok(Projection::All) };
        match self.template.text(kind, "`ProjectionType`")?.as_str() {
            "ALL" => Ok(Projection::All),
            "KEYS_ONLY" => Ok(Projection::KeysOnly),
            "INCLUDE" => {
                let Some(names) = node.get("NonKeyAttributes") else { return Ok(Projection::KeysOnly) };
                let names = self.items(names, "NonKeyAttributes")?;
                let names: Result<Vec<String>, TemplateError> =
                    names.into_iter().map(|name| self.template.text(name, "a projected attribute")).collect();
                Ok(Projection::Include(names?))
            }
            other => Err(TemplateError::at(
                kind.position,
                format!("a projection must be `ALL`, `KEYS_ONLY` or `INCLUDE`, not `{other}`"),
            )),
        }
    }

    /// The table's name: as stated, the default of its parameter, or one made from the logical id.
    pub(super) fn name(&mut self, facts: &mut ImportedTable) -> Result<(), TemplateError> {
        let Some(node) = self.property("TableName") else {
            facts.table.name = self.logical_id.to_owned();
            self.notes.push("the template does not name the table: the logical id is used".to_owned());
            return Ok(());
        };
        let parameter = match &node.kind {
            NodeKind::Function(name, argument) if name == "Ref" => match &argument.kind {
                NodeKind::Text(parameter) => Some(parameter.clone()),
                _ => None,
            },
            _ => None,
        };
        match self.template.resolve(node) {
            Some(resolved) => {
                facts.table.variable = resolved.parameter;
                facts.table.name = resolved.text;
                if let Some(assumed) = resolved.assumed {
                    self.notes.push(format!("the table's name is a guess: {assumed}"));
                }
            }
            None if parameter.is_some() => {
                facts.table.name = self.logical_id.to_owned();
                facts.table.variable = parameter;
                self.notes.push("the parameter of the table's name has no default: the logical id is used".to_owned());
            }
            None => {
                facts.table.name = self.logical_id.to_owned();
                self.notes
                    .push(format!("the table's name is {} in the template: the logical id is used", node.describe()));
            }
        }
        let allowed = |character: char| character.is_ascii_alphanumeric() || "_-.".contains(character);
        if !(3..=255).contains(&facts.table.name.len()) || !facts.table.name.chars().all(allowed) {
            let message =
                format!("`{}` cannot name a table: 3 to 255 letters, digits, `_`, `-` and `.`", facts.table.name);
            return Err(TemplateError::at(node.position, message));
        }
        Ok(())
    }

    pub(super) fn billing(&mut self) -> Result<Billing, TemplateError> {
        let mode = match self.property("BillingMode") {
            Some(node) => Some((self.template.text(node, "`BillingMode`")?, node.position)),
            None => None,
        };
        match mode.as_ref().map(|(mode, _)| mode.as_str()) {
            Some("PAY_PER_REQUEST") => return Ok(Billing::OnDemand),
            Some("PROVISIONED") | None => {}
            Some(other) => {
                let position = mode.as_ref().map_or(self.properties.position, |(_, position)| *position);
                let message = format!("`BillingMode` must be `PAY_PER_REQUEST` or `PROVISIONED`, not `{other}`");
                return Err(TemplateError::at(position, message));
            }
        }
        let Some(throughput) = self.property("ProvisionedThroughput") else {
            let settings = if self.is_global { "its units scale by themselves" } else { "no units are given" };
            self.notes.push(format!("billing is provisioned and {settings}: written as 5/5"));
            return Ok(Billing::Provisioned { read: 5, write: 5 });
        };
        let units = |key: &str| -> Result<i64, TemplateError> {
            let node = throughput
                .get(key)
                .ok_or_else(|| TemplateError::at(throughput.position, format!("this throughput has no `{key}`")))?;
            self.template.units(node, &format!("`{key}`"))
        };
        Ok(Billing::Provisioned { read: units("ReadCapacityUnits")?, write: units("WriteCapacityUnits")? })
    }
}
