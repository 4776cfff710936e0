//! Times a match in the route tables beside the project, natively: `cargo bench`.
//!
//! Prints nanoseconds per match, the least of several rounds.

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::Instant;

use router_wasm::Router;
use support::json::Json;
use support::shared_table;

const ROUNDS: usize = 20;

fn main() {
    for name in ["github-v3", "github-rest", "cloudflare", "kubernetes", "static", "hono"] {
        if let Some(table) = shared_table(&format!("routes-{name}.json")) {
            println!("{name:12} {:6.1} ns", time(&table));
        }
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
