//! Dates and timestamps as arguments: what a day includes.

use std::sync::LazyLock;

use keyfold_design::access::{AccessPlan, KeyArguments, RenderedSort, SortRange};
use keyfold_design::model::{AttributeType, Filter, TenantMode};
use keyfold_design::template::{TimestampFormat, utc_date};
use keyfold_design::{Design, load};
use keyfold_dynamo::expression::Comparison;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use proptest::prelude::*;

static LOGS: LazyLock<Design> = LazyLock::new(|| {
    let text = "\
design: logs
table: logs
tenant: shop
indexes:
  GSI1: {purpose: by day}
  GSI2: {purpose: by month}
  GSI3: {purpose: by time}
entities:
  Log:
    scope: tenant
    PK: SHOP#<shop>
    SK: LOG#<at>#<id>
    GSI1PK: SHOP#<shop>#DAY#<at:date>
    GSI1SK: <at>
    GSI2PK: <at:year>-<at:month>
    GSI2SK: <at:day>#<id>
    GSI3PK: <at>
    GSI3SK: <id>
    attributes: {shop: string, id: ulid, at: datetime, seenAt: created at}
patterns:
  between: PK = SHOP#<shop> and SK between LOG#<from> and LOG#<to>
  until: PK = SHOP#<shop> and SK <= LOG#<day>
  before: PK = SHOP#<shop> and SK < LOG#<day>
  since: PK = SHOP#<shop> and SK >= LOG#<day>
  after: PK = SHOP#<shop> and SK > LOG#<day>
  of day: PK = SHOP#<shop> and begins_with(SK, LOG#<day>)
  until a day: PK = SHOP#<shop> and SK <= LOG#2026-03-09
  exactly: GSI1PK = SHOP#<shop>#DAY#<day> and GSI1SK = <moment>
  up to: GSI1PK = SHOP#<shop>#DAY#<day> and GSI1SK <= <moment>
  from then on: GSI1PK = SHOP#<shop>#DAY#<day> and GSI1SK > <moment>
  of days: GSI1PK between SHOP#<shop>#DAY#<from> and SHOP#<shop>#DAY#<to>, at most 7 days
  of month: GSI2PK = <year>-<month> and GSI2SK >= <day>, own tenant only
  of the month of: GSI2PK = <moment>-<moment>, own tenant only
  at: GSI3PK = <moment>, own tenant only
  seen on: PK = SHOP#<shop> where seenAt = <day>
  seen later: PK = SHOP#<shop> where seenAt > <day> and seenAt <> 2026-03-09
  seen within: PK = SHOP#<shop> where seenAt between <from> and <to>
  seen on one of: PK = SHOP#<shop> where seenAt in (<one>, <other>)
allow:
  - members: everything
";
    load("design.yaml", text).unwrap_or_else(|found| panic!("{found:?}")).0
});

fn plan(pattern: &str) -> &'static AccessPlan {
    LOGS.access_plan(LOGS.pattern_named(pattern).unwrap().id)
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

fn parameters(pattern: &str) -> Vec<(&'static str, &'static AttributeType)> {
    plan(pattern).parameters.iter().map(|parameter| (parameter.name.as_str(), &parameter.value_type)).collect()
}

#[test]
fn parts_of_dates_have_types() {
    let (date, number) = (&AttributeType::Date, &AttributeType::Integer);
    let moment = &AttributeType::Moment(TimestampFormat::default());
    assert_eq!(parameters("exactly")[1..], [("day", date), ("moment", moment)]);
    assert_eq!(parameters("of month"), [("year", number), ("month", number), ("day", number)]);
    // One parameter for several parts is the date from which they are cut.
    assert_eq!(parameters("of the month of"), [("moment", date)]);
    // What a partition key equals is one moment.
    assert_eq!(parameters("at"), [("moment", &AttributeType::DateTime(TimestampFormat::default()))]);
    assert_eq!(parameters("between")[1..], [("from", moment), ("to", moment)]);
    assert_eq!(parameters("seen on")[1..], [("day", moment)]);
}

