//! Rejected patterns, with the reason and the offset at which parsing stopped.

use super::test;
use router_wasm::{ALL, GET, HEAD, MAX_OPTIONALS, MAX_PATH, Reason, Router};

const REJECTED: [(&str, Reason, u32); 56] = [
    ("", Reason::NoLeadingSlash, 0),
    ("a", Reason::NoLeadingSlash, 0),
    ("**", Reason::NoLeadingSlash, 0),
    (":a", Reason::NoLeadingSlash, 0),
    ("/:", Reason::MissingName, 1),
    ("/a:", Reason::MissingName, 2),
    ("/:/b", Reason::MissingName, 1),
    ("/:1a", Reason::MissingName, 1),
    ("/:é", Reason::MissingName, 1),
    ("/:a/:a", Reason::RepeatedName, 4),
    ("/:a-:a", Reason::RepeatedName, 4),
    ("/:a/*a", Reason::RepeatedName, 4),
    ("/:a:b", Reason::TouchingParameters, 3),
    (r"/:a(\d):b", Reason::TouchingParameters, 7),
    ("/*/a", Reason::WildcardNotLast, 1),
    ("/*a/", Reason::WildcardNotLast, 1),
    ("/a*", Reason::WildcardNotWhole, 2),
    ("/*a-", Reason::WildcardNotWhole, 1),
    ("/**", Reason::WildcardNotWhole, 1),
    ("/:a-*", Reason::WildcardNotWhole, 4),
    ("/a-:b?", Reason::OptionalNotWhole, 5),
    ("/:b?a", Reason::OptionalNotWhole, 3),
    ("/:a-:b?", Reason::OptionalNotWhole, 6),
    ("/:a?/:b?/:c?/:d?/:e?/:f?/:g?", Reason::TooManyOptionals, 27),
    ("/:a*", Reason::RepeatModifier, 3),
    ("/:a+", Reason::RepeatModifier, 3),
    ("/:a(b)*", Reason::RepeatModifier, 6),
    ("/a?", Reason::ReservedCharacter, 2),
    ("/a+b", Reason::ReservedCharacter, 2),
    ("/(a)", Reason::ReservedCharacter, 1),
    ("/{a}", Reason::ReservedCharacter, 1),
    ("/a}", Reason::ReservedCharacter, 2),
    ("/a)", Reason::UnbalancedParenthesis, 2),
    ("/:a(b", Reason::UnbalancedParenthesis, 3),
    (r"/:a(b\)", Reason::UnbalancedParenthesis, 3),
    ("/:a([)]", Reason::UnbalancedParenthesis, 3),
    ("/:a((b)", Reason::UnbalancedParenthesis, 3),
    ("/:a(b))", Reason::UnbalancedParenthesis, 6),
    ("/:a()", Reason::EmptyConstraint, 3),
    (r"/:a{\d}", Reason::BraceConstraint, 3),
    (r"/a\", Reason::DanglingBackslash, 2),
    (r"/\a", Reason::DanglingBackslash, 1),
    (r"/\7", Reason::DanglingBackslash, 1),
    (r"/a\/b", Reason::DanglingBackslash, 2),
    ("/%", Reason::MalformedEscape, 1),
    ("/a%4", Reason::MalformedEscape, 2),
    ("/%4g", Reason::MalformedEscape, 1),
    ("/%g4", Reason::MalformedEscape, 1),
    ("/%C3", Reason::MalformedEscape, 4),
    ("/%C3/a", Reason::MalformedEscape, 4),
    ("/%ED%A0%80", Reason::MalformedEscape, 10),
    ("/:a(b)/:c(d|*)", Reason::InvalidConstraint, 12),
    ("/:a(b]c)", Reason::InvalidConstraint, 5),
    ("/:a(b{3,2})", Reason::InvalidConstraint, 9),
    (r"/:a(\b)", Reason::NotRegular, 6),
    ("/:a((?=b)c)", Reason::NotRegular, 6),
];

#[test]
fn every_reason_with_its_position() {
    let mut router = Router::new(false);
    for (pattern, reason, position) in REJECTED {
        let outcome = router.insert(GET, pattern);
        assert_eq!((outcome, router.position()), (Err(reason), position), "{pattern}");
    }
}

/// Routes before and after a rejected pattern get the same answer ids as without it.
#[test]
fn a_rejected_pattern_has_no_effect() {
    let mut router = Router::new(false);
    assert_eq!(router.insert(GET, "/a/:b"), Ok(0));
    for (pattern, _, _) in REJECTED {
        assert!(router.insert(GET, pattern).is_err(), "{pattern}");
    }
    assert_eq!(router.insert(GET, "/:a?/b"), Ok(1));
    assert_eq!(router.insert(GET, "/c"), Ok(3));
}

#[test]
fn characters_of_the_syntax_can_be_escaped() {
    let mut router = Router::new(false);
    for (answer, sign) in ":*?+(){}\\-~".chars().enumerate() {
        assert_eq!(router.insert(GET, &format!("/x\\{sign}")), Ok(answer as u32), "{sign}");
    }
    for (answer, sign) in ["%3A", "%2A", "%3F", "%2B", "%28", "%29", "%7B", "%7D", "%5C", "-", "~"]
        .into_iter()
        .enumerate()
    {
        let found = router.find_path(GET, format!("/x{sign}").as_bytes());
        assert_eq!(found, router_wasm::Outcome::Found(answer as u32), "{sign}");
    }
}

#[test]
fn a_duplicate_reports_the_existing_route() {
    let mut router = Router::new(false);
    assert_eq!(router.insert(GET, "/a/:b?"), Ok(0));
    assert_eq!(router.insert(GET, "/c/:d-:e(f)"), Ok(2));
    assert_eq!(router.insert(HEAD, "/c/:x-:y(f)"), Ok(3));
    assert_eq!(router.insert(ALL, "/*"), Ok(4));
    assert_eq!(router.insert(GET, "/d/:a?/:b(x)?/:c?"), Ok(5));
    for (method, pattern, route) in [
        (HEAD, "/c/:p-:q(f)", 2),
        (GET, "/a/:x?", 0),
        (ALL, "/*rest", 3),
        (GET, "/c/:p-:q(f)", 1),
        (GET, "/d/:x?/:y(x)?/:z?", 4),
    ] {
        let outcome = router.insert(method, pattern);
        assert_eq!((outcome, router.position()), (Err(Reason::Duplicate), route), "{pattern}");
    }
    // These have other shapes.
    for (answer, pattern) in
        ["/a/:b", "/a", "/c/:d-:e(g)", "/c/:d.:e(f)", "/c/:d-:e", "/c/d:e", "/c/:d-:e(f).", "/c/*"]
            .into_iter()
            .enumerate()
    {
        assert_eq!(router.insert(GET, pattern), Ok(13 + answer as u32), "{pattern}");
    }
}

#[test]
fn the_longest_pattern() {
    let mut router = Router::new(false);
    let longest = format!("/{}", "a".repeat(MAX_PATH - 1));
    assert_eq!(router.insert(GET, &format!("{longest}a")), Err(Reason::TooLong));
    assert_eq!(router.insert(GET, &longest), Ok(0));
    assert_eq!(router.find_path(GET, longest.as_bytes()), router_wasm::Outcome::Found(0));
    router.buffer()[..2].copy_from_slice(b"/b");
    assert_eq!(router.insert_buffered(GET, MAX_PATH + 1), Err(Reason::TooLong));
    assert_eq!(router.insert_buffered(GET, 2), Ok(1));
    let other = format!("/{}", "c".repeat(MAX_PATH - 1));
    router.buffer()[..MAX_PATH].copy_from_slice(other.as_bytes());
    assert_eq!(router.insert_buffered(GET, MAX_PATH), Ok(2));
}

#[test]
fn six_optionals_have_sixty_four_answer_ids() {
    let mut router = Router::new(false);
    assert_eq!(MAX_OPTIONALS, 6);
    assert_eq!(router.insert(GET, "/:a?/:b?/:c?/:d?/:e?/:f?"), Ok(0));
    assert_eq!(router.insert(GET, "/x"), Ok(64));
}

/// Spans are encoded as `Router::parameter` describes.
#[test]
fn spans_of_parameter_names() {
    let mut router = Router::new(false);
    let span = |start: u32, length: u32, optional: bool| {
        (start - 1) << 15 | length << 1 | u32::from(optional)
    };
    for (pattern, expected) in [
        ("/a", vec![]),
        ("/:a", vec![span(2, 1, false)]),
        ("/x/:$_9?/:b(c+)?", vec![span(4, 3, true), span(10, 1, true)]),
        ("/é:ab-:c", vec![span(4, 2, false), span(8, 1, false)]),
        ("/*", vec![span(2, 0, false)]),
        ("/:a/*rest", vec![span(2, 1, false), span(5, 4, false)]),
    ] {
        router.insert(GET, pattern).expect(pattern);
        let found: Vec<u32> =
            (0..router.parameters()).map(|index| router.parameter(index)).collect();
        assert_eq!(found, expected, "{pattern}");
        assert_eq!(router.parameter(router.parameters()), 0);
    }
}
