//! Printing to people.

/// Prints a line. Whoever reads it may have seen enough (`| head`): that is no failure of ours.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}
