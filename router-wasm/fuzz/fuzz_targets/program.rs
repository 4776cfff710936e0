//! Generates routes and paths from bytes, and compares the results of the router and the model.

use super::expression::{MAX_DEPTH, expression, value};
use super::model::{Answer, GET, Model, Segment, Test, decode};
use router_wasm::{Outcome, Reason, Router};

/// Bytes that decide what is generated; zeros after the last one.
pub struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    pub fn next(&mut self, below: u8) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first % below
    }

    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.next(items.len() as u8) as usize]
    }
}

const TESTS: [Test; 8] = [
    Test { source: "", accepts: |_| true },
    Test { source: r"\d+", accepts: |value| value.chars().all(|one| one.is_ascii_digit()) },
    Test { source: "[a-z]+", accepts: |value| value.chars().all(|one| one.is_ascii_lowercase()) },
    Test {
        source: "a|b.*",
        accepts: |value| {
            value == "a" || value.strip_prefix('b').is_some_and(|rest| !rest.contains(['\n', '\r']))
        },
    },
    Test {
        source: "(ab?){1,2}",
        accepts: |value| ["a", "ab", "aa", "aab", "aba", "abab"].contains(&value),
    },
    Test {
        source: r"[^-é]{2,}",
        accepts: |value| value.chars().count() >= 2 && !value.contains(['-', 'é']),
    },
    Test {
        source: "(?:a|)(?:b+-?|)",
        accepts: |value| {
            let rest = value.strip_prefix('a').unwrap_or(value);
            let text = rest.strip_suffix('-').unwrap_or(rest);
            rest.is_empty() || (!text.is_empty() && text.bytes().all(|one| one == b'b'))
        },
    },
    Test {
        source: r"\w*\W\w*",
        accepts: |value| {
            let is_word = |one: &char| one.is_ascii_alphanumeric() || *one == '_';
            value.chars().filter(|one| !is_word(one)).count() == 1
        },
    },
];

/// Text as written in a pattern, and decoded.
const TEXTS: [(&str, &str); 10] = [
    ("a", "a"),
    ("b", "b"),
    ("ab", "ab"),
    ("-", "-"),
    ("é", "é"),
    ("%61", "a"),
    (r"\:", ":"),
    ("%2F", "/"),
    ("abcdefghijklmnopqrst", "abcdefghijklmnopqrst"),
    ("%C3%A9b", "éb"),
];

/// Fragments that paths consist of.
const FRAGMENTS: [&str; 24] = [
    "a",
    "b",
    "ab",
    "-",
    "é",
    "%61",
    ":",
    "%2F",
    "1",
    "12",
    "/",
    "/",
    "/",
    "%",
    "%zz",
    "%C3%A9",
    "%C3",
    "%ED%A0%80",
    "abcdefghijklmnopqrst",
    "%2f",
    "?",
    "#",
    "b-a",
    "%F0%9F%98%80",
];

const METHODS: [u32; 5] = [0, 1, 2, 3, 4];

fn name(counter: &mut u32) -> String {
    *counter += 1;
    format!("p{counter}")
}

/// Generates a pattern, as source and as segments for the model.
fn pattern(choices: &mut Choices) -> (String, Vec<Segment>) {
    let mut written = String::new();
    let mut segments = Vec::new();
    let mut names = 0;
    for _ in 0..=choices.next(4) {
        written.push('/');
        match choices.next(8) {
            0..=2 => {
                let (text, means) =
                    if choices.next(4) == 0 { ("", "") } else { choices.of(&TEXTS) };
                written.push_str(text);
                segments.push(Segment::Static(means.into()));
            }
            3 | 4 => {
                let test = choices.of(&TESTS);
                let optional = choices.next(3) == 0;
                written.push_str(&parameter(&test, &mut names));
                written.push_str(if optional { "?" } else { "" });
                segments.push(Segment::Parameter { test, optional });
            }
            5 | 6 => {
                let (text, lead) = if choices.next(2) == 0 { ("", "") } else { choices.of(&TEXTS) };
                written.push_str(text);
                let mut parts = Vec::new();
                let count = 1 + choices.next(3);
                for index in 0..count {
                    let test = choices.of(&TESTS);
                    let is_bare = index + 1 == count && (count > 1 || !lead.is_empty());
                    let (text, after) =
                        if is_bare && choices.next(2) == 0 { ("", "") } else { choices.of(&TEXTS) };
                    written.push_str(&parameter(&test, &mut names));
                    // A letter would be part of the name, unless it is escaped.
                    let glued = test.source.is_empty()
                        && text.starts_with(|one: char| one.is_ascii_alphanumeric());
                    if glued {
                        written.push_str(&format!("%{:02x}", text.as_bytes()[0]));
                    }
                    written.push_str(&text[usize::from(glued)..]);
                    parts.push((test, after.to_string()));
                }
                segments.push(Segment::Mixed { lead: lead.into(), parts });
            }
            _ => {
                written.push('*');
                segments.push(Segment::Wildcard);
                break;
            }
        }
    }
    (written, segments)
}

