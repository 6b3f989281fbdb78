//! The generated policies, evaluated as IAM does, against sessions that reach for what is not theirs.

mod attacks;
mod dependent_writes;
mod evaluator;
mod neighbours;
