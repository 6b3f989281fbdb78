//! Every kind of change, with its text.

use keyfold_dynamo::operation::{CreateTableInput, TimeToLiveDescription};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexDescription, IndexSpec, KeyRole, KeySchemaElement, KeyType,
    OnDemandThroughput, ProjectionSpec, ProjectionType, TableDescription, TableStatus, Tags, Throughput,
    ThroughputDescription, TimeToLiveStatus,
};

use super::{Action, DesiredTable, LiveTable, Plan, TableRequest, missing_for_serving, plan};

/// `PK:S SK:S`, partition before the slash and sort after it where there is more than one of a kind.
fn keys(text: &str) -> (Vec<KeySchemaElement>, Vec<AttributeDefinition>) {
    let (partition, sort) = text.split_once(" / ").or_else(|| text.split_once(' ')).unwrap_or((text, ""));
    let mut schema = Vec::new();
    let mut definitions = Vec::new();
    for (role, side) in [(KeyRole::Hash, partition), (KeyRole::Range, sort)] {
        for key in side.split_whitespace() {
            let (name, key_type) = key.split_once(':').unwrap();
            schema.push(KeySchemaElement { name: name.to_owned(), role });
            definitions
                .push(AttributeDefinition { name: name.to_owned(), key_type: KeyType::parse(key_type).unwrap() });
        }
    }
    (schema, definitions)
}

/// `all`, `keys`, or the names that are included.
fn projection(text: &str) -> ProjectionSpec {
    let (projection_type, names) = match text {
        "all" => (ProjectionType::All, None),
        "keys" => (ProjectionType::KeysOnly, None),
        names => (ProjectionType::Include, Some(names.split(' ').map(str::to_owned).collect())),
    };
    ProjectionSpec { projection_type: Some(projection_type), non_key_attributes: names }
}

fn desired() -> DesiredTable {
    let (key_schema, attribute_definitions) = keys("PK:S SK:S");
    let create = CreateTableInput {
        table_name: "orders".to_owned(),
        key_schema,
        attribute_definitions,
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTableInput::default()
    };
    DesiredTable { create, ..DesiredTable::default() }
}

impl DesiredTable {
    fn index(mut self, name: &str, of: &str, projects: &str) -> Self {
        let spec = self.spec(name, of, projects);
        self.create.global_indexes.get_or_insert_default().push(spec);
        self
    }

    fn local_index(mut self, name: &str, of: &str, projects: &str) -> Self {
        let spec = self.spec(name, of, projects);
        self.create.local_indexes.get_or_insert_default().push(spec);
        self
    }

    fn spec(&mut self, name: &str, of: &str, projects: &str) -> IndexSpec {
        let (key_schema, definitions) = keys(of);
        for definition in definitions {
            if !self.create.attribute_definitions.contains(&definition) {
                self.create.attribute_definitions.push(definition);
            }
        }
        IndexSpec {
            name: name.to_owned(),
            key_schema,
            projection: projection(projects),
            throughput: self.create.throughput,
            on_demand: None,
        }
    }

    fn provisioned(mut self, read: i64, write: i64) -> Self {
        let throughput = Some(Throughput { read, write });
        self.create.billing_mode = Some(BillingMode::Provisioned);
        self.create.throughput = throughput;
        for index in self.create.global_indexes.iter_mut().flatten() {
            index.throughput = throughput;
        }
        self
    }

    fn tagged(mut self, tags: &[(&str, &str)]) -> Self {
        self.create.tags = of_tags(tags);
        self
    }

    fn expiring(mut self, attribute: &str) -> Self {
        self.time_to_live = Some(attribute.to_owned());
        self
    }

