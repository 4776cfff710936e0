//! Values that constraints accept, and constraints that are rejected.

use super::test;
use router_wasm::{GET, Outcome, Reason, Router};

/// Returns whether a constraint accepts a value, which is sent with every byte escaped.
fn accepts(router: &mut Router, value: &str) -> bool {
    let escaped: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
    match router.find_path(GET, format!("/{escaped}").as_bytes()) {
        Outcome::Found(0) => true,
        Outcome::NotFound => false,
        other => panic!("{value:?}: {other:?}"),
    }
}

fn constrained(expression: &str) -> Router {
    let mut router = Router::new(false);
    router.insert(GET, &format!("/:x({expression})")).expect(expression);
    router
}

#[test]
fn accepted_values() {
    let cases: [(&str, &[&str], &[&str]); 45] = [
        ("a", &["a"], &["b", "aa", "A"]),
        (r"\0", &["\0"], &["0", "\\0"]),
        (r"\t\n\v\f\r", &["\t\n\u{b}\u{c}\r"], &["tnvfr", "\t\n\u{b}\u{c}\n"]),
        (r"\x41\x7a", &["Az"], &["Aa", "x41x7a"]),
        (r"\u0041\u00E9\u4e2D", &["Aé中"], &["Aé"]),
        (r"\u{1}\u{41}\u{00e9}\u{01F34C}", &["\u{1}Aé🍌"], &["Aé🍌"]),
        (r"\u{10ffff}", &["\u{10ffff}"], &["\u{10fffe}"]),
        (r"\.\*\/\\\(\)\[\]\{\}\^\$\|\-", &[r".*/\()[]{}^$|-"], &[r".*/\()[]{}^$|"]),
        (r"\é\🍌\ ", &["é🍌 "], &["é🍌"]),
        ("[a-c]", &["a", "b", "c"], &["`", "d", "-"]),
        ("[a-]", &["a", "-"], &["b", "]"]),
        ("[-a]", &["a", "-"], &["b"]),
        ("[+--]", &["+", ",", "-"], &["*", "."]),
        (r"[\d-z]", &["5", "-", "z"], &["y", "a"]),
        (r"[a\]b]", &["a", "]", "b"], &["\\"]),
        (r"[\^a^]", &["^", "a"], &["b"]),
        ("[^^]", &["a"], &["^"]),
        ("[^a-c]", &["d", "é", "🍌", "\n"], &["a", "b", "c"]),
        ("[à-ü🍌]", &["à", "é", "ü", "🍌"], &["ý", "ß", "a", "🍍"]),
        ("[.*+?|(){}$]", &[".", "*", "+", "?", "|", "(", ")", "{", "}", "$"], &["a", "\\"]),
        (r"[\w\s]", &["a", " "], &["-"]),
        (r"[^\w\s]", &["-", "é"], &["a", " "]),
        (r"[\D]", &["a"], &["1"]),
        ("a|b|", &["a", "b"], &["c", "ab"]),
        ("|a", &["a"], &["b"]),
        ("ab|cd", &["ab", "cd"], &["abd", "acd", "abcd"]),
        ("(a|b)c", &["ac", "bc"], &["a", "c", "abc"]),
        ("(?:a|b)(?<n>c)", &["ac", "bc"], &["ab"]),
        ("()a", &["a"], &["aa"]),
        ("(a|)b", &["ab", "b"], &["a"]),
        ("a?b", &["b", "ab"], &["aab", "a"]),
        ("a*b", &["b", "ab", "aaab"], &["a", "bb"]),
        ("a+b", &["ab", "aaab"], &["b"]),
        ("a??b*?c+?", &["c", "abbcc"], &["ab", "aac"]),
        ("a{2}", &["aa"], &["a", "aaa"]),
        ("a{2}?b", &["aab"], &["ab"]),
        ("a{1,3}", &["a", "aa", "aaa"], &["aaaa"]),
        ("a{2,}", &["aa", "aaaaaa"], &["a"]),
        ("a{0,}b", &["b", "ab", "aaaab"], &["a"]),
        ("xa{0}y", &["xy"], &["xay"]),
        ("x(ab){0}y|z", &["xy", "z"], &["xaby", "x"]),
        ("(ab?){2}c", &["aac", "abac", "aabc", "ababc"], &["ac", "abbac", "aaac"]),
        ("((a|b){2}c){2}", &["abcbac"], &["abc", "abcab", "abcabcabc"]),
        ("^a$|^b|c$", &["a", "b", "c"], &["^a", "a$", "ab"]),
        ("(a*)*b", &["b", "aaab"], &["a", "aa"]),
    ];
    for (expression, accepted, others) in cases {
        let mut router = constrained(expression);
        for value in accepted {
            assert!(accepts(&mut router, value), "{expression} must accept {value:?}");
        }
        for value in others {
            assert!(!accepts(&mut router, value), "{expression} must not accept {value:?}");
        }
    }
}

