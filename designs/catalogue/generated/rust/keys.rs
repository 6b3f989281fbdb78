// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Key builders.

use keyfold_typed as typed;

/// PK of Site: `SITE#<site>`.
pub fn pk_site(site: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SITE#<site>", '#');
    key.literal("SITE#");
    key.part("site", site, &[]);
    key.text()
}

/// SK of Site: `METADATA`.
pub fn sk_site() -> &'static str {
    "METADATA"
}

/// Site in byEntity.
pub fn by_entity_site(site: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut entity_type = typed::Key::new("SITE", '#');
    entity_type.literal("SITE");
    let mut entity_sk = typed::Key::new("SITE#<site>", '#');
    entity_sk.literal("SITE#");
    entity_sk.part("site", site, &[]);
    typed::index_key([("entityType", entity_type), ("entitySk", entity_sk)])
}

/// PK of SiteTag: `SITE#<site>`.
pub fn pk_site_tag(site: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SITE#<site>", '#');
    key.literal("SITE#");
    key.part("site", site, &[]);
    key.text()
}

/// SK of SiteTag: `TAG#<tag>`.
pub fn sk_site_tag(tag: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TAG#<tag>", '#');
    key.literal("TAG#");
    key.part("tag", tag, &[]);
    key.text()
}

/// SiteTag in byTag.
pub fn by_tag_site_tag(site: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut site_id = typed::Key::new("SITE#<site>", '#');
    site_id.literal("SITE#");
    site_id.part("site", site, &[]);
    typed::index_key([("siteId", site_id)])
}

/// PK of Rating: `USER#<user>`.
pub fn pk_rating(user: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("USER#<user>", '#');
    key.literal("USER#");
    key.part("user", user, &[]);
    key.text()
}

/// SK of Rating: `SITE#<site>`.
pub fn sk_rating(site: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SITE#<site>", '#');
    key.literal("SITE#");
    key.part("site", site, &[]);
    let mut rival = typed::Key::new("SITE#<site>#COMMENT#<commentId>", '#');
    rival.literal("SITE#");
    rival.any::<str>("site", &[]);
    rival.literal("#COMMENT#");
    rival.any::<str>("commentId", &[]);
    key.rival(rival);
    key.text()
}

/// Rating in byStars.
pub fn by_stars_rating(site: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut site_id = typed::Key::new("SITE#<site>", '#');
    site_id.literal("SITE#");
    site_id.part("site", site, &[]);
    typed::index_key([("siteId", site_id)])
}

/// PK of Comment: `USER#<user>`.
pub fn pk_comment(user: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("USER#<user>", '#');
    key.literal("USER#");
    key.part("user", user, &[]);
    key.text()
}

/// SK of Comment: `SITE#<site>#COMMENT#<commentId>`.
pub fn sk_comment(site: &str, comment_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SITE#<site>#COMMENT#<commentId>", '#');
    key.literal("SITE#");
    key.part("site", site, &[]);
    key.literal("#COMMENT#");
    key.part("commentId", comment_id, &[]);
    key.text()
}

/// PK of SiteComment: `SITE#<site>`.
pub fn pk_site_comment(site: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SITE#<site>", '#');
    key.literal("SITE#");
    key.part("site", site, &[]);
    key.text()
}

/// SK of SiteComment: `COMMENT#<commentId>`.
pub fn sk_site_comment(comment_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("COMMENT#<commentId>", '#');
    key.literal("COMMENT#");
    key.part("commentId", comment_id, &[]);
    key.text()
}

/// PK of Group: `GROUP#<name>`.
pub fn pk_group(name: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("GROUP#<name>", '#');
    key.literal("GROUP#");
    key.part("name", name, &[]);
    key.text()
}

/// SK of Group: `METADATA`.
pub fn sk_group() -> &'static str {
    "METADATA"
}

/// Group in byEntity.
pub fn by_entity_group(name: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut entity_type = typed::Key::new("GROUP", '#');
    entity_type.literal("GROUP");
    let mut entity_sk = typed::Key::new("GROUP#<name>", '#');
    entity_sk.literal("GROUP#");
    entity_sk.part("name", name, &[]);
    typed::index_key([("entityType", entity_type), ("entitySk", entity_sk)])
}

/// PK of GroupMembership: `USER#<userId>`.
pub fn pk_group_membership(user_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("USER#<userId>", '#');
    key.literal("USER#");
    key.part("userId", user_id, &[]);
    key.text()
}

/// SK of GroupMembership: `MEMBERSHIP#<groupName>`.
pub fn sk_group_membership(group_name: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("MEMBERSHIP#<groupName>", '#');
    key.literal("MEMBERSHIP#");
    key.part("groupName", group_name, &[]);
    key.text()
}

/// PK of Profile: `USER#<userId>`.
pub fn pk_profile(user_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("USER#<userId>", '#');
    key.literal("USER#");
    key.part("userId", user_id, &[]);
    key.text()
}

/// SK of Profile: `PROFILE`.
pub fn sk_profile() -> &'static str {
    "PROFILE"
}

/// PK of Player: `SQUASH#PLAYER#<playerId>`.
pub fn pk_player(player_id: typed::Uuid) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SQUASH#PLAYER#<playerId>", '#');
    key.literal("SQUASH#PLAYER#");
    key.part("playerId", &player_id, &[]);
    key.text()
}

/// SK of Player: `METADATA`.
pub fn sk_player() -> &'static str {
    "METADATA"
}

/// Player in byEntity.
pub fn by_entity_player(player_id: typed::Uuid) -> Result<typed::Attributes, typed::TemplateError> {
    let mut entity_type = typed::Key::new("SQUASH_PLAYER", '#');
    entity_type.literal("SQUASH_PLAYER");
    let mut entity_sk = typed::Key::new("SQUASH#PLAYER#<playerId>", '#');
    entity_sk.literal("SQUASH#PLAYER#");
    entity_sk.part("playerId", &player_id, &[]);
    typed::index_key([("entityType", entity_type), ("entitySk", entity_sk)])
}

/// PK of Match: `SQUASH#MATCH#<matchId>`.
pub fn pk_match(match_id: typed::Uuid) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SQUASH#MATCH#<matchId>", '#');
    key.literal("SQUASH#MATCH#");
    key.part("matchId", &match_id, &[]);
    key.text()
}

/// SK of Match: `METADATA`.
pub fn sk_match() -> &'static str {
    "METADATA"
}

/// Match in byEntity.
pub fn by_entity_match(
    date: typed::Date,
    match_id: typed::Uuid,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut entity_type = typed::Key::new("SQUASH_MATCH", '#');
    entity_type.literal("SQUASH_MATCH");
    let mut entity_sk = typed::Key::new("SQUASH#MATCH#<date>#<matchId>", '#');
    entity_sk.literal("SQUASH#MATCH#");
    entity_sk.part("date", &date, &[]);
    entity_sk.literal("#");
    entity_sk.part("matchId", &match_id, &[]);
    typed::index_key([("entityType", entity_type), ("entitySk", entity_sk)])
}

/// PK of Participation: `SQUASH#PLAYER#<playerId>`.
pub fn pk_participation(player_id: typed::Uuid) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SQUASH#PLAYER#<playerId>", '#');
    key.literal("SQUASH#PLAYER#");
    key.part("playerId", &player_id, &[]);
    key.text()
}

/// SK of Participation: `MATCH#<matchId>`.
pub fn sk_participation(match_id: typed::Uuid) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("MATCH#<matchId>", '#');
    key.literal("MATCH#");
    key.part("matchId", &match_id, &[]);
    key.text()
}
