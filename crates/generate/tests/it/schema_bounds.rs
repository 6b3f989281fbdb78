//! The schemas accept what the REST API accepts: the bounds of attributes, those that keys imply, and the parameters
//! that an operation has.

use keyfold_generate::openapi::Server;
use keyfold_generate::{Input, Target, generate};
use serde_json::{Value, json};

const DESIGN: &str = "
design: parcels
table: parcels
indexes:
  GSI1: {purpose: by kind}
entities:
  Depot:
    PK: DEPOT#<depotId>
    SK: METADATA
    delete: cascade when asked
    attributes:
      depotId: string
      note: string, optional
      version: version
  Parcel:
    PK: DEPOT#<depotId>
    SK: PARCEL#<weight:width(6)>#<parcelId>
    GSI1PK: <kind>
    GSI1SK: <parcelId>
    attributes:
      depotId: string, refers to Depot
      parcelId: uuid
      weight: integer
      price: number, optional
      label: binary, at most 10 bytes, optional
      kind: string
patterns:
  parcels of kinds: GSI1PK in <kinds>, at most 3 values
allow: [{signed in: everything}]
accept: {KF031 <kind>: a few kinds}
";

fn document() -> Value {
    let design = keyfold_design::load("parcels.yaml", DESIGN).unwrap_or_else(|found| panic!("{found:?}")).0;
    let server = Server { page_limit: 100, problem_codes: vec!["not-found"], idempotency: false, audit_log: None };
    let files = generate(Target::OpenApi, &Input { openapi: Some(&server), ..Input::new(&design) });
    serde_json::from_str(&files[0].text).unwrap()
}

fn property(schema: &str, name: &str) -> Value {
    document()["components"]["schemas"][schema]["properties"][name].clone()
}

fn parameters(path: &str, method: &str) -> Vec<String> {
    let document = document();
    let listed = document["paths"][path][method]["parameters"].as_array().into_iter().flatten();
    listed.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn texts_in_keys_are_not_empty() {
    assert_eq!(property("NewParcel", "kind"), json!({"type": "string", "minLength": 1}));
    assert_eq!(property("NewDepot", "depotId"), json!({"type": "string", "minLength": 1}));
    assert_eq!(property("NewDepot", "note"), json!({"type": "string"}));
}

#[test]
fn an_integer_has_no_more_digits_than_its_key() {
    assert_eq!(property("NewParcel", "weight"), json!({"type": "integer", "minimum": 0, "maximum": 999_999}));
}

#[test]
fn a_decimal_as_text_is_a_number() {
    let price = property("NewParcel", "price");
    assert_eq!(price["type"], json!(["number", "string"]));
    assert_eq!(price["pattern"], "^[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?$");
}

#[test]
fn bytes_are_counted_in_base64() {
    assert_eq!(property("NewParcel", "label")["maxLength"], 16);
}

#[test]
fn a_uuid_has_its_hyphens_in_their_places() {
    assert_eq!(property("Parcel", "parcelId")["pattern"], "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$");
}

#[test]
fn a_list_of_values_has_a_maximum() {
    let document = document();
    let kinds = &document["paths"]["/patterns/parcels-of-kinds"]["get"]["parameters"][0];
    assert_eq!((&kinds["schema"]["minItems"], &kinds["schema"]["maxItems"]), (&json!(1), &json!(3)));
}

#[test]
fn only_entities_with_a_version_or_a_cascade_have_their_parameters() {
    assert_eq!(parameters("/depots/{depotId}", "delete"), ["If-Match", "cascade"]);
    assert_eq!(parameters("/depots/{depotId}", "patch"), ["If-Match"]);
    let document = document();
    let path = document["paths"].as_object().unwrap().keys().find(|path| path.starts_with("/parcels/")).unwrap();
    assert!(parameters(path, "delete").is_empty());
    assert!(parameters(path, "patch").is_empty());
    assert_eq!(parameters(path, "put"), ["If-Match", "If-None-Match"]);
}

#[test]
fn a_design_without_a_description_has_none() {
    assert_eq!(document()["info"].get("description"), None);
}

/// The descriptions of the ETag of a `Depot` and of the `If-Match` of its changes.
fn tag_descriptions(design: &str) -> (Value, Vec<Value>) {
    let design = keyfold_design::load("parcels.yaml", design).unwrap_or_else(|found| panic!("{found:?}")).0;
    let server = Server { page_limit: 100, problem_codes: vec!["not-found"], idempotency: false, audit_log: None };
    let files = generate(Target::OpenApi, &Input { openapi: Some(&server), ..Input::new(&design) });
    let document: Value = serde_json::from_str(&files[0].text).unwrap();
    let path = &document["paths"]["/depots/{depotId}"];
    let if_match = ["put", "patch", "delete"].map(|method| {
        let parameters = path[method]["parameters"].as_array().unwrap();
        parameters.iter().find(|parameter| parameter["name"] == "If-Match").unwrap()["description"].clone()
    });
    (path["get"]["responses"]["200"]["headers"]["ETag"]["description"].clone(), if_match.to_vec())
}

#[test]
fn an_etag_is_described_with_the_counters_in_it() {
    let plain = "The ETag that the item must have, or `*` for any.";
    assert_eq!(tag_descriptions(DESIGN), (json!("The version of the item: `\"7\"`."), vec![json!(plain); 3]));
    let counted = DESIGN
        .replace("note: string, optional", "parcelCount: integer, default 0")
        .replace("refers to Depot", "refers to Depot, counted as parcelCount");
    let tag = "The version of the item and its `parcelCount`, which changes without a new version: `\"7-2\"`.";
    let compared = "The ETag that the item must have, of which only the version is compared, or `*` for any.";
    assert_eq!(tag_descriptions(&counted), (json!(tag), vec![json!(compared); 3]));
}
