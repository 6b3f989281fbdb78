//! KF038: a set within one item that grows with the data.

use keyfold_dynamo::limits;

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::AttributeType;

pub(super) static CODE: Code = Code {
    id: "KF038",
    title: "set that grows within one item",
    severity: Severity::Warning,
    explanation: "An item has at most 400 KB. A set of the ids of all items with a common word grows with the data, \
                  and all their writes go to one item. Once it is full, every further write of a source fails.",
    fix: "Use one item per word and id instead (without `collects`), or accept the warning with the reason why the set \
          stays small.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in &draft.design.entities {
        let Some(derivation) = &entity.derivation else { continue };
        let Some(collects) = &derivation.collects else { continue };
        let source = &draft.design[derivation.source];
        let size = match source.attribute(&collects.member).map(|member| &member.value_type) {
            Some(AttributeType::Ulid) => 26,
            Some(AttributeType::Uuid) => 36,
            Some(AttributeType::Integer | AttributeType::Sequence(_)) => 6,
            _ => 30,
        };
        let most = limits::ITEM_BYTES / size / 1000 * 1000;
        let message = format!(
            "`{}` of `{}` has room for about {most} values of `{}.{}`",
            collects.set, entity.name, source.name, collects.member
        );
        findings.push(
            Diagnostic::new(&CODE, derivation.span, message)
                .help(format!(
                    "keep one item per value, or accept it: `KF038 {}.{}: REASON`",
                    entity.name, collects.set
                ))
                .about(format!("{}.{}", entity.name, collects.set)),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn a_collected_set_is_limited_by_its_item() {
        let word = "  ProductWord:\n    derived from: Product, for each word in words(name)\n    collects: productIds <productId>\n    \
                    PK: WORD#<word>\n    SK: PRODUCTS\n    attributes: {productIds: string set}\n\n  Group:\n";
        let text = patched(
            PLATFORM,
            &[
                ("  Group:\n", word),
                (
                    "name: string, at least 1 character, at most 200 characters\n      enterpriseCount",
                    "name: string, at least 1 character, at most 60 characters\n      enterpriseCount",
                ),
                ("  all groups:", "  products with a word: PK = WORD#<word>\n  all groups:"),
                ("read Enterprise,", "read ProductWord, Enterprise,"),
            ],
        );
        assert_says(
            &text,
            &one(&text, "KF038"),
            "`productIds` of `ProductWord` has room for about 13000 values of `Product.productId`",
            "Product, for each word in words(name)",
            "keep one item per value, or accept it: `KF038 ProductWord.productIds: REASON`",
        );
        // The shorter the members are known to be, the more of them fit.
        let text = patched(&text, &[("      productId: string, made as ulid\n", "      productId: ulid\n")]);
        assert_eq!(
            one(&text, "KF038").message,
            "`productIds` of `ProductWord` has room for about 15000 values of `Product.productId`"
        );
    }
}
