import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import type { RuntimeName } from "./runtime.ts";

/** Root of the repository. */
export const root: string = fileURLToPath(new URL("../../..", import.meta.url));

/** What a bundler sets for each runtime. */
const conditions: Record<RuntimeName, string[]> = {
  node: ["node", "import"],
  deno: ["deno", "worker", "import"],
  bun: ["bun", "worker", "import"],
  workerd: ["workerd", "worker", "browser", "import"],
};

/** What NestJS, Fastify and AdonisJS import where it is installed, and do without here. */
const optionalPackages: readonly string[] = [
  "@nestjs/microservices",
  "@nestjs/websockets",
  "@nestjs/platform-express",
  "@fastify/multipart",
  "@fastify/static",
  "@fastify/view",
  "pino-pretty",
];

/** A bundle, and the WebAssembly files it imports by name. */
export interface Bundle {
  readonly code: string;
  readonly wasm: ReadonlyMap<string, Uint8Array>;
  /** With the option `splitting`, what is imported later: files beside the code, by name. */
  readonly chunks: ReadonlyMap<string, string>;
}

/**
 * Bundles the code of an entry for a runtime, as an application is bundled when it is deployed: the
 * package as it was built into `dist`, and the peers as they were installed. The entry imports as a
 * file of `benchmarks/application` would.
 */
export async function bundle(
  entry: { readonly code: string },
  runtime: RuntimeName,
  options: BuildOptions = {},
): Promise<Bundle> {
  const wasm = new Map<string, Uint8Array>();
  const resolveDir = fileURLToPath(new URL("..", import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents: entry.code, resolveDir, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: runtime === "workerd" ? "neutral" : "node",
    mainFields: runtime === "workerd" ? ["browser", "module", "main"] : ["module", "main"],
    conditions: conditions[runtime],
    target: "es2024",
    external: ["benchmark-case", "node:*", "cloudflare:*", ...optionalPackages],
    plugins: [builtPackage, keepWasm(wasm)],
    // The folder's own tsconfig.json maps the package to its source; here it is what was built.
    tsconfigRaw: {},
    ...(runtime !== "workerd" && {
      // The CommonJS packages among the peers call `require` for Node's own modules.
      banner: {
        js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire("/");',
      },
    }),
    logLevel: "error",
    ...options,
  });
  // With splitting the files are in no order; the entry's is called as its input is.
  const files = outputFiles ?? [];
  const output = files.find(({ path }) => /^(?:stdin\.|<stdout>$)/.test(basename(path)));
  if (output === undefined) throw new Error("esbuild wrote no bundle.");
  const others = files.filter((file) => file !== output);
  const chunks = new Map(others.map(({ path, text }) => [basename(path), text]));
  return { code: output.text, wasm, chunks };
}

/** Finds the package by its own name from anywhere in this folder, as after an installation. */
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

/** Leaves imports of `.wasm` files in the code, as the tools of Workers do, and keeps the files. */
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
