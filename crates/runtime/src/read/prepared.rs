//! An access pattern that is authorized, with its arguments bound.

use keyfold_design::Design;
use keyfold_design::access::{AccessPlan, AccessResult, ItemSource, KeyArguments, PartitionSet};
use keyfold_design::model::{EntityId, Order, Pattern, TenantMode, Verb};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::arguments::{check_arguments, normalize_arguments, partitions};
use super::tenant_filter::{TenantFilter, tenant_filter};
use crate::authorize::{Access, Authorized, Decision, authorize, describe};
use crate::caller::Caller;
use crate::error::Error;
use crate::runtime::Runtime;
use crate::tenancy::{Confinement, confinement};

/// A pattern that may be read, with its arguments.
pub(crate) struct PreparedQuery<'a> {
    pub pattern: &'a Pattern,
    pub plan: &'a AccessPlan,
    /// The results that the caller may list.
    pub results: Vec<(Authorized<'a>, &'a AccessResult)>,
    pub arguments: Attributes,
    pub confined: Confinement,
    /// The condition by which the table leaves out other tenants' items; `None` if it cannot, or need not.
    pub tenant_filter: Option<Condition>,
    /// Whether the key ranges may hold items that the caller must not learn of: other tenants', or such that no rule
    /// lets them list.
    pub hides_items: bool,
    /// Whether the caller is told of items in the key ranges that do not fit the design, so that nothing tells whose
    /// they are: operators, and members where the range is of the table and their tenant's own. The key that such an
    /// item has in the table may name another tenant than its keys in an index.
    pub reports_unknown_items: bool,
    /// Whether the caller is told of items that they may list and that have a value of a kind that its attribute never
    /// has: not members whose tenant shares the range with others.
    pub reports_misfits: bool,
    /// The entities of the range whose items lead to results, each with the permission to list them.
    pub referrers: Vec<Authorized<'a>>,
    /// The results of which the caller gets what the index holds, and of which more must be known: a rule, or the
    /// tenant, depends on what the index lacks. Each of their items is read whole from the table.
    pub reads_whole: Vec<EntityId>,
    /// The value of each partition that is read; empty if the caller's tenant can have no items there.
    pub partitions: Vec<Option<AttributeValue>>,
}

