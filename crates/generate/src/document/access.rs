//! Access patterns with their cost, and permissions.

use keyfold_design::Design;
use keyfold_design::access::{AccessPlan, FurtherRead, ItemSource};
use keyfold_design::model::{
    Budget, BudgetTarget, CallerItem, CallerRequirement, Capacity, Order, Pattern, TenantMode, Verb,
};
use keyfold_design::with_article;

use super::indexes::place;
use super::{Block, code};
use crate::Input;

pub(super) fn patterns(input: &Input<'_>) -> Vec<Block> {
    let design = input.design;
    let rows = design
        .patterns
        .iter()
        .map(|pattern| {
            let plan = design.access_plan(pattern.id);
            let cost = budget(input, |target| *target == BudgetTarget::Pattern(pattern.id), Capacity::Read);
            let mut row =
                vec![pattern.name.clone(), place(design, plan.index), condition(pattern, plan), results(design, plan)];
            if design.tenant.is_some() {
                row.push(tenancy(&plan.tenant).to_owned());
            }
            row.push(cost.unwrap_or_else(|| "—".to_owned()));
            row
        })
        .collect();
    let head = match design.tenant {
        Some(_) => vec!["Access pattern", "Index", "Key condition", "Returns", "Tenants", "Capacity"],
        None => vec!["Access pattern", "Index", "Key condition", "Returns", "Capacity"],
    };
    let mut blocks = vec![Block::heading(2, "Access patterns"), Block::Table { head, rows }];
    if !input.measured.is_empty() {
        blocks.push(Block::Paragraph(
            "Capacity is the budget of a call, in read units for the given number of results, followed by the measured cost of the most expensive call on the sample data."
                .to_owned(),
        ));
    }
    blocks
}

/// The key condition and filter of a pattern, with its order where that is not the order of the key.
fn condition(pattern: &Pattern, plan: &AccessPlan) -> String {
    match plan.order {
        Order::Ascending => code(&pattern.condition),
        Order::Descending => format!("{}, descending", code(&pattern.condition)),
    }
}

/// The entities that a pattern returns, with what is read beyond the query.
fn results(design: &Design, plan: &AccessPlan) -> String {
    let results = plan.results.iter().map(|result| {
        let entity = &design[result.entity].name;
        let found = match &result.source {
            ItemSource::Query => entity.clone(),
            ItemSource::Projected { attributes, .. } => format!("{entity} (only {})", attributes.join(", ")),
            ItemSource::Table { moved: None } => format!("{entity} (read again from the table)"),
            ItemSource::Table { moved: Some(_) } => {
                format!("{entity} (read again from the table, and searched in its partition if it has moved)")
            }
            ItemSource::Reference { from, .. } => format!("{entity} (that {} leads to)", design[*from].name),
            ItemSource::Lookup { unique, read: FurtherRead::Key } => {
                format!("{entity} (through the lookup `{unique}`)")
            }
            ItemSource::Lookup { unique, read: FurtherRead::PartitionSearch(_) } => {
                format!("{entity} (through the lookup `{unique}`, searched in its partition)")
            }
        };
        result.entry_conditions.iter().fold(found, |found, condition| format!("{found}, only when {}", code(condition)))
    });
    let results = results.collect::<Vec<_>>().join(", ");
    if plan.counts { format!("number of {results} items") } else { results }
}

fn tenancy(mode: &TenantMode) -> &'static str {
    match mode {
        TenantMode::Global => "global",
        TenantMode::Pinned { .. } => "in the key",
        TenantMode::Filtered => "own tenant",
        TenantMode::AcrossTenants => "all (operators only)",
    }
}

fn budget(input: &Input<'_>, is_wanted: impl Fn(&BudgetTarget) -> bool, capacity: Capacity) -> Option<String> {
    let is_wanted = |found: &Budget| is_wanted(&found.target) && found.capacity == capacity;
    let (position, found) = input.design.budgets.iter().enumerate().find(|(_, found)| is_wanted(found))?;
    let results = found.results.map(|results| format!(" for {results}")).unwrap_or_default();
    let measured = input.measured.get(position).copied().flatten();
    let measured = measured.map(|units| format!(", measured {units}")).unwrap_or_default();
    Some(format!("{}{results}{measured}", found.units()))
}

