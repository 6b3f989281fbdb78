//! What access patterns mean, as data.

use keyfold_design::access::{
    AccessPlan, FurtherRead, ItemSource, KeyArguments, KeyValue, PartitionSearch, PartitionSet, RenderedSort,
    SortPrefix, SortRange, TenantCondition,
};
use keyfold_design::{Design, load};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

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

/// A repository in one partition with its issues and its stars, and watchers whose keys come last.
fn repositories(condition: &str) -> String {
    let entity = |name: &str, sort: &str, attributes: &str| {
        format!("  {name}:\n    PK: REPO#<repo>\n    SK: {sort}\n    attributes: {{repo: string{attributes}}}\n")
    };
    let entities = [
        entity("Repo", "REPO#<repo>", ""),
        entity("Issue", "ISSUE#<number:width(6)>", ", number: integer"),
        entity("Branch", "BRANCH#<name>", ", name: string"),
        entity("Star", "STAR#<user>", ", user: string"),
    ];
    format!(
        "design: hub\ntable: hub\nentities:\n{}patterns:\n  found: PK = REPO#<repo> and {condition}\nallow:\n  - signed in: \
         everything\n",
        entities.concat()
    )
}

fn entities(design: &Design, ids: impl IntoIterator<Item = keyfold_design::model::EntityId>) -> Vec<&str> {
    ids.into_iter().map(|id| design[id].name.as_str()).collect()
}

fn held(condition: &str) -> (Vec<String>, Vec<String>, RenderedSort) {
    let design = design(&repositories(condition));
    let plan = plan(&design, "found");
    let names = |ids: Vec<_>| entities(&design, ids).into_iter().map(str::to_owned).collect();
    let given: Attributes =
        [("repo", text("kf")), ("number", AttributeValue::N(Number::from(7_i64))), ("name", text("main"))]
            .map(|(name, value)| (name.to_owned(), value))
            .into();
    let range = plan.sort.as_ref().unwrap().range.render(KeyArguments::new(&given)).unwrap().unwrap();
    let results = plan.results.iter().map(|result| result.entity).collect();
    (names(results), names(plan.others.iter().map(|other| other.entity).collect()), range)
}

#[test]
fn a_range_holds_several_entities() {
    let words = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    let between = |low: &str, high: &str| RenderedSort::Between(text(low), text(high));
    // The newest issues in front of their repository: the keys of the branches are below both.
    let newest = held("SK <= REPO#<repo>, newest first -> Repo, Issue");
    assert_eq!(newest, (words(&["Repo", "Issue"]), words(&["Branch"]), RenderedSort::LessOrEqual(text("REPO#kf"))));
    // Without an entity beyond the bound's own text, the bound keeps to that text.
    let own = held("SK <= REPO#<repo>");
    assert_eq!(own, (words(&["Repo"]), words(&[]), between("REPO#", "REPO#kf")));
    let bounded = held("SK between ISSUE# and REPO#<repo> -> Repo, Issue");
    assert_eq!(bounded, (words(&["Repo", "Issue"]), words(&[]), between("ISSUE#", "REPO#kf")));
    let from_number = held("SK between ISSUE#<number> and REPO#<repo> -> Issue, Repo");
    assert_eq!(from_number, (words(&["Issue", "Repo"]), words(&[]), between("ISSUE#000007", "REPO#kf")));
    // The bounds take their types from entities that are not returned, too.
    let inner = held("SK between BRANCH#<name> and REPO#<repo> -> Issue");
    assert_eq!(inner, (words(&["Issue"]), words(&["Repo", "Branch"]), between("BRANCH#main", "REPO#kf")));
    let all_but_stars = held("SK < STAR# -> Repo, Issue, Branch");
    assert_eq!(all_but_stars.1, words(&[]));
}

