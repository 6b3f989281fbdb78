//! The changes of a plan, and the requests that make them.

use keyfold_dynamo::operation::{CreateTableInput, IndexUpdate, UpdateTableInput, UpdateTimeToLiveInput};
use keyfold_dynamo::table::{AttributeDefinition, BillingMode, IndexSpec, OnDemandThroughput, Tags, Throughput};

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    CreateTable(Box<CreateTableInput>),
    CreateIndex { index: IndexSpec, definitions: Vec<AttributeDefinition> },
    DeleteIndex { name: String },
    SetBilling(Billing),
    SetIndexThroughput { name: String, throughput: Throughput },
    SetOnDemandLimits(OnDemandThroughput),
    SetTableClass(String),
    SetDeletionProtection(bool),
    EnableTimeToLive { attribute: String },
    DisableTimeToLive { attribute: String },
    SetTags(Tags),
}

/// A request to a backend that changes a table.
#[derive(Debug, Clone, PartialEq)]
pub enum TableRequest {
    Create(Box<CreateTableInput>),
    Update(Box<UpdateTableInput>),
    UpdateTimeToLive(UpdateTimeToLiveInput),
    SetTags(Tags),
}

/// The billing of a table. Indexes go with it: each needs its throughput in the same request.
#[derive(Debug, Clone, PartialEq)]
pub struct Billing {
    /// `None`: only the throughput changes.
    pub mode: Option<BillingMode>,
    pub throughput: Option<Throughput>,
    pub indexes: Vec<(String, Throughput)>,
}

impl Action {
    /// The kind of change, for scripts.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::CreateTable(_) => "create-table",
            Self::CreateIndex { .. } => "create-index",
            Self::DeleteIndex { .. } => "delete-index",
            Self::SetBilling(_) => "set-billing",
            Self::SetIndexThroughput { .. } => "set-index-throughput",
            Self::SetOnDemandLimits(_) => "set-on-demand-limits",
            Self::SetTableClass(_) => "set-table-class",
            Self::SetDeletionProtection(_) => "set-deletion-protection",
            Self::EnableTimeToLive { .. } => "enable-time-to-live",
            Self::DisableTimeToLive { .. } => "disable-time-to-live",
            Self::SetTags(_) => "set-tags",
        }
    }

    /// The index that changes.
    pub fn index(&self) -> Option<&str> {
        match self {
            Self::CreateIndex { index, .. } => Some(&index.name),
            Self::DeleteIndex { name } | Self::SetIndexThroughput { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The request that makes the change.
    pub fn request(&self, table_name: &str) -> TableRequest {
        let time_to_live = |enabled: bool, attribute: &str| {
            TableRequest::UpdateTimeToLive(UpdateTimeToLiveInput {
                table_name: table_name.to_owned(),
                enabled,
                attribute_name: attribute.to_owned(),
            })
        };
        let mut update = UpdateTableInput { table_name: table_name.to_owned(), ..UpdateTableInput::default() };
        match self {
            Self::CreateIndex { index, definitions } => {
                update.attribute_definitions.clone_from(definitions);
                update.index_updates = Some(vec![IndexUpdate::Create(index.clone())]);
            }
            Self::DeleteIndex { name } => {
                update.index_updates = Some(vec![IndexUpdate::Delete { name: name.clone() }]);
            }
            Self::SetBilling(billing) => {
                update.billing_mode = billing.mode;
                update.throughput = billing.throughput;
                let indexes = billing.indexes.iter().map(|(name, throughput)| set_throughput(name, *throughput));
                update.index_updates = Some(indexes.collect::<Vec<_>>()).filter(|indexes| !indexes.is_empty());
            }
            Self::SetIndexThroughput { name, throughput } => {
                update.index_updates = Some(vec![set_throughput(name, *throughput)]);
            }
            Self::SetOnDemandLimits(limits) => update.on_demand = Some(*limits),
            Self::SetTableClass(class) => update.table_class = Some(class.clone()),
            Self::SetDeletionProtection(on) => update.deletion_protection = Some(*on),
            Self::CreateTable(input) => return TableRequest::Create(input.clone()),
            Self::EnableTimeToLive { attribute } => return time_to_live(true, attribute),
            Self::DisableTimeToLive { attribute } => return time_to_live(false, attribute),
            Self::SetTags(tags) => return TableRequest::SetTags(tags.clone()),
        }
        TableRequest::Update(Box::new(update))
    }
}

fn set_throughput(name: &str, throughput: Throughput) -> IndexUpdate {
    IndexUpdate::Update { name: name.to_owned(), throughput: Some(throughput), on_demand: None }
}