/// Compares every character below U+3100, and some above, with the classes of JavaScript.
#[test]
fn named_classes() {
    let spaces = "\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";
    let is_space = |one: char| spaces.contains(one) || ('\u{2000}'..='\u{200a}').contains(&one);
    let is_word = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let classes: [(&str, &dyn Fn(char) -> bool); 7] = [
        (r"\d", &|one| one.is_ascii_digit()),
        (r"\D", &|one| !one.is_ascii_digit()),
        (r"\w", &is_word),
        (r"\W", &|one| !is_word(one)),
        (r"\s", &is_space),
        (r"\S", &|one| !is_space(one)),
        (".", &|one| !['\n', '\r', '\u{2028}', '\u{2029}'].contains(&one)),
    ];
    let others = ['\u{d7ff}', '\u{e000}', '\u{fefe}', '\u{feff}', '\u{ff00}', '🍌', '\u{10ffff}'];
    for (expression, contains) in classes {
        let mut router = constrained(expression);
        for character in ('\0'..'\u{3100}').chain(others) {
            let accepted = accepts(&mut router, &character.to_string());
            assert_eq!(accepted, contains(character), "{expression} and {character:?}");
        }
    }
}

#[test]
fn sixty_four_positions() {
    let letters: Vec<String> =
        (0..64u32).map(|index| format!(r"\u{{{:x}}}", 0x100 + index)).collect();
    for expression in ["a{64}", "(a{8}){8}", "(aa){32}", "a{32}(a{4}){8}", "((aa){2}){16}"] {
        let mut router = constrained(expression);
        for count in [62, 63, 65, 66, 128] {
            assert!(!accepts(&mut router, &"a".repeat(count)), "{expression} and {count}");
        }
        assert!(accepts(&mut router, &"a".repeat(64)), "{expression}");
    }
    let mut router = constrained(&letters.join("|"));
    for index in 0..66 {
        let character = char::from_u32(0x100 + index).expect("a character");
        assert_eq!(accepts(&mut router, &character.to_string()), index < 64);
    }
    let mut router = constrained("a{0,64}");
    assert!(accepts(&mut router, "a") && accepts(&mut router, &"a".repeat(64)));
    assert!(!accepts(&mut router, &"a".repeat(65)));
    let mut router = constrained("a{64,}");
    assert!(!accepts(&mut router, &"a".repeat(63)));
    assert!(accepts(&mut router, &"a".repeat(64)) && accepts(&mut router, &"a".repeat(200)));
}

/// The offset is the one in the constraint at which parsing stopped.
#[test]
fn rejected() {
    use Reason::{ConstraintTooLarge as Large, InvalidConstraint as Invalid, NotRegular};
    for (expression, reason, position) in [
        ("*a", Invalid, 0),
        ("a|+", Invalid, 2),
        ("a**", Invalid, 2),
        ("a?+", Invalid, 2),
        ("a{2}{3}", Invalid, 4),
        ("a}", Invalid, 1),
        ("a]", Invalid, 1),
        ("{2}", Invalid, 0),
        ("a{}", Invalid, 2),
        ("a{,3}", Invalid, 4),
        ("a{x}", Invalid, 2),
        ("a{1,x}", Invalid, 4),
        ("a{3,2}", Invalid, 5),
        ("a{2", Invalid, 3),
        ("a{2,3", Invalid, 5),
        ("[]", Invalid, 2),
        ("[^]", Invalid, 3),
        ("[b-a]", Invalid, 4),
        (r"[a-\d]", NotRegular, 5),
        (r"\x4", Invalid, 3),
        (r"\xg1", Invalid, 2),
        (r"\u004", Invalid, 5),
        (r"\u{}", Invalid, 4),
        (r"\u{g}", Invalid, 3),
        (r"\u{41", Invalid, 5),
        (r"\u{0000041}", Invalid, 9),
        (r"\u{110000}", Invalid, 10),
        (r"\b", NotRegular, 2),
        (r"\B", NotRegular, 2),
        (r"\1", NotRegular, 2),
        (r"\k", NotRegular, 2),
        (r"\p", NotRegular, 2),
        ("(?=a)b", NotRegular, 2),
        ("(?!a)b", NotRegular, 2),
        ("(?<=a)b", NotRegular, 3),
        ("(?<!a)b", NotRegular, 3),
        ("(?i)b", NotRegular, 2),
        ("(?<>a)", Invalid, 3),
        ("(?<1>a)", Invalid, 3),
        ("(?<a-b>a)", Invalid, 4),
        ("a^", NotRegular, 1),
        ("^^a", NotRegular, 1),
        ("a|^^b", NotRegular, 3),
        ("()^a", NotRegular, 2),
        ("a{0}^b", NotRegular, 4),
        ("a$$", NotRegular, 1),
        ("(^a)", NotRegular, 1),
        ("$a", NotRegular, 0),
        ("(a$)", NotRegular, 2),
        ("a{65}", Large, 4),
        ("a{0,65}", Large, 6),
        ("a{65,}", Large, 5),
        ("a{99999999999999999999}", Large, 22),
        ("(a{8}){9}", Large, 9),
        ("(aa){33}", Large, 8),
        ("a{64}b", Large, 6),
    ] {
        let mut router = Router::new(false);
        let outcome = router.insert(GET, &format!("/:x({expression})"));
        let found = (outcome, router.position().wrapping_sub(4));
        assert_eq!(found, (Err(reason), position), "{expression}");
        // A rejected constraint leaves no state for the next one.
        router.insert(GET, "/:x(é|b{2}[^c])").expect("a pattern");
        assert!(accepts(&mut router, "bbd") && accepts(&mut router, "é"), "{expression}");
        assert!(!accepts(&mut router, "bbc") && !accepts(&mut router, "a"), "{expression}");
    }
}

