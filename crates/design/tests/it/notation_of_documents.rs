//! The notation that the documentation shows first, to the letter, within what it leaves out.

use keyfold_design::diagnostic::{Diagnostic, to_text};
use keyfold_design::load;

fn without_errors(text: &str) -> (keyfold_design::Design, Vec<Diagnostic>) {
    match load("design.yaml", text) {
        Ok(loaded) => loaded,
        Err(found) => panic!("{}", to_text("design.yaml", text, &found, false)),
    }
}

#[test]
fn licenses_with_overloaded_indexes() {
    let text = "\
design: platform
table: app_data            # PK and SK, both strings, unless said otherwise
tenant: accountId          # the attribute that isolates tenants

indexes:
  GSI1: {purpose: every item of one entity type}         # partition GSI1PK, sort GSI1SK by convention
  GSI2: {purpose: children of a parent and tenant filtering}
  GSI3: {purpose: status by date}
  # byStars: {partition: starRating number, sort: siteId, purpose: ratings by value}     (catalogue)

entities:
  Enterprise:
    scope: global
    PK: ENTERPRISE#<enterpriseId>
    SK: METADATA
    attributes: {enterpriseId: string}
  License:
    scope: tenant
    PK: ACCOUNT#<accountId>
    SK: LICENSE#<licenseId>
    GSI1PK: ENTITY#LICENSE
    GSI1SK: LICENSE#<licenseId>
    GSI2PK: ENTERPRISE#<enterpriseId>
    GSI2SK: LICENSE#<licenseId>
    GSI3PK: LICENSE#STATUS#<status>
    GSI3SK: <endDate>#<licenseId>
    attributes:
      accountId: string
      licenseId: ulid                # made when absent
      enterpriseId: string, refers to Enterprise
      status: active | expired
      endDate: date
      seats: integer, at least 1
      note: string, optional

patterns:
  licenses by enterprise: GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI2SK, LICENSE#)
  expiring licenses:      GSI3PK = LICENSE#STATUS#active and GSI3SK <= <before>
  all licenses:           GSI1PK = ENTITY#LICENSE
  enterprise:             PK = ENTERPRISE#<enterpriseId>

allow:
  - operators: everything
  - members: read License

accept:
  KF031 ENTITY#LICENSE: a few thousand licenses at most            # a known hot partition, with the reason
";
    let (design, found) = without_errors(text);
    assert_eq!(design.patterns.len(), 4);
    let codes: Vec<&str> = found.iter().map(|found| found.code.id).collect();
    assert_eq!(codes, ["KF031", "KF051", "KF030", "KF030", "KF030"]);
}

#[test]
fn tags_matches_and_places() {
    let text = "\
design: catalogue
table: fus-main
indexes:
  byTag: {partition: tag, sort: siteId}
  bySquashDate: {partition: squashDate, sort: matchId}
  GSI: {partition: SK, sort: GSISK}

entities:
  Site:
    PK: SITE#<site>
    SK: METADATA
    attributes: {site: ulid, tags: \"list of string, at most 40 items\"}

  SiteTag:                           # catalogue: one item per tag, in step with the site
    derived from: Site, for each tag in tags
    PK: SITE#<site>
    SK: TAG#<tag>
    tag: <tag>
    siteId: SITE#<site>

  User:                              # albums
    PK: USER#<userId>
    SK: METADATA#<userId>
    unique:
      email:                         # an item of its own; the constant SK is what makes it unique
        PK: LOOKUP#USER#EMAIL#<email:lower>
        SK: LOOKUP
    attributes: {userId: ulid, email: email}

  Match:                             # catalogue
    PK: SQUASH#MATCH#<matchId>
    SK: METADATA
    entityType: SQUASH_MATCH
    must hold:
      \"the winning team has 3 games\": winningTeam == \"A\" ? teamAGames == 3 : teamBGames == 3
    attributes:
      matchId: uuid
      squashDate: date
      winningTeam: A | B
      teamAGames: integer
      teamBGames: integer

  Sequence:
    keeps: sequences
    PK: sequence
    SK: sequence
    attributes: {place: \"integer, optional\"}

  Place:                             # archive: key parts cut from a value, an id from a sequence
    PK: <id>
    SK: place#<fullName:first(2)>
    identity: id
    GSISK: <fullName>
    attributes:
      id: sequence place
      fullName: string, at least 2 characters

patterns:
  sites by tag: tag = <tag>
  users: PK = USER#<userId> -> User
  sites: PK = SITE#<site> -> Site
  places: SK = place#<name> and begins_with(GSISK, <prefix>)
  matches between:        squashDate between <from> and <to>, at most 92 days -> Match

allow:
  - operators: everything
  - anyone: read Site
";
    let (design, _) = without_errors(text);
    let constraint = &design.entity_named("Match").unwrap().must_hold[0];
    assert_eq!(constraint.expression.source(), "winningTeam == \"A\" ? teamAGames == 3 : teamBGames == 3");
}
