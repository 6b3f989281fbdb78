//! The examples that stand in a design, as scenarios of one step.

use keyfold_design::Design;
use keyfold_design::model::{Example, ExampleCaller, ExampleItem, Expectation, Step as Call};
use keyfold_dynamo::Attributes;

use super::file::{CallerText, Expected, Named, Scenario, Step};
use crate::json;

/// The examples of a design, ready to be played.
pub fn examples(design: &Design) -> Vec<Scenario> {
    design.examples.iter().map(|example| scenario(design, example)).collect()
}

fn scenario(design: &Design, example: &Example) -> Scenario {
    let mut step = Step { caller: caller(&example.caller), then: expected(design, &example.then), ..Step::default() };
    let item = |item: &ExampleItem| Some(named(design, item));
    match &example.when {
        Call::Query { pattern, with } => {
            step.query = design.pattern(*pattern).map(|pattern| pattern.name.clone());
            let with: Attributes = with.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            step.with = json::object(&with);
        }
        Call::Get(wanted) => step.get = item(wanted),
        Call::Create(new) => step.create = item(new),
        Call::Put(new) => step.put = item(new),
        Call::Update(changed) => step.patch = item(changed),
        Call::Delete(gone) => step.delete = item(gone),
    }
    Scenario {
        name: example.name.clone(),
        sample: false,
        given: example.given.iter().map(|given| named(design, given)).collect(),
        written: Vec::new(),
        steps: vec![step],
    }
}

fn named(design: &Design, item: &ExampleItem) -> Named {
    let entity = design.entity(item.entity).map(|entity| entity.name.clone()).unwrap_or_default();
    Named::from([(entity, json::object(&item.attributes))])
}

/// Nobody is named for the operator that scenarios have anyway.
fn caller(caller: &ExampleCaller) -> Option<CallerText> {
    let ExampleCaller { operator, tenant, subject, roles, groups, permissions } = caller.clone();
    if operator && caller == &(ExampleCaller { operator, ..ExampleCaller::default() }) {
        return None;
    }
    let named = |names: Vec<String>| Some(names).filter(|names| !names.is_empty());
    Some(CallerText { operator, subject, tenant, roles, groups: named(groups), permissions: named(permissions) })
}

fn expected(design: &Design, then: &Expectation) -> Expected {
    match then {
        Expectation::Items(items) => {
            Expected { returns: Some(items.iter().map(|item| named(design, item)).collect()), ..Expected::default() }
        }
        Expectation::Count(count) => {
            Expected { count: Some(usize::try_from(*count).unwrap_or(usize::MAX)), ..Expected::default() }
        }
        Expectation::Fails(name) => Expected { fails: Some(name.clone()), ..Expected::default() },
    }
}
