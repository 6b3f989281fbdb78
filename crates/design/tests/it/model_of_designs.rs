//! What the runtime and the generators get from a design.

use keyfold_design::access::{KeyArguments, KeyEquality, KeyValue, PartitionSet, RenderedSort};
use keyfold_design::model::{
    AttributeType, Generator, Grantee, OnDelete, Order, Over, Pattern, Returned, Scope, TenantBinding, TenantMode, Verb,
};
use keyfold_design::{Design, load};
use keyfold_dynamo::table::{BillingMode, KeyType};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

fn design(text: &str) -> Design {
    load("design.yaml", text).unwrap().0
}

fn platform() -> Design {
    design(include_str!("../../../../designs/platform/design.yaml"))
}

fn agencies() -> Design {
    design(include_str!("../../../../designs/agencies/design.yaml"))
}

fn albums() -> Design {
    design(include_str!("../../../../designs/albums/design.yaml"))
}

fn archive() -> Design {
    design(include_str!("../../../../designs/archive/design.yaml"))
}

fn catalogue() -> Design {
    design(include_str!("../../../../designs/catalogue/design.yaml"))
}

const ID: &str = "01K9ZV0000000000000000AAAA";
const OTHER: &str = "01K9ZV0000000000000000BBBB";

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

fn item(pairs: &[(&str, &str)]) -> Attributes {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), text(value))).collect()
}

#[test]
fn a_license_lies_where_its_document_says() {
    let design = platform();
    let license = design.entity_named("License").unwrap();
    let given = item(&[
        ("accountId", ID),
        ("licenseId", OTHER),
        ("enterpriseId", ID),
        ("status", "active"),
        ("endDate", "2025-03-15"),
    ]);
    let computed = license.layout.compute(|name| given.get(name)).unwrap();
    assert_eq!(
        computed,
        item(&[
            ("PK", &format!("ACCOUNT#{ID}")),
            ("SK", &format!("LICENSE#{OTHER}")),
            ("GSI1PK", "ENTITY#LICENSE"),
            ("GSI1SK", &format!("LICENSE#{OTHER}")),
            ("GSI2PK", &format!("ENTERPRISE#{ID}")),
            ("GSI2SK", &format!("LICENSE#{OTHER}")),
            ("GSI3PK", "LICENSE#STATUS#active"),
            ("GSI3SK", &format!("2025-03-15#{OTHER}")),
        ])
    );
    assert_eq!(design.recognize(&computed), Some(license.id));
    assert_eq!(license.read_key(&computed).unwrap(), item(&[("accountId", ID), ("licenseId", OTHER)]));
}

#[test]
fn an_item_without_a_part_of_an_index_key_has_neither() {
    let design = platform();
    let role = design.entity_named("Role").unwrap();
    let given = item(&[("roleId", ID)]);
    let computed = role.layout.compute(|name| given.get(name)).unwrap();
    assert_eq!(computed.keys().collect::<Vec<_>>(), ["GSI1PK", "GSI1SK", "PK", "SK"]);
    let user = design.entity_named("User").unwrap();
    let given = item(&[("userId", ID), ("accountId", OTHER), ("status", "active")]);
    let computed = user.layout.compute(|name| given.get(name)).unwrap();
    assert_eq!(computed["GSI3SK"], text(&format!("9999-12-31#{ID}")));
}

#[test]
fn plain_attributes_are_index_keys_and_are_not_computed() {
    let design = agencies();
    let member = design.entity_named("Member").unwrap();
    assert_eq!(member.layout.computed_names().collect::<Vec<_>>(), ["PK", "SK", "type"]);
    assert_eq!(member.layout.index_keys.len(), 2);
    let agency = design.entity_named("Agency").unwrap();
    assert_eq!(agency.layout.index_keys.len(), 1);
    assert_eq!(agency.tenant, TenantBinding::IsTenant);
    assert_eq!(member.tenant, TenantBinding::InPartitionKey);
}

