//! Reference router: keeps every variant of every pattern in a list and filters the list segment by
//! segment. It shares no code with the router.

use router_wasm::MAX_CONSTRAINED;

/// A generated segment.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// Decoded text.
    Static(String),
    Mixed {
        lead: String,
        parts: Vec<(Test, String)>,
    },
    Parameter {
        test: Test,
        optional: bool,
    },
    Wildcard,
}

/// A constraint: its source, and the values it accepts.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    pub source: &'static str,
    pub accepts: fn(&str) -> bool,
}

impl PartialEq for Test {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

pub struct Variant {
    segments: Vec<Segment>,
    pattern: usize,
    absent: usize,
    order: usize,
    route: usize,
    method: u32,
}

#[derive(Default)]
pub struct Model {
    pub ignore_trailing_slash: bool,
    variants: Vec<Variant>,
    patterns: Vec<Vec<Segment>>,
    routes: usize,
}

pub const GET: u32 = 0;
pub const HEAD: u32 = 1;
pub const ALL: u32 = 2;

#[derive(Debug, PartialEq)]
pub enum Answer {
    Route(usize, Vec<String>),
    Status(u32),
    Methods(Vec<u32>),
}

/// Captured values; `None` for one that cannot be decoded.
type Captured = Vec<Option<String>>;

impl Model {
    /// Adds a route. Fails with the number of the route that it duplicates.
    pub fn insert(&mut self, method: u32, mut pattern: Vec<Segment>) -> Result<(), usize> {
        if self.ignore_trailing_slash {
            drop_trailing_slash(&mut pattern);
        }
        let number = self.patterns.iter().position(|known| *known == pattern);
        let same = |variant: &&Variant| Some(variant.pattern) == number && variant.method == method;
        if let Some(known) = self.variants.iter().find(same) {
            return Err(known.route);
        }
        let number = number.unwrap_or_else(|| {
            self.patterns.push(pattern.clone());
            self.patterns.len() - 1
        });
        let optional =
            |segment: &Segment| matches!(segment, Segment::Parameter { optional: true, .. });
        let optionals = pattern.iter().filter(|segment| optional(segment)).count();
        for kept in (0..1usize << optionals).rev() {
            let mut bit = 1 << optionals;
            let mut segments: Vec<Segment> = Vec::new();
            for segment in &pattern {
                if optional(segment) {
                    bit >>= 1;
                    if kept & bit == 0 {
                        continue;
                    }
                }
                segments.push(segment.clone());
            }
            if segments.is_empty() {
                segments.push(Segment::Static(String::new()));
            }
            if self.ignore_trailing_slash {
                drop_trailing_slash(&mut segments);
            }
            self.variants.push(Variant {
                segments,
                pattern: number,
                absent: optionals - kept.count_ones() as usize,
                order: self.variants.len(),
                route: self.routes,
                method,
            });
        }
        self.routes += 1;
        Ok(())
    }

    pub fn find(&self, method: u32, path: &str) -> Answer {
        let path = path.split(['?', '#']).next().unwrap_or("");
        if !path.starts_with('/') {
            return Answer::Status(404);
        }
        let mut segments: Vec<&str> = path[1..].split('/').collect();
        if let [.., before, last] = segments.as_slice()
            && self.ignore_trailing_slash
            && last.is_empty()
            && !before.is_empty()
        {
            segments.pop();
        }
        let mut allowed = Vec::new();
        let all: Vec<&Variant> = self.variants.iter().collect();
        match self.walk(method, &segments, 0, &all, &Vec::new(), &mut allowed) {
            Some((route, values)) => match values.into_iter().collect::<Option<Vec<_>>>() {
                Some(values) => Answer::Route(route, values),
                None => Answer::Status(400),
            },
            None if allowed.is_empty() => Answer::Status(404),
            None => {
                allowed.sort();
                allowed.dedup();
                Answer::Methods(allowed)
            }
        }
    }

