//! Runs the cases of the tables in `test/tables`.

use super::json::Json;
use router_wasm::{ALL, GET, HEAD, Outcome, Reason, Router, UNKNOWN};

/// A router with names for routes and methods, and decoded values.
pub struct Named {
    router: Router,
    methods: Vec<String>,
    answers: Vec<(usize, Vec<String>)>,
    names: Vec<String>,
}

/// The expected result of a request.
#[derive(Debug, PartialEq)]
pub enum Answer {
    Route(String, Vec<(String, String)>),
    Status(u32),
    NotAllowed(Vec<String>),
}

impl Named {
    pub fn new(ignore_trailing_slash: bool) -> Self {
        let mut methods = vec![String::new(); 3];
        methods[GET as usize] = "GET".into();
        methods[HEAD as usize] = "HEAD".into();
        methods[ALL as usize] = "ALL".into();
        Self {
            router: Router::new(ignore_trailing_slash),
            methods,
            answers: Vec::new(),
            names: Vec::new(),
        }
    }

    pub fn insert(&mut self, method: &str, pattern: &str, name: &str) -> Result<(), Reason> {
        let known = self.methods.iter().position(|known| known == method);
        let number = known.unwrap_or(self.methods.len());
        self.router.insert(number as u32, pattern)?;
        if known.is_none() {
            self.methods.push(method.into());
        }
        let parameters: Vec<(String, bool)> = (0..self.router.parameters())
            .map(|index| {
                let span = self.router.parameter(index);
                let start = (span >> 15) as usize + 1;
                let text = &pattern[start..start + (span >> 1 & 0x3fff) as usize];
                (if text.is_empty() { "*" } else { text }.to_string(), span & 1 == 1)
            })
            .collect();
        let optionals = parameters.iter().filter(|parameter| parameter.1).count();
        for variant in (0..1u32 << optionals).rev() {
            let mut bit = 1 << optionals;
            let names = parameters.iter().filter(|parameter| {
                if parameter.1 {
                    bit >>= 1;
                }
                !parameter.1 || variant & bit != 0
            });
            self.answers
                .push((self.names.len(), names.map(|parameter| parameter.0.clone()).collect()));
        }
        self.names.push(name.into());
        Ok(())
    }

    pub fn find(&mut self, method: &str, path: &str) -> Answer {
        let known = self.methods.iter().position(|known| known == method);
        let number = known.map_or(UNKNOWN, |known| known as u32);
        match self.router.find_path(number, path.as_bytes()) {
            Outcome::Found(answer) => {
                let (route, names) = &self.answers[answer as usize];
                let values = names.iter().zip(&self.router.result()[1..]).map(|(name, span)| {
                    let start = (span >> 15) as usize + 1;
                    let raw = &path.as_bytes()[start..start + (span >> 1 & 0x3fff) as usize];
                    assert_eq!(raw.contains(&b'%'), span & 1 == 1);
                    (name.clone(), decoded(raw))
                });
                Answer::Route(self.names[*route].clone(), values.collect())
            }
            Outcome::Undecodable => Answer::Status(400),
            Outcome::NotFound => Answer::Status(404),
            Outcome::TooLong => Answer::Status(414),
            Outcome::MethodNotAllowed => {
                let numbers = 0..self.methods.len();
                let allowed = numbers.filter(|&number| self.router.allows(number as u32));
                let mut names: Vec<String> =
                    allowed.map(|number| self.methods[number].clone()).collect();
                if names.iter().any(|name| name == "GET") {
                    names.push("HEAD".into());
                }
                names.sort();
                names.dedup();
                Answer::NotAllowed(names)
            }
        }
    }
}