#[test]
fn the_table_is_the_one_of_the_document() {
    let input = platform().create_table();
    assert_eq!(input.table_name, "app_data");
    assert_eq!(input.billing_mode, Some(BillingMode::PayPerRequest));
    let names: Vec<&str> = input.attribute_definitions.iter().map(|definition| definition.name.as_str()).collect();
    assert_eq!(names, ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI3PK", "GSI3SK"]);
    assert_eq!(input.global_indexes.unwrap().len(), 3);
    assert_eq!(input.local_indexes, None);
    assert_eq!(input.tags["Environment"], "production");
    let input = catalogue().create_table();
    let stars = input.attribute_definitions.iter().find(|definition| definition.name == "starRating").unwrap();
    assert_eq!(stars.key_type, KeyType::N);
    let input = archive().create_table();
    assert_eq!(input.attribute_definitions.len(), 3);
    assert_eq!(input.global_indexes.unwrap()[0].key_schema[0].name, "SK");
}

#[test]
fn a_component_range_includes_everything_under_its_bound() {
    let design = platform();
    let expiring = design.pattern_named("expiring licenses").unwrap();
    assert_eq!(expiring.tenant, TenantMode::AcrossTenants);
    let [before] = design.access_plan(expiring.id).parameters.as_slice() else { panic!("one parameter") };
    assert_eq!(before.value_type, AttributeType::Date);
    assert_eq!(
        sort_range(&design, "expiring licenses", &[("before", "2025-03-15")]),
        RenderedSort::Less(text("2025-03-15$"))
    );
    let (start, end) = ("2025-01-01T00:00:00.000Z", "2025-01-31T23:59:59.999Z");
    assert_eq!(
        sort_range(&design, "sent-notifications-between", &[("start", start), ("end", end)]),
        RenderedSort::Between(text(start), text("2025-01-31T23:59:59.999Z$"))
    );
    assert_eq!(
        sort_range(&catalogue(), "matches in a range", &[("from", "2026-01-01"), ("to", "2026-01-31")]),
        RenderedSort::Between(text("SQUASH#MATCH#2026-01-01"), text("SQUASH#MATCH#2026-01-31$"))
    );
}

/// The range of sort keys that a pattern asks for.
/// The partition key that a pattern asks for.
fn partition_key(design: &Design, pattern: &Pattern, given: &Attributes) -> AttributeValue {
    let key = &design.access_plan(pattern.id).equal[0];
    key.value.render(KeyArguments::new(given)).unwrap().unwrap()
}

fn sort_range(design: &Design, pattern: &str, given: &[(&str, &str)]) -> RenderedSort {
    let plan = design.access_plan(design.pattern_named(pattern).unwrap().id);
    plan.sort.as_ref().unwrap().range.render(KeyArguments::new(&item(given))).unwrap().unwrap()
}

#[test]
fn patterns_keep_to_the_tenant_as_their_keys_allow() {
    let design = platform();
    let mode = |name: &str| design.pattern_named(name).unwrap().tenant.clone();
    assert_eq!(mode("users by account"), TenantMode::Pinned { parameter: "accountId".to_owned() });
    assert_eq!(mode("account with everything"), TenantMode::Pinned { parameter: "accountId".to_owned() });
    assert_eq!(mode("licenses by enterprise"), TenantMode::Filtered);
    assert_eq!(mode("all enterprises"), TenantMode::Global);
    assert_eq!(design.entity_named("Tool").unwrap().tenant, TenantBinding::Stored);
    assert_eq!(design.entity_named("Role").unwrap().tenant, TenantBinding::StoredOptionally);
    assert_eq!(design.entity_named("Enterprise").unwrap().scope, Scope::Global);
}

#[test]
fn a_pattern_knows_what_it_returns_and_what_else_is_in_its_range() {
    let design = catalogue();
    let mine = design.pattern_named("my ratings").unwrap();
    let others = &design.access_plan(mine.id).others;
    assert_eq!(
        others.iter().map(|other| other.entity).collect::<Vec<_>>(),
        [design.entity_named("Comment").unwrap().id]
    );
    assert_eq!(mine.returns, [Returned::Entity(design.entity_named("Rating").unwrap().id)]);
    assert_eq!(design.pattern_named("all matches").unwrap().order, Order::Descending);
    let between = design.pattern_named("matches between").unwrap();
    let plan = design.access_plan(between.id);
    let Some(PartitionSet::Days { at_most, .. }) = &plan.partitions else { panic!("a range over partitions") };
    let KeyEquality { attribute, value } = &plan.equal[0];
    assert_eq!((attribute.as_str(), value, *at_most), ("squashDate", &KeyValue::Partition, 92));
    assert_eq!(
        plan.parameters.iter().map(|parameter| &parameter.value_type).collect::<Vec<_>>(),
        [&AttributeType::Date; 2]
    );
    let stars = design.pattern_named("five star ratings").unwrap();
    let five = AttributeValue::N(Number::parse("5").unwrap());
    assert_eq!(partition_key(&design, stars, &Attributes::new()), five);
}

#[test]
fn a_lookup_leads_to_its_entity() {
    let design = albums();
    let user = design.entity_named("User").unwrap();
    let pattern = design.pattern_named("user by email").unwrap();
    assert_eq!(pattern.returns, [Returned::ThroughUnique { entity: user.id, unique: "email".to_owned() }]);
    let email = item(&[("email", "Ada@Example.com")]);
    assert_eq!(partition_key(&design, pattern, &email), text("LOOKUP#USER#EMAIL#ada@example.com"));
    let given = item(&[("userId", ID), ("email", "Ada@Example.com")]);
    let lookup = user.unique("email").unwrap().layout.compute(|name| given.get(name)).unwrap();
    assert_eq!(
        lookup,
        item(&[
            ("PK", "LOOKUP#USER#EMAIL#ada@example.com"),
            ("SK", "LOOKUP"),
            ("GSI2PK", "LOOKUP#USER#EMAIL#ada@example.com"),
            ("GSI2SK", &format!("USER#{ID}")),
        ])
    );
    assert_eq!(design.recognize_lookup(&lookup), Some((user.id, "email")));
    assert_eq!(design.recognize(&lookup), None);
    assert_eq!(user.unique("email").unwrap().carries, ["userId"]);
}

#[test]
fn a_root_album_lies_under_its_tenant() {
    let design = albums();
    let album = design.entity_named("Album").unwrap();
    let root = item(&[("tenantId", ID), ("albumId", OTHER)]);
    assert_eq!(album.layout.compute(|name| root.get(name)).unwrap()["GSI1PK"], text(&format!("TENANT#{ID}")));
    let child = item(&[("tenantId", ID), ("albumId", OTHER), ("parentId", ID)]);
    assert_eq!(album.layout.compute(|name| child.get(name)).unwrap()["GSI1PK"], text(&format!("ALBUM#{ID}")));
    let parent = album.references.iter().find(|reference| reference.attribute == "parentId").unwrap();
    assert!(parent.acyclic);
    let roots = design.pattern_named("root albums").unwrap();
    assert_eq!(roots.tenant, TenantMode::Pinned { parameter: "tenantId".to_owned() });
}

#[test]
fn a_place_is_found_by_its_id_and_searched_by_two_characters() {
    let design = archive();
    let place = design.entity_named("Place").unwrap();
    assert_eq!(place.identity, ["id"]);
    assert!(!place.is_found_by_key());
    let search = design.pattern_named("places by name").unwrap();
    let [name] = design.access_plan(search.id).parameters.as_slice() else { panic!("one parameter") };
    assert_eq!(name.at_least_characters, Some(2));
    assert_eq!(partition_key(&design, search, &item(&[("name", "Ærø")])), text("place#Ær"));
    assert_eq!(sort_range(&design, "places by name", &[("name", "Ærø")]), RenderedSort::BeginsWith(text("Ærø")));
    let word = design.entity_named("PlaceWord").unwrap().derivation.clone().unwrap();
    assert!(matches!(word.each.unwrap().over, Over::Words(name) if name == "fullName"));
    assert_eq!(design.sequence_keeper().unwrap().name, "Sequence");
}

#[test]
fn those_who_refer_are_found_through_keys_derived_items_or_few_partitions() {
    let design = catalogue();
    let path = |entity: &str, attribute: &str| {
        let entity = design.entity_named(entity).unwrap();
        let reference = entity.references.iter().find(|reference| reference.attribute == attribute).unwrap();
        (reference.range.clone().unwrap(), reference.on_delete)
    };
    let (rating, rule) = path("Rating", "site");
    assert_eq!(rule, OnDelete::Cascade);
    assert_eq!(rating.index, Some(design.index_named("byStars").unwrap().id));
    assert_eq!((rating.over[0].0.as_str(), rating.over[0].1.len()), ("starRating", 5));
    let (comment, _) = path("Comment", "site");
    assert_eq!((comment.index, comment.through), (None, Some(design.entity_named("SiteComment").unwrap().id)));
    let (player, rule) = path("Match", "teamBPlayer2Id");
    assert_eq!(rule, OnDelete::Refuse);
    assert_eq!((player.index, player.through), (None, Some(design.entity_named("Participation").unwrap().id)));
    assert_eq!(player.given, [("playerId".to_owned(), "playerId".to_owned())]);
}

#[test]
fn cross_field_rules_are_evaluated_over_attributes() {
    let design = catalogue();
    let game = design.entity_named("Match").unwrap();
    let number = |n: i64| AttributeValue::N(Number::parse(&n.to_string()).unwrap());
    let mut given = item(&[
        ("winningTeam", "A"),
        ("teamAPlayer1Id", "a"),
        ("teamAPlayer2Id", "b"),
        ("teamBPlayer1Id", "c"),
        ("teamBPlayer2Id", "d"),
    ]);
    given.insert("teamAGames".to_owned(), number(3));
    given.insert("teamBGames".to_owned(), number(2));
    let broken = |given: &Attributes| -> Vec<String> {
        let held = |constraint: &&keyfold_design::model::Constraint| {
            !constraint.expression.evaluate(|name| given.get(name)).unwrap()
        };
        game.must_hold.iter().filter(held).map(|constraint| constraint.message.clone()).collect()
    };
    assert_eq!(broken(&given), Vec::<String>::new());
    given.insert("teamBGames".to_owned(), number(3));
    given.insert("teamBPlayer1Id".to_owned(), text("b"));
    assert_eq!(broken(&given), ["the losing team has 0 to 2 games", "no player is in both teams"]);
}

#[test]
fn rules_say_who_may_do_what() {
    let design = catalogue();
    let squash =
        design.rules.iter().find(|rule| matches!(&rule.grantee, Grantee::All(parts) if parts.len() == 2)).unwrap();
    assert_eq!(
        squash.grantee,
        Grantee::All(vec![Grantee::Role("manager".to_owned()), Grantee::Group("Squash".to_owned())])
    );
    assert_eq!(squash.verbs.iter().copied().collect::<Vec<_>>(), [Verb::Create, Verb::Update, Verb::Delete]);
    let profile = design.entity_named("Profile").unwrap();
    assert_eq!(
        profile.attribute("lastLoginIp").unwrap().visible_to,
        Some(Grantee::Any(vec![Grantee::Owner, Grantee::Operators]))
    );
    let groups = design.callers.groups.as_ref().unwrap();
    assert_eq!((groups.subject.as_str(), groups.group.as_str()), ("userId", "groupName"));
}

#[test]
fn ids_are_made_only_where_they_are_the_items_own() {
    let design = platform();
    let made = |entity: &str, attribute: &str| {
        design.entity_named(entity).unwrap().attribute(attribute).unwrap().generator.clone()
    };
    assert_eq!(made("Account", "accountId"), Some(Generator::Ulid));
    assert_eq!(made("Tool", "toolId"), Some(Generator::Ulid));
    assert_eq!(made("Tool", "accountId"), None);
    assert_eq!(made("License", "enterpriseId"), None);
    assert_eq!(made("Permission", "accountId"), None);
}

#[test]
fn a_sharded_partition_is_read_shard_by_shard() {
    let text_of_design = include_str!("../../../../designs/platform/design.yaml")
        .replace("GSI1PK: ENTITY#USER\n", "GSI1PK: ENTITY#USER#<userId:shard(12)>\n")
        .replace("all users: GSI1PK = ENTITY#USER,", "all users: GSI1PK = ENTITY#USER#<shard>,")
        .replace("  KF031 ENTITY#USER: a few thousand users at most\n", "");
    let design = design(&text_of_design);
    let all = design.pattern_named("all users").unwrap();
    let plan = design.access_plan(all.id);
    assert!(plan.parameters.is_empty());
    let Some(PartitionSet::Shards { placeholder, count }) = &plan.partitions else { panic!("shards") };
    assert_eq!((placeholder.as_str(), *count), ("shard", 12));
    let partitions: Vec<AttributeValue> = (0..*count)
        .map(|shard| {
            let number = AttributeValue::N(Number::parse(&shard.to_string()).unwrap());
            let given = Attributes::from([(placeholder.clone(), number)]);
            partition_key(&design, all, &given)
        })
        .collect();
    assert_eq!((&partitions[3], &partitions[11]), (&text("ENTITY#USER#03"), &text("ENTITY#USER#11")));
    let user = item(&[("userId", ID), ("accountId", OTHER), ("status", "active")]);
    let keys = design.entity_named("User").unwrap().layout.compute(|name| user.get(name)).unwrap();
    assert!(partitions.contains(&keys["GSI1PK"]));
}

#[test]
fn values_are_checked_with_attribute_rule_and_value() {
    let design = platform();
    let license = design.entity_named("License").unwrap();
    let violation =
        |name: &str, value: AttributeValue| license.attribute(name).unwrap().check(&value).unwrap_err().to_string();
    assert_eq!(violation("status", text("Active")), "`status` must be one of `active`, `expired` but is `Active`");
    assert_eq!(violation("seats", AttributeValue::N(Number::ZERO)), "`seats` must be at least 1 but is `0`");
    assert_eq!(violation("endDate", text("2025-02-30")), "`endDate` must be a date (YYYY-MM-DD) but is `2025-02-30`");
    assert_eq!(
        violation("note", text(&"x".repeat(2001))).chars().take(45).collect::<String>(),
        "`note` must be at most 2000 characters but is"
    );
}

#[test]
fn counts_agree_with_their_nouns() {
    let design = platform();
    let enterprise = design.entity_named("Enterprise").unwrap();
    let violation = enterprise.attribute("name").unwrap().check(&text("")).unwrap_err().to_string();
    assert_eq!(violation, "`name` must be at least 1 character but is ``");
    let list = AttributeValue::L(vec![text("a")]);
    let violation = enterprise.attribute("name").unwrap().check(&list).unwrap_err().to_string();
    assert_eq!(violation, "`name` must be a string but is a list of 1 item");
}

/// Designs are shared between threads.
#[test]
fn a_design_is_sent_and_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Design>();
}
