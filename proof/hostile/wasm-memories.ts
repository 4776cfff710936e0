/**
 * Every WebAssembly memory of this isolate, so that its growth can be seen from outside. Must be imported
 * by the entry, before an application is made.
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

/** Pages of 64 KiB of all of them together. */
export function wasmPages(): number {
  return memories.reduce((pages, { buffer }) => pages + buffer.byteLength / 65_536, 0);
}