fn parameter(test: &Test, names: &mut u32) -> String {
    let constraint =
        if test.source.is_empty() { String::new() } else { format!("({})", test.source) };
    format!(":{}{constraint}", name(names))
}

fn path(choices: &mut Choices) -> String {
    let mut path = String::from(if choices.next(32) == 0 { "" } else { "/" });
    for _ in 0..choices.next(14) {
        path.push_str(choices.of(&FRAGMENTS));
    }
    path
}

/// Panics if the router and the model differ.
pub fn compare(input: &[u8]) {
    let mut choices = Choices(input);
    let ignore_trailing_slash = choices.next(2) == 1;
    let mut router = Router::new(ignore_trailing_slash);
    let mut model = Model::default();
    model.ignore_trailing_slash = ignore_trailing_slash;
    let mut answers = Vec::new();
    let mut routes = 0;
    for _ in 0..=choices.next(12) {
        let method = choices.of(&METHODS);
        let (written, segments) = pattern(&mut choices);
        let optionals = segments
            .iter()
            .filter(|segment| matches!(segment, Segment::Parameter { optional: true, .. }));
        let variants = 1 << optionals.count();
        match (router.insert(method, &written), model.insert(method, segments)) {
            (Ok(first), Ok(())) => {
                assert_eq!(first as usize, answers.len());
                answers.extend(std::iter::repeat_n(routes, variants));
                routes += 1;
            }
            (Err(Reason::Duplicate), Err(route)) => {
                assert_eq!(router.position() as usize, route, "{written}");
            }
            other => panic!("{written}: {other:?}"),
        }
    }
    for _ in 0..=choices.next(12) {
        let (method, path) = (choices.of(&METHODS), path(&mut choices));
        let expected = model.find(method, &path);
        let outcome = router.find_path(method, path.as_bytes());
        let answer = match outcome {
            Outcome::Found(answer) => {
                let Answer::Route(_, values) = &expected else { panic!("{path}: {outcome:?}") };
                let spans = router.result()[1..].iter().take(values.len());
                let found = spans.map(|span| {
                    let start = (span >> 15) as usize + 1;
                    let raw = &path[start..start + (span >> 1 & 0x3fff) as usize];
                    assert_eq!(span & 1 == 1, raw.contains('%'));
                    decode(raw).expect("a value that can be decoded")
                });
                Answer::Route(answers[answer as usize], found.collect())
            }
            Outcome::Undecodable => Answer::Status(400),
            Outcome::NotFound => Answer::Status(404),
            Outcome::TooLong => Answer::Status(414),
            Outcome::MethodNotAllowed => {
                Answer::Methods(METHODS.into_iter().filter(|&one| router.allows(one)).collect())
            }
        };
        assert_eq!(answer, expected, "{path}");
    }
    compare_constraint(&mut choices);
    add_anything(&mut choices, &mut router);
}

/// Compares one constraint with its definition on generated values.
fn compare_constraint(choices: &mut Choices) {
    let (written, meaning) = expression(choices, MAX_DEPTH);
    let mut router = Router::new(false);
    match router.insert(GET, &format!("/:x({written})")) {
        Ok(_) => {}
        Err(Reason::ConstraintTooLarge) => return assert!(meaning.size() > 64, "{written}"),
        Err(reason) => panic!("{written}: {reason:?}"),
    }
    for _ in 0..=choices.next(8) {
        let value = value(choices);
        let bytes = value.bytes().map(|byte| format!("%{byte:02x}"));
        let expected = meaning.accepts(&value);
        let outcome = router.find_path(GET, format!("/{}", bytes.collect::<String>()).as_bytes());
        let found = matches!(outcome, Outcome::Found(_));
        assert_eq!(found, expected, "{written} on {value:?}");
    }
}

/// Characters of the pattern syntax. Every sequence of them is accepted or rejected, never a panic.
const SYNTAX: [&str; 36] = [
    "", "", "", "", "/", "/", ":", ":a", ":b", "*", "?", "+", "(", ")", "(", ")", "(?:", "(?<",
    "<", ">", "[", "]", "^", "$", "|", "{", "}", "{2}", "{0,3}", "\\", "-", ".", "é", "%", "%61",
    "a",
];

/// Adds patterns that are probably invalid: constraints with characters of the syntax inserted or
/// removed, only such characters, and the remaining bytes. Matches each as a path too.
fn add_anything(choices: &mut Choices, router: &mut Router) {
    let mut constraint: Vec<char> = expression(choices, MAX_DEPTH).0.chars().collect();
    for _ in 0..choices.next(4) {
        let at = choices.next(255) as usize % (constraint.len() + 1);
        let end = constraint.len().min(at + choices.next(2) as usize);
        constraint.splice(at..end, choices.of(&SYNTAX).chars());
    }
    let constraint: String = constraint.iter().collect();
    let syntax: String = (0..choices.next(16)).map(|_| choices.of(&SYNTAX)).collect();
    let left = std::str::from_utf8(choices.0).unwrap_or("*");
    for text in [&format!("/:x({constraint})"), &format!("/{syntax}"), left] {
        let _ = router.insert(GET, text);
        let _ = router.find_path(GET, text.as_bytes());
    }
}
