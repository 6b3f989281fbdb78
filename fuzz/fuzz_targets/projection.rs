//! Projection expressions: a projection that is printed is parsed to the same one, and what it selects is in the item
//! and on one of its paths.

#![no_main]

use keyfold_dynamo::expression::{Context, Projection};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_fuzz::{ITEMS, NAMES, expression_text, reparse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(text) = expression_text(data) else { return };
    let mut context = Context::new(Some(&*NAMES), None, true).expect("the aliases are valid");
    let Ok(projection) = Projection::parse(&text, &mut context) else { return };
    if let Some(again) = reparse(|printer| projection.print(printer), Projection::parse) {
        assert_eq!(again, projection);
    }
    for item in &*ITEMS {
        let selected = projection.apply(item);
        assert!(map_is_part(&selected, item), "{selected:?}");
        for name in selected.keys() {
            assert!(projection.paths().iter().any(|path| path.root == *name && path.find(item).is_some()));
        }
        for path in projection.paths().iter().filter(|path| path.find(item).is_some()) {
            assert!(selected.contains_key(&path.root), "{path:?}");
        }
    }
});

fn map_is_part(part: &Attributes, whole: &Attributes) -> bool {
    part.iter().all(|(name, value)| whole.get(name).is_some_and(|whole| is_part(value, whole)))
}

/// Whether leaving out parts of `whole` gives `part`. Lists close up.
fn is_part(part: &AttributeValue, whole: &AttributeValue) -> bool {
    match (part, whole) {
        (AttributeValue::M(part), AttributeValue::M(whole)) => map_is_part(part, whole),
        (AttributeValue::L(part), AttributeValue::L(whole)) => {
            let mut rest = whole.iter();
            part.iter().all(|element| rest.any(|whole| is_part(element, whole)))
        }
        _ => part == whole,
    }
}
