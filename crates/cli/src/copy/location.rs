//! `PLACE/TABLE`: a table on a backend.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use keyfold_dynamo::Backend;
use keyfold_tables::copy::Side;

use crate::backend::BackendPlace;
use crate::table_name::table_name;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Location {
    place: BackendPlace,
    pub table: String,
}

/// The table name follows the last slash; table names contain none.
impl FromStr for Location {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let Some((place, table)) = text.rsplit_once('/') else {
            bail!("expected a location and a table: DIR/TABLE, aws/TABLE or http://127.0.0.1:8000/TABLE");
        };
        ensure!(
            !table.is_empty() && !place.ends_with(['/', ':']),
            "`{text}` names no table: add its name, as in `{}/TABLE`",
            text.trim_end_matches('/')
        );
        let table = table_name(table).map_err(anyhow::Error::msg)?;
        Ok(Self { place: place.parse()?, table })
    }
}

impl Location {
    /// An absolute name, valid from any working directory.
    fn name(&self) -> anyhow::Result<String> {
        Ok(match &self.place {
            BackendPlace::Folder(folder) => {
                let folder = std::path::absolute(folder).with_context(|| format!("`{}`", folder.display()))?;
                format!("{}/{}", folder.display(), self.table)
            }
            BackendPlace::Aws => format!("aws/{}", self.table),
            BackendPlace::Endpoint(url) => format!("{}/{}", url.trim_end_matches('/'), self.table),
            BackendPlace::Alternator(url) => format!("alternator:{}/{}", url.trim_end_matches('/'), self.table),
        })
    }

    fn on(&self, backend: Arc<dyn Backend>) -> anyhow::Result<Side> {
        Ok(Side { backend, table: self.table.clone(), location: self.name()? })
    }
}

/// Opens source and target. Two tables of one folder share its engine, which can be opened only once.
pub(super) async fn open_both(from: &Location, to: &Location) -> anyhow::Result<(Side, Side)> {
    if let BackendPlace::Folder(folder) = &from.place {
        ensure!(folder.is_dir(), "folder `{}` not found", folder.display());
    }
    let source = from.place.clone().open().await?.backend;
    let target = match (&from.place, &to.place) {
        (BackendPlace::Folder(one), BackendPlace::Folder(other)) if is_same(one, other) => Arc::clone(&source),
        _ => to.place.clone().open().await?.backend,
    };
    Ok((from.on(source)?, to.on(target)?))
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Location, String> {
        text.parse().map_err(|error: anyhow::Error| error.to_string())
    }

    fn location(place: BackendPlace, table: &str) -> Result<Location, String> {
        Ok(Location { place, table: table.to_owned() })
    }

    #[test]
    fn a_place_and_a_table() {
        assert_eq!(read("aws/orders"), location(BackendPlace::Aws, "orders"));
        assert_eq!(read("./aws/orders"), location(BackendPlace::Folder("./aws".into()), "orders"));
        assert_eq!(read("/var/data/orders"), location(BackendPlace::Folder("/var/data".into()), "orders"));
        assert_eq!(read("http://a:1/orders"), location(BackendPlace::Endpoint("http://a:1".to_owned()), "orders"));
        assert_eq!(
            read("alternator:http://a:1/orders"),
            location(BackendPlace::Alternator("http://a:1".to_owned()), "orders")
        );
    }

    #[test]
    fn invalid_locations_are_reported() {
        let whole = "expected a location and a table: DIR/TABLE, aws/TABLE or http://127.0.0.1:8000/TABLE";
        assert_eq!(read("orders"), Err(whole.to_owned()));
        assert_eq!(read("aws/"), Err("`aws/` names no table: add its name, as in `aws/TABLE`".to_owned()));
        for url in ["http://127.0.0.1:8000", "http://localhost"] {
            assert_eq!(read(url), Err(format!("`{url}` names no table: add its name, as in `{url}/TABLE`")));
        }
        assert_eq!(read("aws/an order"), Err(table_name("an order").unwrap_err()));
    }
}
