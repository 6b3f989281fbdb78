//! Clients from the AWS configuration.

use std::time::Duration;

use aws_config::meta::credentials::CredentialsProviderChain;
use aws_config::meta::region::RegionProviderChain;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, ConfigLoader, SdkConfig};
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Region;

use crate::capabilities::Capabilities;

/// A service in the same region accepts a connection within milliseconds; one on another continent within a second.
const CONNECT: Duration = Duration::from_secs(3);
/// The largest page or transaction takes a small part of this.
const ATTEMPT: Duration = Duration::from_secs(10);
/// All attempts of one request together.
pub(crate) const OPERATION: Duration = Duration::from_secs(30);
/// The first attempt included.
pub(crate) const ATTEMPTS: u32 = 6;
/// The longest back-off after the first attempt; it doubles with each further one.
pub(crate) const INITIAL_BACKOFF: Duration = Duration::from_millis(25);
/// The longest back-off after any attempt.
pub(crate) const MAX_BACKOFF: Duration = Duration::from_secs(2);

/// The service to connect to, and its capabilities.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The URL of a service with DynamoDB's protocol; absent: the AWS configuration determines it.
    pub endpoint: Option<String>,
    /// What the service supports; by default everything that DynamoDB does.
    pub capabilities: Capabilities,
}

/// Two clients on the same connections.
pub(crate) struct Clients {
    /// Retries transient failures; for idempotent requests.
    pub(crate) retrying: Client,
    /// Does not retry.
    pub(crate) single_attempt: Client,
}

pub(crate) async fn connect(endpoint: Option<&str>) -> Clients {
    let loader = aws_config::defaults(BehaviorVersion::latest());
    let shared = match endpoint {
        Some(endpoint) if !is_amazon(endpoint) => with_placeholders(loader).endpoint_url(endpoint).load().await,
        Some(endpoint) => loader.endpoint_url(endpoint).load().await,
        None => loader.load().await,
    };
    let retries = RetryConfig::standard()
        .with_max_attempts(ATTEMPTS)
        .with_initial_backoff(INITIAL_BACKOFF)
        .with_max_backoff(MAX_BACKOFF);
    Clients { retrying: client(&shared, retries), single_attempt: client(&shared, RetryConfig::disabled()) }
}

fn client(shared: &SdkConfig, retries: RetryConfig) -> Client {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(CONNECT)
        .operation_attempt_timeout(ATTEMPT)
        .operation_timeout(OPERATION)
        .build();
    let config = aws_sdk_dynamodb::config::Builder::from(shared).retry_config(retries).timeout_config(timeouts).build();
    Client::from_conf(config)
}

/// For services other than Amazon's: credentials and region come from the environment or a profile, with placeholders
/// as the default. The metadata service of a cloud machine is not queried.
fn with_placeholders(loader: ConfigLoader) -> ConfigLoader {
    let credentials = CredentialsProviderChain::first_try(
        "Environment",
        aws_config::environment::EnvironmentVariableCredentialsProvider::new(),
    )
    .or_else("Profile", aws_config::profile::ProfileFileCredentialsProvider::builder().build())
    .or_else("Placeholder", Credentials::new("keyfold", "keyfold", None, None, "Placeholder"));
    let region = RegionProviderChain::first_try(aws_config::environment::EnvironmentVariableRegionProvider::new())
        .or_else(aws_config::profile::ProfileFileRegionProvider::new())
        .or_else(Region::from_static("us-east-1"));
    loader.credentials_provider(credentials).region(region)
}

/// Whether a URL is one of Amazon's own endpoints, where placeholder credentials are useless.
fn is_amazon(endpoint: &str) -> bool {
    let after_scheme = endpoint.split_once("://").map_or(endpoint, |(_, rest)| rest);
    let host = after_scheme.split(['/', ':']).next().unwrap_or_default();
    ["amazonaws.com", "amazonaws.com.cn", "api.aws"]
        .iter()
        .any(|domain| host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amazon_endpoints_are_recognized() {
        for amazon in [
            "https://dynamodb.eu-west-1.amazonaws.com",
            "https://1.ddb.eu-west-1.amazonaws.com:443/",
            "https://x.api.aws",
        ] {
            assert!(is_amazon(amazon), "{amazon}");
        }
        for other in [
            "http://127.0.0.1:8000",
            "http://amazonaws.com.example.org",
            "https://notamazonaws.com",
            "http://[::1]:8000",
        ] {
            assert!(!is_amazon(other), "{other}");
        }
    }
}
