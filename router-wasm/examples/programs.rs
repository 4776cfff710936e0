//! Runs programs for `proof/router-native`: makes the same calls to the native build as the
//! proof makes to the WebAssembly build, and writes the results to be compared byte for byte.
//!
//! All numbers have 32 bits and are little-endian. A call is an operation, a method, an offset, a
//! length, and that many bytes; `run` lists the results.

use std::io::{self, Read, Write};

use router_wasm::{Outcome, Router};

/// Operations: create a router, add a pattern, match the path after an offset.
const CREATE: u32 = 0;
const INSERT: u32 = 1;
const FIND: u32 = 2;

struct Call<'a> {
    operation: u32,
    method: u32,
    from: usize,
    text: &'a [u8],
}

fn next_call<'a>(program: &mut &'a [u8]) -> Option<Call<'a>> {
    let (header, rest) = program.split_first_chunk::<16>()?;
    let word = |index: usize| {
        let bytes = header[4 * index..4 * index + 4].try_into().expect("four bytes");
        u32::from_le_bytes(bytes)
    };
    let (text, rest) = rest.split_at(word(3) as usize);
    *program = rest;
    Some(Call { operation: word(0), method: word(1), from: word(2) as usize, text })
}

/// Makes a call, and lists all results.
fn run(router: &mut Router, methods: u32, call: &Call, words: &mut Vec<u32>) {
    // Of a text longer than the buffer, the router sees only the length.
    for (place, &byte) in router.buffer().iter_mut().zip(call.text) {
        *place = byte;
    }
    if call.operation == INSERT {
        words.push(match router.insert_buffered(call.method, call.text.len()) {
            Ok(answer) => answer,
            Err(reason) => (reason as u32).wrapping_neg(),
        });
        words.push(router.position());
        words.push(router.parameters() as u32);
        words.extend((0..router.parameters()).map(|index| router.parameter(index)));
        return;
    }
    let outcome = router.find(call.method, call.from, call.text.len());
    words.push(match outcome {
        Outcome::Found(answer) => answer,
        Outcome::Undecodable => 400u32.wrapping_neg(),
        Outcome::NotFound => 404u32.wrapping_neg(),
        Outcome::MethodNotAllowed => 405u32.wrapping_neg(),
        Outcome::TooLong => 414u32.wrapping_neg(),
    });
    words.extend(router.result());
    words.extend((0..methods).map(|method| u32::from(router.allows(method))));
}

fn main() -> io::Result<()> {
    let mut program = Vec::new();
    io::stdin().read_to_end(&mut program)?;
    let mut program = program.as_slice();
    let mut router = Router::new(false);
    let mut methods = 0;
    let mut words = Vec::new();
    while let Some(call) = next_call(&mut program) {
        match call.operation {
            CREATE => {
                router = Router::new(false);
                router.prepare(call.from == 1);
                methods = call.method;
            }
            INSERT | FIND => run(&mut router, methods, &call, &mut words),
            other => panic!("unknown operation {other}"),
        }
    }
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    io::stdout().write_all(&bytes)
}
