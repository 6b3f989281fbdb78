//! Conditions of callers on the items of one entity, in the spelling of filters.

use super::pattern::filter;
use super::reader::Reader;
use crate::diagnostic::{Diagnostic, Findings};
use crate::model::{Entity, ItemFilter};
use crate::span::Span;
use crate::syntax::Located;

/// DynamoDB's limit on expressions, in bytes.
const LONGEST: usize = 4096;

/// Parses a condition such as `stock >= <least> and status = open`. The error is a sentence for the caller.
pub fn item_filter(entity: &Entity, text: &str) -> Result<ItemFilter, String> {
    if text.len() > LONGEST {
        return Err(format!("a condition has at most {LONGEST} bytes"));
    }
    let mut findings = Findings::default();
    let mut parameters = Vec::new();
    let located = Located::whole(text, Span::new(0, text.len()));
    let filter = filter::parse(located, &[entity], &mut parameters, &mut Reader::new(text, &mut findings));
    let first: Option<Diagnostic> = findings.into_sorted().into_iter().next();
    match (filter, first) {
        (Some(filter), None) => {
            let parameters = parameters.into_iter().map(|own| (own.name, own.value_type)).collect();
            Ok(ItemFilter { filter, parameters })
        }
        (_, Some(Diagnostic { message, help: Some(help), .. })) => Err(format!("{message}: {help}")),
        (_, Some(Diagnostic { message, .. })) => Err(message),
        (None, None) => Err("the condition cannot be read".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Design;

    fn design() -> Design {
        let text = "
design: shop
table: shop
entities:
  Product:
    PK: PRODUCT#<productId>
    SK: METADATA
    attributes: {productId: string, stock: \"integer, at least 0\", status: open | closed, tags: \"string set, optional\"}
";
        Design::load("design.yaml", text).unwrap().0
    }

    fn parsed(text: &str) -> Result<ItemFilter, String> {
        item_filter(&design().entities[0], text)
    }

    #[test]
    fn conditions_are_printed_as_they_are_read() {
        for (text, printed) in [
            ("stock >= <least>", "stock >= <least>"),
            ("stock between 1 and 5 and status = open", "stock between 1 and 5 and status = \"open\""),
            (
                "(stock = 1 or stock = 2) and not contains(tags, new)",
                "(stock = 1 or stock = 2) and not (contains(tags, \"new\"))",
            ),
            (
                "status in (open, closed) or attribute_not_exists(tags)",
                "status in (\"open\", \"closed\") or attribute_not_exists(tags)",
            ),
        ] {
            let found = parsed(text).unwrap();
            assert_eq!(found.filter.to_string(), printed);
            assert_eq!(parsed(printed).unwrap(), found, "{text}");
        }
        let parameters = parsed("stock between <low> and <high>").unwrap().parameters;
        assert_eq!(
            parameters,
            [
                ("low".to_owned(), crate::model::AttributeType::Integer),
                ("high".to_owned(), crate::model::AttributeType::Integer)
            ]
        );
    }

    #[test]
    fn faults_are_explained() {
        for (text, expected) in [
            ("stok > 1", "`Product` has no attribute `stok`: did you mean `stock`?"),
            (
                "status = opened",
                "`opened` is not one of `open`, `closed`, as `status` is: compare with a value that the attribute can have",
            ),
            ("stock == 1", "`=` is not an integer, as `stock` is: compare with a value that the attribute can have"),
            ("", "the filter is incomplete: filters look like `status = <status> and seats >= 10`"),
        ] {
            assert_eq!(parsed(text).unwrap_err(), expected, "{text}");
        }
    }

    #[test]
    fn hostile_conditions_are_rejected_before_the_stack_ends() {
        let nested = |count: usize| format!("{}stock = 1{}", "(".repeat(count), ")".repeat(count));
        assert!(parsed(&nested(32)).is_ok());
        assert!(parsed(&nested(33)).unwrap_err().starts_with("the filter is nested more than 32 levels deep"));
        assert!(parsed(&"not ".repeat(1000)).unwrap_err().starts_with("the filter is nested more than 32 levels deep"));
        assert_eq!(parsed(&nested(2050)).unwrap_err(), "a condition has at most 4096 bytes");
    }
}