#[test]
fn parts_of_dates_have_their_width_in_the_key() {
    let number = |value: i64| AttributeValue::N(Number::from(value));
    let given: Attributes = [("year", number(2026)), ("month", number(3)), ("day", number(9))]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
    let plan_of_month = plan("of month");
    let arguments = KeyArguments::new(&given);
    assert_eq!(plan_of_month.equal[0].value.render(arguments).unwrap(), Some(text("2026-03")));
    let sort = plan_of_month.sort.as_ref().unwrap().range.render(arguments).unwrap();
    assert_eq!(sort, Some(RenderedSort::GreaterOrEqual(text("09"))));
    let given = Attributes::from([("moment".to_owned(), text("2026-03-09"))]);
    let of = plan("of the month of").equal[0].value.render(KeyArguments::new(&given)).unwrap();
    assert_eq!(of, Some(text("2026-03")));
}

#[test]
fn a_range_over_days_behind_the_tenant_keeps_to_the_tenant() {
    assert_eq!(plan("of days").tenant, TenantMode::Pinned { parameter: "shop".to_owned() });
    assert_eq!(
        parameters("of days"),
        [("shop", &AttributeType::String), ("from", &AttributeType::Date), ("to", &AttributeType::Date)]
    );
}

#[test]
fn a_timestamp_where_a_date_is_expected_is_its_day_in_utc() {
    let day = |value: &str| AttributeType::Date.argument(text(value));
    for (given, date) in [
        ("2026-03-09T08:00:00.000Z", "2026-03-09"),
        ("2026-03-09T01:30:00+02:00", "2026-03-08"),
        ("2026-12-31T23:30:00.123456-01:00", "2027-01-01"),
        ("2028-03-01T00:00:00+00:01", "2028-02-29"),
        ("2026-03-09 08:00", "2026-03-09"),
        ("2026-03-09t08:00:00z", "2026-03-09"),
        ("2026-03-09T08:00:00-0930", "2026-03-09"),
        ("2026-03-09", "2026-03-09"),
        // These are neither, and are refused as they are.
        ("2026-03-09T24:00:00Z", "2026-03-09T24:00:00Z"),
        ("2026-03-09T08:00:00.Z", "2026-03-09T08:00:00.Z"),
        ("2026-03-09T08:00:00+2:00", "2026-03-09T08:00:00+2:00"),
        ("2026-02-30T08:00:00Z", "2026-02-30T08:00:00Z"),
        ("0000-01-01T00:00:00+01:00", "0000-01-01T00:00:00+01:00"),
        ("2026-03-09Tnoon", "2026-03-09Tnoon"),
    ] {
        assert_eq!(day(given), text(date), "{given}");
    }
    assert_eq!(
        AttributeType::Moment(TimestampFormat::default()).argument(text("2026-03-09T08:00:00.000Z")),
        text("2026-03-09T08:00:00.000Z")
    );
}

fn is_in(range: &RenderedSort, key: &str) -> bool {
    let text = |value: &AttributeValue| value.as_str().unwrap().to_owned();
    match range {
        SortRange::Equal(value) => key == text(value),
        SortRange::BeginsWith(value) => key.starts_with(&text(value)),
        SortRange::Less(value) => key < text(value).as_str(),
        SortRange::LessOrEqual(value) => key <= text(value).as_str(),
        SortRange::Greater(value) => key > text(value).as_str(),
        SortRange::GreaterOrEqual(value) => key >= text(value).as_str(),
        SortRange::Between(low, high) => text(low).as_str() <= key && key <= text(high).as_str(),
    }
}

fn finds(pattern: &str, given: &[(&str, &str)], key: &str) -> bool {
    let mut given: Attributes = given.iter().map(|(name, value)| ((*name).to_owned(), text(value))).collect();
    given.insert("shop".to_owned(), text("s"));
    let range = plan(pattern).sort.as_ref().unwrap().range.render(KeyArguments::new(&given)).unwrap().unwrap();
    is_in(&range, key)
}

fn passes(filter: &Filter, given: &Attributes, seen: &str) -> bool {
    let value = |operand: &keyfold_design::model::Operand| operand.value(given).unwrap().as_str().unwrap().to_owned();
    match filter {
        Filter::And(parts) => parts.iter().all(|part| passes(part, given, seen)),
        Filter::Or(parts) => parts.iter().any(|part| passes(part, given, seen)),
        Filter::Not(part) => !passes(part, given, seen),
        Filter::Between { low, high, .. } => value(low).as_str() <= seen && seen <= value(high).as_str(),
        Filter::Compare { comparison, operand, .. } => match comparison {
            Comparison::Equal => seen == value(operand),
            Comparison::NotEqual => seen != value(operand),
            Comparison::Less => seen < value(operand).as_str(),
            Comparison::LessOrEqual => seen <= value(operand).as_str(),
            Comparison::Greater => seen > value(operand).as_str(),
            Comparison::GreaterOrEqual => seen >= value(operand).as_str(),
        },
        other => panic!("{other:?}"),
    }
}

