//! A minimal JSON parser for the tables, which are trusted to be valid.

use std::iter::Peekable;
use std::ops::Index;
use std::str::Chars;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(entries) => {
                entries.iter().find(|entry| entry.0 == key).map(|entry| &entry.1)
            }
            _ => None,
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            other => panic!("expected a string, got {other:?}"),
        }
    }

    pub fn number(&self) -> f64 {
        match self {
            Json::Number(number) => *number,
            other => panic!("expected a number, got {other:?}"),
        }
    }

    pub fn items(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            other => panic!("expected a list, got {other:?}"),
        }
    }

    pub fn entries(&self) -> &[(String, Json)] {
        match self {
            Json::Object(entries) => entries,
            other => panic!("expected an object, got {other:?}"),
        }
    }
}

impl Index<&str> for Json {
    type Output = Json;

    fn index(&self, key: &str) -> &Json {
        self.get(key).unwrap_or_else(|| panic!("missing {key} in {self:?}"))
    }
}

impl Index<usize> for Json {
    type Output = Json;

    fn index(&self, index: usize) -> &Json {
        &self.items()[index]
    }
}

pub fn parse(text: &str) -> Json {
    value(&mut text.chars().peekable())
}

fn skip_space(text: &mut Peekable<Chars>) {
    while text.next_if(|character| character.is_whitespace()).is_some() {}
}

fn value(text: &mut Peekable<Chars>) -> Json {
    skip_space(text);
    let json = match text.peek().expect("a value") {
        '"' => Json::Text(string(text)),
        '[' => Json::List(sequence(text, ']', value)),
        '{' => Json::Object(sequence(text, '}', |text| {
            skip_space(text);
            let key = string(text);
            skip_space(text);
            assert_eq!(text.next(), Some(':'));
            (key, value(text))
        })),
        _ => word(text),
    };
    skip_space(text);
    json
}

fn sequence<T>(
    text: &mut Peekable<Chars>,
    close: char,
    item: impl Fn(&mut Peekable<Chars>) -> T,
) -> Vec<T> {
    text.next();
    let mut items = Vec::new();
    loop {
        skip_space(text);
        if text.next_if_eq(&close).is_some() {
            return items;
        }
        items.push(item(text));
        skip_space(text);
        text.next_if_eq(&',');
    }
}

fn string(text: &mut Peekable<Chars>) -> String {
    let mut units = Vec::new();
    text.next();
    loop {
        match text.next().expect("a closing quote") {
            '"' => return String::from_utf16_lossy(&units),
            '\\' => match text.next().expect("an escape") {
                'n' => units.push(0x0a),
                'r' => units.push(0x0d),
                't' => units.push(0x09),
                'b' => units.push(0x08),
                'f' => units.push(0x0c),
                'u' => {
                    let digits: String = (0..4).map(|_| text.next().expect("a digit")).collect();
                    units.push(u16::from_str_radix(&digits, 16).expect("digits"));
                }
                other => units.push(other as u16),
            },
            other => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
        }
    }
}

fn word(text: &mut Peekable<Chars>) -> Json {
    let mut word = String::new();
    while let Some(character) = text.next_if(|character| !",]} \n\r\t".contains(*character)) {
        word.push(character);
    }
    match word.as_str() {
        "null" => Json::Null,
        "true" => Json::Bool(true),
        "false" => Json::Bool(false),
        number => Json::Number(number.parse().expect("a number")),
    }
}
