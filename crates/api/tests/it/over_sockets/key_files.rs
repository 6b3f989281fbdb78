//! Key files that disappear while the server runs.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use keyfold_api::identity::{Identity, KeySettings, TokenSettings};

use crate::identity_support::{Signer, clock, key_set, settings};
use crate::over_sockets::world::{Setting, World};

fn write(file: &Path, text: &str) {
    std::fs::write(file, text).unwrap();
    std::fs::set_permissions(file, Permissions::from_mode(0o600)).unwrap();
}

#[tokio::test]
async fn the_server_is_not_ready_while_a_key_file_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let [keys, secret, machines, revoked] =
        ["keys.json", "secret", "machines.yaml", "revoked.yaml"].map(|name| folder.path().join(name));
    write(&keys, &key_set(&[&Signer::ec("one")]));
    write(&secret, "a secret of the tests, of 32 bytes or more");
    write(&machines, "[]");
    write(&revoked, "[]");
    let clock = clock();
    let of_keys = settings(KeySettings::File(keys.clone()));
    let of_secret = TokenSettings { issuer: "partner".to_owned(), ..settings(KeySettings::SecretFile(secret.clone())) };
    let identity = Identity::new([of_keys, of_secret], Some(&machines), Arc::clone(&clock) as _)
        .and_then(|identity| identity.with_revocations(&revoked))
        .unwrap();
    let setting = Setting { authenticator: Some(Arc::new(identity)), public_docs: false, ..Setting::default() };
    let world = World::made(&["albums"], setting).await;
    for file in [&keys, &secret, &machines, &revoked] {
        world.client.get("", "/readyz").await.expect(200);
        let text = std::fs::read_to_string(file).unwrap();
        std::fs::remove_file(file).unwrap();
        clock.advance(1000);
        let problem = world.client.get("", "/readyz").await.problem(503, "unavailable");
        // Which file it is concerns operators.
        assert_eq!(problem["detail"], "credentials cannot be verified", "{}", file.display());
        // The process is alive all the same.
        world.client.get("", "/healthz").await.expect(200);
        write(file, &text);
        clock.advance(1000);
    }
    world.client.get("", "/readyz").await.expect(200);
}
