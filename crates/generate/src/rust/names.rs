//! Names of Rust for what a design names: each once, and no keyword.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_design::access::{AccessPlan, ItemSource};
use keyfold_design::model::{AttributeType, Entity, EntityId, Pattern, PatternId, PerEntity, PerPattern};

use crate::naming::{pascal, snake, unused};

/// The names that generated code uses without a path.
const TAKEN_TYPES: [&str; 17] = [
    "BTreeMap",
    "BTreeSet",
    "Box",
    "Default",
    "Deserialize",
    "Err",
    "None",
    "Ok",
    "Option",
    "Result",
    "Self",
    "Serialize",
    "Some",
    "String",
    "ToOwned",
    "Vec",
    "Into",
];

/// What a session can do besides the access patterns.
const TAKEN_METHODS: [&str; 15] = [
    "new",
    "caller",
    "runtime",
    "create",
    "put",
    "upsert",
    "patch",
    "patch_version",
    "update",
    "get",
    "delete",
    "transact",
    "page",
    "count",
    "deref",
];

const KEYWORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "crate", "self", "super",
];

/// An enumeration of an attribute.
#[derive(Debug)]
pub(super) struct Enumeration {
    pub name: String,
    /// The attribute and its entity: `status of License`.
    pub comment: String,
    /// Values with the names of their variants.
    pub variants: Vec<(String, String)>,
}

#[derive(Debug)]
pub(super) struct Names {
    pub session: String,
    pub marker: String,
    types: PerEntity<String>,
    pub enumerations: Vec<Enumeration>,
    /// The enumeration of an entity's attribute.
    of_attributes: BTreeMap<(EntityId, String), usize>,
    values: Vec<Arc<[String]>>,
    collections: PerPattern<Option<String>>,
    /// The types of results that have a part of an entity's attributes.
    projected: BTreeMap<(PatternId, EntityId), String>,
    methods: PerPattern<String>,
    inputs: PerEntity<Inputs>,
}

/// The types of an entity's inputs.
#[derive(Debug)]
pub(super) struct Inputs {
    pub new: String,
    pub patch: String,
    pub operators: String,
    pub identity: String,
}

impl Names {
    pub(super) fn new(design: &Design) -> Self {
        let mut taken: BTreeSet<String> = TAKEN_TYPES.iter().map(|name| (*name).to_owned()).collect();
        let types = PerEntity::new(design, |entity| unused(&mut taken, pascal(&entity.name), "Entity"));
        let session = unused(&mut taken, pascal(&design.name), "Session");
        let marker = unused(&mut taken, format!("{}Design", pascal(&design.name)), "Type");
        let inputs = PerEntity::new(design, |entity| {
            let name = &types[entity.id];
            Inputs {
                new: unused(&mut taken, format!("New{name}"), "Input"),
                patch: unused(&mut taken, format!("{name}Patch"), "Input"),
                operators: unused(&mut taken, format!("{name}Operators"), "Input"),
                identity: unused(&mut taken, format!("{name}Identity"), "Input"),
            }
        });
        let collections = PerPattern::new(design, |pattern| {
            (pattern.returns.len() > 1).then(|| unused(&mut taken, pascal(&pattern.name), "Item"))
        });
        let mut projected = BTreeMap::new();
        for pattern in &design.patterns {
            for result in &design.access_plan(pattern.id).results {
                if let ItemSource::Projected { .. } = result.source {
                    let name = format!("{}{}", pascal(&pattern.name), types[result.entity]);
                    projected.insert((pattern.id, result.entity), unused(&mut taken, name, "Item"));
                }
            }
        }
        let mut methods: BTreeSet<String> = TAKEN_METHODS.iter().map(|name| (*name).to_owned()).collect();
        let methods = PerPattern::new(design, |pattern| unused(&mut methods, identifier(&pattern.name), "_pattern"));
        let mut names = Self {
            session,
            marker,
            types,
            enumerations: Vec::new(),
            of_attributes: BTreeMap::new(),
            values: Vec::new(),
            collections,
            projected,
            methods,
            inputs,
        };
        // A copy of an attribute has its type, so sources come first.
        for derived in [false, true] {
            for entity in design.entities.iter().filter(|entity| entity.derivation.is_some() == derived) {
                names.add_enumerations(entity, &mut taken);
            }
        }
        names
    }

