//! Sample people of a design, for the development mode: derived from its rules and its sample data.

use keyfold_design::Design;
use keyfold_design::model::{EntityId, Grantee};
use keyfold_runtime::json;
use keyfold_runtime::scenario::DataFile;
use serde_json::{Map, Value};

/// A sample person with a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// A one-line description.
    pub description: String,
    pub subject: String,
    pub tenant: Option<String>,
    pub roles: Vec<String>,
}

const MAX_KINDS: usize = 3;

/// An operator; from the first tenant of the data, one person of each kind that the rules distinguish and one for each
/// role in the rules, in the group that the role needs; and one person from the second tenant, who has no access to the
/// first.
pub fn sample_people(design: &Design, data: Option<&DataFile>) -> Vec<Person> {
    let data = Data { design, data };
    let tenants = data.tenants();
    let operator = operator_role(design);
    let mut picked = Picked(vec![Person {
        description: format!("an operator (role {operator})"),
        subject: "operator".to_owned(),
        tenant: None,
        roles: vec![operator.clone()],
    }]);
    let known = data.known_people();
    let first = tenants.first();
    let of_first: Vec<&DataPerson> =
        known.iter().filter(|known| first.is_none() || known.tenant.as_ref() == first).collect();
    for (index, one) in of_first.iter().enumerate() {
        let is_new = of_first.iter().take(index).all(|other| other.kind != one.kind);
        let nth = of_first.iter().take(index).map(|other| &other.kind).collect::<std::collections::BTreeSet<_>>().len();
        if is_new && nth < MAX_KINDS {
            picked.add(one.person(&[]));
        }
    }
    let usual = of_first.first().map_or("member", |known| known.subject.as_str());
    if known.iter().all(|known| known.kind.is_none()) {
        picked.add(someone(usual, first, &[]));
    }
    // Roles that items of the table give are those of the people above.
    let is_of_table = |role: &String| data.roles_of_table().contains(role);
    for (role, group) in roles_in_rules(design).into_iter().filter(|(role, _)| *role != operator && !is_of_table(role))
    {
        let roles = std::slice::from_ref(&role);
        let members = of_first.iter().filter(|known| group.is_some() && known.kind == group);
        match members.clone().find(|member| !picked.has(&member.subject)).or(members.clone().next()) {
            Some(member) => picked.add(member.person(roles)),
            None => picked.add(someone(&role, first, roles)),
        }
    }
    if let Some(second) = tenants.get(1) {
        match known.iter().find(|known| known.tenant.as_ref() == Some(second)) {
            Some(known) => picked.add(known.person(&[])),
            None => picked.add(someone("member", Some(second), &[])),
        }
    }
    if tenants.is_empty() {
        picked.add(someone("visitor", None, &[]));
    }
    picked.0
}

/// How a caller whom a design locks out gets in: as a sample person, or with the items that the design requires.
pub(crate) fn lock_out_hint(design: &Design, people: &[Person]) -> Option<String> {
    let required = design.callers.requirements.iter().filter_map(|requirement| requirement.alternatives.first());
    let membership = design.callers.members.as_ref().map(|members| members.entity);
    let mut needed: Vec<&str> = Vec::new();
    for id in required.map(|item| item.entity).chain(membership) {
        let name = design[id].name.as_str();
        if !needed.contains(&name) {
            needed.push(name);
        }
    }
    if needed.is_empty() {
        return None;
    }
    let names: Vec<String> = people
        .iter()
        .map(|person| match &person.tenant {
            Some(tenant) => format!("`{}` in `{tenant}`", person.subject),
            None => format!("`{}`", person.subject),
        })
        .collect();
    Some(format!(
        "; in development mode use the printed token of {}, or let the operator create {} for this subject",
        names.join(", "),
        needed.join(" and ")
    ))
}

struct Picked(Vec<Person>);

impl Picked {
    fn has(&self, subject: &str) -> bool {
        self.0.iter().any(|person| person.subject == subject)
    }

    /// Adds a person unless the same one was added before.
    fn add(&mut self, person: Person) {
        let same = |other: &Person| {
            (&other.subject, &other.tenant, &other.roles) == (&person.subject, &person.tenant, &person.roles)
        };
        if !self.0.iter().any(same) {
            self.0.push(person);
        }
    }
}

fn someone(subject: &str, tenant: Option<&String>, roles: &[String]) -> Person {
    let mut description = match roles {
        [] => "signed in".to_owned(),
        roles => format!("role {}", roles.join(", ")),
    };
    if let Some(tenant) = tenant {
        description =
            if roles.is_empty() { format!("a member of {tenant}") } else { format!("{description} in {tenant}") };
    }
    Person { description, subject: subject.to_owned(), tenant: tenant.cloned(), roles: roles.to_vec() }
}

fn operator_role(design: &Design) -> String {
    let mut role = None;
    design.callers.operators.walk(&mut |who| {
        if let Grantee::Role(name) = who {
            role.get_or_insert_with(|| name.clone());
        }
    });
    role.unwrap_or_else(|| "operator".to_owned())
}

