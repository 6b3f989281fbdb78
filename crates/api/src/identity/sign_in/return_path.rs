//! Where a browser goes after the sign-in: a path of this server. Anything else would let others send people from here
//! to a page of theirs.

/// The longest path.
const MAX_BYTES: usize = 2048;

/// The path, if it is a local one.
pub(super) fn local_path(text: &str) -> Option<&str> {
    // Browsers drop control characters, and take `//host` and `/\host` for another host.
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let is_local = text.starts_with('/') && !text.starts_with("//");
    (is_plain && is_local && text.len() <= MAX_BYTES).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_server_are_local() {
        for path in ["/", "/console", "/console?design=shop&x=%2F#top", "/a//b", "/@evil.example.com"] {
            assert_eq!(local_path(path), Some(path));
        }
        let long = format!("/{}", "x".repeat(MAX_BYTES));
        for path in [
            "",
            "console",
            "//evil.example.com",
            "/\\evil.example.com",
            "\\\\evil.example.com",
            "https://evil.example.com",
            "/\t/evil.example.com",
            "/\n",
            " /console",
            "/é",
            "javascript:alert(1)",
            &long,
        ] {
            assert_eq!(local_path(path), None, "{path:?}");
        }
    }
}
