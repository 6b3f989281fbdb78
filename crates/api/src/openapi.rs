//! What the OpenAPI document of a design says of the server.

use keyfold_generate::openapi::{AuditLog, Server};

use crate::limits::Limits;
use crate::problem::Kind;
use crate::routes::audit;

/// The server as OpenAPI documents describe it: its limits, and whether it accepts idempotency keys and keeps an audit log.
pub fn openapi_server(limits: &Limits, idempotency: bool, audit_log: bool) -> Server {
    Server {
        page_limit: limits.page,
        problem_codes: Kind::ALL.iter().map(|kind| kind.code).collect(),
        idempotency,
        audit_log: audit_log.then(|| AuditLog {
            verbs: audit::VERBS.to_vec(),
            outcomes: audit::OUTCOMES.to_vec(),
            default_page: audit::DEFAULT_PAGE,
            page_limit: audit::PAGE_LIMIT,
        }),
    }
}
