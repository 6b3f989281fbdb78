//! Lists of tables, time to live, backups, limits, endpoints and tags.

use keyfold_dynamo::operation::{
    ContinuousBackupsDescription, KinesisDestinations, LimitsDescription, ListTablesOutput, TagsPage,
    TimeToLiveDescription, UpdateTimeToLiveInput,
};

use crate::json::Writer;

/// How long a client may cache the endpoint, in minutes.
const ENDPOINT_CACHE_MINUTES: u32 = 1440;

/// The empty body of an operation without output.
pub(crate) fn nothing((): ()) -> Vec<u8> {
    Vec::new()
}

pub(crate) fn list_tables(output: &ListTablesOutput) -> Vec<u8> {
    document(|out| {
        out.key("TableNames").array(&output.table_names, |out, name| out.string(name));
        if let Some(last) = &output.last_evaluated {
            out.key("LastEvaluatedTableName").string(last);
        }
    })
}

pub(crate) fn time_to_live(description: &TimeToLiveDescription) -> Vec<u8> {
    document(|out| {
        out.key("TimeToLiveDescription").object(|out| {
            out.key("TimeToLiveStatus").string(description.status.as_str());
            if let Some(name) = &description.attribute_name {
                out.key("AttributeName").string(name);
            }
        });
    })
}

pub(crate) fn time_to_live_specification(specification: &UpdateTimeToLiveInput) -> Vec<u8> {
    document(|out| {
        out.key("TimeToLiveSpecification").object(|out| {
            out.key("Enabled").boolean(specification.enabled);
            out.key("AttributeName").string(&specification.attribute_name);
        });
    })
}

pub(crate) fn continuous_backups(description: &ContinuousBackupsDescription) -> Vec<u8> {
    let status = |enabled| if enabled { "ENABLED" } else { "DISABLED" };
    document(|out| {
        out.key("ContinuousBackupsDescription").object(|out| {
            out.key("ContinuousBackupsStatus").string(status(description.enabled));
            out.key("PointInTimeRecoveryDescription").object(|out| {
                out.key("PointInTimeRecoveryStatus").string(status(description.point_in_time_recovery));
            });
        });
    })
}

pub(crate) fn kinesis_destinations(output: &KinesisDestinations) -> Vec<u8> {
    document(|out| {
        out.key("KinesisDataStreamDestinations").array(&output.destinations, |out, destination| {
            out.object(|out| {
                let members = [
                    ("StreamArn", &destination.stream_arn),
                    ("DestinationStatus", &destination.status),
                    ("DestinationStatusDescription", &destination.status_description),
                    ("ApproximateCreationDateTimePrecision", &destination.precision),
                ];
                for (name, text) in members {
                    if let Some(text) = text {
                        out.key(name).string(text);
                    }
                }
            });
        });
        out.key("TableName").string(&output.table_name);
    })
}

pub(crate) fn limits(limits: &LimitsDescription) -> Vec<u8> {
    document(|out| {
        out.key("AccountMaxReadCapacityUnits").integer(limits.account_max_read);
        out.key("AccountMaxWriteCapacityUnits").integer(limits.account_max_write);
        out.key("TableMaxReadCapacityUnits").integer(limits.table_max_read);
        out.key("TableMaxWriteCapacityUnits").integer(limits.table_max_write);
    })
}

pub(crate) fn endpoints(address: &str) -> Vec<u8> {
    document(|out| {
        out.key("Endpoints").array([address], |out, address| {
            out.object(|out| {
                out.key("Address").string(address);
                out.key("CachePeriodInMinutes").integer(ENDPOINT_CACHE_MINUTES);
            });
        });
    })
}

pub(crate) fn tags_page(page: &TagsPage) -> Vec<u8> {
    document(|out| {
        out.key("Tags").array(&page.tags, |out, (key, value)| {
            out.object(|out| {
                out.key("Key").string(key);
                out.key("Value").string(value);
            });
        });
        if let Some(token) = &page.next_token {
            out.key("NextToken").string(token);
        }
    })
}

fn document(members: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut out = Writer::with_capacity(256);
    out.object(members);
    out.into_bytes()
}
