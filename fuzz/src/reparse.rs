//! Text that a tree was printed as, parsed again.

use keyfold_dynamo::expression::{Context, Printer};
use keyfold_dynamo::{ServiceError, limits};

/// Prints a tree and parses the text with the aliases it was printed with, all of which it must use. `None` where
/// printing has made the text longer than an expression may be.
pub fn reparse<T>(
    print: impl FnOnce(&mut Printer) -> String,
    parse: impl FnOnce(&str, &mut Context<'_>) -> Result<T, ServiceError>,
) -> Option<T> {
    let mut printer = Printer::new();
    let text = print(&mut printer);
    if text.len() > limits::EXPRESSION_BYTES {
        return None;
    }
    let aliases = printer.into_aliases();
    let mut context = Context::new(aliases.names.as_ref(), aliases.values.as_ref(), true).expect("valid aliases");
    let parsed = parse(&text, &mut context).unwrap_or_else(|error| panic!("{error}: {text} with {aliases:?}"));
    context.finish().unwrap_or_else(|error| panic!("{error}: {text} with {aliases:?}"));
    Some(parsed)
}
