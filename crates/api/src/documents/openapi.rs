//! The server's part of the OpenAPI document of a design.

use keyfold_generate::openapi::{AuditLog, Server};

use crate::change_records::audit_log;
use crate::limits::Limits;
use crate::response::problem::ProblemKind;

/// The server as OpenAPI documents describe it: its limits, and whether it accepts idempotency keys and keeps an audit
/// log.
pub fn openapi_server(limits: &Limits, idempotency: bool, audit_log: bool) -> Server {
    Server {
        page_limit: limits.page,
        problem_codes: ProblemKind::ALL.iter().map(|kind| kind.code).collect(),
        idempotency,
        audit_log: audit_log.then(|| AuditLog {
            verbs: audit_log::VERBS.to_vec(),
            outcomes: audit_log::OUTCOMES.to_vec(),
            default_page: audit_log::DEFAULT_PAGE as usize,
            page_limit: audit_log::PAGE_LIMIT as usize,
        }),
    }
}
