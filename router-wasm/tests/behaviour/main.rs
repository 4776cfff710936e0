//! What the router does, apart from the tables beside the project. One program, for it is built anew
//! for every mutant.

mod constraints;
#[path = "../../fuzz/fuzz_targets/expression.rs"]
mod expression;
mod growth;
mod memory;
#[path = "../../fuzz/fuzz_targets/model.rs"]
mod model;
mod paths;
#[path = "../../fuzz/fuzz_targets/program.rs"]
mod program;
mod random;
mod refusals;
#[path = "../support/mod.rs"]
mod support;
mod tables;
