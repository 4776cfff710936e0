// workerd compiles no bytes at run time; the bundler hands it the module instead.
import routerModule from "../../../router-wasm/pkg/router.wasm";

const module: WebAssembly.Module | undefined = routerModule;
export default module;

// This platform always has the module, and a bundle is smaller without the matcher in TypeScript.
export const createFallback = undefined;
export const explainPattern = undefined;
