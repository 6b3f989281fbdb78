//! Names of tables on the command line.

use keyfold_design::is_dynamo_name;

/// Parses the name of a table by DynamoDB's rule, so that a mistake is reported before anything is opened.
pub(crate) fn table_name(text: &str) -> Result<String, String> {
    if is_dynamo_name(text) {
        return Ok(text.to_owned());
    }
    Err(format!("`{text}` cannot name a table: use 3 to 255 of the characters a-z, A-Z, 0-9, `_`, `-` and `.`"))
}

#[cfg(test)]
mod tests {
    use super::table_name;

    #[test]
    fn a_name_follows_the_rule_of_dynamodb() {
        assert_eq!(table_name("app-data_v1.2"), Ok("app-data_v1.2".to_owned()));
        for wrong in ["ab", "my table", "größe", &"x".repeat(256)] {
            let expected = format!(
                "`{wrong}` cannot name a table: use 3 to 255 of the characters a-z, A-Z, 0-9, `_`, `-` and `.`"
            );
            assert_eq!(table_name(wrong), Err(expected));
        }
    }
}
