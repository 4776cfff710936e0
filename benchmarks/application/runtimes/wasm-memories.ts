const memories = new Set<WebAssembly.Memory>();

/**
 * From here on, remembers the memory that each WebAssembly instance exports: nothing else tells how
 * large one is. Call it before the frameworks build their applications.
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

/** Bytes of all wasm memories seen so far; a memory only ever grows. */
export function wasmBytes(): number {
  let bytes = 0;
  for (const { buffer } of memories) bytes += buffer.byteLength;
  return bytes;
}