    fn add_enumerations(&mut self, entity: &Entity, taken: &mut BTreeSet<String>) {
        for attribute in &entity.attributes {
            let Some(values) = values_of(&attribute.value_type) else { continue };
            let source = entity.derivation.as_ref().map(|derivation| (derivation.source, attribute.name.clone()));
            let origin = attribute.same_as.clone().map(|other| (entity.id, other));
            let known = [source, origin].into_iter().flatten().find_map(|key| self.of_attributes.get(&key).copied());
            let place = match known.filter(|place| self.values.get(*place) == Some(values)) {
                Some(place) => place,
                None => {
                    let name = format!("{}{}", self.entity(entity), pascal(&attribute.name));
                    self.enumerations.push(Enumeration {
                        name: unused(taken, name, "Value"),
                        comment: format!("`{}` of {}.", attribute.name, entity.name),
                        variants: variants(values),
                    });
                    self.values.push(Arc::clone(values));
                    self.enumerations.len() - 1
                }
            };
            self.of_attributes.insert((entity.id, attribute.name.clone()), place);
        }
    }

    pub(super) fn has_enumerations(&self) -> bool {
        !self.enumerations.is_empty()
    }

    pub(super) fn has_collections(&self) -> bool {
        self.collections.values().any(Option::is_some)
    }

    pub(super) fn entity(&self, entity: &Entity) -> &str {
        &self.types[entity.id]
    }

    pub(super) fn inputs(&self, entity: &Entity) -> &Inputs {
        &self.inputs[entity.id]
    }

    pub(super) fn method(&self, pattern: &Pattern) -> &str {
        &self.methods[pattern.id]
    }

    /// The type of what a pattern returns, where that is one of several entities.
    pub(super) fn collection(&self, pattern: &Pattern) -> Option<&str> {
        self.collections[pattern.id].as_deref()
    }

    /// The type of a result that has a part of the entity's attributes.
    pub(super) fn projected(&self, pattern: &Pattern, entity: &Entity) -> Option<&str> {
        self.projected.get(&(pattern.id, entity.id)).map(String::as_str)
    }

    /// The enumeration of an entity's attribute.
    pub(super) fn enumeration(&self, entity: &Entity, attribute: &str) -> Option<&Enumeration> {
        self.enumerations.get(*self.of_attributes.get(&(entity.id, attribute.to_owned()))?)
    }

    /// The enumeration of a parameter: that of what the pattern returns, or of the first with the same values.
    pub(super) fn enumeration_of(
        &self,
        design: &Design,
        plan: &AccessPlan,
        value_type: &AttributeType,
    ) -> Option<&Enumeration> {
        let values = values_of(value_type)?;
        let returned = plan.results.iter().map(|result| &design[result.entity]).find_map(|entity| {
            let named = entity.attributes.iter().filter(|attribute| values_of(&attribute.value_type) == Some(values));
            named.filter_map(|attribute| self.enumeration(entity, &attribute.name)).next()
        });
        returned.or_else(|| self.enumerations.get(self.values.iter().position(|known| known == values)?))
    }
}

/// The values of an enumeration, or of a list of one.
fn values_of(value_type: &AttributeType) -> Option<&Arc<[String]>> {
    match value_type {
        AttributeType::Enumeration(values) => Some(values),
        AttributeType::List(Some(element)) => values_of(element),
        _ => None,
    }
}

fn variants(values: &[String]) -> Vec<(String, String)> {
    let mut taken = BTreeSet::from(["Self".to_owned()]);
    let variant = |value: &String| {
        let name = pascal(value);
        if name.is_empty() { "Value".to_owned() } else { name }
    };
    values.iter().map(|value| (value.clone(), unused(&mut taken, variant(value), "Value"))).collect()
}

/// `license_id`, and `r#type` for a keyword.
pub(super) fn identifier(name: &str) -> String {
    let name = snake(name);
    match name.as_str() {
        "" => "value".to_owned(),
        "crate" | "self" | "super" => format!("{name}_"),
        keyword if KEYWORDS.contains(&keyword) => format!("r#{keyword}"),
        other if other.starts_with(|first: char| first.is_ascii_digit()) => format!("_{other}"),
        _ => name,
    }
}

/// Names for several things in one place, in their order.
pub(super) fn identifiers<'n>(names: impl IntoIterator<Item = &'n str>, besides: &[&str]) -> Vec<(&'n str, String)> {
    let mut taken: BTreeSet<String> = besides.iter().map(|name| (*name).to_owned()).collect();
    names.into_iter().map(|name| (name, unused(&mut taken, identifier(name), "_"))).collect()
}

/// What serde's `camelCase` makes of a field.
pub(super) fn serde_name(field: &str) -> String {
    let field = field.strip_prefix("r#").unwrap_or(field);
    let mut name = String::new();
    let mut capital = false;
    for character in field.chars() {
        match character {
            '_' => capital = true,
            _ if capital && !name.is_empty() => {
                name.push(character.to_ascii_uppercase());
                capital = false;
            }
            _ => {
                name.push(character);
                capital = false;
            }
        }
    }
    name
}