fn decoded(raw: &[u8]) -> String {
    let mut bytes = Vec::new();
    let mut rest = raw;
    while let [first, tail @ ..] = rest {
        let escaped = *first == b'%';
        let digits = || std::str::from_utf8(&tail[..2]).unwrap();
        bytes.push(if escaped { u8::from_str_radix(digits(), 16).unwrap() } else { *first });
        rest = if escaped { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap()
}

/// Runs every case of a table, and returns what differs.
pub fn check_cases(table: &Json) -> Vec<String> {
    let cases = table["cases"].items();
    assert!(!cases.is_empty(), "a table needs cases");
    let failure = |case: &Json| Some(format!("{}: {}", case["id"].text(), check_case(case).err()?));
    cases.iter().filter_map(failure).collect()
}

fn check_case(case: &Json) -> Result<(), String> {
    let ignore =
        case.get("options").is_some_and(|options| options.get("ignoreTrailingSlash").is_some());
    let mut router = Named::new(ignore);
    let expected = &case["expect"];
    for route in case["routes"].items() {
        let (method, pattern, name) = (route[0].text(), route[1].text(), route[2].text());
        let rejected = match router.insert(method, pattern, name) {
            Ok(()) => None,
            Err(Reason::Duplicate) => Some("duplicate"),
            Err(_) => Some("invalid-pattern"),
        };
        let at_this_route = expected.get("at").is_some_and(|at| at.text() == name);
        let expected = expected.get("error").filter(|_| at_this_route).map(Json::text);
        if rejected != expected {
            return Err(format!("{method} {pattern} gave {rejected:?}, not {expected:?}"));
        }
        if expected.is_some() {
            return Ok(());
        }
    }
    // A path ends at `?` and `#`; where a case has them in its path, a URL contains them escaped.
    let path = request_path(&case["request"][1]).replace('?', "%3F").replace('#', "%23");
    let method = case["request"][0].text();
    let answer = router.find(method, &path);
    let expected = match (&answer, expected) {
        (_, expected) if expected.get("no_throw").is_some() => return Ok(()),
        (Answer::Route(name, values), expected)
            if expected.get("param_lengths_utf16").is_some() =>
        {
            let lengths = &expected["param_lengths_utf16"];
            let right = values.iter().all(|(name, value)| {
                lengths[name.as_str()].number() as usize == value.encode_utf16().count()
            });
            return if right && name == expected["route"].text() {
                Ok(())
            } else {
                Err(format!("{answer:?}"))
            };
        }
        // Cases with paths over the limit expect the result without one.
        _ if path.len() > router_wasm::MAX_PATH => Answer::Status(414),
        (_, expected) => expected_answer(expected),
    };
    if answer == expected { Ok(()) } else { Err(format!("{answer:?}, not {expected:?}")) }
}

fn request_path(path: &Json) -> String {
    match path {
        Json::Text(text) => text.clone(),
        parts => {
            let repeated = parts["repeat"].text().repeat(parts["times"].number() as usize);
            format!("{}{}{}", parts["prefix"].text(), repeated, parts["suffix"].text())
        }
    }
}

fn expected_answer(expected: &Json) -> Answer {
    if let Some(allow) = expected.get("allow") {
        return Answer::NotAllowed(
            allow.items().iter().map(|method| method.text().into()).collect(),
        );
    }
    if let Some(status) = expected.get("status") {
        return Answer::Status(status.number() as u32);
    }
    Answer::Route(expected["route"].text().into(), values(&expected["params"]))
}

fn values(params: &Json) -> Vec<(String, String)> {
    params.entries().iter().map(|(name, value)| (name.clone(), value.text().into())).collect()
}

/// Runs every request of a table on its routes, and returns what differs.
pub fn check_routes(table: &Json) -> Vec<String> {
    let matched = table["matched"].items();
    assert!(!matched.is_empty(), "a table needs requests");
    let mut router = Named::new(false);
    let mut failures = Vec::new();
    for entry in matched {
        let (pattern, methods) = (entry[0].text(), entry[1].text());
        for method in methods.split(' ') {
            router.insert(method, pattern, pattern).expect(pattern);
        }
    }
    for entry in matched {
        let (pattern, methods, path) = (entry[0].text(), entry[1].text(), entry[2].text());
        let expected: Vec<&str> = entry[3].items().iter().map(Json::text).collect();
        for method in methods.split(' ') {
            let answer = router.find(method, path);
            let is_right = matches!(&answer, Answer::Route(name, values)
                if name == pattern && values.iter().map(|value| value.1.as_str()).eq(expected.iter().copied()));
            if !is_right {
                failures.push(format!("{method} {path}: {answer:?}, not {pattern} {expected:?}"));
            }
        }
    }
    for entry in table["unmatched"].items() {
        let (method, path) = (entry[0].text(), entry[1].text());
        let expected = match &entry[2] {
            Json::Number(status) => Answer::Status(*status as u32),
            allow => {
                Answer::NotAllowed(allow.items().iter().map(|name| name.text().into()).collect())
            }
        };
        let answer = router.find(method, path);
        if answer != expected {
            failures.push(format!("{method} {path}: {answer:?}, not {expected:?}"));
        }
    }
    failures
}