    /// The table that this would be, with items in it.
    fn live(&self) -> LiveTable {
        let create = &self.create;
        let throughput = create.throughput.unwrap_or(Throughput { read: 0, write: 0 });
        let throughput = ThroughputDescription { read: throughput.read, write: throughput.write, ..Default::default() };
        let describe = |spec: &IndexSpec, global: bool| IndexDescription {
            name: spec.name.clone(),
            arn: None,
            key_schema: spec.key_schema.clone(),
            projection: spec.projection.clone(),
            status: global.then_some(TableStatus::Active),
            backfilling: None,
            throughput: global.then_some(throughput),
            on_demand: None,
            size_bytes: 0,
            item_count: 0,
        };
        let description = TableDescription {
            name: create.table_name.clone(),
            id: Some("id".to_owned()),
            arn: Some("arn".to_owned()),
            status: TableStatus::Active,
            created_at: Some(0.0),
            attribute_definitions: create.attribute_definitions.clone(),
            key_schema: create.key_schema.clone(),
            global_indexes: create.global_indexes.iter().flatten().map(|spec| describe(spec, true)).collect(),
            local_indexes: create.local_indexes.iter().flatten().map(|spec| describe(spec, false)).collect(),
            billing_mode: create.billing_mode.unwrap(),
            on_demand_since: None,
            throughput,
            on_demand: create.on_demand,
            size_bytes: 0,
            item_count: 10,
            deletion_protection: create.deletion_protection,
            table_class: create.table_class.clone(),
        };
        let status = if self.time_to_live.is_some() { TimeToLiveStatus::Enabled } else { TimeToLiveStatus::Disabled };
        LiveTable {
            description,
            time_to_live: TimeToLiveDescription { status, attribute_name: self.time_to_live.clone() },
            tags: Some(create.tags.clone()),
            point_in_time_recovery: None,
            empty: false,
        }
    }
}

