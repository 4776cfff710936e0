declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "virtual:router-wasm-base64" {
  const base64: string;
  export default base64;
}
declare module "cloudflare:workers" {
  export const env: Readonly<Record<string, unknown>> | undefined;
  export const waitUntil: ((promise: Promise<unknown>) => void) | undefined;
}
