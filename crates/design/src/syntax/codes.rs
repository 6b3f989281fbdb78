//! The diagnostics of the YAML layer.

use crate::diagnostic::{Code, Severity};

pub static CODES: &[&Code] = &[&NOT_YAML, &UNUSED_YAML, &DUPLICATE_KEY, &COMMENT_CUTS_TEMPLATE, &JOINED_TEXT];

pub static NOT_YAML: Code = Code {
    id: "KF001",
    title: "the file is not YAML",
    severity: Severity::Error,
    explanation: "A design is a YAML file. The place shown is where reading it failed; the mistake is there or shortly \
                  before it, often an indentation, a missing space after a colon, or text after a closing quote.",
    fix: "Indent with spaces, put a space after each `key:`, and leave key templates unquoted:\n\n    PK: ACCOUNT#<accountId>",
};

pub static UNUSED_YAML: Code = Code {
    id: "KF002",
    title: "a part of YAML that designs do not use",
    severity: Severity::Error,
    explanation: "Anchors, aliases, tags, merge keys, several documents in one file and keys that are not text make a file mean \
                  something else than it says at first sight. A design is read by people first, so it does without them.",
    fix: "Write the value out where it is used.",
};

pub static DUPLICATE_KEY: Code = Code {
    id: "KF003",
    title: "a key is given twice",
    severity: Severity::Error,
    explanation: "Most YAML readers keep the last of two equal keys and drop the first without a word. In a design that \
                  would be an entity, an attribute or a pattern that silently does not exist.",
    fix: "Remove one of the two, or give it another name.",
};

pub static COMMENT_CUTS_TEMPLATE: Code = Code {
    id: "KF004",
    title: "a comment cuts a template short",
    severity: Severity::Error,
    explanation: "In YAML ` #` begins a comment. `SK: <a> #<b>` therefore means `SK: <a>`, and every item would get the wrong \
                  key. A comment that follows a template and looks like a part of it is refused.",
    fix: "Write the template without blanks, and the comment, if it is one, with a blank after its `#`:\n\n    SK: <a>#<b>   # a and b",
};

pub static JOINED_TEXT: Code = Code {
    id: "KF005",
    title: "texts joined with `+`",
    severity: Severity::Error,
    explanation: "Design documents often spell a key as `\"x#\" + ID`. In a design file a template is one text in which \
                  placeholders stand in angle brackets.",
    fix: "Write the attribute as a placeholder:\n\n    SK: x#<id>",
};
