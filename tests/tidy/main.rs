//! Rules about the source of the project. Each file of `checks/` is one rule; each test prints every violation it
//! finds.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod checks {
    mod architecture;
    mod documentation;
    mod lint_exceptions;
    mod lints;
    mod maps;
    mod markdown;
    mod methods;
    mod module_cycles;
    mod optional_fields;
    mod security;
    mod sizes;
    mod spelling;
    mod store_internals;
    mod text;
    mod time;
    mod walks;
}

mod lexer;
mod paths;
mod test_code;
mod tree;
