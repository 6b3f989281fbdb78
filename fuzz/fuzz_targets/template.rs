//! Key templates: the first line of the input is a template, the others are keys. Reading a key is the inverse of
//! rendering it: what a template reads from a key renders to the same key.

#![no_main]

use keyfold_design::Design;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Some(design) = lines.next().and_then(design_with_key) else { return };
    let template = &design.entities[0].layout.sort.as_ref().expect("the table has a sort key").template;
    for key in lines {
        let Some(bindings) = template.read(key) else { continue };
        assert!(template.matches(key), "`{key}` is read by `{}`, and does not match it", template.source);
        let is_reversible = template.placeholders().all(|placeholder| placeholder.is_reversible());
        if is_reversible && template.alternatives().count() == 1 {
            let rendered = template.render_text(|name| bindings.get(name)).expect("what was read can be rendered");
            assert_eq!(rendered.as_deref(), Some(key), "{bindings:?}");
        }
    }
});

/// A design whose entity has the template as its sort key.
fn design_with_key(template: &str) -> Option<Design> {
    let quoted = serde_json::to_string(template).expect("a text is JSON");
    let text = format!(
        "design: fuzzed\ntable: fuzzed\nentities:\n  Thing:\n    PK: THING#<id>\n    SK: {quoted}\n    \
         attributes: {{id: string, a: string, b: string, n: integer, day: date, state: x | y}}\n\
         patterns: {{}}\nallow: [{{signed in: everything}}]\n"
    );
    keyfold_design::load("design.yaml", &text).ok().map(|(design, _)| design)
}
