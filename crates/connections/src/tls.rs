//! TLS with certificate files that are reloaded when they change.

use std::path::Path;
use std::sync::Arc;

use keyfold_environment::{Clock, FileChange, SecretFileError, WatchedFile, error_chain};
use parking_lot::{Mutex, RwLock};
use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate and its key.
pub struct Tls {
    certificate: WatchedFile,
    key: WatchedFile<SecretFileError>,
    /// As last read. A new certificate and its key are two changes.
    content: Mutex<Content>,
    config: RwLock<Arc<ServerConfig>>,
}

struct Content {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

/// Why TLS cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("the certificate `{path}` cannot be read")]
    Certificate { path: String, source: rustls::pki_types::pem::Error },
    #[error("`{0}` holds no certificate")]
    NoCertificate(String),
    #[error(transparent)]
    SecretFile(#[from] SecretFileError),
    #[error("the key `{path}` cannot be read")]
    Key { path: String, source: rustls::pki_types::pem::Error },
    #[error("certificate and key do not match")]
    Mismatch(#[source] rustls::Error),
}

impl Tls {
    /// Reads a chain of certificates, the server's own first, and its private key, both as PEM. New connections check
    /// the files for changes, on this clock.
    pub fn open(certificate: &Path, key: &Path, clock: Arc<dyn Clock>) -> Result<Self, TlsError> {
        let unreadable = |error| TlsError::Certificate { path: path_text(certificate), source: pem::Error::Io(error) };
        let (certificate, chain) = WatchedFile::open(certificate, Arc::clone(&clock)).map_err(unreadable)?;
        // The certificate is named first if both files are invalid.
        let _ = parse_chain(certificate.path(), &chain)?;
        let (key, secret) = WatchedFile::open_secret(key, clock)?;
        let content = Content { certificate: chain, key: secret };
        let config = RwLock::new(parse(certificate.path(), key.path(), &content)?);
        Ok(Self { certificate, key, content: Mutex::new(content), config })
    }

    /// The configuration for the next connection. If new files are invalid, the previous ones stay in use.
    pub fn config(&self) -> Arc<ServerConfig> {
        let (mut new_certificate, mut new_key) = (false, false);
        self.certificate.poll(|change| new_certificate = self.accept_certificate(change));
        self.key.poll(|change| new_key = self.accept_key(change));
        if new_certificate || new_key {
            self.use_content();
        }
        Arc::clone(&self.config.read())
    }

    /// Reads both files now, whether or not they have changed. If they are invalid, the previous ones stay in use.
    pub fn reload(&self) {
        let has_certificate = self.certificate.read_now(|change| self.accept_certificate(change));
        let has_key = self.key.read_now(|change| self.accept_key(change));
        if has_certificate && has_key {
            self.use_content();
        }
    }

    /// Whether there is new content.
    fn accept_certificate(&self, change: FileChange) -> bool {
        match change {
            FileChange::Changed(new) => self.content.lock().certificate = new,
            FileChange::Unreadable(error) => return log_unreadable(self.certificate.path(), &error),
        }
        true
    }

    /// Whether there is new content.
    fn accept_key(&self, change: FileChange<SecretFileError>) -> bool {
        match change {
            FileChange::Changed(new) => self.content.lock().key = new,
            FileChange::Unreadable(error) => return log_unreadable(self.key.path(), &error),
        }
        true
    }

    fn use_content(&self) {
        // Held until the configuration is in use: of two changes, the last one counts.
        let content = self.content.lock();
        match parse(self.certificate.path(), self.key.path(), &content) {
            Ok(config) => {
                *self.config.write() = config;
                tracing::info!("the certificate was reloaded");
            }
            Err(error) => {
                let error = error_chain(&error);
                tracing::error!(error, "the new certificate is invalid; the previous one stays in use");
            }
        }
    }
}

/// There is no new content.
fn log_unreadable(path: &Path, error: &dyn std::error::Error) -> bool {
    let error = error_chain(error);
    tracing::error!(error, path = %path.display(), "the new certificate cannot be read; the previous one stays in use");
    false
}

fn path_text(path: &Path) -> String {
    path.display().to_string()
}

fn parse_chain(path: &Path, content: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let invalid = |source| TlsError::Certificate { path: path_text(path), source };
    let chain: Vec<_> = CertificateDer::pem_slice_iter(content).collect::<Result<_, _>>().map_err(invalid)?;
    if chain.is_empty() { Err(TlsError::NoCertificate(path_text(path))) } else { Ok(chain) }
}

fn parse(certificate: &Path, key: &Path, content: &Content) -> Result<Arc<ServerConfig>, TlsError> {
    let chain = parse_chain(certificate, &content.certificate)?;
    let key =
        PrivateKeyDer::from_pem_slice(&content.key).map_err(|source| TlsError::Key { path: path_text(key), source })?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Mismatch)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(TlsError::Mismatch)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use keyfold_environment::ManualClock;

    use super::*;

    #[test]
    fn a_new_certificate_is_used_once_both_files_are_valid() {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = (folder.path().join("server.pem"), folder.path().join("server.key"));
        let write_key = |content: &str| {
            std::fs::write(&key, content).unwrap();
            std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
        };
        let generate = || rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let (one, two) = (generate(), generate());
        std::fs::write(&certificate, one.cert.pem()).unwrap();
        write_key(&one.signing_key.serialize_pem());
        let clock = Arc::new(ManualClock::default());
        let tls = Tls::open(&certificate, &key, Arc::clone(&clock) as Arc<dyn Clock>).unwrap();
        let first = tls.config();
        let is_first = || {
            clock.advance(1_000);
            Arc::ptr_eq(&tls.config(), &first)
        };
        assert!(is_first());
        std::fs::write(&certificate, two.cert.pem()).unwrap();
        assert!(is_first(), "the certificate does not match the key");
        std::fs::remove_file(&key).unwrap();
        assert!(is_first(), "there is no key");
        write_key("not PEM");
        assert!(is_first(), "the key is invalid");
        write_key(&two.signing_key.serialize_pem());
        assert!(!is_first());
        let second = tls.config();
        clock.advance(1_000);
        assert!(Arc::ptr_eq(&tls.config(), &second), "it is not reloaded without a change");
        tls.reload();
        let third = tls.config();
        assert!(!Arc::ptr_eq(&third, &second), "it is reloaded on demand");
        std::fs::remove_file(&key).unwrap();
        tls.reload();
        assert!(Arc::ptr_eq(&tls.config(), &third), "the previous one stays in use");
    }
}
