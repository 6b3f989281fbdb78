//! The examples of a design, as scenarios of one step.

use keyfold_design::Design;
use keyfold_design::model::{Example, ExampleCaller, ExampleItem, ExampleOperators, Expectation, Step as Call};
use keyfold_dynamo::Attributes;

use super::file::{CallerText, Expected, Named, Scenario, Step};
use crate::error::Error;
use crate::json;

/// The examples of a design, ready to be run.
pub fn examples(design: &Design) -> Result<Vec<Scenario>, Error> {
    design.examples.iter().map(|example| scenario(design, example)).collect()
}

fn scenario(design: &Design, example: &Example) -> Result<Scenario, Error> {
    let mut step =
        Step { caller: caller(&example.caller), then: expectation(design, &example.then)?, ..Step::default() };
    let item = |item: &ExampleItem| Some(named_item(design, item));
    match &example.when {
        Call::Query { pattern, with } => {
            step.query = Some(design[*pattern].name.clone());
            let with: Attributes = with.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            step.with = json::object(&with);
        }
        Call::Get(wanted) => step.get = item(wanted),
        Call::Create(new) => step.create = item(new),
        Call::Put(new) => step.put = item(new),
        Call::Update(changed, operators) => {
            step.patch = item(changed);
            add_operators(&mut step, operators);
        }
        Call::Delete(deleted) => step.delete = item(deleted),
    }
    Ok(Scenario {
        name: example.name.clone(),
        sample: false,
        given: example.given.iter().map(|given| named_item(design, given)).collect(),
        written: Vec::new(),
        steps: vec![step],
    })
}

fn add_operators(step: &mut Step, operators: &ExampleOperators) {
    for (operator, path, value) in &operators.values {
        let values = match operator.as_str() {
            "add" => &mut step.add,
            "subtract" => &mut step.subtract,
            "append" => &mut step.append,
            "prepend" => &mut step.prepend,
            _ => &mut step.set,
        };
        values.insert(path.clone(), json::plain(value));
    }
    step.remove.clone_from(&operators.remove);
    step.condition.clone_from(&operators.condition);
    step.with = operators.with.iter().map(|(name, value)| (name.clone(), json::plain(value))).collect();
}

fn named_item(design: &Design, item: &ExampleItem) -> Named {
    Named::from([(design[item.entity].name.clone(), json::object(&item.attributes))])
}

/// `None` for a superuser, which is the default of scenarios.
fn caller(caller: &ExampleCaller) -> Option<CallerText> {
    let ExampleCaller { superuser, tenant, subject, roles, groups, permissions } = caller.clone();
    if superuser && caller == &(ExampleCaller { superuser, ..ExampleCaller::default() }) {
        return None;
    }
    let given = |names: Vec<String>| Some(names).filter(|names| !names.is_empty());
    Some(CallerText { superuser, subject, tenant, roles, groups: given(groups), permissions: given(permissions) })
}

fn expectation(design: &Design, then: &Expectation) -> Result<Expected, Error> {
    Ok(match then {
        Expectation::Items(items) => {
            let returns = items.iter().map(|item| named_item(design, item)).collect();
            Expected { returns: Some(returns), ..Expected::default() }
        }
        Expectation::Count(count) => {
            let too_many = |_| Error::Invalid(format!("an example cannot return {count} items"));
            Expected { count: Some(usize::try_from(*count).map_err(too_many)?), ..Expected::default() }
        }
        Expectation::Fails(name) => Expected { fails: Some(name.clone()), ..Expected::default() },
    })
}
