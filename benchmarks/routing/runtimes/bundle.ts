import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The published router module. */
export const wasmFile: string = here("../../../router-wasm/pkg/router.wasm");
/** Bundle for Node. */
export const nodeBundle: string = here("../../.build/routing-node.mjs");

/** Stub of `node:assert`, which find-my-way uses when routes are added; workers lack it. */
const assertShim: Plugin = {
  name: "assert-shim",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:assert$/ }, () => ({ path: "assert", namespace: "shim" }));
    onLoad({ filter: /.*/, namespace: "shim" }, () => ({
      contents: "module.exports = (ok, message) => { if (!ok) throw new Error(message); };",
    }));
  },
};

/** Bundles Espalier and the peers as an application for Node. */
export async function bundleForNode(): Promise<void> {
  await build({
    entryPoints: [here("node-entry.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    outfile: nodeBundle,
    // CommonJS peers load Node's modules with `require`.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire("/");',
    },
  });
}

/** Bundles the same for workerd, where the wasm module and rou3's lookup stay separate files. */
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
    external: ["rou3-lookup", "cloudflare:*"],
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
  if (bundle === undefined) throw new Error("esbuild did not write a bundle.");
  return bundle.text;
}
