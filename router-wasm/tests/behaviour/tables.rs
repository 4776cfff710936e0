//! The tables of `test/tables`, which the TypeScript suites read as well.

use crate::support::{check_case, table};

fn check(name: &str) {
    let table = table(&format!("../test/tables/{name}.json")).expect("a table of this repository");
    let failures: Vec<String> = table["cases"]
        .items()
        .iter()
        .filter_map(|case| Some(format!("{}: {}", case["id"].text(), check_case(case).err()?)))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn walk() {
    check("routing-walk");
}

#[test]
fn encoding() {
    check("routing-encoding");
}

#[test]
fn limits() {
    check("routing-limits");
}

#[test]
fn names() {
    check("routing-names");
}

#[test]
fn constraints() {
    check("routing-constraints");
}
