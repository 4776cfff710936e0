/**
 * Records every WebAssembly memory of this isolate, to measure their growth. Must be imported by the entry
 * before an application is created.
 */
const memories: WebAssembly.Memory[] = [];

const Native = WebAssembly.Instance;
WebAssembly.Instance = new Proxy(Native, {
  construct(target, args: ConstructorParameters<typeof Native>) {
    const instance = new target(...args);
    const { memory } = instance.exports;
    if (memory instanceof WebAssembly.Memory) memories.push(memory);
    return instance;
  },
});

/** Returns the total number of pages of 64 KiB. */
export function wasmPages(): number {
  return memories.reduce((pages, { buffer }) => pages + buffer.byteLength / 65_536, 0);
}