#[test]
fn only_what_is_proven_to_be_outside_of_a_range_is_refused() {
    let refusal = |condition: &str| {
        let found = load("design.yaml", &repositories(condition)).unwrap_err();
        found.iter().map(|diagnostic| (diagnostic.code.id, diagnostic.message.clone())).next().unwrap()
    };
    let never = |name: &str| ("KF044", format!("`found` never finds a `{name}`"));
    assert_eq!(refusal("SK <= REPO#<repo> -> Repo, Star"), never("Star"));
    assert_eq!(refusal("SK between ISSUE# and REPO#<repo> -> Issue, Branch"), never("Branch"));
    assert_eq!(refusal("begins_with(SK, ISSUE#) -> Issue, Repo"), never("Repo"));
    assert_eq!(refusal("SK between ISSUE# and REPO#<repo>"), ("KF043", "`found` can find `Repo`, `Issue`".to_owned()));
}

/// Versions of a document in one partition, the highest first, with the document behind them.
fn versions(condition: &str) -> String {
    format!(
        "design: versions\ntable: versions\nentities:\n  Document:\n    PK: DOC#<id>\n    SK: W#<id>\n    attributes: {{id: string}}\n  \
         Version:\n    PK: DOC#<id>\n    SK: V#<number:descending(3)>#<author>\n    attributes: {{id: string, number: integer, author: \
         string}}\n  Tag:\n    PK: DOC#<id>\n    SK: U#<tag>\n    attributes: {{id: string, tag: string}}\npatterns:\n  found: PK = \
         DOC#<id> and {condition}\nallow:\n  - signed in: everything\n"
    )
}

#[test]
fn bounds_of_numbers_that_descend_are_turned_round() {
    let number = |value: i64| AttributeValue::N(Number::from(value));
    let range = |condition: &str| {
        let design = design(&versions(condition));
        let given: Attributes = [("id", text("d")), ("number", number(7)), ("from", number(5)), ("to", number(20))]
            .map(|(name, value)| (name.to_owned(), value))
            .into();
        plan(&design, "found").sort.as_ref().unwrap().range.render(KeyArguments::new(&given)).unwrap().unwrap()
    };
    let between = |low: &str, high: &str| RenderedSort::Between(text(low), text(high));
    // The keys of versions up to 7 begin with 992 or more.
    assert_eq!(range("SK <= V#<number>"), between("V#992", "V$"));
    assert_eq!(range("SK < V#<number>"), between("V#992$", "V$"));
    assert_eq!(range("SK >= V#<number>"), between("V#", "V#992$"));
    assert_eq!(range("SK > V#<number>"), between("V#", "V#992"));
    assert_eq!(range("SK between V#<from> and V#<to>"), between("V#979", "V#994$"));
    assert_eq!(range("begins_with(SK, V#<number>)"), RenderedSort::BeginsWith(text("V#992")));
    assert_eq!(range("SK <= V#<number> -> Version, Document"), RenderedSort::GreaterOrEqual(text("V#992")));
    let refusal = |condition: &str| {
        let found = load("design.yaml", &versions(condition)).unwrap_err();
        found.first().map(|diagnostic| (diagnostic.code.id, diagnostic.message.clone())).unwrap()
    };
    let never = |name: &str| ("KF044", format!("`found` never finds a `{name}`"));
    assert_eq!(refusal("SK <= V#<number> -> Version, Tag"), never("Tag"));
    assert_eq!(refusal("SK >= V#<number> -> Version, Document"), never("Document"));
    let mixed = refusal("SK between V#<number> and W#<id> -> Version, Document");
    assert_eq!(mixed.1, "`found` has one bound on `SK` that descends and one that does not");
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
    let text = include_str!("../../../../designs/catalogue/design.yaml").replacen(
        "  matches on a day:",
        "  first players of a day: squashDate = <date> -> Player through teamAPlayer1Id\n  matches on a day:",
        1,
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
    assert!(tagged.others.is_empty() && tagged.reads_again());
    let players = plan(&catalogue, "first players of a day");
    let ItemSource::Reference { from, mapping, .. } = &players.results[0].source else { panic!("{players:?}") };
    assert_eq!(
        (*from, mapping.as_slice()),
        (site("Match"), [("playerId".to_owned(), "teamAPlayer1Id".to_owned())].as_slice())
    );
    // Participations are in the index as well.
    assert!(!players.others.is_empty());
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
    let twice = include_str!("../../../../designs/platform/design.yaml").replacen(
        "  all products:",
        "  products again: GSI1PK = ENTITY#PRODUCT, descending\n  all products:",
        1,
    );
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
