//! TLS by certificate files.

use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::json;

use crate::private_files::write_privately;
use crate::serve::process::{Backend, bearer, designs, exchange, refused};

/// Writes a certificate for localhost and its key; gives the certificate.
pub(crate) fn certificate(folder: &Path) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("server.pem"), made.cert.pem()).unwrap();
    write_privately(&folder.join("server.key"), made.signing_key.serialize_pem());
    made.cert.der().clone()
}

fn connect(address: &str, trusted: &CertificateDer<'static>) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    let client = ClientConnection::new(Arc::new(config), "localhost".try_into().unwrap()).unwrap();
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    StreamOwned::new(client, stream)
}

fn start(folder: &Path) -> Backend {
    let platform = designs().join("platform");
    let tls = ["--tls-certificate", "server.pem", "--tls-key", "server.key", "--dynamodb-port", "none"];
    Backend::start(folder, &[&["--dev", platform.to_str().unwrap()][..], &tls].concat())
}

#[test]
fn connections_are_encrypted_and_a_new_certificate_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let first = certificate(folder.path());
    let backend = start(folder.path());
    assert!(backend.url.starts_with("https://127.0.0.1:"), "{}", backend.url);
    let ada = backend.token("platform: a member of northwind");
    let path = "/v1/platform/accounts/northwind";
    let mut stream = connect(backend.address(), &first);
    let (status, head, account) = exchange(&mut stream, &bearer(&ada), "GET", path, None);
    assert_eq!((status, &account["accountId"]), (200, &json!("northwind")));
    assert!(head.contains("strict-transport-security: max-age=31536000\r\n"), "{head}");
    assert_eq!(stream.conn.alpn_protocol(), Some(&b"http/1.1"[..]));

    // Someone who does not speak TLS gets nothing, and keeps nobody from being answered.
    let _silent = TcpStream::connect(backend.address()).unwrap();
    let second = certificate(folder.path());
    let begun = Instant::now();
    loop {
        let mut stream = connect(backend.address(), &second);
        if stream.conn.complete_io(&mut stream.sock).is_ok() {
            assert_eq!(exchange(stream, &bearer(&ada), "GET", path, None).0, 200);
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "the new certificate is not taken");
        std::thread::sleep(Duration::from_millis(200));
    }
    // The silent one is not waited for.
    let begun = Instant::now();
    backend.stop();
    assert!(begun.elapsed() < Duration::from_secs(10));
}

/// The endpoint next to a production server: encrypted, and for signed requests only.
#[test]
fn the_dynamodb_endpoint_is_encrypted_and_needs_signatures() {
    let folder = tempfile::tempdir().unwrap();
    let trusted = certificate(folder.path());
    let platform = designs().join("platform");
    std::fs::write(folder.path().join("keys.yaml"), "").unwrap();
    let flags = ["--machine-keys", "keys.yaml", "--dynamodb-port", "0"];
    let tls = ["--tls-certificate", "server.pem", "--tls-key", "server.key"];
    let arguments = [&[platform.to_str().unwrap()][..], &flags, &tls].concat();
    assert_eq!(
        refused(folder.path(), &[&["serve"][..], &arguments].concat()),
        "error: the DynamoDB endpoint would be open to every caller on this machine: use --dynamodb-credentials FILE, or \
         --dynamodb-port none\n"
    );
    assert!(!folder.path().join("data").exists());
    write_privately(&folder.path().join("credentials"), "KEY SECRET\n");
    let arguments = [&arguments[..], &["--dynamodb-credentials", "credentials"]].concat();
    let backend = Backend::start(folder.path(), &arguments);
    let printed = backend.printed();
    assert!(printed.contains("keyfold: DynamoDB endpoint at https://127.0.0.1:"), "{printed}");
    assert!(printed.contains(", for signed requests"), "{printed}");
    let address = backend.dynamodb.clone().unwrap();
    let stream = connect(address.strip_prefix("https://").unwrap(), &trusted);
    let target = "x-amz-target: DynamoDB_20120810.ListTables\r\n";
    let (status, _, body) = exchange(stream, target, "POST", "/", Some(&json!({})));
    assert_eq!(status, 400);
    assert_eq!(body["__type"], "com.amazon.coral.service#MissingAuthenticationTokenException");
}

#[test]
fn invalid_files_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    certificate(folder.path());
    let other = tempfile::tempdir().unwrap();
    certificate(other.path());
    let platform = designs().join("platform");
    let other_key = other.path().join("server.key");
    let with = |certificate: &str, key: &str| {
        let files = ["--tls-certificate", certificate, "--tls-key", key];
        refused(folder.path(), &[&["serve", "--dev", platform.to_str().unwrap()][..], &files].concat())
    };
    assert!(with("none.pem", "server.key").starts_with("error: the certificate `none.pem` cannot be read: "));
    assert!(with("server.pem", "none.key").starts_with("error: cannot read `none.key`: "));
    assert_eq!(with("server.key", "server.key"), "error: `server.key` holds no certificate\n");
    let mixed = with("server.pem", other_key.to_str().unwrap());
    assert!(mixed.starts_with("error: certificate and key do not match: "), "{mixed}");
}
