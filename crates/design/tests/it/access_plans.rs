//! What access patterns mean, as data.

use keyfold_design::access::{
    AccessPlan, FurtherRead, ItemSource, KeyArguments, KeyValue, PartitionSearch, PartitionSet, RenderedSort,
    SortPrefix, SortRange, TenantCondition,
};
use keyfold_design::{Design, load};
use keyfold_dynamo::{AttributeValue, Attributes};

fn design(text: &str) -> Design {
    load("design.yaml", text).unwrap_or_else(|found| panic!("{found:?}")).0
}

fn platform() -> Design {
    design(include_str!("../../../../designs/platform/design.yaml"))
}

fn albums() -> Design {
    design(include_str!("../../../../designs/albums/design.yaml"))
}

fn plan<'d>(design: &'d Design, pattern: &str) -> &'d AccessPlan {
    design.access_plan(design.pattern_named(pattern).unwrap().id)
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

/// Orders whose sort key continues behind the date, and others whose sort key ends with it.
fn orders(condition: &str) -> Design {
    design(&format!(
        "design: orders\ntable: orders\nentities:\n  Order:\n    PK: SHOP#<shop>\n    SK: ORDER#<day>#<number>\n    attributes:\n      \
         shop: string\n      day: date\n      number: string\n  Closing:\n    PK: SHOP#<shop>\n    SK: CLOSED#<day>\n    attributes: \
         {{shop: string, day: date}}\npatterns:\n  found: PK = SHOP#<shop> and {condition}\nallow:\n  - signed in: everything\n"
    ))
}

fn range(condition: &str) -> RenderedSort {
    let design = orders(condition);
    let given: Attributes = [("shop", "s"), ("day", "2026-01-31"), ("from", "2026-01-01")]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), text(value)))
        .collect();
    plan(&design, "found").sort.as_ref().unwrap().range.render(KeyArguments::new(&given)).unwrap().unwrap()
}

#[test]
fn bounds_cover_whole_components_and_end_with_their_prefix() {
    let between = |low: &str, high: &str| RenderedSort::Between(text(low), text(high));
    assert_eq!(range("SK < ORDER#<day>"), between("ORDER#", "ORDER#2026-01-31"));
    assert_eq!(range("SK <= ORDER#<day>"), between("ORDER#", "ORDER#2026-01-31$"));
    assert_eq!(range("SK > ORDER#<day>"), between("ORDER#2026-01-31$", "ORDER$"));
    assert_eq!(range("SK >= ORDER#<day>"), between("ORDER#2026-01-31", "ORDER$"));
    assert_eq!(range("SK between ORDER#<from> and ORDER#<day>"), between("ORDER#2026-01-01", "ORDER#2026-01-31$"));
    assert_eq!(range("begins_with(SK, ORDER#<day>)"), RenderedSort::BeginsWith(text("ORDER#2026-01-31")));
    // Keys that end with the date.
    assert_eq!(range("SK <= CLOSED#<day>"), between("CLOSED#", "CLOSED#2026-01-31"));
    assert_eq!(range("SK >= CLOSED#<day>"), between("CLOSED#2026-01-31", "CLOSED$"));
}

#[test]
fn bounds_are_expressions_over_the_parameters() {
    let design = orders("SK > ORDER#<day>");
    let SortRange::Between(low, high) = &plan(&design, "found").sort.as_ref().unwrap().range else { panic!("a range") };
    assert!(matches!(low, KeyValue::AboveComponent { component, separator: '#' } if component.source == "ORDER#<day>"));
    assert_eq!(*high, KeyValue::EndOfPrefix("ORDER#".to_owned()));
}

#[test]
fn an_absent_argument_gives_no_range() {
    let design = orders("SK >= ORDER#<day>");
    let bound = plan(&design, "found").sort.as_ref().unwrap();
    assert_eq!(bound.range.render(KeyArguments::new(&Attributes::new())).unwrap(), None);
}

