// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;

use super::entities::*;

impl super::EveryOption<'_> {
    /// ticks from a round on: `PK = TENANT#<tenantId> and SK >= TICK#<round>`.
    pub async fn ticks_from_a_round_on(
        &self,
        tenant_id: &str,
        round: i64,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Tick>, typed::Error> {
        let pattern = "ticks from a round on";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        typed::set(&mut arguments, "round", &round);
        self.page(pattern, arguments, options).await
    }

    /// ticks of a round: `PK = TENANT#<tenantId> and SK between TICK#<round>#<from> and TICK#<round>#<to>`.
    pub async fn ticks_of_a_round(
        &self,
        tenant_id: &str,
        round: i64,
        from: impl Into<typed::Moment>,
        to: impl Into<typed::Moment>,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Tick>, typed::Error> {
        let pattern = "ticks of a round";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        typed::set(&mut arguments, "round", &round);
        typed::set(&mut arguments, "from", &Into::<typed::Moment>::into(from));
        typed::set(&mut arguments, "to", &Into::<typed::Moment>::into(to));
        self.page(pattern, arguments, options).await
    }

    /// ticks heard: `PK = TENANT#<tenantId> and begins_with(SK, TICK#) where heardAt = <heardAt> and epoch < <before>`.
    pub async fn ticks_heard(
        &self,
        tenant_id: &str,
        heard_at: &typed::Timestamp,
        before: impl Into<typed::Moment>,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Tick>, typed::Error> {
        let pattern = "ticks heard";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        typed::set(&mut arguments, "heardAt", heard_at);
        typed::set(
            &mut arguments,
            "before",
            &Into::<typed::Moment>::into(before),
        );
        self.page(pattern, arguments, options).await
    }

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