/// The roles in the rules, each with its group if all rules for the role require that group.
fn roles_in_rules(design: &Design) -> Vec<(String, Option<String>)> {
    let mut roles: Vec<(String, Option<String>)> = Vec::new();
    for rule in &design.rules {
        let mut group = None;
        if let Grantee::All(parts) = &rule.grantee {
            group = parts.iter().find_map(|part| match part {
                Grantee::Group(group) => Some(group.clone()),
                _ => None,
            });
        }
        rule.grantee.walk(&mut |who| {
            let Grantee::Role(role) = who else { return };
            match roles.iter_mut().find(|(known, _)| known == role) {
                Some((_, known)) if *known != group => *known = None,
                Some(_) => {}
                None => roles.push((role.clone(), group.clone())),
            }
        });
    }
    roles
}

/// A person in the sample data, with their group or role in the table.
struct DataPerson {
    subject: String,
    tenant: Option<String>,
    kind: Option<String>,
}

impl DataPerson {
    fn person(&self, roles: &[String]) -> Person {
        let mut person = someone(&self.subject, self.tenant.as_ref(), roles);
        if let Some(kind) = &self.kind {
            person.description = format!("{}, {kind} in the sample data", person.description);
        }
        person
    }
}

struct Data<'d> {
    design: &'d Design,
    data: Option<&'d DataFile>,
}

impl<'d> Data<'d> {
    fn items(&self) -> impl Iterator<Item = (&'d str, &'d Map<String, Value>)> + use<'d> {
        let items = self.data.map_or(&[][..], |data| data.items.as_slice());
        items.iter().flatten().map(|(entity, attributes)| (entity.as_str(), attributes))
    }

    fn items_of(&self, id: EntityId) -> impl Iterator<Item = &'d Map<String, Value>> + use<'d> {
        let name = self.design[id].name.as_str();
        self.items().filter(move |(entity, _)| name == *entity).map(|(_, attributes)| attributes)
    }

    fn tenant_of(&self, attributes: &Map<String, Value>) -> Option<String> {
        text(attributes, &self.design.tenant.as_ref()?.attribute)
    }

    fn tenants(&self) -> Vec<String> {
        let mut tenants = Vec::new();
        for tenant in self.items().filter_map(|(_, attributes)| self.tenant_of(attributes)) {
            if !tenants.contains(&tenant) {
                tenants.push(tenant);
            }
        }
        tenants
    }

    /// Whether the item meets the requirements of callers that are about its entity. Sample data has no date: an end
    /// date counts as not passed.
    fn is_admitted(&self, id: EntityId, attributes: &Map<String, Value>) -> bool {
        let entity = &self.design[id];
        let Ok(mut item) = json::attributes(entity, attributes.clone()) else { return true };
        for (attribute, default) in entity.attributes.iter().filter_map(|own| Some((own, own.default.as_ref()?))) {
            item.entry(attribute.name.clone()).or_insert_with(|| default.clone());
        }
        let required = self.design.callers.requirements.iter().flat_map(|requirement| &requirement.alternatives);
        required.filter(|required| required.entity == id).all(|required| required.is_met_by(entity, &item, ""))
    }

    /// The roles that items of the data give to their people.
    fn roles_of_table(&self) -> Vec<String> {
        let callers = &self.design.callers;
        let users = callers.users.as_ref().and_then(|source| Some((source.entity, source.role.as_ref()?)));
        let members = callers.members.as_ref().and_then(|source| Some((source.entity, source.role.as_ref()?)));
        let sources = users.into_iter().chain(members);
        sources.flat_map(|(id, role)| self.items_of(id).filter_map(|item| text(item, role))).collect()
    }

    fn known_people(&self) -> Vec<DataPerson> {
        let callers = &self.design.callers;
        let (entity, subject, kind) = match (&callers.permissions, &callers.groups) {
            (Some(source), _) => (source.caller, &source.subject, Some(&source.role)),
            (None, Some(source)) => (source.membership, &source.subject, Some(&source.group)),
            (None, None) if callers.members.is_some() => match &callers.members {
                Some(source) => (source.entity, &source.subject, source.role.as_ref()),
                None => return Vec::new(),
            },
            (None, None) => {
                let owned = self.design.entities.iter().find_map(|entity| Some((entity.id, entity.owner.as_ref()?)));
                match owned {
                    Some((entity, owner)) => (entity, owner, None),
                    None => return Vec::new(),
                }
            }
        };
        let known = |attributes: &Map<String, Value>| {
            if !self.is_admitted(entity, attributes) {
                return None;
            }
            let kind = kind.and_then(|kind| text(attributes, kind));
            Some(DataPerson { subject: text(attributes, subject)?, tenant: self.tenant_of(attributes), kind })
        };
        self.items_of(entity).filter_map(known).collect()
    }
}

fn text(attributes: &Map<String, Value>, name: &str) -> Option<String> {
    match attributes.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
