//! Writes that the design rejects for every caller.

use keyfold_design::model::{DeleteRule, Entity};

use crate::error::Error;
use crate::write::command::DeleteOptions;

/// Rejects attributes that callers cannot set: unknown ones, and those that Keyfold maintains.
pub(super) fn reject_unsettable<'n>(entity: &Entity, given: impl Iterator<Item = &'n str>) -> Result<(), Error> {
    for name in given {
        let Some(attribute) = entity.attribute(name) else {
            let computed = entity.layout.computed_names().any(|computed| computed == name);
            if entity.open && !computed && !name.starts_with("kf_") {
                continue;
            }
            let reason = if computed { "is computed from other attributes" } else { "is not an attribute" };
            return Err(Error::constraint(name, Some(name), format!("`{name}` {reason} of {}", entity.name)));
        };
        let reason = match &attribute.same_as {
            Some(other) => format!("always equals `{other}`"),
            None if attribute.computed.is_some() => "is computed from other attributes".to_owned(),
            None if attribute.value_type.is_kept_by_runtime() => "is maintained by Keyfold".to_owned(),
            None if entity.is_counter(name) => "counts the items that refer to it".to_owned(),
            None => continue,
        };
        return Err(Error::constraint(name, Some(name), format!("`{name}` {reason} and cannot be set")));
    }
    Ok(())
}

/// Rejects changes of items that are only ever added.
pub(super) fn require_updatable(entity: &Entity) -> Result<(), Error> {
    if entity.append_only {
        let message = format!("{} is append-only: items cannot be changed", entity.name);
        return Err(Error::constraint("append only", None, message));
    }
    Ok(())
}

/// Rejects deletes of items that cannot be deleted, and options that the entity does not offer.
pub(crate) fn require_deletable(entity: &Entity, options: DeleteOptions) -> Result<(), Error> {
    if entity.append_only || entity.delete == DeleteRule::Never {
        let message = format!("{} cannot be deleted", entity.name);
        return Err(Error::constraint("delete", None, message));
    }
    options.require_offered(entity)
}
