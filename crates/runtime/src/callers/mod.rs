//! What the table says about a caller: the user that a token leads to, groups and permissions, the tenants of which
//! they are a member, and the items that every caller needs.

mod assigned_items;
mod first_administrator;
mod groups;
mod membership;
mod required_items;
mod resolver;
mod user;

pub use self::first_administrator::{AdministratorStep, FirstAdministrator};
pub use self::membership::Membership;
use self::resolver::CallerResolver;
use crate::caller::{Caller, TokenIdentity};
use crate::error::Error;
use crate::runtime::Runtime;
use crate::write::{SideWrites, Write};

impl Runtime {
    /// Looks up the user of a token (`callers: {are: …}`), whose id is the subject from then on, and adds the roles,
    /// groups and permissions that the table assigns to them. Only items of the caller's tenant and items shared by all
    /// tenants count; items being deleted do not. Call this once after authentication; the result may be cached for as
    /// long as a change may take to have effect.
    ///
    /// A person whom no user item stands for is refused with [`Error::UnknownUser`], and a caller who is not a member
    /// of their tenant (`callers: {members: …}`) or lacks an item that the design requires (`callers: {requires: …}`)
    /// with [`Error::NotAllowed`]. If the table cannot be read, the error says so, and the caller has to be refused as
    /// well.
    pub async fn resolve_caller(&self, caller: Caller) -> Result<Caller, Error> {
        self.caller_resolver().resolve(caller).await
    }

    /// The tenants of a caller, in whichever one they act: the first thousand. Empty for designs that have no
    /// memberships.
    pub async fn memberships(&self, caller: &Caller) -> Result<Vec<Membership>, Error> {
        self.caller_resolver().memberships(caller).await
    }

    /// The write that creates the user of a token.
    pub fn new_user(&self, identity: &TokenIdentity) -> Result<Write, Error> {
        user::new_user(&self.design, identity)
    }

    /// Creates the user of a token, with attributes from its claims, as the design says (`created with`). Succeeds if
    /// another request has created the same user meanwhile. Rejected with [`Error::NotAllowed`] if the design creates
    /// no users, or if the claims do not make a valid one.
    pub async fn sign_up(&self, identity: &TokenIdentity, side_writes: &dyn SideWrites) -> Result<(), Error> {
        let write = self.new_user(identity)?;
        let creator = Caller::superuser(identity.subject.clone());
        let refused = match self.transact_with(&creator, vec![write], side_writes).await {
            Ok(_) => return Ok(()),
            Err(refused @ (Error::Constraint(_) | Error::Exists { .. } | Error::Conflict { .. })) => refused,
            Err(error) => return Err(error),
        };
        let Some(source) = &self.design.callers.users else { return Err(refused) };
        match self.caller_resolver().user_of(source, identity).await? {
            Some(_) => Ok(()),
            None => {
                let name = &self.design[source.entity].name;
                Err(Error::NotAllowed(format!("no {name} can be created for this token: {refused}")))
            }
        }
    }

    fn caller_resolver(&self) -> CallerResolver<'_> {
        CallerResolver { design: &self.design, items: self.items(), clock: self.clock.as_ref() }
    }
}
