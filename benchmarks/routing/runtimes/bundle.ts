import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The router module as it is shipped. */
export const wasmFile: string = here("../../../router-wasm/pkg/router.wasm");
/** The bundle of the Node side. */
export const nodeBundle: string = here("../../.build/routing-node.mjs");

/** find-my-way asserts its arguments when routes are added; a worker has no `node:assert`. */
const assertShim: Plugin = {
  name: "assert-shim",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:assert$/ }, () => ({ path: "assert", namespace: "shim" }));
    onLoad({ filter: /.*/, namespace: "shim" }, () => ({
      contents: "module.exports = (ok, message) => { if (!ok) throw new Error(message); };",
    }));
  },
};

/** Bundles ours and the peers as an application would be bundled for Node. */
export async function bundleForNode(): Promise<void> {
  await build({
    entryPoints: [here("node-entry.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    outfile: nodeBundle,
    // The CommonJS packages among the peers call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire("/");',
    },
  });
}

/** Bundles the same for workerd, where the wasm module and rou3's lookup stay files beside it. */
export async function bundleForWorkerd(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [here("workerd-entry.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser", "import"],
    target: "es2024",
    external: ["rou3-lookup"],
    plugins: [
      assertShim,
      {
        name: "wasm",
        setup: ({ onResolve }) => {
          onResolve({ filter: /\.wasm$/ }, () => ({ path: "router.wasm", external: true }));
        },
      },
    ],
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error("esbuild wrote no bundle.");
  return bundle.text;
}
