// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// The identity of a Site.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteIdentity {
    pub site: String,
}

impl SiteIdentity {
    pub fn new(site: impl Into<String>) -> Self {
        Self { site: site.into() }
    }
}

impl typed::Identity for SiteIdentity {
    type Entity = super::Site;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "site", &self.site);
    }
}

impl super::Site {
    /// The identity of the item.
    pub fn identity(&self) -> SiteIdentity {
        SiteIdentity {
            site: self.site.clone(),
        }
    }
}

/// The attributes of a Site to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSite {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    pub url: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scraped_content: Option<String>,
    pub tags: Vec<String>,
}

impl NewSite {
    /// Takes the required attributes and leaves out all others.
    pub fn new(url: impl Into<String>, title: impl Into<String>, tags: Vec<String>) -> Self {
        Self {
            url: url.into(),
            title: title.into(),
            tags,
            site: None,
            description: None,
            scraped_content: None,
        }
    }
}

impl typed::New for NewSite {
    type Entity = super::Site;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "site", &self.site);
        typed::set(item, "url", &self.url);
        typed::set(item, "title", &self.title);
        typed::set_if(item, "description", &self.description);
        typed::set_if(item, "scrapedContent", &self.scraped_content);
        typed::set(item, "tags", &self.tags);
    }
}

/// A patch of a Site: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SitePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub description: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub scraped_content: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
}

impl typed::Patch for SitePatch {
    type Entity = super::Site;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "url", &self.url);
        typed::set_if(item, "title", &self.title);
        typed::set_change(item, "description", &self.description);
        typed::set_change(item, "scrapedContent", &self.scraped_content);
        typed::set_if(item, "tags", &self.tags);
    }
}

/// Operators of a patch of a Site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteOperators(pub typed::Operators);

impl SiteOperators {
    /// Adds elements at the end of `tags`.
    pub fn append_tags(&mut self, value: &[String]) -> &mut Self {
        typed::append(&mut self.0, "tags", value);
        self
    }

    /// Adds elements at the beginning of `tags`.
    pub fn prepend_tags(&mut self, value: &[String]) -> &mut Self {
        typed::prepend(&mut self.0, "tags", value);
        self
    }
}

impl typed::Removable for super::Site {}

/// The identity of a SiteTag.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteTagIdentity {
    pub site: String,
    pub tag: String,
}

impl SiteTagIdentity {
    pub fn new(site: impl Into<String>, tag: impl Into<String>) -> Self {
        Self {
            site: site.into(),
            tag: tag.into(),
        }
    }
}

impl typed::Identity for SiteTagIdentity {
    type Entity = super::SiteTag;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "site", &self.site);
        typed::set(item, "tag", &self.tag);
    }
}

impl super::SiteTag {
    /// The identity of the item.
    pub fn identity(&self) -> SiteTagIdentity {
        SiteTagIdentity {
            site: self.site.clone(),
            tag: self.tag.clone(),
        }
    }
}

/// The identity of a Rating.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RatingIdentity {
    pub user: String,
    pub site: String,
}

impl RatingIdentity {
    pub fn new(user: impl Into<String>, site: impl Into<String>) -> Self {
        Self {
            user: user.into(),
            site: site.into(),
        }
    }
}

impl typed::Identity for RatingIdentity {
    type Entity = super::Rating;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "user", &self.user);
        typed::set(item, "site", &self.site);
    }
}

impl super::Rating {
    /// The identity of the item.
    pub fn identity(&self) -> RatingIdentity {
        RatingIdentity {
            user: self.user.clone(),
            site: self.site.clone(),
        }
    }
}

/// The attributes of a Rating to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRating {
    pub user: String,
    pub site: String,
    pub stars: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl NewRating {
    /// Takes the required attributes and leaves out all others.
    pub fn new(user: impl Into<String>, site: impl Into<String>, stars: i64) -> Self {
        Self {
            user: user.into(),
            site: site.into(),
            stars,
            note: None,
        }
    }
}

impl typed::New for NewRating {
    type Entity = super::Rating;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "user", &self.user);
        typed::set(item, "site", &self.site);
        typed::set(item, "stars", &self.stars);
        typed::set_if(item, "note", &self.note);
    }
}

/// A patch of a Rating: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct RatingPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stars: Option<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub note: typed::AttributeChange<String>,
}

impl typed::Patch for RatingPatch {
    type Entity = super::Rating;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "stars", &self.stars);
        typed::set_change(item, "note", &self.note);
    }
}

