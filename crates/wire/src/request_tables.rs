//! The tables that a request names, for the limits of access keys.

/// The tables that a request names.
pub(crate) enum Tables<'a> {
    /// It concerns no table.
    None,
    All,
    Named(Vec<&'a str>),
}

impl<'a> Tables<'a> {
    pub(crate) fn one(table: &'a str) -> Self {
        Self::Named(vec![table])
    }

    /// The tables of requests by table name.
    pub(crate) fn keys<T>(by_table: &'a [(String, T)]) -> Self {
        Self::each(by_table, |(table, _)| table)
    }

    /// The table of each part of a request.
    pub(crate) fn each<T>(parts: &'a [T], table: fn(&T) -> &String) -> Self {
        Self::Named(parts.iter().map(|part| table(part).as_str()).collect())
    }

    /// The name in the ARN of a table. Any other text is not the name of a table, so that limited keys cannot use it.
    pub(crate) fn from_arn(arn: &'a str) -> Self {
        Self::one(arn.split_once(":table/").map_or(arn, |(_, table)| table))
    }
}
