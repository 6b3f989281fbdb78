//! 401, 403 or 404: the one place that says which.
//!
//! Without a token it is 401. With one, what is not allowed is 403 where the caller may know that such things exist, and
//! 404 otherwise. An item that the caller may not see is as absent as one that never was; the runtime sees to that.

use keyfold_design::model::EntityId;
use keyfold_runtime::{Caller, Error};

use crate::problem::Problem;
use crate::served::ServedDesign;

/// An error of the runtime about some entities, as this caller may hear it.
pub fn of(served: &ServedDesign, caller: &Caller, entities: &[EntityId], error: Error) -> Problem {
    let Error::NotAllowed(_) = &error else { return error.into() };
    if caller.subject.is_none() {
        return Problem::unauthenticated("this needs a token");
    }
    let visible = |id: &EntityId| served.design().entity(*id).is_some_and(|entity| served.is_visible(caller, entity));
    let problem = if entities.iter().any(visible) { error.into() } else { Problem::nothing_here() };
    Problem { denied: true, ..problem }
}
