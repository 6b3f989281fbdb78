//! More than one changed index is an ordered series of deployments.

use keyfold_design::Design;
use keyfold_generate::{Input, Target, generate, generate_series, series};

fn design(indexes: &str) -> Design {
    let mut entity = String::new();
    let mut patterns = String::new();
    for name in ["a", "b", "c"] {
        if indexes.contains(&format!("by_{name}:")) {
            patterns.push_str(&format!("  by {name}: {name} = <{name}>\n"));
        }
        entity.push_str(&format!("      {name}: string\n"));
    }
    let text = format!(
        "design: notes\ntable: notes\nindexes:\n{indexes}entities:\n  Note:\n    PK: NOTE#<noteId>\n    SK: METADATA\n    \
         attributes:\n      noteId: ulid\n{entity}patterns:\n{patterns}allow: [{{signed in: everything}}]\n"
    );
    keyfold_design::load("notes.yaml", &text).unwrap_or_else(|found| panic!("{found:?}\n{text}")).0
}

const A: &str = "  by_a: {partition: a, sort: noteId}\n";
const B: &str = "  by_b: {partition: b, sort: noteId}\n";
const B_KEYS: &str = "  by_b: {partition: b, sort: noteId, projection: \"include a, c\"}\n";
const C: &str = "  by_c: {partition: c, sort: noteId}\n";

fn steps(from: &Design, to: &Design) -> Vec<(String, Vec<String>)> {
    series(from, to)
        .into_iter()
        .map(|step| (step.name, step.design.indexes.iter().map(|index| index.name.clone()).collect()))
        .collect()
}

#[test]
fn each_step_is_one_index_away_from_the_last() {
    let from = design(&format!("{A}{B}"));
    let to = design(&format!("{B_KEYS}{C}"));
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        steps(&from, &to),
        [
            ("delete-by_a".to_owned(), names(&["by_b"])),
            ("delete-by_b".to_owned(), names(&[])),
            ("create-by_b".to_owned(), names(&["by_b"])),
            ("create-by_c".to_owned(), names(&["by_b", "by_c"])),
        ]
    );
}

#[test]
fn one_change_needs_no_series() {
    let from = design(A);
    let to = design(&format!("{A}{B}"));
    assert!(generate_series(Target::CloudFormation, &from, &Input::new(&to)).is_empty());
    assert!(steps(&from, &from).is_empty());
}

#[test]
fn the_last_template_is_the_wanted_one_and_the_others_define_no_attribute_they_do_not_use() {
    let from = design(A);
    let to = design(&format!("{A}{B}{C}"));
    let files = generate_series(Target::CloudFormation, &from, &Input::new(&to));
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "cloudformation/step-1-of-2-create-by_b/template.yaml",
            "cloudformation/step-2-of-2-create-by_c/template.yaml"
        ]
    );
    assert!(files[0].text.contains("AttributeName: b\n"));
    assert!(!files[0].text.contains("AttributeName: c\n"));
    assert_eq!(files[1].text, generate(Target::CloudFormation, &Input::new(&to))[0].text);
}
