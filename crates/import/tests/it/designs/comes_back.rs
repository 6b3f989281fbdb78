//! The tables of the five shipped designs, imported from the items that the runtime wrote: every entity comes back with
//! its key templates. What does not come back to the letter is listed here, with the reason.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_design::Design;
use keyfold_design::model::{Entity, KeyPart};
use keyfold_design::template::Template;
use keyfold_dynamo::Attributes;
use keyfold_import::{Draft, Sample, draft_from_items};

use crate::designs::world::{World, world};
use crate::sound::assert_sound;

fn import(world: &World) -> Draft {
    let sample = Sample { items: world.items.clone(), is_whole: true };
    let origin = format!("the table `{}`", world.facts.table.name);
    draft_from_items(&world.facts, &sample, &origin).unwrap_or_else(|found| panic!("{found:#?}"))
}

fn spelling(template: &Template) -> String {
    template.alternatives().map(|one| one.source.as_str()).collect::<Vec<_>>().join(" or ")
}

/// The templates of the table's keys and of all index keys that an entity has.
fn templates(entity: &Entity) -> BTreeMap<String, String> {
    let base = std::iter::once(&entity.layout.partition).chain(&entity.layout.sort);
    let keys: Vec<&KeyPart> = base.chain(entity.layout.index_keys.iter().flat_map(|key| key.parts())).collect();
    keys.into_iter().map(|part| (part.key.name.clone(), spelling(&part.template))).collect()
}

fn recognized<'d>(design: &'d Design, item: &Attributes) -> Option<&'d Entity> {
    design.recognize(item).map(|id| &design[id])
}

/// How the draft differs from the design: names of entities, then templates of keys.
fn differences(world: &World, draft: &Draft) -> Vec<String> {
    let mut pairs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut found = Vec::new();
    for item in &world.items {
        let own = recognized(&draft.design, item).unwrap_or_else(|| panic!("no entity of the draft has {item:?}"));
        if let Some(entity) = recognized(&world.design, item) {
            pairs.entry(&entity.name).or_default().insert(&own.name);
        }
    }
    let mut claimed: BTreeSet<&str> = BTreeSet::new();
    for (name, own) in pairs {
        let own: Vec<&str> = own.into_iter().collect();
        let [own] = own.as_slice() else { panic!("the items of {name} are {own:?} in the draft") };
        assert!(claimed.insert(own), "{own} of the draft holds several entities");
        if name != *own {
            found.push(format!("{name} is called {own}"));
        }
        let wanted = templates(world.design.entity_named(name).unwrap());
        let given = templates(draft.design.entity_named(own).unwrap());
        for key in wanted.keys().chain(given.keys()).collect::<BTreeSet<_>>() {
            if wanted.get(key) != given.get(key) {
                found.push(format!("{name}.{key}: {:?} is {:?}", wanted.get(key), given.get(key)));
            }
        }
    }
    found
}

async fn comes_back(name: &str, tenant: Option<&str>, differing: &[&str]) -> Draft {
    let world = world(name).await;
    let draft = import(&world);
    assert_eq!(differences(&world, &draft), differing);
    assert_sound(&world.facts, &draft.design, &world.items);
    assert_eq!(draft.design.tenant.as_ref().map(|tenant| tenant.attribute.as_str()), tenant);
    assert_eq!(draft.design.table.name, world.design.table.name);
    assert_eq!(draft.text.matches("# removed:").count(), 0, "{}", draft.text);
    // The order of a scan makes no difference.
    let mut turned = world.items.clone();
    turned.reverse();
    let again = import(&World { items: turned, ..world });
    assert_eq!(draft.text, again.text);
    draft
}

#[tokio::test]
async fn agencies() {
    let draft = comes_back("agencies", Some("agencyId"), &[]).await;
    assert_eq!(draft.text, include_str!("../snapshots/agencies.yaml"));
}

#[tokio::test]
async fn platform() {
    comes_back("platform", Some("accountId"), &[]).await;
}

/// What the documentation shows is what the import gives, in its order.
#[tokio::test]
async fn the_documented_example() {
    let draft = import(&world("albums").await);
    let documented = include_str!("../../../../../docs/import.md");
    let block = documented.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let mut lines = draft.text.lines();
    for line in block.lines().filter(|line| !line.is_empty()) {
        assert!(lines.any(|given| given == line), "`{line}` is not in the rest of\n{}", draft.text);
    }
}

/// Lookup items of `unique` are entities of their own in the draft, and so beyond the comparison.
#[tokio::test]
async fn albums() {
    let draft = comes_back("albums", Some("tenantId"), &[]).await;
    let lookups: Vec<(&str, String)> = draft
        .design
        .entities
        .iter()
        .filter(|entity| entity.name.ends_with("Lookup"))
        .map(|entity| (entity.name.as_str(), entity.layout.partition.template.source.clone()))
        .collect();
    assert_eq!(
        lookups,
        [
            ("MembershipTenantUserLookup", "LOOKUP#MEMBERSHIP#TENANT_USER#<tenantId>#<userId>".to_owned()),
            ("UserEmailLookup", "LOOKUP#USER#EMAIL#<email>".to_owned()),
            ("UserOidcSubLookup", "LOOKUP#USER#OIDC_SUB#<issuer>#<subject>".to_owned()),
        ]
    );
}

/// The key of a record says `record_post`, and nothing else what it is.
#[tokio::test]
async fn archive() {
    let draft = comes_back("archive", None, &["Record is called RecordPost"]).await;
    for line in [
        "  # guess: one item per word of Place.fullName (`derived from: Place, for each word in words(fullName)`)\n",
        "    SK: place#<fullName:first(2)>  # guess: 10 of 10 items\n",
        "    GSISK: <issuer:url><subject:url>  # guess: 3 of 3 items\n",
    ] {
        assert!(draft.text.contains(line), "{line}");
    }
}

/// The user of a rating and of a comment is in no attribute; memberships, in the same partition, call it `userId`.
#[tokio::test]
async fn catalogue() {
    let differing = [
        "Comment is called UserComment",
        "Comment.PK: Some(\"USER#<user>\") is Some(\"USER#<userId>\")",
        "GroupMembership is called Membership",
        "Match is called SquashMatch",
        "Participation is called PlayerMatch",
        "Player is called SquashPlayer",
        "Rating is called UserSite",
        "Rating.PK: Some(\"USER#<user>\") is Some(\"USER#<userId>\")",
        "SiteTag is called Tag",
    ];
    let draft = comes_back("catalogue", None, &differing).await;
    for line in [
        "  # guess: one item per element of Site.tags (`derived from: Site, for each tag in tags`)\n",
        "      squashDate: date, same as date  # guess: the same in 7 of 7 items\n",
        "      starRating: integer, same as stars  # guess: the same in 10 of 10 items\n",
        "      winningTeam: A | B  # guess: there may be further values\n",
    ] {
        assert!(draft.text.contains(line), "{line}");
    }
}
