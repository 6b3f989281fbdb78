//! Every setting of the backend. Flags, variables, the file, `keyfold config show` and the manual are made of this table.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use keyfold_api::identity::Algorithm;
use keyfold_api::{Cors, Rate};

use super::read::{self, Secret};
use super::setting::{About, AnySetting, Form, Setting};
use crate::backend::{BackendPlace, DEFAULT_FOLDER};
use crate::logging::Format;

macro_rules! settings {
    ($($section:literal { $($name:ident: $type:ty = $setting:expr;)* })*) => {
        $($(pub static $name: Setting<$type> = $setting.section($section);)*)*
        /// All of them, in the order in which they are shown.
        pub static ALL: &[&dyn AnySetting] = &[$($(&$name),*),*];
    };
}

use Form::{Arguments, ConfigurationFile, Many, One, Switch};

settings! {
    "Designs and their table" {
        DESIGNS: Vec<PathBuf> = Setting::new("designs", "DESIGN", Arguments,
            "The designs: files, or folders with a design.yaml, policies/*.cedar and sample data", read::paths).path();
        CONFIG: PathBuf = Setting::new("config", "FILE", ConfigurationFile,
            "The file with settings; keyfold.yaml where it is started, if there is one", read::path);
        DEV: bool = Setting::new("dev", "on|off", Switch,
            "Make tokens for sample people, print them, and load sample data into new tables. On loopback only, and not \
             for production", read::switch).standard("off").group("who signs tokens");
        DATA: PathBuf = Setting::new("data", "DIR", One,
            "The folder of the embedded engine's data", read::path).path().standard(DEFAULT_FOLDER).group("place");
        AWS: bool = Setting::new("aws", "on|off", Switch,
            "Amazon DynamoDB, by the configuration of AWS's own tools: AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB",
            read::switch).standard("off").group("place");
        ENDPOINT: BackendPlace = Setting::new("endpoint", "URL", One,
            "Another service that speaks DynamoDB's protocol: `keyfold engine serve`, DynamoDB Local",
            read::service).group("place");
        ALTERNATOR: BackendPlace = Setting::new("alternator", "URL", One,
            "A ScyllaDB cluster with Alternator, which has no transactions", read::alternator).group("place");
        CURSOR_SECRET: Secret = Setting::new("cursor-secret-file", "FILE", Form::Secret,
            "A file with the secret that seals cursors, for servers that share it; otherwise one is made and kept",
            read::secret).path();
    }
    "Listening" {
        HOST: IpAddr = Setting::new("host", "ADDRESS", One, "The address to listen on", read::address)
            .standard("127.0.0.1");
        PORT: u16 = Setting::new("port", "PORT", One,
            "The port of the REST backend; 0 lets the system choose one", read::port).standard("8080");
        DYNAMODB_PORT: Option<u16> = Setting::new("dynamodb-port", "PORT|none", One,
            "The port of a DynamoDB endpoint beside it, where the embedded engine is used: on loopback, for every caller \
             on this machine", read::port_or_none).standard_by_mode("8000", "none");
    }
    "Web pages and transport" {
        CORS_ORIGINS: Cors = Setting::new("cors-origins", "ORIGIN", Many,
            "The origins whose web pages may use the backend, as in https://app.example.com; `*` for all", read::cors);
        TLS_CERTIFICATE: PathBuf = Setting::new("tls-certificate", "FILE", One,
            "The certificate to serve TLS with, and those that it rests on, as PEM; read again when it changes",
            read::path).path();
        TLS_KEY: PathBuf = Setting::new("tls-key", "FILE", One, "Its private key, as PEM", read::path).path();
        PLAIN_HTTP: bool = Setting::new("plain-http", "on|off", Switch,
            "Listen without TLS on an address that others can reach: a proxy in front speaks TLS", read::switch)
            .standard("off");
        OPEN_DOCUMENTS: bool = Setting::new("open-documents", "on|off", One,
            "Give the documents of the designs to everyone, and the metrics as well", read::switch)
            .standard_by_mode("on", "off");
    }
    "Who calls" {
        JWKS: String = Setting::new("jwks", "URL|FILE", One,
            "Where the keys are that tokens are checked with: an https:// address, or a file",
            read::text).path().group("who signs tokens");
        TOKEN_SECRET: Secret = Setting::new("token-secret-file", "FILE", Form::Secret,
            "A file with the secret that tokens are signed with", read::secret).path().group("who signs tokens");
        ISSUER: String = Setting::new("issuer", "ISSUER", One, "Who has to have issued a token", read::text);
        AUDIENCE: Vec<String> = Setting::new("audience", "AUDIENCE", Many,
            "Whom a token has to be for; one of several", read::texts);
        ALGORITHMS: Vec<Algorithm> = Setting::new("algorithms", "NAME", Many,
            "The algorithms that may sign tokens; by default those that are safe for the kind of keys", read::algorithms);
        CLOCK_SKEW: Duration = Setting::new("clock-skew", "TIME", One,
            "How far the clocks of issuer and server may be apart", read::duration).standard("30s");
        SUBJECT_CLAIM: String = Setting::new("subject-claim", "CLAIM", One,
            "The claim with the subject; `a.b` is the claim b of the claim a", read::text).standard("sub");
        TENANT_CLAIM: String = Setting::new("tenant-claim", "CLAIM", One,
            "The claim with the tenant", read::text).standard("tenant");
        ROLE_CLAIMS: Vec<String> = Setting::new("role-claims", "CLAIM", Many,
            "The claims with the roles", read::texts).standard("roles");
        MACHINE_KEYS: PathBuf = Setting::new("machine-keys", "FILE", One,
            "The file with the hashed keys of machines", read::path).path();
    }
    "Changes" {
        DEMAND_VERSIONS: bool = Setting::new("demand-versions", "on|off", Switch,
            "Refuse changes of items with a version that do not name one in If-Match", read::switch).standard("off");
        IDEMPOTENCY: bool = Setting::new("idempotency", "on|off", One,
            "Keep answers by Idempotency-Key for 24 hours, and replay them", read::switch).standard("on");
        AUDIT: bool = Setting::new("audit", "on|off", One,
            "Keep a log of who changed what", read::switch).standard("on");
        AUDIT_DAYS: u32 = Setting::new("audit-days", "DAYS", One,
            "How long entries of the log are kept", read::days).standard("365");
        AUDIT_READERS: Vec<String> = Setting::new("audit-readers", "ROLE", Many,
            "The roles that may read the log of their own tenant; operators may read all", read::texts)
            .standard("auditor");
        JOURNAL_TABLE: String = Setting::new("journal-table", "NAME", One,
            "The table that holds both", read::text).standard("keyfold_journal");
    }
    "Limits" {
        MAX_BODY: usize = Setting::new("max-body", "SIZE", One,
            "The largest body of a request", read::bytes).standard("6MiB");
        MAX_DEPTH: usize = Setting::new("max-depth", "LEVELS", One,
            "The deepest nesting of a JSON body", read::count).standard("40");
        MAX_PAGE: usize = Setting::new("max-page", "RESULTS", One, "The most results of a page", read::count)
            .standard("1000");
        MAX_REQUESTS: usize = Setting::new("max-requests", "COUNT", One,
            "The most requests that are answered at once; others get 503", read::count).standard("1024");
        MAX_CONNECTIONS: usize = Setting::new("max-connections", "COUNT", One,
            "The most open connections; idle ones make room for new ones, which wait until there is some", read::count).standard("4096");
        HEAD_TIMEOUT: Duration = Setting::new("head-timeout", "TIME", One,
            "From the first byte of a request to the end of its head; also how long a connection may be idle", read::duration)
            .standard("30s");
        BODY_TIMEOUT: Duration = Setting::new("body-timeout", "TIME", One,
            "From the end of the head to the end of the body", read::duration).standard("20s");
        REQUEST_TIMEOUT: Duration = Setting::new("request-timeout", "TIME", One,
            "How long a request may take once it is read", read::duration).standard("30s");
        WRITE_TIMEOUT: Duration = Setting::new("write-timeout", "TIME", One,
            "How long a client may take nothing of its answer", read::duration).standard("30s");
        DRAIN_TIMEOUT: Duration = Setting::new("drain-timeout", "TIME", One,
            "How long requests in flight may take once the server is asked to stop", read::duration).standard("20s");
        MEMBERSHIP_CACHE: Duration = Setting::new("membership-cache", "TIME", One,
            "How long the groups and permissions that the table gives a caller are kept", read::duration).standard("2s");
    }
    "Rates" {
        RATE_SUBJECT: Option<Rate> = Setting::new("rate-subject", "RATE|off", One,
            "How many requests a subject may make: 50/s, 3000/m, 100000/h", read::rate).standard_by_mode("off", "6000/m");
        RATE_TENANT: Option<Rate> = Setting::new("rate-tenant", "RATE|off", One,
            "How many requests all subjects of a tenant may make together", read::rate).standard_by_mode("off", "60000/m");
        RATE_ADDRESS: Option<Rate> = Setting::new("rate-address", "RATE|off", One,
            "How many requests may come from an address without a token or key, or with one that does not count",
            read::rate).standard_by_mode("off", "600/m");
        PROXIES: usize = Setting::new("proxies", "COUNT", One,
            "The proxies in front that add to X-Forwarded-For, so that addresses are those of clients", read::number)
            .standard("0");
    }
    "Logs" {
        LOG: String = Setting::new("log", "FILTER", One,
            "What is logged: error, warn, info (one line for each request), or by part, as in warn,keyfold_api=debug",
            crate::logging::read_filter).standard_by_mode("warn", "info");
        LOG_FORMAT: Format = Setting::new("log-format", "text|json", One, "How it is written", crate::logging::read_format)
            .standard("text");
    }
}

/// What is known of each.
pub fn about() -> impl Iterator<Item = &'static About> {
    ALL.iter().map(|setting| setting.about())
}

/// The groups of settings that exclude each other.
pub fn groups() -> Vec<&'static str> {
    let mut groups: Vec<_> = about().filter_map(|about| about.group).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}