fn of_tags(tags: &[(&str, &str)]) -> Tags {
    tags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// Texts of changes, each with what it loses after an arrow.
fn told(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for change in &plan.changes {
        lines.push(match &change.loss {
            Some(loss) => format!("{} -> {}: {}", change.text, loss.name, loss.text),
            None => change.text.clone(),
        });
    }
    lines
}

fn changes(wanted: &DesiredTable, live: &LiveTable) -> Vec<String> {
    let plan = plan(wanted, Some(live));
    assert_eq!(plan.obstacles, Vec::<String>::new());
    told(&plan)
}

fn obstacles(wanted: &DesiredTable, live: &LiveTable) -> Vec<String> {
    plan(wanted, Some(live)).obstacles
}

#[test]
fn a_table_that_is_not_there_is_created_whole() {
    let wanted = desired().index("GSI1", "GSI1PK:S GSI1SK:S", "all").index("byStars", "stars:N", "keys");
    let wanted = wanted.local_index("recent", "PK:S at:N", "title state").expiring("until");
    let plan = plan(&wanted, None);
    assert_eq!(
        told(&plan),
        [
            "create table `orders`: partition PK (S), sort SK (S), on demand\n  \
             with index `GSI1`: partition GSI1PK (S), sort GSI1SK (S), all attributes\n  \
             with index `byStars`: partition stars (N), keys only\n  \
             with local index `recent`: partition PK (S), sort at (N), keys and `title`, `state`",
            "expire items by `until`"
        ]
    );
    assert_eq!(plan.changes[0].action, Action::CreateTable(Box::new(wanted.create)));
}

#[test]
fn a_table_that_is_as_it_should_be_needs_nothing() {
    let wanted = desired()
        .provisioned(5, 6)
        .index("GSI1", "GSI1PK:S GSI1SK:S", "b a")
        .local_index("recent", "PK:S at:N", "all")
        .tagged(&[("team", "orders")])
        .expiring("until");
    let mut live = wanted.live();
    live.description.global_indexes[0].projection = projection("a b");
    live.description.table_class = Some("STANDARD_INFREQUENT_ACCESS".to_owned());
    let plan = plan(&wanted, Some(&live));
    assert_eq!(plan, Plan { table: "orders".to_owned(), ..Plan::default() });
    assert!(plan.is_empty());
}

#[test]
fn indexes_are_made_before_others_go() {
    let live = desired().index("old", "a:S b:S", "all").live();
    let wanted = desired().index("GSI1", "GSI1PK:S", "keys").index("GSI2", "a:S GSI2SK:N", "all");
    assert_eq!(
        changes(&wanted, &live),
        [
            "create index `GSI1`: partition GSI1PK (S), keys only",
            "create index `GSI2`: partition a (S), sort GSI2SK (N), all attributes",
            "delete index `old`: partition a (S), sort b (S), all attributes -> index:old: reads through `old` fail from then on",
        ]
    );
    let Action::CreateIndex { index, definitions } = &plan(&wanted, Some(&live)).changes[1].action else { panic!() };
    assert_eq!(index, &wanted.create.global_indexes.as_ref().unwrap()[1]);
    assert_eq!(*definitions, keys("a:S GSI2SK:N").1, "only the new index's own keys are told");
}

#[test]
fn a_changed_index_is_deleted_and_made_anew() {
    let live = desired().index("GSI1", "GSI1PK:S GSI1SK:S", "all").live();
    let lost = "-> index:GSI1: reads through `GSI1` fail until it is filled again";
    for (of, projects, difference, made) in [
        (
            "GSI1PK:S",
            "all",
            "has partition GSI1PK (S), sort GSI1SK (S) but should have partition GSI1PK (S)",
            "partition GSI1PK (S), all attributes",
        ),
        (
            "GSI1PK:S GSI1SK:N",
            "all",
            "has partition GSI1PK (S), sort GSI1SK (S) but should have partition GSI1PK (S), sort GSI1SK (N)",
            "partition GSI1PK (S), sort GSI1SK (N), all attributes",
        ),
        (
            "a:S b:S / c:N",
            "all",
            "has partition GSI1PK (S), sort GSI1SK (S) but should have partition a (S) and b (S), sort c (N)",
            "partition a (S) and b (S), sort c (N), all attributes",
        ),
        (
            "GSI1PK:S GSI1SK:S",
            "keys",
            "projects all attributes but should project keys only",
            "partition GSI1PK (S), sort GSI1SK (S), keys only",
        ),
        (
            "GSI1PK:S GSI1SK:S",
            "a b",
            "projects all attributes but should project keys and `a`, `b`",
            "partition GSI1PK (S), sort GSI1SK (S), keys and `a`, `b`",
        ),
    ] {
        let wanted = desired().index("GSI1", of, projects);
        assert_eq!(
            changes(&wanted, &live),
            [
                format!("delete index `GSI1` to recreate it: it {difference} {lost}"),
                format!("create index `GSI1`: {made}"),
            ]
        );
    }
}

/// A key attribute has one type in all indexes of a table.
#[test]
fn an_index_in_the_way_of_a_type_goes_first() {
    let live = desired().index("old", "score:S", "keys").index("other", "x:S", "keys").live();
    let wanted = desired().index("new", "score:N", "keys").index("plain", "y:S", "keys");
    let kinds: Vec<_> = plan(&wanted, Some(&live))
        .changes
        .iter()
        .map(|change| (change.action.kind(), change.action.index().unwrap().to_owned()))
        .collect();
    let expected =
        [("create-index", "plain"), ("delete-index", "old"), ("create-index", "new"), ("delete-index", "other")];
    assert_eq!(kinds, expected.map(|(kind, name)| (kind, name.to_owned())));
}

#[test]
fn indexes_with_conflicting_keys_are_both_deleted() {
    let live = desired().index("one", "a:S b:N", "keys").index("two", "a:S c:N", "keys").live();
    let wanted = desired().index("one", "a:N b:N", "keys").index("two", "a:N c:N", "keys");
    let kinds: Vec<_> = plan(&wanted, Some(&live))
        .changes
        .iter()
        .map(|change| format!("{} {}", change.action.kind(), change.action.index().unwrap()))
        .collect();
    assert_eq!(kinds, ["delete-index one", "delete-index two", "create-index two", "create-index one"]);
}

#[test]
fn a_full_table_makes_room_first() {
    let mut full = desired();
    for number in 0..20 {
        full = full.index(&format!("GSI{number}"), &format!("k{number}:S"), "keys");
    }
    let live = full.live();
    let indexes = full.create.global_indexes.as_mut().unwrap();
    indexes.remove(3);
    let wanted = full.index("new", "n:S", "keys");
    let kinds: Vec<_> = plan(&wanted, Some(&live)).changes.iter().map(|change| change.action.kind()).collect();
    assert_eq!(kinds, ["delete-index", "create-index"]);
}

#[test]
fn an_empty_table_has_nothing_to_lose() {
    let mut live = desired().index("old", "a:S", "all").live();
    live.empty = true;
    let wanted = desired().expiring("until");
    assert_eq!(
        changes(&wanted, &live),
        ["delete index `old`: partition a (S), all attributes", "expire items by `until`"]
    );
}

#[test]
fn billing() {
    let on_demand = desired().index("GSI1", "a:S", "all");
    let provisioned = on_demand.clone().provisioned(5, 6);
    assert_eq!(changes(&provisioned, &on_demand.live()), ["change billing from on demand to 5 read and 6 write units"]);
    assert_eq!(changes(&on_demand, &provisioned.live()), ["change billing from 5 read and 6 write units to on demand"]);
    assert_eq!(
        changes(&on_demand.clone().provisioned(7, 8), &provisioned.live()),
        [
            "change the table's throughput from 5 read and 6 write units to 7 read and 8 write units",
            "change the throughput of index `GSI1` from 5 read and 6 write units to 7 read and 8 write units",
        ]
    );
    // Every index there is needs its throughput in the same request, also the one that is about to go.
    let Action::SetBilling(billing) =
        &plan(&provisioned, Some(&on_demand.clone().index("old", "b:S", "all").live())).changes[0].action
    else {
        panic!()
    };
    let throughput = Throughput { read: 5, write: 6 };
    assert_eq!(billing.indexes, [("GSI1".to_owned(), throughput), ("old".to_owned(), throughput)]);
    let TableRequest::Update(update) = Action::SetBilling(billing.clone()).request("orders") else { panic!() };
    assert_eq!(update.billing_mode, Some(BillingMode::Provisioned));
    assert_eq!(update.index_updates.unwrap().len(), 2);
}

#[test]
fn a_recreated_index_needs_no_throughput_before() {
    let live = desired().index("GSI1", "a:S", "all").provisioned(5, 5).live();
    let wanted = desired().index("GSI1", "a:S", "keys").provisioned(9, 9);
    assert_eq!(
        changes(&wanted, &live),
        [
            "change the table's throughput from 5 read and 5 write units to 9 read and 9 write units",
            "delete index `GSI1` to recreate it: it projects all attributes but should project keys only -> index:GSI1: reads through `GSI1` fail until it is filled again",
            "create index `GSI1`: partition a (S), keys only",
        ]
    );
}

#[test]
fn expiry() {
    let lost = |attribute: &str| {
        format!("expire items by `{attribute}` -> ttl:{attribute}: items whose `{attribute}` has passed are deleted")
    };
    assert_eq!(changes(&desired().expiring("until"), &desired().live()), [lost("until")]);
    assert_eq!(changes(&desired(), &desired().expiring("until").live()), ["stop expiring items by `until`"]);
    assert_eq!(
        changes(&desired().expiring("end"), &desired().expiring("until").live()),
        ["stop expiring items by `until`".to_owned(), lost("end")]
    );
    let mut ending = desired().expiring("until").live();
    ending.time_to_live.status = TimeToLiveStatus::Disabling;
    let plan = plan(&desired().expiring("until"), Some(&ending));
    assert_eq!(told(&plan), [lost("until")]);
    let told: Vec<String> = plan.ongoing.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["time to live by `until` is being disabled"]);
    ending.time_to_live.status = TimeToLiveStatus::Enabling;
    assert_eq!(changes(&desired().expiring("until"), &ending), Vec::<String>::new());
}

