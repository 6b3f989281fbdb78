//! The JSON Schema document and the OpenAPI document of a design hold the same schemas of its entities.

use std::path::Path;

use keyfold_design::Design;
use keyfold_design::model::{AttributeType, Verb};
use keyfold_generate::openapi::Server;
use keyfold_generate::{Input, Target, generate};
use serde_json::{Map, Value};

/// The designs, and the number of their entities.
const DESIGNS: [(&str, usize); 10] = [
    ("designs/agencies", 2),
    ("designs/albums", 7),
    ("designs/archive", 12),
    ("designs/catalogue", 11),
    ("designs/platform", 17),
    ("tests/generated/awkward", 4),
    ("tests/generated/every-option", 3),
    ("tests/generated/moves", 5),
    ("tests/generated/readings", 3),
    ("tests/generated/visits", 2),
];

fn load(folder: &str) -> Design {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder).join("design.yaml");
    keyfold_design::load("design.yaml", &std::fs::read_to_string(file).unwrap()).unwrap().0
}

fn document(design: &Design, target: Target) -> Value {
    let server = Server { page_limit: 100, problem_codes: vec!["not-found"], idempotency: true, audit_log: None };
    let files = generate(target, &Input { openapi: Some(&server), ..Input::new(design) });
    let [file] = files.as_slice() else { panic!("{} files", files.len()) };
    serde_json::from_str(&file.text).unwrap()
}

/// The schemas of the design's entities in each document, with references in the spelling of JSON Schema.
fn schemas(design: &Design) -> (Map<String, Value>, Map<String, Value>) {
    let mut json_schema = document(design, Target::JsonSchema);
    let mut openapi = document(design, Target::OpenApi);
    let Value::Object(definitions) = json_schema["$defs"].take() else { panic!("no definitions") };
    let text = openapi["components"]["schemas"].take().to_string();
    let mut components: Map<String, Value> =
        serde_json::from_str(&text.replace("#/components/schemas/", "#/$defs/")).unwrap();
    for shared in ["Problem", "Decision"] {
        components.remove(shared).unwrap();
    }
    (definitions, components)
}

#[test]
fn both_documents_hold_the_same_schemas_of_every_entity() {
    for (folder, entities) in DESIGNS {
        let design = load(folder);
        assert_eq!(design.entities.len(), entities, "{folder}");
        let (definitions, components) = schemas(&design);
        assert_eq!(definitions, components, "{folder}");
        for entity in &design.entities {
            assert!(definitions.contains_key(&entity.name), "{folder}: {}", entity.name);
        }
        let inputs: usize = design
            .entities
            .iter()
            .map(|entity| usize::from(entity.accepts(Verb::Create)) + 3 * usize::from(entity.accepts(Verb::Update)))
            .sum();
        assert_eq!(definitions.len(), entities + inputs, "{folder}");
    }
}

#[test]
fn stamps_are_optional_in_items_and_no_part_of_inputs() {
    let mut stamps = 0;
    for (folder, _) in DESIGNS {
        let design = load(folder);
        let (definitions, _) = schemas(&design);
        for entity in &design.entities {
            let is_stamp = |name: &str| {
                entity.attribute(name).is_some_and(|found| matches!(found.value_type, AttributeType::Stamp(_)))
            };
            let item = &definitions[&entity.name];
            let required = item["required"].as_array().map(Vec::as_slice).unwrap_or_default();
            assert!(!required.iter().any(|name| is_stamp(name.as_str().unwrap())), "{folder}: {}", entity.name);
            stamps += item["properties"].as_object().unwrap().keys().filter(|name| is_stamp(name)).count();
            let inputs =
                [format!("New{}", entity.name), format!("{}Replacement", entity.name), format!("{}Patch", entity.name)];
            for input in inputs.iter().filter_map(|name| definitions.get(name)) {
                let properties = input["properties"].as_object().unwrap();
                assert!(!properties.keys().any(|name| is_stamp(name)), "{folder}: {}", entity.name);
            }
        }
    }
    assert!(stamps > 50, "{stamps} stamps");
}

#[test]
fn a_name_that_an_entity_has_is_not_given_to_another_schema() {
    let (definitions, _) = schemas(&load("tests/generated/awkward"));
    // `NewOption` is an entity, so that the input for a new `Option` has another name.
    assert!(definitions["NewOption"]["properties"].get("crate").is_some());
    assert!(definitions["NewOptionInput"]["properties"].get("type").is_some());
    assert!(definitions["NewNewOption"]["properties"].get("crate").is_some());
}

#[test]
fn a_license_has_the_bounds_of_the_design_in_both_documents() {
    let (definitions, components) = schemas(&load("designs/platform"));
    for schemas in [definitions, components] {
        let license = &schemas["License"];
        assert_eq!(license["properties"]["seats"]["minimum"], 1);
        assert_eq!(license["properties"]["seats"]["maximum"], 1_i64 << 53);
        assert_eq!(license["properties"]["endDate"]["format"], "date");
        assert_eq!(schemas["NewLicense"]["required"], serde_json::json!(["enterpriseId", "endDate", "seats"]));
        assert_eq!(schemas["LicensePatch"]["properties"]["note"]["type"], serde_json::json!(["string", "null"]));
        assert_eq!(schemas["LicensePatch"].get("required"), None);
    }
}
