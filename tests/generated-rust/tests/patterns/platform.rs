use keyfold_generated_rust::platform::Platform;
use keyfold_runtime::Caller;
use keyfold_typed::DateTime;

use crate::world::World;

const START: &str = "2020-01-01T00:00:00.000Z";
const END: &str = "2030-01-01T00:00:00.000Z";

fn instant(text: &str) -> DateTime {
    text.parse().unwrap()
}

#[tokio::test]
async fn every_pattern() {
    let world = World::of("designs/platform").await;
    let platform = Platform::new(&world.over_the_wire, Caller::superuser("tester"));
    same!(world, platform, all_accounts(), {});
    same!(world, platform, all_enterprises(), {});
    same!(world, platform, all_licenses(), {});
    same!(world, platform, all_workstreams(), {});
    same!(world, platform, all_users(), {});
    same!(world, platform, all_roles(), {});
    same!(world, platform, all_groups(), {});
    same!(world, platform, all_products(), {});
    same!(world, platform, all_services(), {});
    same!(world, platform, all_notification_audits(), {});
    same!(world, platform, account_with_everything("northwind"), {"accountId": "northwind"});
    same!(world, platform, enterprise_with_products_and_services("globex"), {"enterpriseId": "globex"});
    same!(world, platform, licenses_by_account("northwind"), {"accountId": "northwind"});
    same!(world, platform, workstreams_by_account("northwind"), {"accountId": "northwind"});
    same!(world, platform, role_with_permissions("administrator"), {"roleId": "administrator"});
    same!(world, platform, user_with_workstreams("ada"), {"userId": "ada"});
    same!(world, platform, workstreams_of_a_user("ada"), {"userId": "ada"});
    same!(world, platform, tools_of_a_workstream("nw-data"), {"workstreamId": "nw-data"});
    same!(world, platform, users_by_account("northwind"), {"accountId": "northwind"});
    same!(world, platform, roles_by_account("northwind"), {"accountId": "northwind"});
    same!(world, platform, licenses_by_enterprise("globex"), {"enterpriseId": "globex"});
    same!(world, platform, workstreams_by_enterprise("globex"), {"enterpriseId": "globex"});
    same!(world, platform, notifications_by_account("northwind"), {"accountId": "northwind"});
    same!(world, platform, expiring_licenses("2026-01-31".parse().unwrap()), {"before": "2026-01-31"});
    same!(world, platform, expired_licenses(), {});
    same!(world, platform, active_users_by_end_date(), {});
    same!(world, platform, inactive_users(), {});
    same!(world, platform, sent_notifications_between(instant(START), instant(END)), {"start": START, "end": END});
    same!(world, platform, failed_notifications(), {});
    same!(world, platform, skipped_notifications(), {});
    world.has_called_every_pattern(131);
}
