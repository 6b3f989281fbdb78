// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// An entry of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    pub site: String,
    pub url: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scraped_content: Option<String>,
    pub tags: Vec<String>,
    pub rating_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Site {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "Site";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            site: typed::required(item, "site")?,
            url: typed::required(item, "url")?,
            title: typed::required(item, "title")?,
            description: typed::optional(item, "description")?,
            scraped_content: typed::optional(item, "scrapedContent")?,
            tags: typed::required(item, "tags")?,
            rating_count: typed::or_default(item, "ratingCount", 0)?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A tag of a site.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteTag {
    pub site: String,
    pub tag: String,
}

impl typed::Entity for SiteTag {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "SiteTag";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            site: typed::required(item, "site")?,
            tag: typed::required(item, "tag")?,
        })
    }
}

/// The stars that a user gives to a site, with a note.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rating {
    pub user: String,
    pub site: String,
    pub stars: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub star_rating: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
}

impl typed::Entity for Rating {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "Rating";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            user: typed::required(item, "user")?,
            site: typed::required(item, "site")?,
            stars: typed::required(item, "stars")?,
            note: typed::optional(item, "note")?,
            star_rating: typed::required(item, "starRating")?,
            updated_at: typed::optional(item, "updatedAt")?,
        })
    }
}

/// What a user says about a site.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    pub user: String,
    pub site: String,
    pub comment_id: String,
    pub body: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
}

impl typed::Entity for Comment {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "Comment";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            user: typed::required(item, "user")?,
            site: typed::required(item, "site")?,
            comment_id: typed::required(item, "commentId")?,
            body: typed::required(item, "body")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
        })
    }
}

/// A comment as its site has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteComment {
    pub user: String,
    pub body: String,
    pub created_at: typed::DateTime,
    pub updated_at: typed::DateTime,
    pub site: String,
    pub comment_id: String,
}

impl typed::Entity for SiteComment {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "SiteComment";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            user: typed::required(item, "user")?,
            body: typed::required(item, "body")?,
            created_at: typed::required(item, "createdAt")?,
            updated_at: typed::required(item, "updatedAt")?,
            site: typed::required(item, "site")?,
            comment_id: typed::required(item, "commentId")?,
        })
    }
}

/// A custom group; its permissions are those of its members.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub permissions: Vec<String>,
    pub member_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Group {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "Group";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            name: typed::required(item, "name")?,
            description: typed::optional(item, "description")?,
            permissions: typed::required(item, "permissions")?,
            member_count: typed::or_default(item, "memberCount", 0)?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A user in a custom group.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupMembership {
    pub user_id: String,
    pub group_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_by: Option<String>,
}

impl typed::Entity for GroupMembership {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "GroupMembership";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            user_id: typed::required(item, "userId")?,
            group_name: typed::required(item, "groupName")?,
            added_at: typed::optional(item, "addedAt")?,
            added_by: typed::optional(item, "addedBy")?,
        })
    }
}

/// What a user shows of themselves, and their last login.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    pub user_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar_key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_login_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_login_ip: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
}

impl typed::Entity for Profile {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "Profile";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            user_id: typed::required(item, "userId")?,
            avatar_key: typed::optional(item, "avatarKey")?,
            description: typed::optional(item, "description")?,
            last_login_at: typed::optional(item, "lastLoginAt")?,
            last_login_ip: typed::optional(item, "lastLoginIp")?,
            updated_at: typed::optional(item, "updatedAt")?,
        })
    }
}

/// Someone who plays squash, with or without an account here.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Player {
    pub player_id: typed::Uuid,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Player {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "Player";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            player_id: typed::required(item, "playerId")?,
            name: typed::required(item, "name")?,
            email: typed::optional(item, "email")?,
            user_id: typed::optional(item, "userId")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A match of two teams of two.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    pub match_id: typed::Uuid,
    pub date: typed::Date,
    pub squash_date: typed::Date,
    pub team_a_player1_id: typed::Uuid,
    pub team_a_player2_id: typed::Uuid,
    pub team_b_player1_id: typed::Uuid,
    pub team_b_player2_id: typed::Uuid,
    pub winning_team: MatchWinningTeam,
    pub team_a_games: i64,
    pub team_b_games: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Match {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "Match";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            match_id: typed::required(item, "matchId")?,
            date: typed::required(item, "date")?,
            squash_date: typed::required(item, "squashDate")?,
            team_a_player1_id: typed::required(item, "teamAPlayer1Id")?,
            team_a_player2_id: typed::required(item, "teamAPlayer2Id")?,
            team_b_player1_id: typed::required(item, "teamBPlayer1Id")?,
            team_b_player2_id: typed::required(item, "teamBPlayer2Id")?,
            winning_team: typed::required(item, "winningTeam")?,
            team_a_games: typed::required(item, "teamAGames")?,
            team_b_games: typed::required(item, "teamBGames")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A player in a match.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Participation {
    pub match_id: typed::Uuid,
    pub squash_date: typed::Date,
    pub player_id: typed::Uuid,
}

impl typed::Entity for Participation {
    type Design = super::CatalogueDesign;
    const NAME: &'static str = "Participation";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            match_id: typed::required(item, "matchId")?,
            squash_date: typed::required(item, "squashDate")?,
            player_id: typed::required(item, "playerId")?,
        })
    }
}
