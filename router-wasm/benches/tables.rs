//! Times matching in tables of routes, natively: `cargo bench -- FILE…`.
//!
//! Prints nanoseconds per match, the minimum of several rounds. A table is a JSON object with
//! `routes`, pairs of a method and a pattern, and `requests`, each a method, a path and the index
//! of the route that matches, or null.

#[path = "../src/tests/json.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod json;

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use std::{env, fs, process};

use json::Json;
use router_wasm::Router;

const ROUNDS: usize = 20;

fn main() {
    // Cargo adds `--bench` to the arguments.
    let files: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if files.is_empty() {
        eprintln!("The benchmark needs at least one table: cargo bench -- FILE…");
        process::exit(1);
    }
    for file in &files {
        let text = fs::read_to_string(file).expect(file);
        let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
        println!("{name:24} {:6.1} ns", time(&json::parse(&text)));
    }
}

fn time(table: &Json) -> f64 {
    let mut router = Router::new(false);
    let mut methods = vec!["GET", "HEAD", "ALL"];
    let mut number = |method| {
        methods.iter().position(|known| *known == method).unwrap_or_else(|| {
            methods.push(method);
            methods.len() - 1
        }) as u32
    };
    for route in table["routes"].items() {
        router.insert(number(route[0].text()), route[1].text()).expect("a valid route");
    }
    let matching = table["requests"].items().iter().filter(|request| request[2] != Json::Null);
    let requests: Vec<(u32, &[u8])> =
        matching.map(|request| (number(request[0].text()), request[1].text().as_bytes())).collect();
    let repeats = 100_000 / requests.len() + 1;
    let round = || {
        let start = Instant::now();
        for _ in 0..repeats {
            for (method, path) in &requests {
                black_box(router.find_path(*method, path));
            }
        }
        start.elapsed().as_nanos() as f64 / (repeats * requests.len()) as f64
    };
    std::iter::repeat_with(round).take(ROUNDS).fold(f64::INFINITY, f64::min)
}
