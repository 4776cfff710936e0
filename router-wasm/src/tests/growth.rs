//! Many routes: lists and tables grow without losing items.

use super::test;
use router_wasm::{GET, Outcome, Router};

/// Requests every route after each addition that makes a table grow.
#[test]
fn thousands_of_siblings() {
    let mut router = Router::new(false);
    let path = |index: usize| format!("/route-{index}/of-many-{}/:id", index % 7);
    for index in 0..3_000 {
        assert_eq!(router.insert(GET, &path(index)), Ok(index as u32));
        if index.is_power_of_two() {
            for earlier in 0..=index {
                let asked = path(earlier).replace(":id", "1");
                let found = router.find_path(GET, asked.as_bytes());
                assert_eq!(found, Outcome::Found(earlier as u32), "{asked}");
            }
        }
    }
    assert_eq!(router.find_path(GET, b"/route-3000/of-many-4/1"), Outcome::NotFound);
    assert_eq!(router.find_path(GET, b"/route-2999/of-many-4/1"), Outcome::NotFound);
}

#[test]
fn many_parameters_many_methods_and_deep_routes() {
    let mut router = Router::new(false);
    let deep: String = (0..200).map(|index| format!("/:p{index}")).collect();
    router.insert(GET, &deep).expect("a pattern");
    let mixed: Vec<String> = (0..60).map(|index| format!(":m{index}")).collect();
    router.insert(GET, &format!("/{}", mixed.join("-"))).expect("a pattern");
    for method in 3..300 {
        assert_eq!(router.insert(method, "/x"), Ok(method - 1));
    }
    let path = "/v".repeat(200);
    assert_eq!(router.find_path(GET, path.as_bytes()), Outcome::Found(0));
    for (index, span) in router.result()[1..=200].iter().enumerate() {
        assert_eq!(*span, (2 * index as u32) << 15 | 1 << 1);
    }
    assert_eq!(router.find_path(GET, "/v".repeat(201).as_bytes()), Outcome::NotFound);
    let path = format!("/{}", vec!["v"; 60].join("-"));
    assert_eq!(router.find_path(GET, path.as_bytes()), Outcome::Found(1));
    for (index, span) in router.result()[1..=60].iter().enumerate() {
        assert_eq!(*span, (2 * index as u32) << 15 | 1 << 1);
    }
    for method in 3..300 {
        assert_eq!(router.find_path(method, b"/x"), Outcome::Found(method - 1));
    }
    assert_eq!(router.find_path(300, b"/x"), Outcome::MethodNotAllowed);
    assert!((3..300).all(|method| router.allows(method)));
    assert!(!router.allows(0) && !router.allows(2) && !router.allows(300));
}

/// Equal constraints are stored once; different ones keep their own characters.
#[test]
fn many_constraints() {
    let mut router = Router::new(false);
    for index in 0..300u32 {
        let character = char::from_u32(0x4e00 + index).expect("a character");
        let pattern = format!("/:x({character}{{2}}|{index})");
        assert_eq!(router.insert(GET, &pattern), Ok(index));
    }
    for index in 0..300u32 {
        let character = char::from_u32(0x4e00 + index).expect("a character");
        for path in [format!("/{character}{character}"), format!("/{index}")] {
            assert_eq!(router.find_path(GET, path.as_bytes()), Outcome::Found(index), "{path}");
        }
        assert_eq!(router.find_path(GET, format!("/{character}").as_bytes()), Outcome::NotFound);
    }
}
