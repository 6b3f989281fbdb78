//! Items by their identities, patterns, and pages that other callers began.

use keyfold_design::model::{Pattern, Verb};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Caller, Error, QueryOptions};

use crate::access::table::{Case, Side, Sides, identity_of, never, seen};
use crate::support::superuser;

#[derive(Debug, PartialEq)]
pub(super) struct Told {
    records: Vec<(String, Attributes)>,
    count: usize,
    evaluated: usize,
    read_units: f64,
    goes_on: bool,
    stopped: String,
}

pub(super) async fn page(
    side: &Side,
    caller: &Caller,
    pattern: &Pattern,
    with: &Attributes,
    options: &QueryOptions,
) -> Result<(Told, Option<String>), Error> {
    let page = side.runtime.query(caller, &pattern.name, with.clone(), options).await?;
    let told = Told {
        records: page.records.iter().map(|record| seen(side.runtime.design(), record)).collect(),
        count: page.count,
        evaluated: page.evaluated,
        read_units: page.read_units,
        goes_on: page.cursor.is_some(),
        stopped: format!("{:?}", page.stop_reason),
    };
    Ok((told, page.cursor))
}

/// All results, in pages of two that are full.
pub(super) async fn walk(
    side: &Side,
    caller: &Caller,
    pattern: &Pattern,
    with: &Attributes,
    mut cursor: Option<String>,
) -> Result<Vec<(String, Attributes)>, Error> {
    let mut all = Vec::new();
    loop {
        let options = QueryOptions { take: Some(2), cursor: cursor.take(), ..QueryOptions::default() };
        let (told, next) = page(side, caller, pattern, with, &options).await?;
        assert!(next.is_none() || told.records.len() == 2, "a page of {} that is not full: {told:?}", pattern.name);
        all.extend(told.records);
        match next {
            Some(next) => cursor = Some(next),
            None => return Ok(all),
        }
    }
}

/// The arguments of a pattern that the items of the table give.
pub(super) fn arguments_of(case: &Case, pattern: &Pattern) -> Vec<Attributes> {
    let stars = (1..=5_u64).map(|star| AttributeValue::N(star.into())).collect();
    let parameters = &case.design.access_plan(pattern.id).parameters;
    let mut distinct: Vec<Attributes> = Vec::new();
    for (_, known) in case.entities() {
        let value_of = |name: &str, many: bool| match name {
            "from" => Some(AttributeValue::S("2026-01-03".to_owned())),
            "to" => Some(AttributeValue::S("2026-02-01".to_owned())),
            "stars" if many => Some(AttributeValue::L(Vec::clone(&stars))),
            "name" if pattern.name == "places by name" => known.get("fullName").cloned(),
            name => known.get(name).cloned(),
        };
        let arguments: Attributes = parameters
            .iter()
            .filter_map(|parameter| {
                Some((parameter.name.clone(), value_of(&parameter.name, parameter.list_of_at_most.is_some())?))
            })
            .collect();
        if arguments.len() == parameters.len() && !distinct.contains(&arguments) {
            distinct.push(arguments);
        }
    }
    assert!(!distinct.is_empty(), "no arguments for `{}`", pattern.name);
    distinct
}

