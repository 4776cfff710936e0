// Executes the calls of a program on an instance of the WebAssembly module, and lists the results.
import { CREATE, INSERT } from "./programs.mjs";

/**
 * Returns the `answers` to each call, the same numbers in the same order as `run` of
 * `router-wasm/examples/programs.rs`, and the `bytes` of memory of each instance at the end.
 */
export function runInWasm(module, calls) {
  let router;
  let methods = 0;
  let mostParameters = -1;
  const instances = [];
  const answers = calls.map((call) => {
    if (call.operation === CREATE) {
      router = new WebAssembly.Instance(module, {}).exports;
      instances.push(router);
      router.initialize(call.from);
      methods = call.method;
      mostParameters = 0;
      return [];
    }
    const room = new Uint8Array(router.memory.buffer, router.buffer());
    room.set(call.bytes.subarray(0, BUFFER_WITH_PADDING));
    if (call.operation === INSERT) {
      const answer = router.insert(call.method, call.bytes.length);
      const count = router.parameters();
      if (answer >= 0) mostParameters = Math.max(mostParameters, count);
      const parameters = Array.from({ length: count }, (_, index) => router.parameter(index));
      return [answer, router.position(), count, ...parameters];
    }
    const answer = router.find(call.method, call.from, call.bytes.length);
    const result = new Int32Array(router.memory.buffer, router.result(), mostParameters + 1);
    const allowed = Array.from({ length: methods }, (_, method) => router.allows(method));
    return [answer, ...result, ...allowed];
  });
  return { answers, bytes: instances.map(({ memory }) => memory.buffer.byteLength) };
}

/** `MAX_TEXT` of `router-wasm/src/path.rs` and a block of 16. */
const BUFFER_WITH_PADDING = 17_424;