impl Runtime {
    /// Authorizes a pattern and binds its arguments. `tenant` is the one that an operator asks for.
    pub(crate) fn prepare_query<'a>(
        &'a self,
        caller: &'a Caller,
        pattern: &str,
        arguments: Attributes,
        tenant: Option<&str>,
    ) -> Result<PreparedQuery<'a>, Error> {
        let pattern = self.pattern(pattern)?;
        let plan = self.design.access_plan(pattern.id);
        let confined = confinement_to(&self.design, caller, tenant);
        if plan.tenant == TenantMode::AcrossTenants && !caller.is_operator(&self.design) {
            return Err(Error::NotAllowed(format!("`{}` reads across tenants and is for operators", pattern.name)));
        }
        let (results, referrers, refusal) = self.authorized_results(caller, pattern, plan);
        if let (true, Some(refusal)) = (results.is_empty(), &refusal) {
            return Err(refusal.clone());
        }
        let hides_items = plan.tenant == TenantMode::Filtered && confined != Confinement::None
            || refusal.is_some()
            || results.iter().any(|(authorized, result)| {
                authorized.reads_items() || hides_tested(&self.design, authorized, &result.restricted)
            })
            || referrers.iter().any(Authorized::reads_items)
            || results.iter().any(|(_, result)| hides_referrers(&self.design, &referrers, result))
            || plan.others.iter().any(|other| {
                other.is_of_any_tenant && confined != Confinement::None
                    || !self.may_list_all(caller, pattern, other.entity)
            });
        let is_own_range = matches!(plan.tenant, TenantMode::Pinned { .. }) && confined != Confinement::None;
        let is_operator = caller.is_operator(&self.design);
        let reports_unknown_items = is_operator || is_own_range && !hides_items && plan.index.is_none();
        let reports_misfits = is_operator || is_own_range || confined == Confinement::None;
        let filter = tenant_filter(plan, &confined, results.iter().map(|(_, result)| *result));
        let has_items = filter != TenantFilter::NoItems;
        let tenant_filter = match filter {
            TenantFilter::Matching(condition) => Some(condition),
            TenantFilter::Unfiltered | TenantFilter::NoItems => None,
        };
        let reads_whole = results
            .iter()
            .filter(|(authorized, result)| needs_whole_item(&self.design, &confined, authorized, result))
            .map(|(_, result)| result.entity)
            .collect();
        let partitions = Vec::new();
        let mut query = PreparedQuery {
            pattern,
            plan,
            results,
            arguments,
            confined,
            tenant_filter,
            hides_items,
            reports_unknown_items,
            reports_misfits,
            referrers,
            reads_whole,
            partitions,
        };
        if query.bind_tenant()? {
            normalize_arguments(plan, &mut query.arguments);
            check_arguments(pattern, plan, &query.arguments)?;
            let partitions = self::partitions(pattern, plan, &query.arguments)?;
            query.partitions = if has_items { partitions } else { Vec::new() };
            // DynamoDB rejects a range whose lower bound is above the upper one; there is nothing in it.
            if query.is_reversed_range()? {
                query.partitions.clear();
            }
        }
        Ok(query)
    }

    /// The results of a pattern that a caller may list, and the denial of one that they may not.
    fn authorized_results<'a>(
        &'a self,
        caller: &'a Caller,
        pattern: &'a Pattern,
        plan: &'a AccessPlan,
    ) -> (Vec<(Authorized<'a>, &'a AccessResult)>, Vec<Authorized<'a>>, Option<Error>) {
        let (mut results, mut referrers, mut refusal) = (Vec::new(), Vec::new(), None);
        let may_list = |entity: EntityId, restricted: &[String]| {
            let access = Access { caller, verb: Verb::List, entity: &self.design[entity], pattern: Some(pattern) };
            let authorized = authorize(self.authorizer.as_ref(), access)?;
            require_visible(&self.design, pattern, restricted, authorized)
        };
        for result in &plan.results {
            let referrer = match &result.source {
                ItemSource::Reference { from, restricted, .. } => may_list(*from, restricted).map(Some),
                _ => Ok(None),
            };
            let authorized = referrer.and_then(|referrer| Ok((may_list(result.entity, &result.restricted)?, referrer)));
            match authorized {
                Ok((authorized, referrer)) => {
                    results.push((authorized, result));
                    referrers.extend(referrer);
                }
                Err(error) => refusal = Some(error),
            }
        }
        (results, referrers, refusal)
    }

    /// Whether every item of an entity is one that the caller may list.
    fn may_list_all(&self, caller: &Caller, pattern: &Pattern, entity: EntityId) -> bool {
        let access = Access { caller, verb: Verb::List, entity: &self.design[entity], pattern: Some(pattern) };
        self.authorizer.decide(&access) == Decision::Allowed
    }
}

/// The confinement of a caller; that of an operator to the tenant that they ask for.
fn confinement_to(design: &Design, caller: &Caller, tenant: Option<&str>) -> Confinement {
    match (confinement(design, caller), &design.tenant, tenant) {
        (Confinement::None, Some(tenants), Some(tenant)) => {
            Confinement::Tenant { attribute: tenants.attribute.clone(), tenant: tenant.to_owned() }
        }
        (confined, ..) => confined,
    }
}

/// Whether some items that lead to a result must not be found by attributes that the caller does not see.
fn hides_referrers(design: &Design, referrers: &[Authorized<'_>], result: &AccessResult) -> bool {
    let ItemSource::Reference { from, restricted, .. } = &result.source else { return false };
    let mut referrers = referrers.iter().filter(|referrer| referrer.entity().id == *from);
    referrers.any(|referrer| hides_tested(design, referrer, restricted))
}

/// Rejects conditions on attributes that the caller never sees: what is found would disclose their values.
fn require_visible<'a>(
    design: &Design,
    pattern: &Pattern,
    restricted: &[String],
    authorized: Authorized<'a>,
) -> Result<Authorized<'a>, Error> {
    let is_hidden = |name: &&String| authorized.sees_attribute(design, name, None) == Some(false);
    match restricted.iter().find(is_hidden) {
        None => Ok(authorized),
        Some(name) => {
            let (caller, entity) = (describe(authorized.caller()), &authorized.entity().name);
            Err(Error::NotAllowed(format!(
                "`{}` tests `{name}` of {entity}, which is not visible to {caller}",
                pattern.name
            )))
        }
    }
}

