//! The requests a plan is made of.

use keyfold_dynamo::operation::{CreateTableInput, IndexUpdate, UpdateTableInput};
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

/// How a table is paid for. Indexes go with it: each needs its throughput in the same request.
#[derive(Debug, Clone, PartialEq)]
pub struct Billing {
    /// Absent: only the throughput changes.
    pub mode: Option<BillingMode>,
    pub throughput: Option<Throughput>,
    pub indexes: Vec<(String, Throughput)>,
}

impl Action {
    /// A word for scripts.
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

    /// The index that the action is about.
    pub fn index(&self) -> Option<&str> {
        match self {
            Self::CreateIndex { index, .. } => Some(&index.name),
            Self::DeleteIndex { name } | Self::SetIndexThroughput { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The UpdateTable that does it, where it is one.
    pub fn update(&self, table_name: &str) -> Option<UpdateTableInput> {
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
            Self::CreateTable(_)
            | Self::EnableTimeToLive { .. }
            | Self::DisableTimeToLive { .. }
            | Self::SetTags(_) => return None,
        }
        Some(update)
    }
}

fn set_throughput(name: &str, throughput: Throughput) -> IndexUpdate {
    IndexUpdate::Update { name: name.to_owned(), throughput: Some(throughput), on_demand: None }
}
