import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** Bundler settings of each platform. */
const conditionsOf = {
  workerd: ["workerd", "worker", "browser"],
  node: ["node", "module"],
  deno: ["deno"],
  bun: ["bun"],
  browser: ["browser"],
} as const;

export type BundleRuntime = keyof typeof conditionsOf;

export interface Bundle {
  readonly code: string;
  /** WebAssembly files that the code imports, by the name it imports them under. */
  readonly wasm: ReadonlyMap<string, Uint8Array>;
}

/** Root of the repository. */
export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles an entry with the built package, as a user's bundler would for this platform. */
export async function bundle(
  entry: string,
  runtime: BundleRuntime,
  format: "esm" | "iife" = "esm",
): Promise<Bundle> {
  const wasm = new Map<string, Uint8Array>();
  const result = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    write: false,
    format,
    target: "es2022",
    platform: runtime === "node" ? "node" : "neutral",
    conditions: [...conditionsOf[runtime]],
    mainFields: ["module", "main"],
    external: ["node:*", "cloudflare:*"],
    plugins: [collectWasm(wasm)],
    // Overrides the tests' tsconfig.json, which maps the package to its sources; here the build is used.
    tsconfigRaw: {},
    logLevel: "silent",
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error(`${entry} gave no output`);
  return { code: output.text, wasm };
}

/** Leaves imports of `.wasm` files in the code, as Cloudflare's tools do, and keeps the files. */
function collectWasm(wasm: Map<string, Uint8Array>): Plugin {
  return {
    name: "collect-wasm",
    setup(context) {
      context.onResolve({ filter: /\.wasm$/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === "resolving") return undefined;
        const { kind, importer, resolveDir } = from;
        const found = await context.resolve(path, {
          kind,
          importer,
          resolveDir,
          pluginData: "resolving",
        });
        const name = basename(found.path);
        wasm.set(name, readFileSync(found.path));
        return { path: `./${name}`, external: true };
      });
    },
  };
}
