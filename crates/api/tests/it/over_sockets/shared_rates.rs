//! Rate limits that two servers share through a table.

use std::sync::Arc;

use keyfold_api::{Limits, RateLimits, RateTable};
use keyfold_engine::Engine;
use keyfold_environment::ManualClock;

use crate::over_sockets::world::World;

const PORTAL: &str = "/v1/platform/products/portal";

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_admit_one_limit() {
    const LIMIT: usize = 200;
    let options = keyfold_engine::Options { sweep_interval: None, ..Default::default() };
    let backend = Arc::new(Engine::in_memory(options).unwrap());
    let table = RateTable::open(backend, "rates", Arc::new(ManualClock::default())).await.unwrap();
    let rates = RateLimits { subject: Some("200/h".parse().unwrap()), table: Some(table), ..RateLimits::default() };
    let limits = Limits { rates, ..Limits::default() };
    let (one, two) =
        (World::with(&["platform"], limits.clone(), false).await, World::with(&["platform"], limits, false).await);
    // Several at a time, at both servers.
    let hammer = async |world: &World| {
        let mut admitted = 0;
        for _ in 0..LIMIT / 4 {
            let some = (0..8).map(|_| world.client.get("subject=olga;role=operator", PORTAL));
            for answered in futures_util::future::join_all(some).await {
                match answered.status.as_u16() {
                    200 => admitted += 1,
                    _ => drop(answered.problem(429, "rate-limited")),
                }
            }
        }
        admitted
    };
    let (of_one, of_two): (usize, usize) = tokio::join!(hammer(&one), hammer(&two));
    let admitted = of_one + of_two;
    println!("{admitted} of {LIMIT}: {of_one} and {of_two}");
    assert!((LIMIT * 8 / 10..=LIMIT * 12 / 10).contains(&admitted), "{of_one} and {of_two}");
    // Others have limits of their own.
    two.client.get("subject=otto;role=operator", PORTAL).await.expect(200);
}
