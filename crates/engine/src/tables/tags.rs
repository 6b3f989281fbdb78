//! TagResource, UntagResource, ListTagsOfResource.

use std::sync::Arc;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::limits;
use keyfold_dynamo::operation::TagsPage;
use keyfold_dynamo::table::Tags;

use super::table_arn;
use crate::catalog::Table;
use crate::shared::Shared;
use crate::write::Pending;

/// The page size of ListTagsOfResource.
const TAGS_PER_PAGE: usize = 10;

impl Shared {
    fn table_by_arn(&self, arn: &str) -> Result<Arc<Table>, ServiceError> {
        let Some((_, name)) = arn.split_once(":table/") else {
            return Err(ServiceError::validation(format!(
                "Invalid TableArn: Invalid ResourceArn provided as input {arn}"
            )));
        };
        self.catalog
            .find(name)
            .filter(|_| arn == table_arn(&self.options, name) || arn.starts_with("arn:aws:dynamodb:"))
            .ok_or_else(|| {
                ServiceError::ResourceNotFound(format!("Requested resource not found: ResourcArn: {arn} not found"))
            })
    }

    pub(crate) fn tag_resource(&self, arn: &str, tags: Tags) -> Result<Pending<()>, ServiceError> {
        let _one_at_a_time = self.definitions.lock();
        let table = self.table_by_arn(arn)?;
        let mut all = table.definition().tags.clone();
        all.extend(tags);
        if all.len() > limits::TAGS_PER_TABLE {
            return Err(ServiceError::validation(format!(
                "Too many tags: a table can have at most {} tags",
                limits::TAGS_PER_TABLE
            )));
        }
        let (_, handle) = self.redefine(&table, |definition| definition.tags = all, Vec::new())?;
        Ok(Pending::new(Ok(()), Some(handle)))
    }

    pub(crate) fn untag_resource(&self, arn: &str, keys: &[String]) -> Result<Pending<()>, ServiceError> {
        let _one_at_a_time = self.definitions.lock();
        let table = self.table_by_arn(arn)?;
        let remove = |definition: &mut crate::catalog::TableDefinition| {
            definition.tags.retain(|key, _| !keys.contains(key));
        };
        let (_, handle) = self.redefine(&table, remove, Vec::new())?;
        Ok(Pending::new(Ok(()), Some(handle)))
    }

    pub(crate) fn list_tags_of_resource(&self, arn: &str, next_token: Option<&str>) -> Result<TagsPage, ServiceError> {
        let definition = self.table_by_arn(arn)?.definition();
        let mut rest = definition.tags.iter().filter(|(key, _)| next_token.is_none_or(|token| key.as_str() > token));
        let tags: Vec<(String, String)> =
            rest.by_ref().take(TAGS_PER_PAGE).map(|(key, value)| (key.clone(), value.clone())).collect();
        let next_token = if rest.next().is_some() { tags.last().map(|(key, _)| key.clone()) } else { None };
        Ok(TagsPage { tags, next_token })
    }
}
