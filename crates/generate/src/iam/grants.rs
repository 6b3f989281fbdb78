//! The DynamoDB actions that the rules of a role require.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_design::Design;
use keyfold_design::access::ItemSource;
use keyfold_design::model::{Entity, IndexId, Layout, Pattern, TenantMode, Verb};
use keyfold_design::template::{Template, can_meet};

use super::leading_key::{LeadingKey, all, own};
use super::roles::{Fence, Role, SUBJECT_TAG};

/// The table, or one of its indexes.
pub(super) type TableOrIndex = Option<IndexId>;

/// The actions on each group of partitions, and what cannot be granted.
#[derive(Debug)]
pub(super) struct Grants<'d> {
    design: &'d Design,
    role: &'d Role,
    pub actions: BTreeMap<(TableOrIndex, LeadingKey), BTreeSet<&'static str>>,
    /// Access that the rules allow but no leading key can confine to the caller, as sentences.
    pub withheld: BTreeSet<String>,
}

/// The requests of each verb. An update and a delete read the stored item first.
const WRITES: [(Verb, &[&str]); 3] = [
    (Verb::Create, &["PutItem"]),
    (Verb::Update, &["GetItem", "PutItem", "UpdateItem"]),
    (Verb::Delete, &["GetItem", "DeleteItem"]),
];

pub(super) fn grants<'d>(design: &'d Design, role: &'d Role) -> Grants<'d> {
    let mut grants = Grants { design, role, actions: BTreeMap::new(), withheld: BTreeSet::new() };
    for entity in &design.entities {
        let verbs = role.verbs(design, entity.id);
        let fence = role.fence(design, entity);
        if verbs.contains(&Verb::Get) {
            let actions: &[&str] = if entity.is_found_by_key() { &["GetItem", "BatchGetItem"] } else { &["Query"] };
            grants.grant(&entity.layout, &fence, actions, &format!("reading {}", entity.name));
        }
        for (verb, actions) in WRITES {
            // What accompanies a write that is not granted would only widen the policy.
            if verbs.contains(&verb)
                && entity.is_written_directly()
                && grants.grant(&entity.layout, &fence, actions, &format!("writing {}", entity.name))
            {
                grants.grant_dependent_writes(entity, &fence);
            }
        }
    }
    for pattern in &design.patterns {
        grants.list(pattern);
    }
    grants
}

impl Grants<'_> {
    /// Grants the writes that accompany a write of the entity: its lookups, derived items and referenced items.
    fn grant_dependent_writes(&mut self, entity: &Entity, fence: &Fence) {
        let (design, role) = (self.design, self.role);
        let all_writes = ["PutItem", "UpdateItem", "DeleteItem"];
        for unique in &entity.uniques {
            self.grant(&unique.layout, fence, &all_writes, &format!("the lookup {} of {}", unique.name, entity.name));
        }
        for derived in entity.derived.iter().map(|id| &design[*id]) {
            let fence = role.fence(design, derived);
            self.grant(&derived.layout, &fence, &all_writes, &format!("writing {} with {}", derived.name, entity.name));
        }
        for reference in &entity.references {
            let target = &design[reference.target];
            let actions: &[&str] = match reference.counted_as {
                Some(_) => &["UpdateItem"],
                None => &["ConditionCheckItem"],
            };
            let what = format!("{} referenced by {}", target.name, entity.name);
            self.grant(&target.layout, &role.fence(design, target), actions, &what);
        }
    }

    /// Grants actions on the table. Whether some partition could be granted.
    fn grant(&mut self, layout: &Layout, fence: &Fence, actions: &[&'static str], what: &str) -> bool {
        self.grant_at(None, &layout.partition.template, fence, actions, what)
    }

    fn grant_at(
        &mut self,
        place: TableOrIndex,
        template: &Template,
        fence: &Fence,
        actions: &[&'static str],
        what: &str,
    ) -> bool {
        let mut granted = false;
        for alternative in template.alternatives() {
            if let (Fence::None, Some(tenants)) = (fence, self.tenants_in(place, alternative)) {
                let key = &alternative.source;
                self.withheld
                    .insert(format!("{what}: the partition `{key}` also contains items of tenants ({tenants})"));
                continue;
            }
            let key = match fence {
                Fence::None => Some(all(alternative)),
                Fence::Tenant(attribute) => own(alternative, attribute, attribute),
                Fence::Owner(attribute) => own(alternative, attribute, SUBJECT_TAG),
            };
            match key {
                Some(key) => {
                    self.actions.entry((place, key)).or_default().extend(actions);
                    granted = true;
                }
                None => {
                    let whose = if let Fence::Owner(_) = fence { "owner" } else { "tenant" };
                    let key = &alternative.source;
                    self.withheld.insert(format!("{what}: the partition `{key}` does not begin with the {whose}"));
                }
            }
        }
        granted
    }

    /// An entity whose items belong to tenants and are in these partitions too; `None` for callers who act on all
    /// tenants.
    fn tenants_in(&self, place: TableOrIndex, template: &Template) -> Option<&str> {
        if self.role.is_operators() || self.design.tenant.is_none() {
            return None;
        }
        let mut of_tenants = self.design.entities.iter().filter(|entity| entity.scope.has_tenant());
        of_tenants
            .find(|entity| {
                let layouts = std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout));
                layouts
                    .filter_map(|layout| leading(layout, place))
                    .flat_map(Template::alternatives)
                    .any(|other| can_meet(&alone(other), &alone(template)))
            })
            .map(|entity| entity.name.as_str())
    }

    /// Reading through an access pattern.
    fn list(&mut self, pattern: &Pattern) {
        let (design, role) = (self.design, self.role);
        let plan = design.access_plan(pattern.id);
        if plan.tenant == TenantMode::AcrossTenants && !role.is_operators() {
            return;
        }
        for result in &plan.results {
            let entity = &design[result.entity];
            if !role.verbs(design, entity.id).contains(&Verb::List) {
                continue;
            }
            let fence = role.fence(design, entity);
            let what = format!("listing {} through `{}`", entity.name, pattern.name);
            // The item itself is read by its key, or searched in its partition, once it is found.
            // A rule may depend on what an index lacks.
            if result.source.gets_items() || matches!(result.source, ItemSource::Projected { .. }) {
                self.grant(&entity.layout, &fence, &["GetItem", "BatchGetItem"], &what);
            }
            if result.source.partition_search().is_some() {
                self.grant(&entity.layout, &fence, &["Query"], &what);
            }
            if let Some(template) = leading(design.layout_of(result), plan.index) {
                let asked = plan.equal.first().and_then(|condition| condition.value.template());
                // Of `ALBUM#<parentId> or TENANT#<tenantId>`, a pattern asks one side only.
                for side in
                    template.alternatives().filter(|side| asked.is_none_or(|asked| can_meet(&alone(side), asked)))
                {
                    self.grant_at(plan.index, &alone(side), &fence, &["Query"], &what);
                }
            }
        }
    }
}

/// The partition key of a layout in the table or an index. The first attribute leads a key of several.
pub(super) fn leading(layout: &Layout, place: TableOrIndex) -> Option<&Template> {
    match place {
        None => Some(&layout.partition.template),
        Some(index) => layout.index_key(index)?.partition.first().map(|part| &part.template),
    }
}

fn alone(template: &Template) -> Template {
    let mut alone = template.clone();
    alone.otherwise = None;
    alone
}