/// Operators of a patch of a Rating.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RatingOperators(pub typed::Operators);

impl RatingOperators {
    /// Adds to `stars`.
    pub fn add_stars(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "stars", &value);
        self
    }

    /// Subtracts from `stars`.
    pub fn subtract_stars(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "stars", &value);
        self
    }
}

impl typed::Removable for super::Rating {}

/// The identity of a Comment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommentIdentity {
    pub user: String,
    pub site: String,
    pub comment_id: String,
}

impl CommentIdentity {
    pub fn new(
        user: impl Into<String>,
        site: impl Into<String>,
        comment_id: impl Into<String>,
    ) -> Self {
        Self {
            user: user.into(),
            site: site.into(),
            comment_id: comment_id.into(),
        }
    }
}

impl typed::Identity for CommentIdentity {
    type Entity = super::Comment;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "user", &self.user);
        typed::set(item, "site", &self.site);
        typed::set(item, "commentId", &self.comment_id);
    }
}

impl super::Comment {
    /// The identity of the item.
    pub fn identity(&self) -> CommentIdentity {
        CommentIdentity {
            user: self.user.clone(),
            site: self.site.clone(),
            comment_id: self.comment_id.clone(),
        }
    }
}

/// The attributes of a Comment to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewComment {
    pub user: String,
    pub site: String,
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<String>,
    pub body: String,
}

impl NewComment {
    /// Takes the required attributes and leaves out all others.
    pub fn new(user: impl Into<String>, site: impl Into<String>, body: impl Into<String>) -> Self {
        Self {
            user: user.into(),
            site: site.into(),
            body: body.into(),
            comment_id: None,
        }
    }
}

impl typed::New for NewComment {
    type Entity = super::Comment;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "user", &self.user);
        typed::set(item, "site", &self.site);
        typed::set_if(item, "commentId", &self.comment_id);
        typed::set(item, "body", &self.body);
    }
}

/// A patch of a Comment: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CommentPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

impl typed::Patch for CommentPatch {
    type Entity = super::Comment;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "body", &self.body);
    }
}

impl typed::Removable for super::Comment {}

/// The identity of a SiteComment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteCommentIdentity {
    pub site: String,
    pub comment_id: String,
}

impl SiteCommentIdentity {
    pub fn new(site: impl Into<String>, comment_id: impl Into<String>) -> Self {
        Self {
            site: site.into(),
            comment_id: comment_id.into(),
        }
    }
}

impl typed::Identity for SiteCommentIdentity {
    type Entity = super::SiteComment;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "site", &self.site);
        typed::set(item, "commentId", &self.comment_id);
    }
}

impl super::SiteComment {
    /// The identity of the item.
    pub fn identity(&self) -> SiteCommentIdentity {
        SiteCommentIdentity {
            site: self.site.clone(),
            comment_id: self.comment_id.clone(),
        }
    }
}

/// The identity of a Group.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupIdentity {
    pub name: String,
}

impl GroupIdentity {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}

impl typed::Identity for GroupIdentity {
    type Entity = super::Group;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "name", &self.name);
    }
}

impl super::Group {
    /// The identity of the item.
    pub fn identity(&self) -> GroupIdentity {
        GroupIdentity {
            name: self.name.clone(),
        }
    }
}

/// The attributes of a Group to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewGroup {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub permissions: Vec<String>,
}

impl NewGroup {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>, permissions: Vec<String>) -> Self {
        Self {
            name: name.into(),
            permissions,
            description: None,
        }
    }
}

impl typed::New for NewGroup {
    type Entity = super::Group;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "name", &self.name);
        typed::set_if(item, "description", &self.description);
        typed::set(item, "permissions", &self.permissions);
    }
}

/// A patch of a Group: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct GroupPatch {
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub description: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<String>>,
}

impl typed::Patch for GroupPatch {
    type Entity = super::Group;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_change(item, "description", &self.description);
        typed::set_if(item, "permissions", &self.permissions);
    }
}

/// Operators of a patch of a Group.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroupOperators(pub typed::Operators);

impl GroupOperators {
    /// Adds elements at the end of `permissions`.
    pub fn append_permissions(&mut self, value: &[String]) -> &mut Self {
        typed::append(&mut self.0, "permissions", value);
        self
    }