/// The recorded ends of values are reset for each segment.
#[test]
fn a_split_leaves_no_state_for_the_next() {
    let mut router = Router::new(false);
    router.insert(GET, r"/:a-:b-:c(\d+)").expect("a pattern");
    let prefix = format!("/{}-b-1", "a".repeat(50));
    assert_eq!(router.find_path(GET, prefix.as_bytes()), Outcome::Found(0));
    assert_eq!(router.find_path(GET, format!("{prefix}x").as_bytes()), Outcome::NotFound);
}

/// Values of segments that can be split in several ways.
#[test]
fn constrained_values_of_a_mixed_segment() {
    for (pattern, segment, expected) in [
        (r"/:a(\d+)-:b(\d+)", "12-345", Some(vec!["12", "345"])),
        (r"/:a(\d+)-:b(\d+)", "12-", None),
        (r"/:a(\d+)-:b(\d+)", "-12", None),
        (r"/:a(.+)-:b(\d+)", "1-2-3", Some(vec!["1-2", "3"])),
        (r"/:a(\d)-:b(.+)", "1-2-3", Some(vec!["1", "2-3"])),
        (r"/:a-:b(\d-\d)", "x-1-2", Some(vec!["x", "1-2"])),
        (r"/:a-:b(\d-\d)", "x-1-2-3", Some(vec!["x-1", "2-3"])),
        (r"/:a(x?)-:b", "x-", None),
        (r"/:a(x?)-:b", "-y", None),
        (r"/v:a(\d+).:b(\d+)", "v1.22", Some(vec!["1", "22"])),
        (r"/v:a(\d+).:b(\d+)", "1.22", None),
        (r"/:a(é+)é:b", "ééé", Some(vec!["é", "é"])),
        (r"/:a(é+)é:b", "éééa", Some(vec!["éé", "a"])),
        (r"/:a(é+)é:b", "éé", None),
        (r"/:a(a|ab)%62:b(.*)c", "abbc", Some(vec!["a", "b"])),
        (r"/:a(a|ab)%62:b(.*)c", "abbbc", Some(vec!["ab", "b"])),
        (r"/:a(\d+)", "12", Some(vec!["12"])),
        (r"/:a(\d+).json", "12.json", Some(vec!["12"])),
        (r"/:a(\d+).json", ".json", None),
        (r"/:a.json", "1.json", Some(vec!["1"])),
        (r"/:a.json", ".json", None),
        (r"/v:a.x", "v1.x", Some(vec!["1"])),
        (r"/v:a.x", "v.x", None),
        (r"/:a.:b.:c", "1.2.3.4", Some(vec!["1.2", "3", "4"])),
        (r"/:a.:b.:c", "1.2.", None),
        (r"/:a.:b.:c", "...1.2", Some(vec!["..", "1", "2"])),
    ] {
        let mut router = Router::new(false);
        router.insert(GET, pattern).expect(pattern);
        let path = format!("/{segment}");
        let outcome = router.find_path(GET, path.as_bytes());
        let values = (outcome == Outcome::Found(0)).then(|| {
            let spans = router.result()[1..=router.parameters()].iter();
            let of_path = |span: &u32| {
                let start = (span >> 15) as usize + 1;
                &path[start..start + (span >> 1 & 0x3fff) as usize]
            };
            spans.map(of_path).collect::<Vec<_>>()
        });
        assert_eq!(values, expected, "{pattern} {segment}");
    }
}
