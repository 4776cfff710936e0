// Vercel's edge bundlers take a WebAssembly module by this query alone.
import routerModule from "../../../router-wasm/pkg/router.wasm?module";

const module: WebAssembly.Module | undefined = routerModule;
export default module;

// This platform always has the module, and a bundle is smaller without the matcher in TypeScript.
export const createFallback = undefined;
export const explainPattern = undefined;
