//! Printing to people.

/// Prints a line. A closed pipe (`| head`) is not an error.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}
