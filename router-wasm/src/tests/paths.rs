//! Start, end and length of a path, and the values that it captures.

use super::test;
use router_wasm::{ALL, ANY, GET, HEAD, MAX_PATH, Outcome, Router, UNKNOWN};

fn router(patterns: &[&str]) -> Router {
    let mut router = Router::new(false);
    for pattern in patterns {
        router.insert(GET, pattern).expect(pattern);
    }
    router
}

/// Writes a text to the buffer and matches the path after an offset.
fn find(router: &mut Router, text: &str, from: usize) -> Outcome {
    router.buffer()[..text.len()].copy_from_slice(text.as_bytes());
    router.find(GET, from, text.len())
}

/// Encodes the span of a value, as `Router::result` describes it.
fn span(start: u32, length: u32, escaped: bool) -> u32 {
    start << 15 | length << 1 | u32::from(escaped)
}

#[test]
fn a_path_starts_at_the_first_slash_and_ends_before_a_query_or_fragment() {
    let mut router = router(&["/:a/*"]);
    for (text, from) in [
        ("http://h/12/345", 8),
        ("http://localhost:8080/12/345", 8),
        ("https://a-host-of-many-letters.example/12/345?a=/1/2%", 8),
        ("https://h/12/345#/?%", 8),
        ("http://h/12/345?", 8),
        ("/12/345?aaaaaaaaaaaaaaaaaaaaaaaaaaaaa#", 0),
    ] {
        assert_eq!(find(&mut router, text, from), Outcome::Found(0), "{text}");
        let start = text[from..].find('/').expect("a path") + from;
        let expected = [start as u32, span(0, 2, false), span(3, 3, false)];
        assert_eq!(router.result(), expected, "{text}");
    }
    for (text, from) in [("http://h", 8), ("http://h?/a/b", 8), ("", 0), ("a", 0), ("#/a/b", 0)] {
        assert_eq!(find(&mut router, text, from), Outcome::NotFound, "{text}");
    }
}

/// Delimiters are searched for in blocks of sixteen bytes.
#[test]
fn delimiters_at_every_offset_of_a_block() {
    let mut router = router(&["/:a", "/:a/:b"]);
    for length in 1..70 {
        let value = "v".repeat(length);
        for (tail, answer) in [("", 0), ("?/x/%", 0), ("#", 0), ("/w", 1), ("/w?", 1)] {
            let text = format!("/{value}{tail}");
            assert_eq!(find(&mut router, &text, 0), Outcome::Found(answer), "{text}");
            assert_eq!(router.result()[1], span(0, length as u32, false), "{text}");
        }
        assert_eq!(find(&mut router, &format!("/{value}/"), 0), Outcome::NotFound);
        // Bytes of an earlier text after the end are not read.
        let longer = format!("/{value}%zz/?#");
        find(&mut router, &longer, 0);
        assert_eq!(router.find(GET, 0, length + 1), Outcome::Found(0));
    }
}

#[test]
fn static_text_of_every_length_with_every_byte_changed() {
    for length in 1..50 {
        let text: String = (0..length).map(|index| char::from(b'a' + index as u8 % 26)).collect();
        let sibling = format!("{text}~");
        for patterns in
            [vec![format!("/{text}/:x")], vec![format!("/{text}/:x"), format!("/{sibling}/:x")]]
        {
            let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
            let mut router = router(&patterns);
            let at = |text: &str| format!("/{text}/1").into_bytes();
            assert_eq!(router.find_path(GET, &at(&text)), Outcome::Found(0));
            for place in 0..length {
                let mut changed = text.clone();
                changed.replace_range(place..=place, "A");
                assert_eq!(router.find_path(GET, &at(&changed)), Outcome::NotFound, "{changed}");
                let escaped = format!(
                    "{}%{:02X}{}",
                    &text[..place],
                    text.as_bytes()[place],
                    &text[place + 1..]
                );
                assert_eq!(router.find_path(GET, &at(&escaped)), Outcome::Found(0), "{escaped}");
            }
            assert_eq!(router.find_path(GET, &at(&text[1..])), Outcome::NotFound);
            assert_eq!(router.find_path(GET, &at(&text[..length - 1])), Outcome::NotFound);
            assert_eq!(router.find_path(GET, &at(&format!("{text}!"))), Outcome::NotFound);
        }
    }
}

