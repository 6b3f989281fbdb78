//! 401, 403 or 404: the one place that decides which.
//!
//! Without a token it is 401. With one, what is not allowed is 403 where the caller may know that such things exist,
//! and 404 otherwise. An item that the caller may not see is
//! indistinguishable from an item that does not exist; the runtime ensures that.

use keyfold_design::model::EntityId;
use keyfold_runtime::{Caller, Error};

use crate::response::problem::Problem;
use crate::served_design::ServedDesign;

/// The problem for an error of the runtime about some entities, as far as this caller may know it.
pub(crate) fn problem_for(served: &ServedDesign, caller: &Caller, entities: &[EntityId], error: Error) -> Problem {
    if !matches!(error, Error::NotAllowed(_) | Error::NotSettable(_)) {
        return error.into();
    }
    if caller.subject.is_none() {
        return Problem::token_required();
    }
    let visible = |id: &EntityId| served.is_visible(caller, &served.design()[*id]);
    // A caller who may write an item knows that there are such items.
    let is_known = matches!(error, Error::NotSettable(_)) || entities.iter().any(visible);
    let problem = if is_known { error.into() } else { Problem::no_resource() };
    Problem { denied: true, ..problem }
}
