//! TLS with certificate files that are reloaded when they change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use keyfold_environment::{FileStamp, SecretFileError, read_secret_file};
use parking_lot::Mutex;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The shortest time between two checks of the files, which new connections trigger.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// A certificate and its key.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    state: Mutex<State>,
}

struct State {
    config: Arc<ServerConfig>,
    /// Of the files in use; absent while newer ones are invalid.
    stamps: Option<[FileStamp; 2]>,
    checked: Instant,
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
    /// Reads a chain of certificates, the server's own first, and its private key, both as PEM.
    pub fn open(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let stamps = stamps(certificate, key);
        let state = Mutex::new(State { config: read(certificate, key)?, stamps, checked: Instant::now() });
        Ok(Self { certificate: certificate.to_owned(), key: key.to_owned(), state })
    }

    /// The configuration for the next connection. If new files are invalid, the previous ones stay in use.
    pub fn config(&self) -> Arc<ServerConfig> {
        let mut state = self.state.lock();
        if state.checked.elapsed() >= CHECK_INTERVAL {
            state.checked = Instant::now();
            let stamps = stamps(&self.certificate, &self.key);
            if stamps.is_none() || stamps != state.stamps {
                let was_valid = state.stamps.is_some();
                match read(&self.certificate, &self.key) {
                    Ok(config) => {
                        state.stamps = stamps;
                        state.config = config;
                        tracing::info!("the certificate was reloaded");
                    }
                    // It is tried again every time, and logged once.
                    Err(error) => {
                        state.stamps = None;
                        if was_valid {
                            tracing::error!(%error, "the new certificate is invalid; the previous one stays in use");
                        }
                    }
                }
            }
        }
        Arc::clone(&state.config)
    }
}

fn stamps(certificate: &Path, key: &Path) -> Option<[FileStamp; 2]> {
    Some([FileStamp::read(certificate).ok()?, FileStamp::read(key).ok()?])
}

fn read(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let unreadable = |source| TlsError::Certificate { path: certificate.display().to_string(), source };
    let chain: Vec<CertificateDer<'static>> =
        CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect).map_err(unreadable)?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(certificate.display().to_string()));
    }
    let key = PrivateKeyDer::from_pem_slice(&read_secret_file(key)?)
        .map_err(|source| TlsError::Key { path: key.display().to_string(), source })?;
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