/// Whether some items of a result must not be found by attributes that the caller does not see.
fn hides_tested(design: &Design, authorized: &Authorized<'_>, restricted: &[String]) -> bool {
    restricted.iter().any(|name| authorized.sees_attribute(design, name, None) != Some(true))
}

/// Whether what an index holds of an item does not tell if the caller may have it, and which attributes they see.
fn needs_whole_item(
    design: &Design,
    confined: &Confinement,
    authorized: &Authorized<'_>,
    result: &AccessResult,
) -> bool {
    let ItemSource::Projected { attributes, .. } = &result.source else { return false };
    let is_unclear = |name: &String| authorized.sees_attribute(design, name, None).is_none();
    let tenant = design.tenant.as_ref().filter(|_| authorized.entity().scope.has_tenant());
    authorized.reads_items()
        || attributes.iter().chain(&result.restricted).any(is_unclear)
        || tenant.is_some_and(|tenant| *confined != Confinement::None && !attributes.contains(&tenant.attribute))
}

impl PreparedQuery<'_> {
    /// Whether each result of an entity takes a read of its own.
    pub(crate) fn reads_again(&self, entity: EntityId) -> bool {
        self.plan.reads_again() || self.reads_whole.contains(&entity)
    }

    /// Leaves only what the results of the pattern have of an item.
    pub(super) fn keep_projected(&self, entity: EntityId, attributes: &mut Attributes) {
        let result = self.plan.results.iter().find(|result| result.entity == entity);
        if let Some(ItemSource::Projected { attributes: held, .. }) = result.map(|result| &result.source) {
            attributes.retain(|name, _| held.contains(name));
        }
    }

    /// The text to which the cursors of a query are bound.
    pub(super) fn cursor_context(&self, design: &Design, table: &str, reverse: bool) -> Vec<u8> {
        let texts = [design.name.as_str(), table, &self.pattern.name, &self.confined.label()];
        let mut context = Vec::new();
        for text in texts {
            context.extend_from_slice(&(text.len() as u64).to_be_bytes());
            context.extend_from_slice(text.as_bytes());
        }
        context.push(u8::from(reverse));
        context.extend(codec::encode(&self.arguments));
        context
    }

    /// Binds a tenant in the partition key to the caller's own. `false`: another tenant's partition was asked for,
    /// which is as empty as one that does not exist and is not read.
    fn bind_tenant(&mut self) -> Result<bool, Error> {
        let TenantMode::Pinned { parameter } = &self.plan.tenant else { return Ok(true) };
        match &self.confined {
            Confinement::None => Ok(true),
            Confinement::GlobalOnly { .. } => {
                Err(Error::NotAllowed(format!("`{}` is for members of a tenant", self.pattern.name)))
            }
            Confinement::Tenant { tenant, .. } => {
                if self.arguments.get(parameter).is_some_and(|given| given.as_str() != Some(tenant)) {
                    return Ok(false);
                }
                self.arguments.insert(parameter.clone(), AttributeValue::S(tenant.clone()));
                Ok(true)
            }
        }
    }

    /// Whether the lower bound of the sort key is above the upper one.
    fn is_reversed_range(&self) -> Result<bool, Error> {
        let Some(sort) = self.plan.sort.as_ref().filter(|_| !self.partitions.is_empty()) else { return Ok(false) };
        Ok(sort.range.render(self.key_arguments(0))?.is_some_and(|range| range.is_reversed()))
    }

    /// The values from which the key conditions of a partition are rendered.
    pub(super) fn key_arguments(&self, partition: usize) -> KeyArguments<'_> {
        KeyArguments {
            given: &self.arguments,
            partition: self.partitions.get(partition).and_then(Option::as_ref),
            placeholder: self.plan.partitions.as_ref().and_then(PartitionSet::placeholder),
        }
    }

    /// Whether the key ranges are read from their end.
    pub(crate) fn is_descending(&self, reverse: bool) -> bool {
        (self.plan.order == Order::Descending) != reverse
    }

    /// Whether some items that are read may not become results.
    pub(super) fn drops_items(&self) -> bool {
        self.plan.drops_items()
            || self.hides_items
            || self.results.iter().any(|(authorized, _)| authorized.reads_items())
    }
}
