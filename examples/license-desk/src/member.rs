//! What a member of one account can do, and what not.

use keyfold_typed::{Error, QueryOptions};

use crate::platform::{AccountWithEverything, LicenseIdentity, NewLicense, Platform};

pub(crate) async fn look_around(member: &Platform<'_>) -> anyhow::Result<()> {
    let caller = member.caller();
    let (subject, tenant) = (caller.subject.clone().unwrap_or_default(), caller.tenant.clone().unwrap_or_default());
    println!("{subject} of {tenant} sees:");
    let options = QueryOptions::default();
    for item in member.account_with_everything(&tenant, &options).await?.items {
        match item {
            AccountWithEverything::Account(account) => println!("  the account {}", account.name),
            AccountWithEverything::License(license) => println!("  the license {}", license.license_id),
            other => println!("  {other:?}"),
        }
    }
    let own = member.licenses_by_enterprise("globex", &options).await?;
    let ids: Vec<&str> = own.items.iter().map(|license| license.license_id.as_str()).collect();
    println!("  licenses of globex: {}", ids.join(", "));

    let foreign = member.get(&LicenseIdentity::new("contoso", "ct-1")).await?;
    println!("the license of another account: {}", if foreign.is_some() { "seen" } else { "not there" });
    let foreign = member.licenses_by_account("contoso", &options).await?;
    println!("the licenses of another account: {}", foreign.items.len());
    refused("licenses of all accounts", member.expiring_licenses("2026-12-31".parse()?, &options).await);
    let forged =
        NewLicense { account_id: Some("contoso".to_owned()), ..NewLicense::new("globex", "2026-12-31".parse()?, 1) };
    refused("a license for another account", member.create(&forged).await);
    Ok(())
}

fn refused<T>(what: &str, answer: Result<T, Error>) {
    match answer {
        Ok(_) => println!("{what}: allowed"),
        Err(error) => println!("{what}: {error}"),
    }
}
