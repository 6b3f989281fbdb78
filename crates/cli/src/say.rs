//! Printing to people. A stream that is closed never stops the program, as `println!` and `eprintln!` would.

use std::fmt::Arguments;
use std::io::{self, Write as _};
use std::sync::OnceLock;

/// Why results could not be printed.
static FAILURE: OnceLock<io::Error> = OnceLock::new();

/// Prints a line. A closed pipe (`| head`) is not an error; another failure, such as a full disk, is kept for
/// [`failure`].
pub(crate) fn print_line(text: Arguments<'_>) {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            // The first one is the cause.
            let _ = FAILURE.set(error);
        }
        _ => {}
    }
}

/// Why a line was not printed: a command whose results are lost has failed.
pub(crate) fn failure() -> Option<&'static io::Error> {
    FAILURE.get()
}

/// Prints a line to standard output.
macro_rules! say {
    ($($text:tt)*) => { $crate::say::print_line(format_args!($($text)*)) };
}

/// Prints a line to standard error: a problem, or what a server is doing.
macro_rules! report {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