    /// Adds elements at the beginning of `permissions`.
    pub fn prepend_permissions(&mut self, value: &[String]) -> &mut Self {
        typed::prepend(&mut self.0, "permissions", value);
        self
    }
}

impl typed::Removable for super::Group {}

/// The identity of a GroupMembership.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupMembershipIdentity {
    pub user_id: String,
    pub group_name: String,
}

impl GroupMembershipIdentity {
    pub fn new(user_id: impl Into<String>, group_name: impl Into<String>) -> Self {
        Self {
            user_id: user_id.into(),
            group_name: group_name.into(),
        }
    }
}

impl typed::Identity for GroupMembershipIdentity {
    type Entity = super::GroupMembership;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "userId", &self.user_id);
        typed::set(item, "groupName", &self.group_name);
    }
}

impl super::GroupMembership {
    /// The identity of the item.
    pub fn identity(&self) -> GroupMembershipIdentity {
        GroupMembershipIdentity {
            user_id: self.user_id.clone(),
            group_name: self.group_name.clone(),
        }
    }
}

/// The attributes of a GroupMembership to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewGroupMembership {
    pub user_id: String,
    pub group_name: String,
}

impl NewGroupMembership {
    /// Takes the required attributes and leaves out all others.
    pub fn new(user_id: impl Into<String>, group_name: impl Into<String>) -> Self {
        Self {
            user_id: user_id.into(),
            group_name: group_name.into(),
        }
    }
}

impl typed::New for NewGroupMembership {
    type Entity = super::GroupMembership;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "userId", &self.user_id);
        typed::set(item, "groupName", &self.group_name);
    }
}

impl typed::Removable for super::GroupMembership {}

/// The identity of a Profile.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProfileIdentity {
    pub user_id: String,
}

impl ProfileIdentity {
    pub fn new(user_id: impl Into<String>) -> Self {
        Self {
            user_id: user_id.into(),
        }
    }
}

impl typed::Identity for ProfileIdentity {
    type Entity = super::Profile;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "userId", &self.user_id);
    }
}

impl super::Profile {
    /// The identity of the item.
    pub fn identity(&self) -> ProfileIdentity {
        ProfileIdentity {
            user_id: self.user_id.clone(),
        }
    }
}

/// The attributes of a Profile to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewProfile {
    pub user_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar_key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_login_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_login_ip: Option<String>,
}

impl NewProfile {
    /// Takes the required attributes and leaves out all others.
    pub fn new(user_id: impl Into<String>) -> Self {
        Self {
            user_id: user_id.into(),
            avatar_key: None,
            description: None,
            last_login_at: None,
            last_login_ip: None,
        }
    }
}

impl typed::New for NewProfile {
    type Entity = super::Profile;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "userId", &self.user_id);
        typed::set_if(item, "avatarKey", &self.avatar_key);
        typed::set_if(item, "description", &self.description);
        typed::set_if(item, "lastLoginAt", &self.last_login_at);
        typed::set_if(item, "lastLoginIp", &self.last_login_ip);
    }
}

/// A patch of a Profile: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ProfilePatch {
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub avatar_key: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub description: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub last_login_at: typed::AttributeChange<typed::DateTime>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub last_login_ip: typed::AttributeChange<String>,
}

impl typed::Patch for ProfilePatch {
    type Entity = super::Profile;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_change(item, "avatarKey", &self.avatar_key);
        typed::set_change(item, "description", &self.description);
        typed::set_change(item, "lastLoginAt", &self.last_login_at);
        typed::set_change(item, "lastLoginIp", &self.last_login_ip);
    }
}

impl typed::Removable for super::Profile {}

/// The identity of a Player.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlayerIdentity {
    pub player_id: typed::Uuid,
}

impl PlayerIdentity {
    pub fn new(player_id: typed::Uuid) -> Self {
        Self { player_id }
    }
}

impl typed::Identity for PlayerIdentity {
    type Entity = super::Player;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "playerId", &self.player_id);
    }
}

impl super::Player {
    /// The identity of the item.
    pub fn identity(&self) -> PlayerIdentity {
        PlayerIdentity {
            player_id: self.player_id,
        }
    }
}

/// The attributes of a Player to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPlayer {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_id: Option<typed::Uuid>,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
}

impl NewPlayer {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            player_id: None,
            email: None,
            user_id: None,
        }
    }
}

impl typed::New for NewPlayer {
    type Entity = super::Player;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "playerId", &self.player_id);
        typed::set(item, "name", &self.name);
        typed::set_if(item, "email", &self.email);
        typed::set_if(item, "userId", &self.user_id);
    }
}