/// Items by their identities, there or not.
pub(super) async fn read_items(sides: &Sides<'_>) {
    let Sides { case, caller, real, control, .. } = sides;
    for (entity, known) in case.entities() {
        let existing = identity_of(entity, &known);
        let absent = existing.iter().map(|(name, value)| (name.clone(), never(value))).collect();
        for (identity, exists) in [(existing, true), (absent, entity.is_singleton())] {
            let place = || format!("{caller:?} gets {} {identity:?}", entity.name);
            let get = async |side: &Side| {
                let record = side.runtime.get(caller, &entity.name, identity.clone()).await?;
                Ok::<_, Error>(record.map(|record| seen(&case.design, &record).1))
            };
            let got = get(real).await;
            assert_eq!(got, get(control).await, "{}", place());
            sides.keeps_secrets(&format!("{got:?}"), &place);
            let asked = vec![(entity.name.clone(), identity.clone())];
            let batch = real.runtime.batch_get(caller, asked).await;
            let batch = batch.map(|mut records| records.remove(0).map(|record| record.attributes));
            assert_eq!(batch, got, "{}", place());
            if !case.allows_some(caller, Verb::Get, entity) {
                let who =
                    caller.subject.as_ref().map_or("a caller without a token".to_owned(), |own| format!("`{own}`"));
                let refusal = Error::NotAllowed(format!("no rule lets {who} get {}", entity.name));
                // Someone who owns items, but acts in no tenant, finds none.
                assert!(got == Err(refusal) || caller.tenant.is_none() && got == Ok(None), "{} {got:?}", place());
                continue;
            }
            let allowed = exists && case.allows(caller, Verb::Get, entity, &known);
            let expected = allowed.then(|| case.seen(caller, entity, known.clone()));
            assert_eq!(got, Ok(expected), "{}", place());
        }
    }
}

pub(super) async fn read_patterns(sides: &Sides<'_>) {
    let Sides { case, caller, real, control, .. } = sides;
    let plain = QueryOptions::default();
    let variants = [
        plain.clone(),
        QueryOptions { take: Some(1), ..plain.clone() },
        QueryOptions { take: Some(1), reverse: true, ..plain.clone() },
        QueryOptions { limit: Some(1), ..plain.clone() },
        QueryOptions { read_budget: Some(0.5), ..plain },
    ];
    for pattern in &case.design.patterns {
        let listable =
            pattern.entities().map(|id| &case.design[id]).any(|entity| case.allows_some(caller, Verb::List, entity));
        for with in arguments_of(case, pattern) {
            let place = || format!("{caller:?} asks for `{}` {with:?}", pattern.name);
            for options in &variants {
                let left = page(real, caller, pattern, &with, options).await.map(|(told, _)| told);
                let right = page(control, caller, pattern, &with, options).await.map(|(told, _)| told);
                assert_eq!(left, right, "{} {options:?}", place());
                sides.keeps_secrets(&format!("{left:?}"), &place);
            }
            let explained = real.runtime.explain_query(caller, &pattern.name, with.clone(), 20);
            assert_eq!(explained, control.runtime.explain_query(caller, &pattern.name, with.clone(), 20));
            let found = walk(real, caller, pattern, &with, None).await;
            if !listable {
                assert!(matches!(found, Err(Error::NotAllowed(_))), "{} {found:?}", place());
                continue;
            }
            let all = walk(real, &superuser(), pattern, &with, None).await.unwrap();
            let expected: Vec<_> = all
                .into_iter()
                .filter_map(|(name, item)| {
                    let entity = case.design.entity_named(&name).unwrap();
                    let allowed = case.allows(caller, Verb::List, entity, &item);
                    allowed.then(|| (name, case.seen(caller, entity, item)))
                })
                .collect();
            assert_eq!(found, Ok(expected), "{}", place());
        }
    }
}

/// A cursor of another caller leads to nothing that one's own would not.
pub(super) async fn read_with_cursors(case: &Case) -> usize {
    let side = Side::with(&case.design, &case.items).await;
    let mut used = 0;
    for pattern in &case.design.patterns {
        for with in arguments_of(case, pattern).into_iter().take(3) {
            let mut cursors = Vec::new();
            for other in &case.callers {
                for take in [1, 3] {
                    let first = QueryOptions { take: Some(take), ..QueryOptions::default() };
                    let page = page(&side, other, pattern, &with, &first).await;
                    cursors.extend(page.ok().and_then(|(_, cursor)| cursor));
                }
            }
            for caller in &case.callers {
                let Ok(own) = walk(&side, caller, pattern, &with, None).await else { continue };
                for cursor in &cursors {
                    // Refused, or what follows of the caller's own.
                    let Ok(led) = walk(&side, caller, pattern, &with, Some(cursor.clone())).await else { continue };
                    assert!(own.ends_with(&led), "{caller:?} `{}` {with:?}: {led:?} of {own:?}", pattern.name);
                    used += 1;
                }
            }
        }
    }
    used
}
