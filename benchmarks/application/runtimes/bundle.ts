import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import type { RuntimeName } from "./runtime.ts";

/** Root of the repository. */
export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

/** Bundler settings of each runtime; without `module`, which bundlers set for Node, they select what a process loads. */
const conditions: Record<RuntimeName, string[]> = {
  node: ["node", "import"],
  deno: ["deno", "worker", "import"],
  bun: ["bun", "worker", "import"],
  workerd: ["workerd", "worker", "browser", "import"],
};

/** How a bundle for a runtime is resolved; without the folder's tsconfig.json, which maps the package to its sources. */
export function resolutionFor(
  runtime: RuntimeName,
  ownConditions: readonly string[] = [],
): BuildOptions {
  const isWorker = runtime === "workerd";
  return {
    bundle: true,
    format: "esm",
    platform: isWorker ? "neutral" : "node",
    mainFields: isWorker ? ["browser", "module", "main"] : ["module", "main"],
    conditions: [...conditions[runtime], ...ownConditions],
    target: "es2024",
    tsconfigRaw: {},
  };
}

/** Optional dependencies of NestJS, Fastify and AdonisJS, which are not installed here. */
const optionalPackages: readonly string[] = [
  "@nestjs/microservices",
  "@nestjs/websockets",
  "@nestjs/platform-express",
  "@fastify/multipart",
  "@fastify/static",
  "@fastify/view",
  "pino-pretty",
];

/** A bundle and its WebAssembly files, by import name. */
export interface Bundle {
  readonly code: string;
  readonly wasm: ReadonlyMap<string, Uint8Array>;
  /** With the option `splitting`, the lazily imported files, by name. */
  readonly chunks: ReadonlyMap<string, string>;
}

/**
 * Bundles an entry for a runtime as for a deployment: with the package built into `dist` and the
 * installed peers. Imports of the entry are relative to `benchmarks/application`.
 */
export async function bundle(
  entry: { readonly code: string },
  runtime: RuntimeName,
  options: BuildOptions = {},
): Promise<Bundle> {
  const wasm = new Map<string, Uint8Array>();
  const resolveDir = fileURLToPath(new URL("..", import.meta.url));
  const { outputFiles } = await build({
    ...resolutionFor(runtime),
    stdin: { contents: entry.code, resolveDir, loader: "ts" },
    write: false,
    external: ["benchmark-case", "node:*", "cloudflare:*", ...optionalPackages],
    plugins: [builtPackage, keepWasm(wasm)],
    ...(runtime !== "workerd" && {
      // CommonJS peers load Node's modules with `require`.
      banner: {
        js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire("/");',
      },
    }),
    logLevel: "error",
    ...options,
  });
  // With splitting the files are unordered; the entry has the name of its input.
  const files = outputFiles ?? [];
  const output = files.find(({ path }) => /^(?:stdin\.|<stdout>$)/.test(basename(path)));
  if (output === undefined) throw new Error("esbuild did not write a bundle.");
  const others = files.filter((file) => file !== output);
  const chunks = new Map(others.map(({ path, text }) => [basename(path), text]));
  return { code: output.text, wasm, chunks };
}

/** Resolves the package by its name from anywhere in this folder, as if installed. */
const builtPackage: Plugin = {
  name: "built-package",
  setup(context) {
    context.onResolve({ filter: /^espalier(\/|$)/ }, ({ path, kind, pluginData }) =>
      pluginData === "resolving"
        ? undefined
        : context.resolve(path, { kind, resolveDir: root, pluginData: "resolving" }),
    );
  },
};

/** Keeps imports of `.wasm` files in the code, as the tools for Workers do, and collects the files. */
function keepWasm(wasm: Map<string, Uint8Array>): Plugin {
  return {
    name: "keep-wasm",
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
        wasm.set(basename(found.path), readFileSync(found.path));
        return { path: basename(found.path), external: true };
      });
    },
  };
}
