//! Values that others compute for each entity or access pattern of a design.

use std::ops::Index;

use super::{Design, Entity, EntityId, Pattern, PatternId};

macro_rules! per_id {
    ($(#[$comment:meta])* $name:ident, $id:ident, $list:ident, $thing:ident) => {
        $(#[$comment])*
        #[derive(Debug, Clone)]
        pub struct $name<T> {
            values: Vec<T>,
        }

        impl<T> $name<T> {
            /// Computes the values, in the order of the design.
            pub fn new(design: &Design, value: impl FnMut(&$thing) -> T) -> Self {
                Self { values: design.$list.iter().map(value).collect() }
            }

            /// The values in the order of the design.
            pub fn values(&self) -> impl Iterator<Item = &T> {
                self.values.iter()
            }
        }

        impl<T> Index<$id> for $name<T> {
            type Output = T;

            #[expect(clippy::indexing_slicing, reason = "there is a value for every id of the same design")]
            fn index(&self, id: $id) -> &T {
                &self.values[id.index()]
            }
        }
    };
}

per_id!(
    /// A value for each entity of a design, by [`EntityId`].
    PerEntity, EntityId, entities, Entity
);
per_id!(
    /// A value for each access pattern of a design, by [`PatternId`].
    PerPattern, PatternId, patterns, Pattern
);