#[test]
fn the_tenant_is_told_by_the_base_key_where_it_can_be() {
    let design = platform();
    let licenses = plan(&design, "licenses by enterprise");
    let Some(TenantCondition::Key { attribute, template }) = &licenses.results[0].tenant_condition else {
        panic!("{licenses:?}");
    };
    assert_eq!((attribute.as_str(), template.source.as_str()), ("PK", "ACCOUNT#<accountId>"));
    let value = licenses.results[0].tenant_condition.as_ref().unwrap().value(&text("northwind")).unwrap();
    assert_eq!(value, Some(text("ACCOUNT#northwind")));
    // A role may belong to all tenants.
    let roles = plan(&design, "all roles");
    let absent = TenantCondition::StoredOrAbsent { attribute: "accountId".to_owned() };
    assert_eq!(AccessPlan::tenant_conditions(&roles.results), [&absent]);
    // The partition is the tenant's own.
    assert_eq!(AccessPlan::tenant_conditions(&plan(&design, "users by account").results), [] as [&TenantCondition; 0]);
    // Several entities of one partition are one condition.
    assert_eq!(AccessPlan::tenant_conditions(&plan(&albums(), "content of an album").results).len(), 1);
}

#[test]
fn results_say_where_their_items_come_from() {
    let lookup = ItemSource::Lookup { unique: "email".to_owned(), read: FurtherRead::Key };
    assert_eq!(plan(&albums(), "user by email").results[0].source, lookup);
    assert_eq!(plan(&platform(), "expired licenses").results[0].source, ItemSource::Query);
    let text = include_str!("../../../../designs/platform/design.yaml")
        .replace("GSI3: {purpose: status by date}", "GSI3: {purpose: status by date, projection: keys}");
    let partial = design(&text);
    let expired = plan(&partial, "expired licenses");
    assert_eq!(expired.results[0].source, ItemSource::Table { moved: None });
    assert!(expired.reads_again());
}

#[test]
fn a_pattern_leads_to_what_its_items_refer_to() {
    let text = include_str!("../../../../designs/catalogue/design.yaml").replace(
        "  matches on a day:",
        "  first players of a day: squashDate = <date> -> Player through teamAPlayer1Id\n  matches on a day:",
    );
    let catalogue = design(&text);
    let site = |name: &str| catalogue.entity_named(name).unwrap().id;
    let tagged = plan(&catalogue, "sites with a tag");
    let [result] = tagged.results.as_slice() else { panic!("{tagged:?}") };
    assert_eq!(result.entity, site("Site"));
    let mapping = vec![("site".to_owned(), "site".to_owned())];
    let (from, read) = (site("SiteTag"), FurtherRead::Key);
    let expected = ItemSource::Reference { from, mapping, read, is_partial: false, restricted: Vec::new() };
    assert_eq!(result.source, expected);
    assert!(!tagged.holds_others && tagged.reads_again());
    let players = plan(&catalogue, "first players of a day");
    let ItemSource::Reference { from, mapping, .. } = &players.results[0].source else { panic!("{players:?}") };
    assert_eq!(
        (*from, mapping.as_slice()),
        (site("Match"), [("playerId".to_owned(), "teamAPlayer1Id".to_owned())].as_slice())
    );
    // Participations are in the index as well.
    assert!(players.holds_others);
}

