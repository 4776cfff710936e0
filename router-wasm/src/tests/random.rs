//! Programs of the fuzz target, generated from random bytes.

use super::{program, test};

/// Xorshift generator: produces the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn bytes(&mut self, most: u64) -> Vec<u8> {
        (0..self.next() % most).map(|_| (self.next() >> 32) as u8).collect()
    }
}

#[test]
fn router_and_model_agree() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..4_000 {
        program::compare(&random.bytes(300));
    }
}
