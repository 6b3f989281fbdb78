//! The design to start from.

/// A small, commented design that checks clean.
pub fn starter(name: &str) -> String {
    include_str!("starter.yaml").replace("NAME", name).replace("TABLE", &name.replace('-', "_"))
}

/// Whether a design can have this name.
pub fn is_design_name(name: &str) -> bool {
    name.len() <= 63
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starter_is_clean() {
        let text = starter("my-shop");
        let (design, found) = crate::load("design.yaml", &text).unwrap();
        assert_eq!(found, []);
        assert_eq!((design.name.as_str(), design.table.name.as_str()), ("my-shop", "my_shop_table"));
    }
}
