//! The tables of the five shipped designs, imported from the items that the runtime wrote.

mod comes_back;
mod damaged;
mod runs;
mod world;
