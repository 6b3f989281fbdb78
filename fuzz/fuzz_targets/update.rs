//! Update expressions: an update that is printed is parsed to the same one; applied to an item it leaves alone what
//! it does not name, and leaves nothing that no item may hold.

#![no_main]

use keyfold_dynamo::expression::{Context, Update};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_fuzz::{ITEMS, NAMES, VALUES, expression_text, reparse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(text) = expression_text(data) else { return };
    let mut context = Context::new(Some(&*NAMES), Some(&*VALUES), true).expect("the aliases are valid");
    let Ok(update) = Update::parse(&text, &mut context) else { return };
    if let Some(again) = reparse(|printer| update.print(printer), Update::parse) {
        assert_eq!(again, update);
    }
    for old in &*ITEMS {
        if let Ok(updated) = update.apply(old) {
            check(&update, old, &updated.item);
        }
    }
});

fn check(update: &Update, old: &Attributes, new: &Attributes) {
    let untouched = |item: &Attributes| -> Attributes {
        let of_others = item.iter().filter(|(name, _)| update.roots().all(|root| root != *name));
        of_others.map(|(name, value)| (name.clone(), value.clone())).collect()
    };
    assert_eq!(untouched(old), untouched(new), "{update:?}");
    assert!(new.values().all(has_no_empty_set), "{new:?}");
    for name in update.project_touched(old).keys().chain(update.project_touched(new).keys()) {
        assert!(update.roots().any(|root| root == name));
    }
    for path in update.remove.iter().filter(|path| path.is_top_level()) {
        assert!(!new.contains_key(&path.root), "{path:?}");
    }
    for action in update.set.iter().filter(|action| action.path.is_top_level()) {
        assert!(new.contains_key(&action.path.root), "{action:?}");
    }
}

fn has_no_empty_set(value: &AttributeValue) -> bool {
    match value {
        AttributeValue::Ss(set) => !set.is_empty(),
        AttributeValue::Ns(set) => !set.is_empty(),
        AttributeValue::Bs(set) => !set.is_empty(),
        AttributeValue::L(list) => list.iter().all(has_no_empty_set),
        AttributeValue::M(map) => map.values().all(has_no_empty_set),
        _ => true,
    }
}
