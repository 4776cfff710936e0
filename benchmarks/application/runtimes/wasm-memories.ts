const memories = new Set<WebAssembly.Memory>();

/**
 * Records the exported memory of each WebAssembly instance created from now on, since no API reports its
 * size. Call it before the frameworks build their applications.
 */
export function watchWasmMemories(): void {
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args, newTarget) {
      const instance = Reflect.construct(target, args, newTarget) as WebAssembly.Instance;
      for (const value of Object.values(instance.exports)) {
        if (value instanceof WebAssembly.Memory) memories.add(value);
      }
      return instance;
    },
  });
}

/** Returns the size of all recorded wasm memories in bytes; memories never shrink. */
export function wasmBytes(): number {
  let bytes = 0;
  for (const { buffer } of memories) bytes += buffer.byteLength;
  return bytes;
}
