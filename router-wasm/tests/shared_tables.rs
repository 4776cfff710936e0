//! The behaviour cases and route tables beside the project; skipped where they are absent.

mod support;

use support::json::Json;
use support::{Answer, Named, check_case, expected_answer, shared_table, values};

#[test]
fn behaviour_cases() {
    let Some(table) = shared_table("cases.json") else { return };
    let cases = table["cases"].items();
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let error = check_case(case).err()?;
            Some(format!("{}: {error}", case["id"].text()))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn check_table(name: &str) {
    let Some(table) = shared_table(&format!("routes-{name}.json")) else { return };
    let mut router = Named::new(false);
    for (index, route) in table["routes"].items().iter().enumerate() {
        let (method, pattern) = (route[0].text(), route[1].text());
        router.insert(method, pattern, &index.to_string()).expect(pattern);
    }
    for request in table["requests"].items() {
        let (method, path) = (request[0].text(), request[1].text());
        let expected = match &request[2] {
            Json::Null => expected_answer(&request[3]),
            index => Answer::Route(index.number().to_string(), values(&request[3])),
        };
        assert_eq!(router.find(method, path), expected, "{method} {path}");
    }
}

macro_rules! tables {
    ($($test:ident $name:literal)*) => {
        $(#[test] fn $test() { check_table($name) })*
    };
}

tables! {
    cloudflare "cloudflare"
    find_my_way "find-my-way"
    github_rest "github-rest"
    github_v3 "github-v3"
    gplus "gplus"
    hono "hono"
    kubernetes "kubernetes"
    matchit "matchit"
    memoirist "memoirist"
    parse "parse"
    rou3 "rou3"
    static_only "static"
}