#[test]
fn tags_of_others_stay() {
    let wanted = desired().tagged(&[("team", "orders"), ("stage", "prod")]);
    let mut live = wanted.live();
    live.tags = Some(of_tags(&[("team", "other"), ("cost", "42"), ("aws:cloudformation:stack-name", "s")]));
    assert_eq!(changes(&wanted, &live), ["set tags stage=prod, team=orders"]);
    assert_eq!(plan(&wanted, Some(&live)).notes, ["additional tags are kept: cost"]);
    live.tags = None;
    assert_eq!(changes(&wanted, &live), Vec::<String>::new());
    let note = "tags are required but cannot be read; they are left unchanged";
    assert_eq!(plan(&wanted, Some(&live)).notes, [note]);
    assert_eq!(plan(&desired(), Some(&live)).notes, Vec::<String>::new());
}

#[test]
fn protection_class_and_limits() {
    let mut wanted = desired();
    wanted.create.deletion_protection = true;
    wanted.create.table_class = Some("STANDARD_INFREQUENT_ACCESS".to_owned());
    wanted.create.on_demand =
        Some(OnDemandThroughput { max_read_request_units: Some(10), max_write_request_units: None });
    assert_eq!(
        changes(&wanted, &desired().live()),
        [
            "enable deletion protection",
            "change the table class from STANDARD to STANDARD_INFREQUENT_ACCESS",
            "change the limits of on-demand throughput",
        ]
    );
    wanted.create.deletion_protection = false;
    let mut live = wanted.live();
    live.description.deletion_protection = true;
    assert_eq!(changes(&wanted, &live), ["disable deletion protection"]);
}

