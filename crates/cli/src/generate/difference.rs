//! A human-readable diff of two texts.

/// Lines of context.
const AROUND: usize = 3;

/// The lines from the first difference to the last, with context.
pub(super) fn describe(name: &str, found: &str, wanted: &str) -> String {
    let old: Vec<&str> = found.lines().collect();
    let new: Vec<&str> = wanted.lines().collect();
    let before = old.iter().zip(&new).take_while(|(left, right)| left == right).count();
    let most = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(left, right)| left == right).count();
    let mut text = format!("--- {name}\n+++ generated from the design\n@@ line {} @@", before + 1);
    let mut push = |sign: char, line: &str| {
        text.push('\n');
        text.push(sign);
        text.push_str(line);
    };
    let context = before.saturating_sub(AROUND);
    old.iter().take(before).skip(context).for_each(|line| push(' ', line));
    old.iter().take(old.len() - after).skip(before).for_each(|line| push('-', line));
    new.iter().take(new.len() - after).skip(before).for_each(|line| push('+', line));
    new.iter().skip(new.len() - after).take(AROUND).for_each(|line| push(' ', line));
    text
}

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn shows_what_changed_and_a_little_around_it() {
        let text = describe("a.yaml", "1\n2\n3\n4\n5\nold\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\nnew\n6\n7\n8\n9\n");
        assert_eq!(text, "--- a.yaml\n+++ generated from the design\n@@ line 6 @@\n 3\n 4\n 5\n-old\n+new\n 6\n 7\n 8");
    }

    #[test]
    fn a_missing_file_is_all_new() {
        assert_eq!(describe("a", "", "1\n2\n"), "--- a\n+++ generated from the design\n@@ line 1 @@\n+1\n+2");
    }
}
