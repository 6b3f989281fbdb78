// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::entities::*;

/// A result of the access pattern "site with everything".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum SiteWithEverything {
    Site(Box<Site>),
    SiteTag(Box<SiteTag>),
    SiteComment(Box<SiteComment>),
}

impl typed::Returned for SiteWithEverything {
    type Design = super::CatalogueDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Site" => typed::boxed(item).map(Self::Site),
            "SiteTag" => typed::boxed(item).map(Self::SiteTag),
            "SiteComment" => typed::boxed(item).map(Self::SiteComment),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

impl super::Catalogue<'_> {
    /// all sites: `entityType = SITE`.
    pub async fn all_sites(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Site>, typed::Error> {
        let pattern = "all sites";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// sites by tag: `tag = <tag>`.
    pub async fn sites_by_tag(
        &self,
        tag: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<SiteTag>, typed::Error> {
        let pattern = "sites by tag";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tag", tag);
        self.page(pattern, arguments, options).await
    }

    /// sites with a tag: `tag = <tag> -> Site`.
    pub async fn sites_with_a_tag(
        &self,
        tag: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Site>, typed::Error> {
        let pattern = "sites with a tag";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tag", tag);
        self.page(pattern, arguments, options).await
    }

    /// tags of a site: `PK = SITE#<site> and begins_with(SK, TAG#)`.
    pub async fn tags_of_a_site(
        &self,
        site: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<SiteTag>, typed::Error> {
        let pattern = "tags of a site";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "site", site);
        self.page(pattern, arguments, options).await
    }

    /// comments of a site: `PK = SITE#<site> and begins_with(SK, COMMENT#)`.
    pub async fn comments_of_a_site(
        &self,
        site: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<SiteComment>, typed::Error> {
        let pattern = "comments of a site";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "site", site);
        self.page(pattern, arguments, options).await
    }

    /// site with everything: `PK = SITE#<site> -> Site, SiteTag, SiteComment`.
    pub async fn site_with_everything(
        &self,
        site: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<SiteWithEverything>, typed::Error> {
        let pattern = "site with everything";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "site", site);
        self.page(pattern, arguments, options).await
    }

    /// my ratings: `PK = USER#<user> and begins_with(SK, SITE#) -> Rating`.
    pub async fn my_ratings(
        &self,
        user: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Rating>, typed::Error> {
        let pattern = "my ratings";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "user", user);
        self.page(pattern, arguments, options).await
    }

    /// my comments: `PK = USER#<user> and begins_with(SK, SITE#) -> Comment`.
    pub async fn my_comments(
        &self,
        user: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Comment>, typed::Error> {
        let pattern = "my comments";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "user", user);
        self.page(pattern, arguments, options).await
    }

    /// my comments on a site: `PK = USER#<user> and begins_with(SK, SITE#<site>#COMMENT#)`.
    pub async fn my_comments_on_a_site(
        &self,
        user: &str,
        site: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Comment>, typed::Error> {
        let pattern = "my comments on a site";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "user", user);
        typed::set(&mut arguments, "site", site);
        self.page(pattern, arguments, options).await
    }

    /// ratings by stars: `starRating = <stars>`.
    pub async fn ratings_by_stars(
        &self,
        stars: i64,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Rating>, typed::Error> {
        let pattern = "ratings by stars";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "stars", &stars);
        self.page(pattern, arguments, options).await
    }

    /// five star ratings: `starRating = 5`.
    pub async fn five_star_ratings(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Rating>, typed::Error> {
        let pattern = "five star ratings";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// ratings of a site: `starRating in <stars> and siteId = SITE#<site>, at most 5 values`.
    pub async fn ratings_of_a_site(
        &self,
        stars: &[i64],
        site: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Rating>, typed::Error> {
        let pattern = "ratings of a site";
        let mut arguments = typed::Attributes::new();
        typed::set_list(&mut arguments, "stars", stars);
        typed::set(&mut arguments, "site", site);
        self.page(pattern, arguments, options).await
    }

    /// all groups: `entityType = GROUP`.
    pub async fn all_groups(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Group>, typed::Error> {
        let pattern = "all groups";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// groups of a user: `PK = USER#<userId> and begins_with(SK, MEMBERSHIP#)`.
    pub async fn groups_of_a_user(
        &self,
        user_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<GroupMembership>, typed::Error> {
        let pattern = "groups of a user";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "userId", user_id);
        self.page(pattern, arguments, options).await
    }

    /// members of a group: `groupName = <groupName>`.
    pub async fn members_of_a_group(
        &self,
        group_name: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<GroupMembership>, typed::Error> {
        let pattern = "members of a group";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "groupName", group_name);
        self.page(pattern, arguments, options).await
    }

    /// profile: `PK = USER#<userId> and SK = PROFILE`.
    pub async fn profile(
        &self,
        user_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Profile>, typed::Error> {
        let pattern = "profile";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "userId", user_id);
        self.page(pattern, arguments, options).await
    }

    /// all players: `entityType = SQUASH_PLAYER`.
    pub async fn all_players(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Player>, typed::Error> {
        let pattern = "all players";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all matches: `entityType = SQUASH_MATCH, newest first`.
    pub async fn all_matches(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Match>, typed::Error> {
        let pattern = "all matches";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// matches on a day: `squashDate = <date> -> Match`.
    pub async fn matches_on_a_day(
        &self,
        date: typed::Date,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Match>, typed::Error> {
        let pattern = "matches on a day";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "date", &date);
        self.page(pattern, arguments, options).await
    }

    /// matches in a range: `entityType = SQUASH_MATCH and entitySk between SQUASH#MATCH#<from> and SQUASH#MATCH#<to>`.
    pub async fn matches_in_a_range(
        &self,
        from: typed::Date,
        to: typed::Date,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Match>, typed::Error> {
        let pattern = "matches in a range";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "from", &from);
        typed::set(&mut arguments, "to", &to);
        self.page(pattern, arguments, options).await
    }

    /// matches between: `squashDate between <from> and <to>, at most 92 days -> Match`.
    pub async fn matches_between(
        &self,
        from: typed::Date,
        to: typed::Date,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Match>, typed::Error> {
        let pattern = "matches between";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "from", &from);
        typed::set(&mut arguments, "to", &to);
        self.page(pattern, arguments, options).await
    }

    /// matches of a player: `PK = SQUASH#PLAYER#<playerId> and begins_with(SK, MATCH#)`.
    pub async fn matches_of_a_player(
        &self,
        player_id: typed::Uuid,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Participation>, typed::Error> {
        let pattern = "matches of a player";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "playerId", &player_id);
        self.page(pattern, arguments, options).await
    }
}
