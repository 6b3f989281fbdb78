//! The expression languages.
