//! Every setting of `keyfold serve`. Flags, variables, the configuration file, `keyfold config show` and the
//! documentation are generated from this table.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use keyfold_api::identity::{Algorithm, PublicUrl, SessionToken};
use keyfold_api::{Cors, Rate};

use super::read::{self, RateStore, Secret, TokenSecret};
use super::setting::{About, AnySetting, Form, Setting};
use crate::backend::{BackendPlace, DEFAULT_FOLDER};
use crate::logging::LogFormat;

macro_rules! settings {
    ($($section:literal { $($name:ident: $type:ty = $setting:expr;)* })*) => {
        $($(pub(crate) static $name: Setting<$type> = $setting.section($section);)*)*
        /// All settings, in display order.
        pub(crate) static ALL: &[&dyn AnySetting] = &[$($(&$name),*),*];
    };
}

use Form::{Arguments, ConfigurationFile, Many, One, Switch};

settings! {
    "Designs and tables" {
        DESIGNS: Vec<PathBuf> = Setting::new("designs", "DESIGN", Arguments,
            "Designs: files, or folders with a design.yaml, policies/*.cedar and sample data", read::paths).path();
        CONFIG: PathBuf = Setting::new("config", "FILE", ConfigurationFile,
            "Configuration file; by default keyfold.yaml in the working directory, if it exists", read::path);
        DEV: bool = Setting::new("dev", "on|off", Switch,
            "Development mode: print tokens for sample users and load sample data into new tables. Loopback only; not for \
             production", read::switch).default_value("off").group("token signing");
        DATA: PathBuf = Setting::new("data", "DIR", One,
            "Data folder of the embedded engine", read::path).path().default_value(DEFAULT_FOLDER).group("backend");
        DISK_RESERVE: usize = Setting::new("disk-reserve", "SIZE", One,
            "Free disk space below which the embedded engine accepts only reads and deletes; at most a tenth of the disk, or \
             more if the store needs it; 0 for none", read::bytes_or_none).default_value("256MiB");
        STORE_TIMEOUT: Duration = Setting::new("store-timeout", "TIME", One,
            "Time after which the server gives up a store that does not respond, cannot be reopened or cannot be closed",
            read::duration).default_value("30s");
        AWS: bool = Setting::new("aws", "on|off", Switch,
            "Use Amazon DynamoDB with the standard AWS configuration: AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB",
            read::switch).default_value("off").group("backend");
        ENDPOINT: BackendPlace = Setting::new("endpoint", "URL", One,
            "Use another service that speaks the DynamoDB protocol: `keyfold engine serve`, DynamoDB Local",
            read::service).group("backend");
        ALTERNATOR: BackendPlace = Setting::new("alternator", "URL", One,
            "Use a ScyllaDB cluster with Alternator, which has no transactions", read::alternator).group("backend");
        CURSOR_SECRET: Secret = Setting::new("cursor-secret-file", "FILE", Form::Secret,
            "File with the secret that encrypts cursors, shared by several servers; by default one is generated and stored",
            read::secret).path();
    }
    "Network" {
        HOST: IpAddr = Setting::new("host", "ADDRESS", One, "Address to listen on", read::address)
            .default_value("127.0.0.1");
        PORT: u16 = Setting::new("port", "PORT", One,
            "Port of the REST API; 0 lets the system choose one", read::port).default_value("8080");
        DYNAMODB_PORT: Option<u16> = Setting::new("dynamodb-port", "PORT|none", One,
            "Port of an additional DynamoDB endpoint for the embedded engine; it requires `dynamodb-credentials`, except in \
             development mode", read::port_or_none).default_by_mode("8000", "none");
        DYNAMODB_HOST: IpAddr = Setting::new("dynamodb-host", "ADDRESS", One,
            "Address of the DynamoDB endpoint; TLS as for the REST API", read::address).default_value("127.0.0.1");
        DYNAMODB_CREDENTIALS: PathBuf = Setting::new("dynamodb-credentials", "FILE", One,
            "File with the access keys of the DynamoDB endpoint, one line `ACCESS_KEY_ID SECRET_KEY [read-only] \
             [tables=NAME,…]` each; reloaded when it changes", read::path).path();
        DYNAMODB_ALLOWED_HOSTS: Vec<String> = Setting::new("dynamodb-allowed-hosts", "NAME", Many,
            "Host names that requests to the open DynamoDB endpoint of the development mode may use, besides `localhost` and \
             addresses of the loopback interface", read::texts);
    }
    "CORS and TLS" {
        CORS_ORIGINS: Cors = Setting::new("cors-origins", "ORIGIN", Many,
            "Origins allowed to call the API from web pages, for example https://app.example.com; `*` allows all", read::cors);
        TLS_CERTIFICATE: PathBuf = Setting::new("tls-certificate", "FILE", One,
            "TLS certificate chain, PEM; reloaded when it changes",
            read::path).path();
        TLS_KEY: PathBuf = Setting::new("tls-key", "FILE", One, "Private key of the certificate, PEM", read::path).path();
        PLAIN_HTTP: bool = Setting::new("plain-http", "on|off", Switch,
            "Allow plain HTTP on addresses other than loopback, behind a proxy that terminates TLS", read::switch)
            .default_value("off");
        PUBLIC_DOCS: bool = Setting::new("public-docs", "on|off", One,
            "Serve API documents and metrics without authentication", read::switch)
            .default_by_mode("on", "off");
    }
    "Authentication" {
        JWKS: String = Setting::new("jwks", "URL|FILE", One,
            "JSON Web Key Set that verifies tokens: an https:// URL, or a file",
            read::text).path().group("token signing");
        TOKEN_SECRET: TokenSecret = Setting::new("token-secret-file", "FILE", Form::Secret,
            "File with the secret that tokens are signed with; reloaded when it changes", read::token_secret).path().group("token signing");
        ISSUER: String = Setting::new("issuer", "ISSUER", One,
            "Required issuer of tokens (`iss`). Without `jwks` and `token-secret-file`, it is the https:// URL below which the \
             issuer publishes .well-known/openid-configuration, which names its keys", read::text);
        ISSUERS: PathBuf = Setting::new("issuers", "FILE", One,
            "File with several issuers, each with its own keys, audiences and claims",
            read::path).path().group("token signing");
        AUDIENCE: Vec<String> = Setting::new("audience", "AUDIENCE", Many,
            "Accepted audience of tokens (`aud`); repeatable, one must match. `DESIGN=AUDIENCE` accepts tokens for one design",
            read::texts);
        ALGORITHMS: Vec<Algorithm> = Setting::new("algorithms", "NAME", Many,
            "Accepted signature algorithms; by default all that are safe for the type of key", read::algorithms);
        CLOCK_SKEW: Duration = Setting::new("clock-skew", "TIME", One,
            "Tolerated clock difference between issuer and server", read::duration).default_value("30s");
        SUBJECT_CLAIM: String = Setting::new("subject-claim", "CLAIM", One,
            "Claim with the subject; `a.b` is the claim b inside the claim a", read::text).default_value("sub");
        TENANT_CLAIM: Vec<String> = Setting::new("tenant-claim", "CLAIM", Many,
            "Claim with the tenant; `DESIGN=CLAIM` for one design", read::texts).default_value("tenant");
        ROLE_CLAIMS: Vec<String> = Setting::new("role-claims", "CLAIM", Many,
            "Claims with the roles; `DESIGN=CLAIM` for one design", read::texts).default_value("roles");
        DESIGN_CLAIM: String = Setting::new("design-claim", "CLAIM", One,
            "Claim with the designs that a token is for; required if several designs are served", read::text)
            .default_value("designs");
        MACHINE_KEYS: PathBuf = Setting::new("machine-keys", "FILE", One,
            "File with the hashed machine keys", read::path).path();
        MACHINE_KEY_USES: PathBuf = Setting::new("machine-key-uses", "FILE", One,
            "File with the time at which each machine key was used last; by default next to `machine-keys`, with `.used` appended",
            read::path).path();
        MACHINE_KEY_API: bool = Setting::new("machine-key-api", "on|off", Switch,
            "Let `server:operator` create, rotate and revoke machine keys over REST: the server writes the file of `machine-keys`",
            read::switch).default_value("off");
        REVOCATIONS: PathBuf = Setting::new("revocations", "FILE", One,
            "File with revoked tokens, as `keyfold token revoke` writes it; reloaded when it changes", read::path).path();
    }
    "Sign-in" {
        SIGN_IN_CLIENT_ID: String = Setting::new("sign-in-client-id", "ID", One,
            "Client as which people sign in with a browser at the issuer; off without it", read::text);
        SIGN_IN_CLIENT_SECRET: Secret = Setting::new("sign-in-client-secret-file", "FILE", Form::Secret,
            "File with the secret of the client; none for a public client", read::secret).path();
        SIGN_IN_SCOPES: Vec<String> = Setting::new("sign-in-scopes", "SCOPE", Many,
            "Scopes to request, besides `openid`", read::texts);
        SIGN_IN_PARAMETERS: Vec<(String, String)> = Setting::new("sign-in-parameters", "NAME=VALUE", Many,
            "Further parameters of the authorization request, such as `resource` or `audience`", read::pairs);
        SIGN_IN_TOKEN: SessionToken = Setting::new("sign-in-token", "access|id", One,
            "Token that says who is signed in: the access token, which has to be a JWT for one of the audiences, or the ID token",
            read::session_token).default_value("access");
        PUBLIC_URL: PublicUrl = Setting::new("public-url", "URL", One,
            "URL at which browsers reach this server, for example https://api.example.com", read::public_url);
        SESSION_SECRET: Secret = Setting::new("session-secret-file", "FILE", Form::Secret,
            "File with the secret that encrypts sessions, at least 32 bytes, shared by several servers", read::secret).path();
        SESSION_LIFETIME: Duration = Setting::new("session-lifetime", "TIME", One,
            "Time after which people have to sign in again", read::duration).default_value("720m");
    }
    "Concurrency, idempotency and audit log" {
        REQUIRE_VERSIONS: bool = Setting::new("require-versions", "on|off", Switch,
            "Require If-Match for changes to versioned items", read::switch).default_value("off");
        IDEMPOTENCY: bool = Setting::new("idempotency", "on|off", One,
            "Store responses by Idempotency-Key for 24 hours and replay them", read::switch).default_value("on");
        AUDIT: bool = Setting::new("audit", "on|off", One,
            "Write an audit log", read::switch).default_value("on");
        AUDIT_DAYS: u32 = Setting::new("audit-days", "DAYS", One,
            "Retention of the audit log", read::days).default_value("365");
        AUDIT_READERS: Vec<String> = Setting::new("audit-readers", "ROLE", Many,
            "Roles that may read the audit log of their own tenant; operators may read all", read::texts)
            .default_value("auditor");
        AUDIT_TABLE: String = Setting::new("audit-table", "NAME", One,
            "Table for stored responses and the audit log", read::text).default_value("keyfold_audit");
    }
    "Limits" {
        MAX_BODY: usize = Setting::new("max-body", "SIZE", One,
            "Maximum size of a request body; 64KiB at most without a token", read::bytes).default_value("6MiB");
        MAX_DEPTH: usize = Setting::new("max-depth", "LEVELS", One,
            "Maximum nesting of a JSON body", read::count).default_value("40");
        MAX_PAGE: usize = Setting::new("max-page", "RESULTS", One, "Maximum page size", read::count)
            .default_value("1000");
        MAX_REQUESTS: usize = Setting::new("max-requests", "COUNT", One,
            "Maximum number of concurrent requests; further ones get 503, and so do those of one address or subject with more \
             than two thirds of them", read::count).default_value("1024");
        MAX_CONNECTIONS: usize = Setting::new("max-connections", "COUNT", One,
            "Maximum number of open connections; when the limit is reached, idle connections, and slow ones of clients that hold many, \
             are closed to admit new ones", read::count).default_value("4096");
        HEAD_TIMEOUT: Duration = Setting::new("head-timeout", "TIME", One,
            "Time to receive the head of a request, from its first byte; also the maximum idle time of a connection", read::duration)
            .default_value("30s");
        BODY_TIMEOUT: Duration = Setting::new("body-timeout", "TIME", One,
            "Time to receive the body of a request, from the end of the head", read::duration).default_value("20s");
        REQUEST_TIMEOUT: Duration = Setting::new("request-timeout", "TIME", One,
            "Time to process a request", read::duration).default_value("30s");
        WRITE_TIMEOUT: Duration = Setting::new("write-timeout", "TIME", One,
            "Time after which a client that reads nothing of its response is disconnected", read::duration).default_value("30s");
        DRAIN_TIMEOUT: Duration = Setting::new("drain-timeout", "TIME", One,
            "Time for requests in flight to complete during shutdown", read::duration).default_value("20s");
        MEMBERSHIP_CACHE: Duration = Setting::new("membership-cache", "TIME", One,
            "How long groups and permissions from the table are cached; at most 1s where a design requires items of its callers", read::duration).default_value("2s");
    }
    "Rate limits" {
        RATE_SUBJECT: Option<Rate> = Setting::new("rate-subject", "RATE|off", One,
            "Rate limit per subject: 50/s, 3000/m, 100000/h", read::rate).default_by_mode("off", "6000/m");
        RATE_TENANT: Option<Rate> = Setting::new("rate-tenant", "RATE|off", One,
            "Rate limit per tenant, for all its subjects together", read::rate).default_by_mode("off", "60000/m");
        RATE_ADDRESS: Option<Rate> = Setting::new("rate-address", "RATE|off", One,
            "Rate limit per IP address, for requests without a valid token or key",
            read::rate).default_by_mode("off", "600/m");
        RATE_SIGN_UP: Option<Rate> = Setting::new("rate-sign-up", "RATE|off", One,
            "Rate limit of first sign-ins, which create users, per IP address and issuer",
            read::rate).default_by_mode("off", "60/m");
        RATE_STORE: RateStore = Setting::new("rate-store", "memory|table", One,
            "Where requests are counted: in the memory of this process, or in a table that several processes share",
            read::rate_store).default_value("memory");
        RATE_TABLE: String = Setting::new("rate-table", "NAME", One,
            "Table for the counts of `rate-store` table", read::text).default_value("keyfold_rates");
        PROXIES: usize = Setting::new("proxies", "COUNT", One,
            "Number of proxies in front that append to X-Forwarded-For, to determine client addresses", read::number)
            .default_value("0");
    }
    "Logging" {
        LOG: String = Setting::new("log", "FILTER", One,
            "Log filter: error, warn, info (one line per request), or per component, for example warn,keyfold_api=debug",
            read::log_filter).default_by_mode("warn", "info");
        LOG_FILE: PathBuf = Setting::new("log-file", "FILE", One,
            "File to append the log to, instead of standard error; SIGHUP reopens it", read::path).path();
        LOG_FORMAT: LogFormat = Setting::new("log-format", "text|json", One, "Log format", read::log_format)
            .default_value("text");
    }
}