fn keeps(pattern: &str, given: &[(&str, &str)], seen: &str) -> bool {
    let given: Attributes = given.iter().map(|(name, value)| ((*name).to_owned(), text(value))).collect();
    passes(plan(pattern).filter.as_ref().unwrap(), &given, seen)
}

/// Days that are close to each other, so that bounds and keys meet.
fn day() -> impl Strategy<Value = String> {
    prop_oneof![
        (1..=28_u32, 2..=3_u32).prop_map(|(day, month)| format!("2026-{month:02}-{day:02}")),
        Just("9999-12-31".to_owned()),
        Just("0001-01-01".to_owned()),
    ]
}

fn moment() -> impl Strategy<Value = String> {
    let time = prop_oneof![
        Just("00:00:00.000".to_owned()),
        Just("23:59:59.999".to_owned()),
        (0..24_u32, 0..60_u32, 0..60_u32, 0..1000_u32)
            .prop_map(|(hour, minute, second, rest)| { format!("{hour:02}:{minute:02}:{second:02}.{rest:03}") }),
    ];
    (day(), time).prop_map(|(day, time)| format!("{day}T{time}Z"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_day_includes_all_of_its_moments_and_no_other(at in moment(), day in day(), other in day()) {
        let date = utc_date(&at).unwrap();
        let key = format!("LOG#{at}#01K9ZV0000000000000000AAAA");
        let given = [("day", day.as_str())];
        prop_assert_eq!(finds("until", &given, &key), date <= day);
        prop_assert_eq!(finds("before", &given, &key), date < day);
        prop_assert_eq!(finds("since", &given, &key), date >= day);
        prop_assert_eq!(finds("after", &given, &key), date > day);
        prop_assert_eq!(finds("of day", &given, &key), date == day);
        prop_assert_eq!(finds("until a day", &[], &key), date.as_str() <= "2026-03-09");
        let (from, to) = (day.clone().min(other.clone()), day.clone().max(other.clone()));
        let bounds = [("from", from.as_str()), ("to", to.as_str())];
        prop_assert_eq!(finds("between", &bounds, &key), from <= date && date <= to);
        // Keys that end with the timestamp.
        let given = [("day", "2026-01-01"), ("moment", day.as_str())];
        prop_assert_eq!(finds("exactly", &given, &at), date == day);
        prop_assert_eq!(finds("up to", &given, &at), date <= day);
        prop_assert_eq!(finds("from then on", &given, &at), date > day);
        let given = [("day", day.as_str())];
        prop_assert_eq!(keeps("seen on", &given, &at), date == day);
        prop_assert_eq!(keeps("seen later", &given, &at), date > day && date != "2026-03-09");
        prop_assert_eq!(keeps("seen within", &bounds, &at), from <= date && date <= to);
        prop_assert_eq!(keeps("seen on one of", &[("one", &day), ("other", &other)], &at), date == day || date == other);
    }

    #[test]
    fn a_timestamp_is_still_one_moment(at in moment(), bound in moment()) {
        let key = format!("LOG#{at}#01K9ZV0000000000000000AAAA");
        let given = [("day", bound.as_str())];
        prop_assert_eq!(finds("until", &given, &key), at <= bound);
        prop_assert_eq!(finds("before", &given, &key), at < bound);
        prop_assert_eq!(finds("since", &given, &key), at >= bound);
        prop_assert_eq!(finds("after", &given, &key), at > bound);
        prop_assert_eq!(finds("of day", &given, &key), at == bound);
        let given = [("day", "2026-01-01"), ("moment", bound.as_str())];
        prop_assert_eq!(finds("exactly", &given, &at), at == bound);
        prop_assert_eq!(finds("from then on", &given, &at), at > bound);
        prop_assert_eq!(keeps("seen on", &[("day", &bound)], &at), at == bound);
    }
}
