//! Tables: created, described, changed, tagged, listed, deleted.

use std::time::Duration;

use keyfold_dynamo::Backend;
use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec, ProjectionType,
    TableStatus, Tags, TimeToLiveStatus,
};

use crate::on_both_services;
use crate::service::{Service, table_input};

on_both_services!(
    a_table_is_described_as_it_was_created,
    an_index_comes_and_goes,
    time_to_live,
    tags,
    names,
    a_table_goes
);

async fn a_table_is_described_as_it_was_created(service: Service) {
    let described = service.aws.describe_table(service.table.clone()).await.unwrap();
    let asked = table_input(&service.table);
    assert_eq!((described.name.as_str(), described.status), (service.table.as_str(), TableStatus::Active));
    let sorted = |mut definitions: Vec<AttributeDefinition>| {
        definitions.sort_by(|one, two| one.name.cmp(&two.name));
        definitions
    };
    assert_eq!(sorted(described.attribute_definitions), sorted(asked.attribute_definitions));
    assert_eq!(described.key_schema, asked.key_schema);
    assert_eq!(described.billing_mode, BillingMode::PayPerRequest);
    let [index] = described.global_indexes.as_slice() else { panic!("{:?}", described.global_indexes) };
    let wanted = &asked.global_indexes.unwrap()[0];
    assert_eq!(
        (&index.name, &index.key_schema, &index.projection),
        (&wanted.name, &wanted.key_schema, &wanted.projection)
    );
    assert_eq!(index.status, Some(TableStatus::Active));
    let arn = described.arn.unwrap();
    assert!(arn.ends_with(&format!("table/{}", service.table)), "{arn}");
    assert!(described.created_at.unwrap() > 1.7e9);
}

/// Waits until an index is there, or gone.
async fn until(service: &Service, indexes: &[&str]) {
    for _ in 0..200 {
        let described = service.aws.describe_table(service.table.clone()).await.unwrap();
        let active = described.global_indexes.iter().filter(|index| index.status == Some(TableStatus::Active));
        let mut names: Vec<&str> = active.map(|index| index.name.as_str()).collect();
        names.sort_unstable();
        if names == indexes
            && described.status == TableStatus::Active
            && described.global_indexes.len() == indexes.len()
        {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the indexes are not {indexes:?}");
}

async fn an_index_comes_and_goes(service: Service) {
    let element = |name: &str, role| KeySchemaElement { name: name.to_owned(), role };
    let spec = IndexSpec {
        name: "byPoints".to_owned(),
        key_schema: vec![element("points", KeyRole::Hash)],
        projection: ProjectionSpec {
            projection_type: Some(ProjectionType::Include),
            non_key_attributes: Some(vec!["name".to_owned()]),
        },
        throughput: None,
        on_demand: None,
    };
    let change = |update| UpdateTableInput {
        table_name: service.table.clone(),
        attribute_definitions: vec![AttributeDefinition { name: "points".to_owned(), key_type: KeyType::N }],
        index_updates: Some(vec![update]),
        ..UpdateTableInput::default()
    };
    service.aws.update_table(change(IndexUpdate::Create(spec.clone()))).await.unwrap();
    until(&service, &["byGroup", "byPoints"]).await;
    let described = service.aws.describe_table(service.table.clone()).await.unwrap();
    let index = described.global_indexes.iter().find(|index| index.name == "byPoints").unwrap();
    assert_eq!((&index.key_schema, &index.projection), (&spec.key_schema, &spec.projection));
    service.aws.update_table(change(IndexUpdate::Delete { name: "byGroup".to_owned() })).await.unwrap();
    until(&service, &["byPoints"]).await;
}

async fn time_to_live(service: Service) {
    let described = service.aws.describe_time_to_live(service.table.clone()).await.unwrap();
    assert_eq!((described.status, described.attribute_name), (TimeToLiveStatus::Disabled, None));
    let asked = UpdateTimeToLiveInput {
        table_name: service.table.clone(),
        enabled: true,
        attribute_name: "expires".to_owned(),
    };
    assert_eq!(service.aws.update_time_to_live(asked.clone()).await.unwrap(), asked);
    let described = service.aws.describe_time_to_live(service.table.clone()).await.unwrap();
    assert!(matches!(described.status, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling), "{described:?}");
    assert_eq!(described.attribute_name.as_deref(), Some("expires"));
}

async fn tags(service: Service) {
    if service.engine.is_none() {
        // DynamoDB Local has no tags, and says so.
        let arn = service.aws.describe_table(service.table.clone()).await.unwrap().arn.unwrap();
        let refused = service.aws.list_tags_of_resource(arn, None).await;
        let text = "UnknownOperationException: Tagging is not currently supported in DynamoDB Local.";
        assert_eq!(refused, Err(keyfold_dynamo::ServiceError::Internal(text.to_owned())));
        return;
    }
    let arn = service.aws.describe_table(service.table.clone()).await.unwrap().arn.unwrap();
    let given = Tags::from([("team".to_owned(), "blue".to_owned()), ("stage".to_owned(), "test".to_owned())]);
    service.aws.tag_resource(arn.clone(), given.clone()).await.unwrap();
    let described = service.aws.list_tags_of_resource(arn.clone(), None).await.unwrap();
    assert_eq!((described.tags.into_iter().collect::<Tags>(), described.next_token), (given, None));
    service.aws.untag_resource(arn.clone(), vec!["team".to_owned()]).await.unwrap();
    let described = service.aws.list_tags_of_resource(arn, None).await.unwrap();
    assert_eq!(described.tags, [("stage".to_owned(), "test".to_owned())]);
}

async fn names(service: Service) {
    let mut names = Vec::new();
    let mut start = None;
    loop {
        let input = ListTablesInput { exclusive_start: start, limit: Some(2) };
        let page = service.aws.list_tables(input).await.unwrap();
        names.extend(page.table_names);
        start = page.last_evaluated;
        if start.is_none() {
            break;
        }
    }
    assert!(names.contains(&service.table), "{names:?}");
}

async fn a_table_goes(service: Service) {
    service.aws.delete_table(service.table.clone()).await.unwrap();
    for _ in 0..200 {
        if let Err(error) = service.aws.describe_table(service.table.clone()).await {
            assert!(matches!(error, keyfold_dynamo::ServiceError::ResourceNotFound(_)), "{error:?}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the table is still there");
}
