//! What the router does, apart from the tables beside the project. One program, for it is built anew
//! for every mutant.

#[path = "../../fuzz/fuzz_targets/expression.rs"]
mod expression;
#[path = "../../fuzz/fuzz_targets/model.rs"]
mod model;
#[path = "../../fuzz/fuzz_targets/program.rs"]
mod program;
mod random;
#[path = "../support/mod.rs"]
mod support;
mod tables;
