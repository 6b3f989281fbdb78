// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Key builders.

use keyfold_typed as typed;

/// PK of Category: `<id>`.
pub fn pk_category(id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("<id>", '#');
    key.part("id", id, &[]);
    key.text()
}

/// SK of Category: `category`.
pub fn sk_category() -> &'static str {
    "category"
}

/// Category in GSI.
pub fn gsi_category(name: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsisk = typed::Key::new("<name>", '#');
    gsisk.part("name", name, &[]);
    typed::index_key([("GSISK", gsisk)])
}

/// PK of Collection: `<id>`.
pub fn pk_collection(id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("<id>", '#');
    key.part("id", id, &[]);
    key.text()
}

/// SK of Collection: `collection`.
pub fn sk_collection() -> &'static str {
    "collection"
}

/// Collection in GSI.
pub fn gsi_collection(name: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsisk = typed::Key::new("<name>", '#');
    gsisk.part("name", name, &[]);
    typed::index_key([("GSISK", gsisk)])
}

/// PK of CollectionCategory: `<collectionId>`.
pub fn pk_collection_category(collection_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("<collectionId>", '#');
    key.part("collectionId", collection_id, &[]);
    key.text()
}

/// SK of CollectionCategory: `collection_category#<categoryId>`.
pub fn sk_collection_category(category_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("collection_category#<categoryId>", '#');
    key.literal("collection_category#");
    key.part("categoryId", category_id, &[]);
    key.text()
}

/// CollectionCategory in GSI.
pub fn gsi_collection_category(
    collection_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsisk = typed::Key::new("<collectionId>", '#');
    gsisk.part("collectionId", collection_id, &[]);
    typed::index_key([("GSISK", gsisk)])
}

/// PK of Place: `<id>`.
pub fn pk_place(id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("<id>", '#');
    key.part("id", id, &[]);
    key.text()
}

/// SK of Place: `place#<fullName:first(2)>`.
pub fn sk_place(full_name: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("place#<fullName:first(2)>", '#');
    key.literal("place#");
    key.part("fullName", full_name, &[typed::Format::First(2)]);
    key.text()
}

/// Place in GSI.
pub fn gsi_place(full_name: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsisk = typed::Key::new("<fullName>", '#');
    gsisk.part("fullName", full_name, &[]);
    typed::index_key([("GSISK", gsisk)])
}

/// PK of PlaceSettings: `placeSettings`.
pub fn pk_place_settings() -> &'static str {
    "placeSettings"
}

/// SK of PlaceSettings: `placeSettings`.
pub fn sk_place_settings() -> &'static str {
    "placeSettings"
}

/// PK of PlaceWord: `placeWord#<word>`.
pub fn pk_place_word(word: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("placeWord#<word>", '#');
    key.literal("placeWord#");
    key.part("word", word, &[]);
    key.text()
}

/// SK of PlaceWord: `placeWord`.
pub fn sk_place_word() -> &'static str {
    "placeWord"
}

/// PK of Post: `<id>`.
pub fn pk_post(id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("<id>", '#');
    key.part("id", id, &[]);
    key.text()
}

/// SK of Post: `post`.
pub fn sk_post() -> &'static str {
    "post"
}

/// Post in GSI.
pub fn gsi_post(collection_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsisk = typed::Key::new("<collectionId>", '#');
    gsisk.part("collectionId", collection_id, &[]);
    typed::index_key([("GSISK", gsisk)])
}

/// PK of Record: `<id>`.
pub fn pk_record(id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("<id>", '#');
    key.part("id", id, &[]);
    key.text()
}

/// SK of Record: `record_post#<postId>`.
pub fn sk_record(post_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("record_post#<postId>", '#');
    key.literal("record_post#");
    key.part("postId", post_id, &[]);
    key.text()
}

/// Record in GSI.
pub fn gsi_record(id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsisk = typed::Key::new("<id>", '#');
    gsisk.part("id", id, &[]);
    typed::index_key([("GSISK", gsisk)])
}

/// PK of RecordHousehold: `<postId>`.
pub fn pk_record_household(post_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("<postId>", '#');
    key.part("postId", post_id, &[]);
    key.text()
}

/// SK of RecordHousehold: `record_household#<household>`.
pub fn sk_record_household(
    household: Option<&str>,
) -> Result<Option<String>, typed::TemplateError> {
    let mut key = typed::Key::new("record_household#<household>", '#');
    key.literal("record_household#");
    key.part_if("household", household, &[]);
    key.text_if()
}

/// RecordHousehold in GSI; only items that have all its attributes are in the index.
pub fn gsi_record_household(post_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsisk = typed::Key::new("<postId>", '#');
    gsisk.part("postId", post_id, &[]);
    typed::index_key([("GSISK", gsisk)])
}

/// PK of Settings: `settings`.
pub fn pk_settings() -> &'static str {
    "settings"
}

/// SK of Settings: `settings`.
pub fn sk_settings() -> &'static str {
    "settings"
}

/// Settings in GSI.
pub fn gsi_settings(name: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsisk = typed::Key::new("<name>", '#');
    gsisk.part("name", name, &[]);
    typed::index_key([("GSISK", gsisk)])
}

/// PK of Sequence: `sequence`.
pub fn pk_sequence() -> &'static str {
    "sequence"
}

/// SK of Sequence: `sequence`.
pub fn sk_sequence() -> &'static str {
    "sequence"
}

/// PK of User: `<id>`.
pub fn pk_user(id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("<id>", '#');
    key.part("id", id, &[]);
    key.text()
}

/// SK of User: `user`.
pub fn sk_user() -> &'static str {
    "user"
}

/// User in GSI.
pub fn gsi_user(issuer: &str, subject: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsisk = typed::Key::new("<issuer:url><subject:url>", '#');
    gsisk.part("issuer", issuer, &[typed::Format::Url]);
    gsisk.part("subject", subject, &[typed::Format::Url]);
    typed::index_key([("GSISK", gsisk)])
}

/// The key of the lookup of User by identity.
pub fn lookup_user_by_identity(
    issuer: &str,
    subject: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut pk = typed::Key::new("userIdentity#<issuer:url>#<subject:url>", '#');
    pk.literal("userIdentity#");
    pk.part("issuer", issuer, &[typed::Format::Url]);
    pk.literal("#");
    pk.part("subject", subject, &[typed::Format::Url]);
    let mut sk = typed::Key::new("userIdentity", '#');
    sk.literal("userIdentity");
    typed::index_key([("PK", pk), ("SK", sk)])
}
