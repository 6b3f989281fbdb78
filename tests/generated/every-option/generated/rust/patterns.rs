// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;

use super::entities::*;

impl super::EveryOption<'_> {
    /// notes of a tenant: `PK = TENANT#<tenantId> and begins_with(SK, NOTE#)`.
    pub async fn notes_of_a_tenant(
        &self,
        tenant_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Note>, typed::Error> {
        let pattern = "notes of a tenant";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        self.page(pattern, arguments, options).await
    }

    /// notes by value: `value = <value>, across tenants`. Crosses tenants: for operators.
    pub async fn notes_by_value(
        &self,
        value: i64,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Note>, typed::Error> {
        let pattern = "notes by value";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "value", &value);
        self.page(pattern, arguments, options).await
    }

    /// notes of a day: `tenantId = <tenantId> and day = <day>`.
    pub async fn notes_of_a_day(
        &self,
        tenant_id: &str,
        day: typed::Date,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Note>, typed::Error> {
        let pattern = "notes of a day";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        typed::set(&mut arguments, "day", &day);
        self.page(pattern, arguments, options).await
    }

    /// notes by title: `PK = TENANT#<tenantId> and begins_with(title, <start>)`.
    pub async fn notes_by_title(
        &self,
        tenant_id: &str,
        start: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Note>, typed::Error> {
        let pattern = "notes by title";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        typed::set(&mut arguments, "start", start);
        self.page(pattern, arguments, options).await
    }
}