/// A patch of a Player: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PlayerPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub email: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub user_id: typed::AttributeChange<String>,
}

impl typed::Patch for PlayerPatch {
    type Entity = super::Player;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
        typed::set_change(item, "email", &self.email);
        typed::set_change(item, "userId", &self.user_id);
    }
}

impl typed::Removable for super::Player {}

/// The identity of a Match.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MatchIdentity {
    pub match_id: typed::Uuid,
}

impl MatchIdentity {
    pub fn new(match_id: typed::Uuid) -> Self {
        Self { match_id }
    }
}

impl typed::Identity for MatchIdentity {
    type Entity = super::Match;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "matchId", &self.match_id);
    }
}

impl super::Match {
    /// The identity of the item.
    pub fn identity(&self) -> MatchIdentity {
        MatchIdentity {
            match_id: self.match_id,
        }
    }
}

/// The attributes of a Match to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewMatch {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_id: Option<typed::Uuid>,
    pub date: typed::Date,
    pub team_a_player1_id: typed::Uuid,
    pub team_a_player2_id: typed::Uuid,
    pub team_b_player1_id: typed::Uuid,
    pub team_b_player2_id: typed::Uuid,
    pub winning_team: MatchWinningTeam,
    pub team_a_games: i64,
    pub team_b_games: i64,
}

impl typed::New for NewMatch {
    type Entity = super::Match;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "matchId", &self.match_id);
        typed::set(item, "date", &self.date);
        typed::set(item, "teamAPlayer1Id", &self.team_a_player1_id);
        typed::set(item, "teamAPlayer2Id", &self.team_a_player2_id);
        typed::set(item, "teamBPlayer1Id", &self.team_b_player1_id);
        typed::set(item, "teamBPlayer2Id", &self.team_b_player2_id);
        typed::set(item, "winningTeam", &self.winning_team);
        typed::set(item, "teamAGames", &self.team_a_games);
        typed::set(item, "teamBGames", &self.team_b_games);
    }
}

/// A patch of a Match: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct MatchPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<typed::Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_a_player1_id: Option<typed::Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_a_player2_id: Option<typed::Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_b_player1_id: Option<typed::Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_b_player2_id: Option<typed::Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_team: Option<MatchWinningTeam>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_a_games: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_b_games: Option<i64>,
}

impl typed::Patch for MatchPatch {
    type Entity = super::Match;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "date", &self.date);
        typed::set_if(item, "teamAPlayer1Id", &self.team_a_player1_id);
        typed::set_if(item, "teamAPlayer2Id", &self.team_a_player2_id);
        typed::set_if(item, "teamBPlayer1Id", &self.team_b_player1_id);
        typed::set_if(item, "teamBPlayer2Id", &self.team_b_player2_id);
        typed::set_if(item, "winningTeam", &self.winning_team);
        typed::set_if(item, "teamAGames", &self.team_a_games);
        typed::set_if(item, "teamBGames", &self.team_b_games);
    }
}

/// Operators of a patch of a Match.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatchOperators(pub typed::Operators);

impl MatchOperators {
    /// Adds to `teamAGames`.
    pub fn add_team_a_games(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "teamAGames", &value);
        self
    }

    /// Subtracts from `teamAGames`.
    pub fn subtract_team_a_games(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "teamAGames", &value);
        self
    }

    /// Adds to `teamBGames`.
    pub fn add_team_b_games(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "teamBGames", &value);
        self
    }

    /// Subtracts from `teamBGames`.
    pub fn subtract_team_b_games(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "teamBGames", &value);
        self
    }
}

impl typed::Removable for super::Match {}

/// The identity of a Participation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ParticipationIdentity {
    pub player_id: typed::Uuid,
    pub match_id: typed::Uuid,
}

impl ParticipationIdentity {
    pub fn new(player_id: typed::Uuid, match_id: typed::Uuid) -> Self {
        Self {
            player_id,
            match_id,
        }
    }
}

impl typed::Identity for ParticipationIdentity {
    type Entity = super::Participation;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "playerId", &self.player_id);
        typed::set(item, "matchId", &self.match_id);
    }
}

impl super::Participation {
    /// The identity of the item.
    pub fn identity(&self) -> ParticipationIdentity {
        ParticipationIdentity {
            player_id: self.player_id,
            match_id: self.match_id,
        }
    }
}