    fn walk(
        &self,
        method: u32,
        path: &[&str],
        depth: usize,
        possible: &[&Variant],
        captured: &Captured,
        allowed: &mut Vec<u32>,
    ) -> Option<(usize, Captured)> {
        if depth == path.len() {
            let ended: Vec<&Variant> = possible
                .iter()
                .filter(|variant| variant.segments.len() == depth)
                .copied()
                .collect();
            if let Some(route) = accept(method, &ended, allowed) {
                return Some((route, captured.clone()));
            }
        } else {
            for group in groups(possible, depth) {
                let Some(values) = capture(&group[0].segments[depth], path[depth]) else {
                    continue;
                };
                let mut captured = captured.clone();
                captured.extend(values);
                let found = self.walk(method, path, depth + 1, &group, &captured, allowed);
                if found.is_some() {
                    return found;
                }
            }
        }
        if depth < path.len() || self.ignore_trailing_slash {
            let here =
                |variant: &&&Variant| variant.segments.get(depth) == Some(&Segment::Wildcard);
            let ended: Vec<&Variant> = possible.iter().filter(here).copied().collect();
            let route = accept(method, &ended, allowed)?;
            let rest = path.get(depth..).unwrap_or(&[]).join("/");
            let mut captured = captured.clone();
            captured.push(decode(&rest));
            return Some((route, captured));
        }
        None
    }
}

/// Removes an empty last segment, unless it follows an empty one.
fn drop_trailing_slash(segments: &mut Vec<Segment>) {
    let empty = Segment::Static(String::new());
    if let [.., before, last] = segments.as_slice()
        && *last == empty
        && *before != empty
    {
        segments.pop();
    }
}

/// Groups the possible variants by their segment at a depth, in the order of precedence.
fn groups<'a>(possible: &[&'a Variant], depth: usize) -> Vec<Vec<&'a Variant>> {
    let mut groups: Vec<Vec<&Variant>> = Vec::new();
    for variant in possible {
        let Some(segment) = variant.segments.get(depth) else { continue };
        if *segment == Segment::Wildcard {
            continue;
        }
        match groups.iter_mut().find(|group| group[0].segments[depth] == *segment) {
            Some(group) => group.push(variant),
            None => groups.push(vec![variant]),
        }
    }
    groups.sort_by_key(|group| (rank(&group[0].segments[depth]), group[0].order));
    groups
}

fn rank(segment: &Segment) -> (u32, usize) {
    match segment {
        Segment::Static(_) => (0, 0),
        Segment::Mixed { lead, parts } => {
            let text = lead.len() + parts.iter().map(|part| part.1.len()).sum::<usize>();
            (1, usize::MAX - text)
        }
        Segment::Parameter { test, optional } => {
            let plain = u32::from(test.source.is_empty());
            (if *optional { 4 } else { 2 } + plain, 0)
        }
        Segment::Wildcard => (6, 0),
    }
}

fn accept(method: u32, ended: &[&Variant], allowed: &mut Vec<u32>) -> Option<usize> {
    let mut ended = ended.to_vec();
    ended.sort_by_key(|variant| (variant.absent, variant.pattern, variant.order));
    while let Some(first) = ended.first() {
        let pattern = first.pattern;
        let (here, others): (Vec<_>, Vec<_>) =
            ended.into_iter().partition(|variant| variant.pattern == pattern);
        let with = |wanted| here.iter().find(|variant| variant.method == wanted);
        let by_get = if method == HEAD { with(GET) } else { None };
        if let Some(variant) = with(method).or(by_get).or(with(ALL)) {
            return Some(variant.route);
        }
        allowed.extend(here.iter().map(|variant| variant.method));
        ended = others;
    }
    None
}

/// Returns the values that a segment captures, or `None` if it does not match.
fn capture(segment: &Segment, raw: &str) -> Option<Captured> {
    let decoded = decode(raw);
    if raw.len() > MAX_CONSTRAINED && has_constraint(segment) {
        return None;
    }
    match segment {
        Segment::Static(text) => (decoded.as_ref() == Some(text)).then(Vec::new),
        Segment::Parameter { test, .. } if test.source.is_empty() => {
            (!raw.is_empty()).then(|| vec![decoded])
        }
        Segment::Parameter { test, .. } => {
            let value = decoded.filter(|value| !value.is_empty() && (test.accepts)(value))?;
            Some(vec![Some(value)])
        }
        Segment::Mixed { lead, parts } => {
            let decoded = decoded?;
            let values = split(decoded.strip_prefix(lead.as_str())?, parts)?;
            Some(values.into_iter().map(Some).collect())
        }
        Segment::Wildcard => None,
    }
}

fn has_constraint(segment: &Segment) -> bool {
    match segment {
        Segment::Parameter { test, .. } => !test.source.is_empty(),
        Segment::Mixed { parts, .. } => parts.iter().any(|part| !part.0.source.is_empty()),
        _ => false,
    }
}

/// Splits a text by trying every value of the first parameter, the longest first.
fn split(text: &str, parts: &[(Test, String)]) -> Option<Vec<String>> {
    let Some(((test, after), others)) = parts.split_first() else {
        return text.is_empty().then(Vec::new);
    };
    let ends = (1..=text.len()).rev().filter(|&end| text.is_char_boundary(end));
    for end in ends {
        let (value, rest) = text.split_at(end);
        if !test.source.is_empty() && !(test.accepts)(value) {
            continue;
        }
        let Some(rest) = rest.strip_prefix(after.as_str()) else { continue };
        if let Some(values) = split(rest, others) {
            return Some([vec![value.to_string()], values].concat());
        }
    }
    None
}

pub fn decode(raw: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = raw.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return None;
            }
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}
