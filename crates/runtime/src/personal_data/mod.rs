//! The personal data of one subject of a design: which items are theirs, and what is left of them after an erasure.

mod erase;
mod find;
mod placeholder;

use keyfold_design::Design;
use keyfold_design::model::{CallerItemKey, Entity};

pub use self::find::{PersonItem, PersonItems, PersonRelation, PersonSubjects};
use crate::caller::Caller;
use crate::error::Error;

/// The attributes of an entity that hold the subject of a person, and what that makes of its items.
fn subject_attributes<'d>(design: &'d Design, entity: &'d Entity) -> Vec<(&'d str, PersonRelation)> {
    let required = design.callers.requirements.iter().flat_map(|requirement| &requirement.alternatives);
    let persons = required.filter(|item| item.entity == entity.id).filter_map(|item| match &item.found_by {
        CallerItemKey::Subject { attribute, .. } => Some((attribute.as_str(), PersonRelation::Person)),
        CallerItemKey::Tenant => None,
    });
    let user = design.callers.users.as_ref().filter(|users| users.entity == entity.id).map(|users| &users.id);
    let member = design.callers.members.as_ref().filter(|members| members.entity == entity.id);
    let callers = user.into_iter().chain(member.map(|members| &members.subject));
    let persons = persons.chain(callers.map(|name| (name.as_str(), PersonRelation::Person)));
    persons.chain(entity.owner.as_deref().map(|owner| (owner, PersonRelation::Owner))).collect()
}

/// Rejects a design that does not say which items belong to a subject.
pub fn require_persons(design: &Design) -> Result<(), Error> {
    if design.entities.iter().all(|entity| subject_attributes(design, entity).is_empty()) {
        return Err(Error::Invalid(format!(
            "the design `{}` does not say which items belong to a subject: state `owner:` on entities, or `callers:` with `are`, \
             `members` or `requires`",
            design.name
        )));
    }
    Ok(())
}

/// These calls concern items of all tenants, and attributes that no rule lets anyone change.
fn require_superuser(caller: &Caller) -> Result<(), Error> {
    if caller.superuser {
        return Ok(());
    }
    Err(Error::NotAllowed("only a superuser may export or erase the data of a person".to_owned()))
}