pub(super) fn rules(input: &Input<'_>) -> Vec<Block> {
    let design = input.design;
    let mut blocks = vec![
        Block::heading(2, "Rules"),
        Block::Paragraph("Whatever no rule allows is denied.".to_owned()),
        Block::Table {
            head: vec!["Caller", "Operations", "Entities"],
            rows: design.rules.iter().map(|rule| allowed(design, rule)).collect(),
        },
    ];
    let callers = callers(design);
    if !callers.is_empty() {
        blocks.push(Block::List(callers));
    }
    if !design.callers.requirements.is_empty() {
        blocks.push(Block::Paragraph("Callers other than operators need, besides a valid token:".to_owned()));
        let requirements = design.callers.requirements.iter();
        blocks.push(Block::List(requirements.map(|requirement| required(design, requirement)).collect()));
    }
    let costs = write_costs(input);
    if !costs.is_empty() {
        blocks.push(Block::heading(2, "Write costs"));
        blocks.push(Block::Paragraph(
            "Budget in write units, including all indexes, lookups and derived items, followed by the measured cost."
                .to_owned(),
        ));
        blocks.push(Block::Table { head: vec!["Entity", "Create", "Update", "Delete"], rows: costs });
    }
    if !design.accepted.is_empty() {
        blocks.push(Block::heading(2, "Accepted warnings"));
        let rows = design
            .accepted
            .iter()
            .map(|accepted| vec![accepted.code.clone(), code(&accepted.subject), accepted.reason.clone()])
            .collect();
        blocks.push(Block::Table { head: vec!["Code", "Subject", "Reason"], rows });
    }
    blocks
}

fn allowed(design: &Design, rule: &keyfold_design::model::Rule) -> Vec<String> {
    let verbs = match rule.verbs.len() {
        count if count == Verb::ALL.len() => "everything".to_owned(),
        _ => rule.verbs.iter().map(|verb| verb.as_str()).collect::<Vec<_>>().join(", ").replace("get, list", "read"),
    };
    let entities = match rule.entities.len() {
        count if count == design.entities.len() => "all entities".to_owned(),
        _ => rule.entities.iter().map(|id| design[*id].name.as_str()).collect::<Vec<_>>().join(", "),
    };
    let when = rule.when.as_ref().map(|when| format!(", when `{}`", when.source())).unwrap_or_default();
    vec![rule.grantee.to_string(), verbs, format!("{entities}{when}")]
}

/// Who callers are, and what makes them members of a tenant.
fn callers(design: &Design) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(users) = &design.callers.users {
        let found_by = users.attributes().into_iter().map(code).collect::<Vec<_>>().join(" and ");
        let name = &design[users.entity].name;
        let unknown = match &users.created_with {
            Some(_) => "Anyone who signs in for the first time is added.",
            None => "Nobody else is admitted, except operators.",
        };
        lines.push(format!(
            "A caller is the {name} with the issuer and subject of their token in {found_by}. {unknown}"
        ));
    }
    if let Some(members) = &design.callers.members {
        let name = with_article(&design[members.entity].name);
        let role = members.role.as_ref().map(|role| format!(", in the role in {}", code(role))).unwrap_or_default();
        lines.push(format!(
            "A member of a tenant is a caller with {name} of that tenant that has their id in {}{role}.",
            code(&members.subject)
        ));
    }
    lines
}

/// `a User when …, or a TechUser`.
fn required(design: &Design, requirement: &CallerRequirement) -> String {
    let item = |item: &CallerItem| {
        let when = item.condition.as_ref().map(|condition| format!(" with `{}`", condition.source()));
        format!("{}{}", with_article(&design[item.entity].name), when.unwrap_or_default())
    };
    requirement.alternatives.iter().map(item).collect::<Vec<_>>().join(", or ")
}

fn write_costs(input: &Input<'_>) -> Vec<Vec<String>> {
    let cost = |verb: Verb, id| budget(input, |target| *target == BudgetTarget::Verb(verb, id), Capacity::Write);
    input
        .design
        .entities
        .iter()
        .filter_map(|entity| {
            let costs = [Verb::Create, Verb::Update, Verb::Delete].map(|verb| cost(verb, entity.id));
            costs.iter().any(Option::is_some).then(|| {
                let costs = costs.into_iter().map(|cost| cost.unwrap_or_else(|| "—".to_owned()));
                std::iter::once(entity.name.clone()).chain(costs).collect()
            })
        })
        .collect()
}
