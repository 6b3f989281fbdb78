//! The startup message.

use keyfold_api::identity::Development;

use super::designs::People;
use super::endpoint::BoundEndpoint;
use crate::backend::BackendPlace;

pub(super) fn rest(address: &str, place: &BackendPlace, designs: &People) {
    say!("keyfold: REST API at {address} on {place}");
    for (name, _) in designs {
        say!("         {name:<12} {address}/v1/{name}/docs");
    }
}

pub(super) fn dynamodb(scheme: &str, endpoint: Option<&BoundEndpoint>) {
    let Some(endpoint) = endpoint else { return };
    let callers = if endpoint.is_open { "open to every caller on this machine" } else { "for signed requests" };
    say!("keyfold: DynamoDB endpoint at {scheme}://{}, {callers}", endpoint.server.local_addr());
}

pub(super) fn people(development: &Development, designs: &People, now_ms: u64) -> anyhow::Result<()> {
    say!(
        "keyfold: development mode, on loopback only. Not for production: anyone who reads this can act as any of these users."
    );
    say!("         Tokens are valid for 12 hours: curl -H \"Authorization: Bearer $TOKEN\" …");
    for (name, people) in designs {
        for person in people {
            say!("\n# {name}: {}\nTOKEN={}", person.description, development.token(person, name, now_ms)?);
        }
    }
    Ok(())
}