#[test]
fn the_longest_path() {
    let mut router = router(&["/:a", "/:a/*"]);
    for (tail, answer) in [("", 0), ("/", 1)] {
        let path = format!("/{}{tail}", "a".repeat(MAX_PATH - 1 - tail.len()));
        assert_eq!(router.find_path(GET, path.as_bytes()), Outcome::Found(answer));
        assert_eq!(router.find_path(GET, format!("{path}a").as_bytes()), Outcome::TooLong);
        // The origin and the query do not count.
        let url = format!("https://example.com{path}?{}", "q".repeat(900));
        assert_eq!(find(&mut router, &url, 8), Outcome::Found(answer));
        let url = url.replace('?', "a?");
        assert_eq!(find(&mut router, &url, 8), Outcome::TooLong);
    }
    // A segment of that length is split and decoded after an origin too.
    let mut router = self::router(&["/:a-:b"]);
    let path = format!("/{}-%62", "a".repeat(MAX_PATH - 5));
    assert_eq!(router.find_path(GET, path.as_bytes()), Outcome::Found(0));
    let origin = format!("https://{}.example", "o".repeat(1024 - "https://.example".len()));
    let url = format!("{origin}{path}");
    assert_eq!(find(&mut router, &url, 8), Outcome::Found(0));
    let values = [span(0, MAX_PATH as u32 - 5, false), span(MAX_PATH as u32 - 4, 3, true)];
    assert_eq!(router.result(), [1024, values[0], values[1]]);
    let mut router = self::router(&["/:a", "/:a/*"]);
    let room = MAX_PATH + 1024;
    find(&mut router, "/a?", 0);
    assert_eq!(router.find(GET, 0, room), Outcome::Found(0));
    assert_eq!(router.find(GET, 0, room + 1), Outcome::TooLong);
    assert!(router.buffer().len() >= room);
}

/// The segments of a path are counted only as far as needed; a wildcard still captures the rest.
#[test]
fn paths_that_are_deeper_than_every_route() {
    for ignore_trailing_slash in [false, true] {
        let mut router = Router::new(ignore_trailing_slash);
        router.insert(GET, "/:a/:b").expect("a pattern");
        router.insert(GET, "/x/y/*").expect("a pattern");
        for depth in 3..12 {
            let rest = vec!["seg"; depth].join("/");
            let outcome = router.find_path(GET, format!("/{rest}").as_bytes());
            assert_eq!(outcome, Outcome::NotFound);
            for tail in ["", "/", "//"] {
                let outcome = router.find_path(GET, format!("/x/y/{rest}{tail}").as_bytes());
                assert_eq!(outcome, Outcome::Found(1));
                let dropped = usize::from(ignore_trailing_slash && tail == "/");
                let length = (rest.len() + tail.len() - dropped) as u32;
                assert_eq!(router.result()[1], span(4, length, false));
            }
        }
    }
}

#[test]
fn ignored_trailing_slashes() {
    let mut router = Router::new(true);
    for pattern in ["/", "/a/", "/b//", "/c/:d?/", "/e/*"] {
        router.insert(GET, pattern).expect(pattern);
    }
    for (path, expected) in [
        ("/", Outcome::Found(0)),
        ("//", Outcome::NotFound),
        ("/a", Outcome::Found(1)),
        ("/a/", Outcome::Found(1)),
        ("/a//", Outcome::NotFound),
        ("/%61/", Outcome::Found(1)),
        ("/b", Outcome::NotFound),
        ("/b/", Outcome::NotFound),
        ("/b//", Outcome::Found(2)),
        ("/b///", Outcome::NotFound),
        ("/c/x/", Outcome::Found(3)),
        ("/c", Outcome::Found(4)),
        ("/c/", Outcome::Found(4)),
        ("/e", Outcome::Found(5)),
        ("/e/", Outcome::Found(5)),
        ("/e//", Outcome::Found(5)),
    ] {
        assert_eq!(router.find_path(GET, path.as_bytes()), expected, "{path}");
    }
    // The wildcard captures nothing after `/e`.
    router.find_path(GET, b"/e");
    assert_eq!(router.result()[1], span(1, 0, false));
    let mut strict = Router::new(false);
    strict.prepare(true);
    strict.insert(GET, "/a").expect("a pattern");
    assert_eq!(strict.find_path(GET, b"/a/"), Outcome::Found(0));
}