#[test]
fn settings_that_no_backend_can_change_are_reported() {
    let mut wanted = desired();
    wanted.point_in_time_recovery = true;
    wanted.stream = Some("NEW_IMAGE".to_owned());
    let mut live = wanted.live();
    let recovery = "point-in-time recovery is required; enable it through the infrastructure";
    let stream = "a stream of NEW_IMAGE is required; enable it through the infrastructure";
    assert_eq!(plan(&wanted, Some(&live)).notes, [recovery, stream]);
    live.point_in_time_recovery = Some(true);
    assert_eq!(plan(&wanted, Some(&live)).notes, [stream]);
    assert!(plan(&wanted, Some(&live)).is_empty());
}

#[test]
fn other_keys_need_another_table() {
    let mut live = desired().live();
    (live.description.key_schema, live.description.attribute_definitions) = keys("PK:S");
    assert_eq!(
        obstacles(&desired(), &live),
        [
            "the keys of a table cannot change: the table has partition PK (S) but should have partition PK (S), sort SK (S)"
        ]
    );
    (live.description.key_schema, live.description.attribute_definitions) = keys("PK:S SK:N");
    assert_eq!(
        obstacles(&desired(), &live),
        [
            "the keys of a table cannot change: the table has partition PK (S), sort SK (N) but should have partition PK (S), sort SK (S)"
        ]
    );
}

#[test]
fn other_local_indexes_need_another_table() {
    let wanted = desired().local_index("a", "PK:S x:S", "all").local_index("b", "PK:S y:S", "all");
    let live = desired().local_index("b", "PK:S y:S", "keys").local_index("c", "PK:S z:S", "all").live();
    assert_eq!(
        obstacles(&wanted, &live),
        [
            "a local index can only be created together with its table: `a` is missing",
            "a local index cannot change: `b` projects keys only but should project all attributes",
            "a local index cannot be deleted: `c` should not exist",
        ]
    );
}

