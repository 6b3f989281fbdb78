//! Ids instead of names: each is the position of its thing in the design. Only the builder of a design makes them, so
//! that `design[id]` is always there; an id of one design means nothing to another.

macro_rules! id {
    ($(#[$comment:meta])* $name:ident) => {
        $(#[$comment])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(usize);

        impl $name {
            pub(crate) fn new(position: usize) -> Self {
                Self(position)
            }

            /// The position in the design.
            pub fn index(self) -> usize {
                self.0
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
