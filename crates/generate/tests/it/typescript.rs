//! TypeScript that the compiler or the table would reject, or that would mean something else than the design.

use keyfold_generate::{Input, Target, generate};

fn file(name: &str, design: &str) -> String {
    let design = keyfold_design::load("design.yaml", design).unwrap_or_else(|found| panic!("{found:?}")).0;
    let path = format!("typescript/{name}.ts");
    generate(Target::TypeScript, &Input::new(&design)).into_iter().find(|file| file.path == path).unwrap().text
}

const NOTES: &str = "
design: notes
tenant: {attribute: teamId, entity: Team}
table: notes
indexes:
  GSI1: {purpose: by tag}
entities:
  Team:
    scope: tenant
    PK: TEAM#<teamId>
    SK: METADATA
    attributes:
      teamId: string
  Note:
    PK: NOTE#<noteId>
    SK: METADATA
    GSI1PK: TAG#<tag>
    GSI1SK: <createdAt>#<noteId>
    scope: tenant or global
    attributes:
      noteId: string
      teamId: string, optional
      tag: string
      createdAt: created at
      version: version
patterns:
  one note: PK = NOTE#<noteId>, own tenant only
  oneNote: GSI1PK = TAG#<tag>, own tenant only
allow: [{signed in: everything}]
";

#[test]
fn patterns_whose_names_differ_only_in_spelling_have_different_functions() {
    let patterns = file("patterns", NOTES);
    assert!(patterns.contains("export async function oneNote("), "{patterns}");
    assert!(patterns.contains("export async function oneNotePattern("), "{patterns}");
}

#[test]
fn a_tenant_filter_has_a_condition_for_each_way_in_which_items_hold_the_tenant() {
    let patterns = file("patterns", NOTES);
    assert!(patterns.contains("value: (tenant) => tenant, orAbsent: true }] },"), "{patterns}");
}

#[test]
fn stamps_are_optional_in_entities_and_required_in_keys() {
    let entities = file("entities", NOTES);
    assert!(entities.contains("createdAt?: string;") && entities.contains("version?: number;"), "{entities}");
    let keys = file("keys", NOTES);
    let parameter = "values: Pick<entities.Note, 'noteId' | 'tag'> & Required<Pick<entities.Note, 'createdAt'>>";
    assert!(keys.contains(parameter), "{keys}");
}
