//! Every scenario and example of every shipped design on three backends: the engine in process, the engine through the
//! AWS SDK over HTTP, and DynamoDB Local. The same requests get the same answers, and leave the same items.
//!
//! DynamoDB Local is at `KEYFOLD_DYNAMODB_LOCAL_URL`; `scripts/test-backends` starts one and runs the ignored tests.

mod designs;
mod difference;
mod lossy;
mod play;
mod recording;
mod services;

use designs::{Played, designs};
use play::{Run, play};
use services::Service;

/// Plays everything on a service and in process, and tells what differs.
async fn compare(service: &Service) {
    let mut broken = Vec::new();
    let mut count = 0;
    for design in designs() {
        let name = design.name.clone();
        let runs = play_all(service, &design).await;
        for (scenario, (expected, found)) in design.scenarios.iter().zip(runs) {
            count += 1;
            if let Some(text) = difference::between(&design.design, &expected, &found, service.exactness()) {
                broken.push(format!("{name} / {}: {text}", scenario.name));
            }
        }
    }
    assert!(count > 100, "only {count} scenarios were found");
    assert!(broken.is_empty(), "{} of {count} scenarios differ:\n\n{}", broken.len(), broken.join("\n\n"));
}

/// Each scenario in process and on the service, several at a time: each has a table of its own.
async fn play_all(service: &Service, design: &Played) -> Vec<(Run, Run)> {
    use futures_util::stream::{self, StreamExt};
    let scenarios = design.scenarios.iter().enumerate();
    let runs = scenarios.map(|(number, scenario)| async move {
        let table = format!("{}-{}-{number}", service.prefix(), design.name);
        let expected = play(design, scenario, services::in_process(), &table).await;
        let found = play(design, scenario, service.backend(), &table).await;
        (expected, found)
    });
    stream::iter(runs).buffered(4).collect().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_the_engine_over_http() {
    compare(&Service::engine_over_http().await).await;
}

/// Every write is carried out once, and every caller is told the truth, though many answers never arrive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_the_engine_over_http_with_answers_lost() {
    let (service, lost) = Service::engine_behind_lossy_proxy().await;
    compare(&service).await;
    let lost = lost.lock().unwrap().len();
    assert!(lost > 500, "only {lost} answers were lost");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs DynamoDB Local: scripts/test-backends"]
async fn on_dynamodb_local() {
    compare(&Service::dynamodb_local().await).await;
}
