//! The keys that lead from a caller to the items under `callers:`.

use super::codes::NO_SOURCE;
use super::reader::Reader;
use super::reference_range;
use crate::model::{Design, Entity, ReferenceRange};
use crate::span::Span;

/// The range of the items that have a value, within the tenant where the key says so: callers are looked up on every
/// call, so that it has to be a key.
pub(super) fn range_of(
    entity: &Entity,
    attribute: &str,
    span: Span,
    design: &Design,
    reader: &mut Reader<'_>,
) -> Option<ReferenceRange> {
    let alone = vec![(attribute.to_owned(), attribute.to_owned())];
    let tenant = design.tenant.as_ref().map(|tenant| &tenant.attribute);
    let tenant = tenant.filter(|tenant| entity.attribute(tenant).is_some_and(|tenant| !tenant.optional));
    let within = tenant.map(|tenant| [alone.clone(), vec![(tenant.clone(), tenant.clone())]].concat());
    let range = within
        .and_then(|within| reference_range::find(entity, attribute, &within, design))
        .or_else(|| reference_range::find(entity, attribute, &alone, design));
    if range.is_none() {
        let message = format!("no key leads from a caller to `{}` by its `{attribute}`", entity.name);
        let help = format!("give `{}` a key, or an index, that begins with `{attribute}`", entity.name);
        reader.fault(&NO_SOURCE, span, message, help);
    }
    range
}