/// Of an issuer in the file of issuers only: elsewhere, `designs` are those of the server.
pub(crate) static ISSUER_DESIGNS: Setting<Vec<String>> =
    Setting::new("designs", "DESIGN", Many, "Designs that the issuer is trusted with; by default all", read::texts);

/// Of an issuer in the file of issuers only: a single one shares its subjects with nobody.
pub(crate) static SHARES_SUBJECTS: Setting<bool> = Setting::new(
    "shares-subjects",
    "on|off",
    One,
    "Whether a subject is the same person in the tokens of all issuers of which this is said; by default off",
    read::switch,
);

/// The settings that each issuer has.
pub(crate) static OF_ISSUERS: &[&dyn AnySetting] = &[
    &ISSUER,
    &JWKS,
    &TOKEN_SECRET,
    &AUDIENCE,
    &ALGORITHMS,
    &CLOCK_SKEW,
    &SUBJECT_CLAIM,
    &TENANT_CLAIM,
    &ROLE_CLAIMS,
    &DESIGN_CLAIM,
    &ISSUER_DESIGNS,
    &SHARES_SUBJECTS,
    &SIGN_IN_CLIENT_ID,
    &SIGN_IN_CLIENT_SECRET,
    &SIGN_IN_SCOPES,
    &SIGN_IN_PARAMETERS,
    &SIGN_IN_TOKEN,
];

/// The descriptions of the settings of each issuer.
pub(crate) fn about_issuers() -> impl Iterator<Item = &'static About> {
    OF_ISSUERS.iter().map(|setting| setting.about())
}

/// The descriptions of all settings.
pub(crate) fn about() -> impl Iterator<Item = &'static About> {
    ALL.iter().map(|setting| setting.about())
}

/// The groups of mutually exclusive settings.
pub(crate) fn groups() -> Vec<&'static str> {
    let mut groups: Vec<_> = about().filter_map(|about| about.group).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}
