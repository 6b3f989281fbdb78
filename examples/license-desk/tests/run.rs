//! The example's own output, on the embedded engine and over DynamoDB's protocol.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::process::Command;
use std::sync::Arc;

use keyfold_engine::Engine;
use keyfold_test_server::serve;

const OUTPUT: &str = "\
account northwind: Northwind Traders
account contoso: Contoso
user ada of northwind: Ada Lovelace
user grace of contoso: Grace Hopper
expiring up to 2026-01-31:
  nw-1 of northwind: 2026-01-20, 25 seats
  ct-1 of contoso: 2026-01-31, 15 seats
renewed nw-1 until 2027-01-20
expiring up to 2026-01-31:
  ct-1 of contoso: 2026-01-31, 15 seats
ada of northwind sees:
  the license nw-1
  the license nw-2
  the account Northwind Traders
  licenses of globex: nw-1, nw-2
the license of another account: not there
the licenses of another account: 0
licenses of all accounts: `expiring licenses` reads across tenants and is for operators
a license for another account: `accountId` is the caller's own tenant and cannot be another
";

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_license-desk")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn on_the_embedded_engine() {
    assert_eq!(run(&[]), OUTPUT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_dynamodbs_protocol() {
    let url = serve(Arc::new(Engine::in_memory(keyfold_engine::Options::default()).unwrap())).await.unwrap();
    for _ in 0..2 {
        // The second run puts the same items again.
        let url = url.clone();
        let output = tokio::task::spawn_blocking(move || run(&["--endpoint", &url, "--table", "desk"])).await.unwrap();
        assert_eq!(output, OUTPUT);
    }
}