#[test]
fn values_with_escapes_are_marked() {
    let mut router = router(&["/:a/:b-:c/*"]);
    let path = b"/%61/x%2D-%c3%A9/a%2Fb/c";
    assert_eq!(router.find_path(GET, path), Outcome::Found(0));
    let expected = [span(0, 3, true), span(4, 4, true), span(9, 6, true), span(16, 7, true)];
    assert_eq!(router.result()[1..], expected);
    assert_eq!(router.find_path(GET, b"/a/b-%2D/c"), Outcome::Found(0));
    let expected = [span(0, 1, false), span(2, 1, false), span(4, 3, true), span(8, 1, false)];
    assert_eq!(router.result()[1..], expected);
    for path in ["/%/b-c/d", "/a/b-c/%", "/a/b-c/%4", "/a/b-c/d/%zz", "/a/b-c/%C3/%A9"] {
        assert_eq!(router.find_path(GET, path.as_bytes()), Outcome::Undecodable, "{path}");
    }
    // A segment that cannot be decoded does not match static text.
    assert_eq!(router.find_path(GET, b"/a/%-c/d"), Outcome::NotFound);
}

#[test]
fn methods_of_a_path() {
    const POST: u32 = 3;
    let mut router = Router::new(false);
    for (method, pattern) in [(POST, "/a"), (GET, "/:x"), (ALL, "/all"), (HEAD, "/head"), (9, "/*")]
    {
        router.insert(method, pattern).expect(pattern);
    }
    let allowed =
        |router: &Router| -> Vec<u32> { (0..12).filter(|&method| router.allows(method)).collect() };
    for (method, path, expected, methods) in [
        (POST, "/a", Outcome::Found(0), vec![]),
        (GET, "/a", Outcome::Found(1), vec![]),
        (HEAD, "/a", Outcome::Found(1), vec![]),
        (9, "/a", Outcome::Found(4), vec![]),
        (UNKNOWN, "/a", Outcome::MethodNotAllowed, vec![GET, POST, 9]),
        (ANY, "/a", Outcome::MethodNotAllowed, vec![GET, POST, 9]),
        (8, "/b", Outcome::MethodNotAllowed, vec![GET, 9]),
        (UNKNOWN, "/all", Outcome::Found(2), vec![]),
        (ANY, "/all", Outcome::MethodNotAllowed, vec![GET, ALL, 9]),
        (HEAD, "/head", Outcome::Found(3), vec![]),
        (GET, "/head", Outcome::Found(1), vec![]),
        (GET, "/b/c", Outcome::MethodNotAllowed, vec![9]),
        (GET, "b", Outcome::NotFound, vec![]),
    ] {
        assert_eq!(router.find_path(method, path.as_bytes()), expected, "{method} {path}");
        if expected == Outcome::MethodNotAllowed {
            assert_eq!(allowed(&router), methods, "{method} {path}");
        }
    }
    assert!(!router.allows(UNKNOWN));
}

#[test]
fn no_routes_match_nothing() {
    let mut router = Router::new(false);
    assert_eq!(router.find_path(GET, b"/"), Outcome::NotFound);
    router.prepare(false);
    assert_eq!(find(&mut router, "/", 0), Outcome::NotFound);
    assert!(router.insert(GET, "a").is_err());
    assert_eq!(find(&mut router, "/", 0), Outcome::NotFound);
    assert!(!router.allows(GET));
}

/// Characters of the pattern syntax have no meaning in a path.
#[test]
fn paths_spelled_like_patterns() {
    let mut router = router(&["/:a", "/x/:b?", "/y/*rest", r"/z\:", "/%77"]);
    for (path, answer, value) in [
        ("/:a", 0, Some(span(0, 2, false))),
        ("/x/:b?", 1, Some(span(2, 2, false))),
        ("/y/*rest", 3, Some(span(2, 5, false))),
        ("/z:", 4, None),
        (r"/z\:", 0, Some(span(0, 3, false))),
        ("/w", 5, None),
        ("/%77", 5, None),
    ] {
        assert_eq!(router.find_path(GET, path.as_bytes()), Outcome::Found(answer), "{path}");
        if let Some(value) = value {
            assert_eq!(router.result()[1], value, "{path}");
        }
    }
}
