//! The work of the desk, which acts on the whole platform.

use keyfold_typed::{Date, QueryOptions, Write};

use crate::platform::{
    LicenseIdentity, LicensePatch, NewAccount, NewEnterprise, NewLicense, NewPermission, NewRole, NewUser,
    PermissionActions, Platform,
};

pub(crate) async fn open(desk: &Platform<'_>) -> anyhow::Result<()> {
    for (id, name) in [("northwind", "Northwind Traders"), ("contoso", "Contoso")] {
        let account = desk.put(&NewAccount { account_id: Some(id.to_owned()), ..NewAccount::new(name) }).await?;
        println!("account {}: {}", account.account_id, account.name);
    }
    let globex = NewEnterprise { enterprise_id: Some("globex".to_owned()), ..NewEnterprise::new("Globex") };
    let keeper = NewRole { role_id: Some("keeper".to_owned()), ..NewRole::new("Keeper of licenses") };
    // All of it, or nothing.
    desk.transact(vec![Write::put(&globex), Write::put(&keeper)]).await?;
    desk.put(&NewPermission::new("keeper", "licenses", vec![PermissionActions::Write])).await?;

    for (account, id, end, seats) in [
        ("northwind", "nw-1", "2026-01-20", 25),
        ("northwind", "nw-2", "2026-12-31", 10),
        ("contoso", "ct-1", "2026-01-31", 15),
    ] {
        let license = NewLicense {
            account_id: Some(account.to_owned()),
            license_id: Some(id.to_owned()),
            ..NewLicense::new("globex", end.parse()?, seats)
        };
        desk.put(&license).await?;
    }
    for (account, id, first, last) in [("northwind", "ada", "Ada", "Lovelace"), ("contoso", "grace", "Grace", "Hopper")]
    {
        let email = format!("{id}@{account}.example");
        let user = NewUser {
            account_id: Some(account.to_owned()),
            user_id: Some(id.to_owned()),
            role_id: Some("keeper".to_owned()),
            ..NewUser::new(email, first, last)
        };
        let user = desk.put(&user).await?;
        println!("user {} of {}: {} {}", user.user_id, user.account_id, user.first_name, user.last_name);
    }
    expiring(desk, "2026-01-31".parse()?).await?;

    // One attribute is enough: the license changes its place in the index by its new end.
    let renewed = LicensePatch { end_date: Some("2027-01-20".parse()?), ..LicensePatch::default() };
    let license = desk.patch(&LicenseIdentity::new("northwind", "nw-1"), &renewed).await?;
    println!("renewed {} until {}", license.license_id, license.end_date);
    expiring(desk, "2026-01-31".parse()?).await
}

async fn expiring(desk: &Platform<'_>, before: Date) -> anyhow::Result<()> {
    println!("expiring up to {before}:");
    let mut asked = Some(QueryOptions { take: Some(10), ..QueryOptions::default() });
    while let Some(options) = asked {
        let page = desk.expiring_licenses(before, &options).await?;
        for license in &page.items {
            println!(
                "  {} of {}: {}, {} seats",
                license.license_id, license.account_id, license.end_date, license.seats
            );
        }
        asked = page.next(&options);
    }
    Ok(())
}
