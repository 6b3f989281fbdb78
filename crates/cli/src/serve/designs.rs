//! Opens the designs to serve.

use std::path::PathBuf;
use std::sync::Arc;

use keyfold_api::identity::{Person, sample_people};
use keyfold_api::{Limits, ServedDesign};
use keyfold_design::counted;
use keyfold_dynamo::Backend;
use keyfold_tables::missing_for_serving;

use crate::backend::BackendPlace;
use crate::config::{Config, settings};
use crate::design::{Project, cursor_secret, given_cursor_secret, refuse_unfit};

/// The sample users of each design, by its name.
pub(super) type People = Vec<(String, Vec<Person>)>;

pub(super) struct Opening<'a> {
    pub config: &'a Config,
    pub backend: &'a Arc<dyn Backend>,
    pub place: &'a BackendPlace,
    pub limits: &'a Limits,
}

impl Opening<'_> {
    pub(super) async fn all(&self, paths: &[PathBuf], dev: bool) -> anyhow::Result<(Vec<ServedDesign>, People)> {
        let mut served = Vec::new();
        let mut people = Vec::new();
        for path in paths {
            let found = Project::open(path)?;
            let mut one = self.one(&found)?;
            let known = self.prepare(&one, &found, dev).await?;
            if dev {
                one.develop(&known);
            }
            people.push((one.design().name.clone(), known));
            served.push(one);
        }
        Ok((served, people))
    }

    fn one(&self, found: &Project) -> anyhow::Result<ServedDesign> {
        refuse_unfit(&found.design, self.place)?;
        let policies = found.policies()?;
        for warning in policies.warnings() {
            report!("keyfold: {}: {warning}", found.design.name);
        }
        for rule in policies.public_rules() {
            say!("keyfold: {}: open to anonymous callers: {rule}", found.design.name);
        }
        let mut options = keyfold_runtime::Options::standard(&found.design)?;
        options.cursor_secret = match self.config.find(&settings::CURSOR_SECRET)? {
            Some(secret) => given_cursor_secret(secret.0)?,
            None => cursor_secret(self.place)?,
        };
        let (backend, policies) = (Arc::clone(self.backend), Arc::new(policies));
        Ok(ServedDesign::new(Arc::clone(&found.design), backend, policies, options, self.limits)?)
    }

    /// Creates a missing table on the embedded engine, but not on other backends. In development mode a new table gets
    /// the sample data.
    async fn prepare(&self, served: &ServedDesign, found: &Project, dev: bool) -> anyhow::Result<Vec<Person>> {
        let data = if dev { found.files.data()? } else { None };
        if let BackendPlace::Folder(_) = self.place {
            if let Some(data) = &data {
                data.check(found).await?;
            }
            let created = served.runtime().create_table().await?;
            if let (true, Some(data)) = (created, &data) {
                let count = data.load(served.runtime(), &|_| {}).await?;
                say!("keyfold: {}: {} loaded", served.design().name, counted(count, "sample item"));
            }
        }
        self.compare_table(served).await?;
        Ok(if dev { sample_people(served.design(), data.as_ref().map(|data| &data.data)) } else { Vec::new() })
    }

    /// Refuses a table without the keys and indexes of the design: reads would fail, or find nothing.
    async fn compare_table(&self, served: &ServedDesign) -> anyhow::Result<()> {
        let (design, table) = (served.design(), served.runtime().table_name());
        match self.backend.describe_table(table.to_owned()).await {
            Ok(live) => {
                let missing = missing_for_serving(&design.create_table(), &live);
                anyhow::ensure!(
                    missing.is_empty(),
                    "the table `{table}` does not match the design `{}`: {}; see `keyfold table plan`, then run \
                     `keyfold table apply`",
                    design.name,
                    missing.join("; "),
                );
            }
            // The table may be created later, and not every server may describe it.
            Err(error) => report!("keyfold: {}: cannot compare the table `{table}`: {error}", design.name),
        }
        Ok(())
    }
}