#[test]
fn one_pattern_lists_all_items_of_an_entity() {
    let listing = |design: &Design, entity: &str| {
        let plan = design.listing_of(design.entity_named(entity).unwrap());
        plan.map(|plan| design.patterns[plan.pattern.index()].name.clone())
    };
    let platform = platform();
    for (entity, pattern) in [
        // The tenant's own, rather than those of all tenants.
        ("License", Some("licenses by account")),
        ("User", Some("users by account")),
        // `roles by account` is an index that not all roles are in.
        ("Role", Some("all roles")),
        ("Account", Some("all accounts")),
        ("Product", Some("all products")),
        ("Address", None),
        ("Permission", None),
    ] {
        assert_eq!(listing(&platform, entity).as_deref(), pattern, "{entity}");
    }
    // A root album is in its tenant's partition of GSI1, and another album is not.
    assert_eq!(listing(&albums(), "Album").as_deref(), Some("albums of a tenant"));
    let twice = include_str!("../../../../designs/platform/design.yaml")
        .replace("  all products:", "  products again: GSI1PK = ENTITY#PRODUCT, descending\n  all products:");
    assert_eq!(listing(&design(&twice), "Product"), None);
    let filtered = include_str!("../../../../designs/platform/design.yaml").replace(
        "  all products: GSI1PK = ENTITY#PRODUCT",
        "  all products: GSI1PK = ENTITY#PRODUCT where name = <name>",
    );
    assert_eq!(listing(&design(&filtered), "Product"), None);
    let range = include_str!("../../../../designs/platform/design.yaml").replace(
        "  all products: GSI1PK = ENTITY#PRODUCT",
        "  all products: GSI1PK = ENTITY#PRODUCT and GSI1SK >= PRODUCT#<from>",
    );
    assert_eq!(listing(&design(&range), "Product"), None);
}

#[test]
fn an_item_whose_key_changes_is_searched_in_its_partition() {
    let moves = design(include_str!("../../../../tests/generated/moves/design.yaml"));
    let sort_prefix = Some(SortPrefix { attribute: "SK".to_owned(), prefix: "PERSON#".to_owned() });
    let search = PartitionSearch { sort_prefix, identity: vec!["personId".to_owned()] };
    let by_email = &plan(&moves, "person by email").results[0].source;
    let read = FurtherRead::PartitionSearch(search.clone());
    assert_eq!(*by_email, ItemSource::Lookup { unique: "email".to_owned(), read });
    assert!(!by_email.gets_items());
    let of_team = &plan(&moves, "people of a team").results[0].source;
    assert_eq!(*of_team, ItemSource::Table { moved: Some(search) });
    assert!(of_team.gets_items());
}

#[test]
fn cursors_hold_the_keys_of_the_table_and_of_the_index() {
    let design = platform();
    assert_eq!(plan(&design, "account with everything").cursor_keys, ["PK", "SK"]);
    assert_eq!(plan(&design, "expired licenses").cursor_keys, ["PK", "SK", "GSI3PK", "GSI3SK"]);
    assert_eq!(plan(&design, "expired licenses").sort_key, ["GSI3SK"]);
}

#[test]
fn partitions_are_shards_days_numbers_or_values() {
    let catalogue = design(include_str!("../../../../designs/catalogue/design.yaml"));
    let days = plan(&catalogue, "matches between");
    let Some(PartitionSet::Days { from, to, at_most, .. }) = &days.partitions else { panic!("{days:?}") };
    assert_eq!((from.as_str(), to.as_str(), *at_most), ("from", "to", 92));
    assert_eq!(days.equal[0].value, KeyValue::Partition);
    let values = plan(&catalogue, "ratings of a site");
    assert_eq!(values.partitions, Some(PartitionSet::Values { parameter: "stars".to_owned(), at_most: 5 }));
    assert_eq!(values.parameters.iter().find(|each| each.name == "stars").unwrap().list_of_at_most, Some(5));
    let visits = design(include_str!("../../../../tests/generated/visits/design.yaml"));
    let shards = plan(&visits, "visits of a day").partitions.as_ref().unwrap();
    assert!(shards.is_merged());
    assert_eq!(shards.placeholder(), Some("shard"));
}

#[test]
fn only_operators_state_the_tenant() {
    let design = platform();
    let users = plan(&design, "users by account");
    assert_eq!(
        users.parameters.iter().map(|each| (each.name.as_str(), each.is_tenant)).collect::<Vec<_>>(),
        [("accountId", true)]
    );
}
