//! Ids instead of names: each is the position of its thing in the design.

macro_rules! id {
    ($(#[$comment:meta])* $name:ident) => {
        $(#[$comment])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn new(position: usize) -> Self {
                Self(u32::try_from(position).unwrap_or(u32::MAX))
            }

            /// The position in the design.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// An entity of a design.
    EntityId
);
id!(
    /// A secondary index of a design's table.
    IndexId
);
id!(
    /// An access pattern of a design.
    PatternId
);
