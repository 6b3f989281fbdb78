//! The diagnostics of the YAML layer.

use crate::diagnostic::{Code, Severity};

pub(crate) static CODES: &[&Code] = &[&NOT_YAML, &UNUSED_YAML, &DUPLICATE_KEY, &COMMENT_CUTS_TEMPLATE, &JOINED_TEXT];

pub(super) static NOT_YAML: Code = Code {
    id: "KF001",
    title: "invalid YAML",
    severity: Severity::Error,
    explanation: "A design is a YAML file. Parsing failed at the position shown; the mistake is there or shortly \
                  before it. Common causes are wrong indentation, a missing space after a colon, and text after a \
                  closing quote.",
    fix: "Indent with spaces, put a space after each `key:`, and leave key templates unquoted:\n\n    PK: ACCOUNT#<accountId>",
};

pub(super) static UNUSED_YAML: Code = Code {
    id: "KF002",
    title: "unsupported YAML feature",
    severity: Severity::Error,
    explanation: "Designs do not support anchors, aliases, tags, merge keys, several documents in one file, or keys \
                  that are not strings. They make a file mean something other than it seems to say.",
    fix: "Write the value out where it is used.",
};

pub(super) static DUPLICATE_KEY: Code = Code {
    id: "KF003",
    title: "duplicate key",
    severity: Severity::Error,
    explanation: "Most YAML parsers silently keep the last of two equal keys. In a design, an entity, an attribute or \
                  a pattern would disappear without notice.",
    fix: "Remove one of the two, or rename it.",
};

pub(super) static COMMENT_CUTS_TEMPLATE: Code = Code {
    id: "KF004",
    title: "comment cuts a template short",
    severity: Severity::Error,
    explanation: "In YAML, ` #` starts a comment. `SK: <a> #<b>` therefore means `SK: <a>`, and every item would get \
                  the wrong key. A comment after a template that looks like part of it is an error.",
    fix: "Write the template without spaces, and the comment, if it is one, with a space after its `#`:\n\n    SK: <a>#<b>   # a and b",
};

pub(super) static JOINED_TEXT: Code = Code {
    id: "KF005",
    title: "strings joined with `+`",
    severity: Severity::Error,
    explanation: "Design documents often write a key as `\"x#\" + ID`. In a design file, a template is one string with \
                  placeholders in angle brackets.",
    fix: "Write the attribute as a placeholder:\n\n    SK: x#<id>",
};
