//! The SDK against services over HTTP: the embedded engine, always; DynamoDB Local, where
//! `KEYFOLD_DYNAMODB_LOCAL_URL` says where it is (`scripts/test-backends` starts one and runs the ignored tests).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod errors;
#[path = "../../../dynamo/tests/it/generated/mod.rs"]
mod generated;
mod items;
mod lost_responses;
mod proxy;
mod same_as_in_process;
mod service;
mod tables;

/// Makes tests of functions that take a service: one on the engine, one on DynamoDB Local.
macro_rules! on_both_services {
    ($($name:ident),+ $(,)?) => {
        mod on_the_engine {
            $(
                #[tokio::test]
                async fn $name() {
                    super::$name(crate::service::Service::engine().await).await;
                }
            )+
        }
        mod on_dynamodb_local {
            $(
                #[tokio::test]
                #[ignore = "needs DynamoDB Local: scripts/test-backends"]
                async fn $name() {
                    super::$name(crate::service::Service::dynamodb_local().await).await;
                }
            )+
        }
    };
}
pub(crate) use on_both_services;
