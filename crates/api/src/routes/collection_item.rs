//! An item of a collection, with its entity and its address; an item that the caller may not read has its version
//! instead.

use keyfold_design::Design;
use keyfold_runtime::Record;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::address::href;
use crate::request::etag;
use crate::response::item_json::ItemJson;
use crate::served_design::ServedDesign;

pub(super) struct CollectionItem<'a> {
    pub served: &'a ServedDesign,
    pub record: &'a Record,
    pub names_tenant: bool,
}

impl Serialize for CollectionItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let design: &Design = self.served.design();
        let name = &design[self.record.entity].name;
        let resource = self.served.resource(self.record.entity);
        // Without what identifies it, which may be hidden from the caller, an item has no address.
        let is_identified = |name: &String| self.record.attributes.contains_key(name);
        let resource = resource.filter(|resource| resource.path.iter().all(is_identified));
        let href = resource.map(|resource| href(design, resource, &self.record.attributes, self.names_tenant));
        let mut item = serializer.serialize_struct("item", 4)?;
        item.serialize_field("type", name)?;
        item.serialize_field("href", &href)?;
        if self.record.is_readable {
            item.serialize_field("item", &ItemJson(&self.record.attributes))?;
        } else {
            item.serialize_field("item", &None::<()>)?;
            item.serialize_field("version", &etag::version(&design[self.record.entity], &self.record.attributes))?;
        }
        item.end()
    }
}
