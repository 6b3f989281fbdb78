//! Printing to people. A stream that is closed never stops the program, as `println!` and `eprintln!` would.

/// Prints a line. A closed pipe (`| head`) is not an error.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

/// Prints a line to standard error: a problem, or what a server is doing.
macro_rules! report {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
