//! Whatever is asked of an engine through the SDK is answered as it responses in process: values, expressions and
//! errors.

use std::sync::LazyLock;

use keyfold_dynamo::expression::{Aliases, Condition, KeyCondition};
use keyfold_dynamo::operation::*;
use keyfold_dynamo::{Attributes, Backend, Number};
use proptest::prelude::*;

use crate::generated;
use crate::service::{Service, attributes, key, number, text};

struct Both {
    executor: tokio::runtime::Runtime,
    service: Service,
}

static BOTH: LazyLock<Both> = LazyLock::new(|| {
    let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let service = executor.block_on(Service::engine());
    Both { executor, service }
});

/// The same request to the engine in process and through the SDK.
macro_rules! both {
    ($operation:ident, $input:expr) => {{
        let Both { executor, service } = &*BOTH;
        let input = $input;
        let direct = executor.block_on(service.engine.as_ref().unwrap().$operation(input.clone()));
        let sent = executor.block_on(service.aws.$operation(input));
        (direct, sent)
    }};
}

fn stored(item: Attributes) -> PutItemInput {
    let item = item.into_iter().chain([("pk".to_owned(), text("p"))]).collect();
    let options = WriteOptions { return_consumed_capacity: ReturnConsumedCapacity::Indexes, ..WriteOptions::default() };
    PutItemInput { table_name: BOTH.service.table.clone(), item, options }
}

fn read() -> GetItemInput {
    GetItemInput {
        table_name: BOTH.service.table.clone(),
        key: key("p"),
        consistent_read: true,
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
        ..GetItemInput::default()
    }
}

fn filtered(condition: &Condition) -> QueryInput {
    QueryInput {
        table_name: BOTH.service.table.clone(),
        key_condition: KeyCondition::partition("pk", text("p")),
        forward: true,
        page: PageOptions {
            filter: Some(condition.clone()),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            ..PageOptions::default()
        },
    }
}

/// The values that generated update expressions speak of, and no others: unused ones would be refused.
fn update(expression: &str) -> UpdateItemInput {
    let set = |members: &[&str]| keyfold_dynamo::AttributeValue::Ss(members.iter().map(|m| (*m).to_owned()).collect());
    let values = [
        (":a", text("x")),
        (":n", number(1)),
        (":m", number(2)),
        (":l", keyfold_dynamo::AttributeValue::L(vec![number(1)])),
        (":ss", set(&["a", "b"])),
        (":ns", keyfold_dynamo::AttributeValue::Ns([Number::parse("1").unwrap()].into())),
        (":bs", keyfold_dynamo::AttributeValue::Bs([vec![1]].into())),
        (":map", keyfold_dynamo::AttributeValue::M(attributes(&[("k", text("v"))]))),
    ];
    let words: Vec<&str> = expression.split(|c: char| !c.is_alphanumeric() && c != ':' && c != '#').collect();
    let used: Vec<(&str, _)> = values.into_iter().filter(|(alias, _)| words.contains(alias)).collect();
    let names = words.contains(&"#n").then(|| [("#n".to_owned(), "name".to_owned())].into());
    let aliases = Aliases { names, values: (!used.is_empty()).then(|| attributes(&used)) };
    UpdateItemInput {
        table_name: BOTH.service.table.clone(),
        key: key("p"),
        update: Some(aliases.update(expression).unwrap()),
        options: WriteOptions { return_values: ReturnValues::AllNew, ..WriteOptions::default() },
    }
}

/// One item for all cases: they take turns.
static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn items(item in generated::item()) {
        let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (direct, sent) = both!(put_item, stored(item.clone()));
        // The second put finds the first one's item; everything else is the same.
        prop_assert_eq!(direct.is_ok(), sent.is_ok());
        prop_assert_eq!(direct.err(), sent.err());
        let (direct, sent) = both!(get_item, read());
        prop_assert_eq!(&direct, &sent);
        let found = sent.unwrap().item.unwrap().into_attributes().unwrap();
        prop_assert_eq!(found, stored(item).item);
    }

    #[test]
    fn conditions(item in generated::item(), condition in generated::condition()) {
        let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        both!(put_item, stored(item)).1.unwrap();
        let (direct, sent) = both!(query, filtered(&condition));
        prop_assert_eq!(direct, sent);
    }

    #[test]
    fn updates(item in generated::item(), expression in generated::update_expression()) {
        let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let Both { executor, service } = &*BOTH;
        let input = update(&expression);
        executor.block_on(service.aws.put_item(stored(item.clone()))).unwrap();
        let direct = executor.block_on(service.engine.as_ref().unwrap().update_item(input.clone()));
        executor.block_on(service.aws.put_item(stored(item))).unwrap();
        let sent = executor.block_on(service.aws.update_item(input));
        prop_assert_eq!(direct, sent);
    }
}
