// workerd cannot compile WebAssembly at run time; the bundler passes the compiled module.
import routerModule from "../../../router-wasm/pkg/router.wasm";

const module: WebAssembly.Module | undefined = routerModule;
export default module;

// This platform always has the module; without the TypeScript matcher the bundle is smaller.
export const createFallback = undefined;
export const explainPattern = undefined;
export function warnAboutFallback(_matcher: unknown, _logger: unknown): void {}
