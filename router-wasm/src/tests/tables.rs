//! The tables of `test/tables`, which the TypeScript tests also read.

use super::cases::{check_cases, check_routes};
use super::json;
use super::test;

/// Runs a table of cases, each with its own routes, or a table of routes with many requests.
fn check(table: &str) {
    let table = json::parse(table);
    let failures =
        if table.get("cases").is_some() { check_cases(&table) } else { check_routes(&table) };
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

macro_rules! tables {
    ($($name:ident $file:literal)*) => {
        #[cfg(not(target_arch = "wasm32"))]
        const FILES: &[&str] = &[$($file),*];

        $(#[test] fn $name() { check(include_str!(concat!("../../../test/tables/", $file))) })*
    };
}

tables! {
    routes_cloudflare "routes-cloudflare.json"
    routes_find_my_way "routes-find-my-way.json"
    routes_github_rest "routes-github-rest.json"
    routes_github_v3 "routes-github-v3.json"
    routes_gplus "routes-gplus.json"
    routes_hono "routes-hono.json"
    routes_kubernetes "routes-kubernetes.json"
    routes_matchit "routes-matchit.json"
    routes_memoirist "routes-memoirist.json"
    routes_parse "routes-parse.json"
    routes_rou3 "routes-rou3.json"
    routes_static "routes-static.json"
    cases "routing-cases.json"
    constraints "routing-constraints.json"
    encoding "routing-encoding.json"
    limits "routing-limits.json"
    names "routing-names.json"
    walk "routing-walk.json"
}

/// Fails when a table is added that the list above does not run.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn every_routing_table_is_run() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/tables");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of tables")
        .map(|entry| entry.expect("a readable entry").file_name().into_string().expect("UTF-8"))
        .filter(|file| file.starts_with("rout"))
        .collect();
    files.sort();
    assert_eq!(files, FILES, "add the missing files to `tables!`, in alphabetical order");
}