#[test]
fn changes_in_progress_are_waited_for() {
    let wanted = desired().index("GSI1", "a:S", "all").index("GSI2", "b:S", "all");
    let mut live = wanted.live();
    live.description.status = TableStatus::Updating;
    assert_eq!(ongoing(&wanted, &live), ["the table is being changed"]);
    live.description.global_indexes[0].status = Some(TableStatus::Creating);
    live.description.global_indexes[1].status = Some(TableStatus::Updating);
    assert_eq!(ongoing(&wanted, &live), ["index `GSI1` is being filled", "index `GSI2` is being changed"]);
    assert_eq!(changes(&wanted, &live), Vec::<String>::new());
    // An index on its way out is not there; it can be made once it has gone.
    live.description.global_indexes[1].status = Some(TableStatus::Deleting);
    assert_eq!(ongoing(&wanted, &live), ["index `GSI1` is being filled", "index `GSI2` is being deleted"]);
    assert_eq!(changes(&wanted, &live), ["create index `GSI2`: partition b (S), all attributes"]);
    live.description.status = TableStatus::Creating;
    live.description.global_indexes.clear();
    assert_eq!(ongoing(&desired(), &live), ["the table is being created"]);
    live.description.status = TableStatus::Deleting;
    assert_eq!(ongoing(&desired(), &live), ["the table is being deleted"]);
    assert_eq!(changes(&desired(), &live), ["create table `orders`: partition PK (S), sort SK (S), on demand"]);
}

fn ongoing(wanted: &DesiredTable, live: &LiveTable) -> Vec<String> {
    plan(wanted, Some(live)).ongoing.iter().map(ToString::to_string).collect()
}

#[test]
fn a_table_with_the_keys_and_indexes_of_a_design_can_be_served() {
    let wanted = desired().index("GSI1", "GSI1PK:S GSI1SK:S", "keys").local_index("LSI1", "PK:S LSI1SK:S", "all");
    let mut live = desired()
        .index("GSI1", "GSI1PK:S GSI1SK:S", "all")
        .index("GSI2", "GSI2PK:S", "all")
        .local_index("LSI1", "PK:S LSI1SK:S", "all")
        .live();
    assert!(missing_for_serving(&wanted.create, &live.description).is_empty());
    live.description.global_indexes[0].status = Some(TableStatus::Updating);
    assert!(missing_for_serving(&wanted.create, &live.description).is_empty());
}

#[test]
fn differences_that_reads_would_meet_keep_a_design_from_being_served() {
    let wanted = desired().index("GSI1", "GSI1PK:S GSI1SK:S", "all").local_index("LSI1", "PK:S LSI1SK:S", "all");
    let missing = |live: &LiveTable| missing_for_serving(&wanted.create, &live.description);
    assert_eq!(missing(&desired().live()), ["index `LSI1` is missing", "index `GSI1` is missing"]);
    let mut live = wanted.live();
    live.description.global_indexes[0].status = Some(TableStatus::Creating);
    assert_eq!(missing(&live), ["index `GSI1` is still being filled"]);
    live.description.global_indexes[0].status = Some(TableStatus::Deleting);
    assert_eq!(missing(&live), ["index `GSI1` is missing"]);
    let other_keys = desired().index("GSI1", "GSI1PK:S GSI1SK:N", "all").local_index("LSI1", "PK:S LSI1SK:S", "all");
    assert_eq!(
        missing(&other_keys.live()),
        [
            "index `GSI1` has partition GSI1PK (S), sort GSI1SK (N) but should have partition GSI1PK (S), sort GSI1SK (S)"
        ]
    );
    let mut live = wanted.live();
    live.description.key_schema.pop();
    assert_eq!(missing(&live), ["the table has partition PK (S) but should have partition PK (S), sort SK (S)"]);
}
