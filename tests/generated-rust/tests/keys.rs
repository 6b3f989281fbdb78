//! Generated key builders give the keys that the runtime stores.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_generated_rust::{albums, archive, catalogue, moves, platform};

fn pair(first: (&str, &str), second: (&str, &str)) -> Attributes {
    [first, second].map(|(name, text)| (name.to_owned(), AttributeValue::S(text.to_owned()))).into()
}

#[test]
fn a_key_with_a_condition_is_there_while_it_holds() {
    use moves::keys;
    assert_eq!(
        keys::gsi1_desk("acme", "north", 4, true).unwrap(),
        pair(("GSI1PK", "ORG#acme#FREE"), ("GSI1SK", "north#4"))
    );
    assert_eq!(keys::gsi1_desk("acme", "north", 4, false).unwrap(), Attributes::new());
    // The default may contain the delimiter, and no other value.
    assert_eq!(keys::gsi1_desk("acme", "#", 4, true).unwrap(), pair(("GSI1PK", "ORG#acme#FREE"), ("GSI1SK", "##4")));
    assert!(keys::gsi1_desk("acme", "a#b", 4, true).is_err());
}

/// The eleven helpers that the document of the albums names.
#[test]
fn albums_have_the_helpers_of_their_document() {
    use albums::keys::{self, UserLookupScope};
    let tenant = "01K9ZV0000000000000000TENA";
    let user = "01K9ZV00000000000000000ADA";
    let album = "01K9ZV0000000000000000AB01";
    let child = "01K9ZV0000000000000000AB02";
    assert_eq!(keys::pk_tenant(tenant).unwrap(), "TENANT#01K9ZV0000000000000000TENA");
    assert_eq!(keys::pk_user(user).unwrap(), "USER#01K9ZV00000000000000000ADA");
    assert_eq!(keys::sk_user_metadata(user).unwrap(), "METADATA#01K9ZV00000000000000000ADA");
    assert_eq!(
        keys::gsi1_album_child(Some(album), tenant, child).unwrap(),
        pair(("GSI1PK", "ALBUM#01K9ZV0000000000000000AB01"), ("GSI1SK", "ALBUM#01K9ZV0000000000000000AB02"))
    );
    assert_eq!(
        keys::gsi1_album_child(None, tenant, album).unwrap(),
        pair(("GSI1PK", "TENANT#01K9ZV0000000000000000TENA"), ("GSI1SK", "ALBUM#01K9ZV0000000000000000AB01"))
    );
    assert_eq!(
        keys::gsi1_image_by_album(album, child).unwrap(),
        pair(("GSI1PK", "ALBUM#01K9ZV0000000000000000AB01"), ("GSI1SK", "IMAGE#01K9ZV0000000000000000AB02"))
    );
    let lookup = "LOOKUP#USER#OIDC_SUB#https%3A%2F%2Fid.example.com#auth0%7C7";
    assert_eq!(
        keys::gsi2_user_by_oidc_sub("https://id.example.com", "auth0|7", user).unwrap(),
        pair(("GSI2PK", lookup), ("GSI2SK", "USER#01K9ZV00000000000000000ADA"))
    );
    assert_eq!(
        keys::gsi2_user_by_email("Ada@Example.com", user).unwrap(),
        pair(("GSI2PK", "LOOKUP#USER#EMAIL#ada@example.com"), ("GSI2SK", "USER#01K9ZV00000000000000000ADA"))
    );
    let partition = |value: &str| keys::user_lookup_partition(UserLookupScope::OidcSub, value);
    assert_eq!(partition("x").unwrap(), "LOOKUP#USER#OIDC_SUB#x");
    assert_eq!(
        partition("").unwrap_err().to_string(),
        "`value` is empty; a part of the key `LOOKUP#USER#<scope>#<value>` must not be empty"
    );
    assert_eq!(keys::user_lookup_sort(user).unwrap(), "USER#01K9ZV00000000000000000ADA");
    assert_eq!(
        keys::gsi2_membership_by_tenant(tenant, user).unwrap(),
        pair(
            ("GSI2PK", "LOOKUP#MEMBERSHIP#TENANT#01K9ZV0000000000000000TENA"),
            ("GSI2SK", "USER#01K9ZV00000000000000000ADA")
        )
    );
    assert_eq!(
        keys::gsi2_membership_by_user(user, tenant).unwrap(),
        pair(
            ("GSI2PK", "LOOKUP#MEMBERSHIP#USER#01K9ZV00000000000000000ADA"),
            ("GSI2SK", "TENANT#01K9ZV0000000000000000TENA")
        )
    );
}

#[test]
fn a_status_and_a_date_give_the_place_in_an_index() {
    use platform::LicenseStatus;
    assert_eq!(
        platform::keys::gsi3_license(LicenseStatus::Active, "2026-01-31".parse().unwrap(), "l1").unwrap(),
        pair(("GSI3PK", "LICENSE#STATUS#active"), ("GSI3SK", "2026-01-31#l1"))
    );
    let user = platform::keys::gsi3_user(platform::UserStatus::Active, None, "ada").unwrap();
    assert_eq!(user, pair(("GSI3PK", "USER#STATUS#active"), ("GSI3SK", "9999-12-31#ada")));
}

#[test]
fn an_item_that_lacks_a_value_is_not_in_the_index() {
    assert_eq!(platform::keys::gsi2_role(None, "r1").unwrap(), Attributes::new());
}

#[test]
fn what_would_forge_another_key_is_refused() {
    let error = platform::keys::gsi2_user("northwind#USERS", "ada").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`northwind#USERS` of `accountId` contains `#`, which separates the parts of the key `ACCOUNT#<accountId>#USERS`"
    );
    let error = catalogue::keys::sk_rating("a#COMMENT#b").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`a#COMMENT#b` of `site` would give `SITE#<site>` a key that belongs to `SITE#<site>#COMMENT#<commentId>`"
    );
}

#[test]
fn values_are_cut_and_encoded_as_the_templates_say() {
    assert_eq!(archive::keys::sk_place("Ærøskøbing, Ærø").unwrap(), "place#Ær");
    assert_eq!(archive::keys::pk_place("7").unwrap(), "7");
    assert_eq!(catalogue::keys::sk_site_tag("c#").unwrap(), "TAG#c#");
}
