import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, type Plugin } from "esbuild";
import { root } from "../application/runtimes/bundle.ts";
import { coreHelloName, entries } from "./entries.ts";

/**
 * Prints the parts of a bundle of ours: minified bytes by source file, the largest first. It is bundled
 * from the source, where the files still are what they are called. `--entry` names another entry.
 */
const { values } = parseArgs({
  options: { entry: { type: "string", default: coreHelloName } },
});
const entry = entries.find(({ name }) => name === values.entry);
if (entry === undefined) throw new Error(`Unknown entry "${values.entry}".`);

/** Source files of the modules that `imports` of package.json chooses for workerd, and of our entries. */
const sources: Record<string, string> = {
  "#router-wasm": "routing/wasm/workerd.ts",
  "#host": "platform/host/workerd.ts",
  "#drivers": "platform/drivers/workerd.ts",
  "#response": "platform/response/native.ts",
  "#server": "platform/server/unavailable.ts",
  espalier: "index.ts",
  "espalier/core": "core.ts",
  "espalier/middleware": "middleware.ts",
};
const fromSource: Plugin = {
  name: "from-source",
  setup({ onResolve }) {
    onResolve({ filter: /^(#|espalier)/ }, ({ path }) => {
      const file = sources[path];
      return file === undefined ? undefined : { path: `${root}src/${file}`, sideEffects: false };
    });
    onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path, external: true }));
  },
};

const { metafile } = await build({
  stdin: { contents: entry.code, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  format: "esm",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["workerd", "worker", "browser", "import"],
  target: "es2024",
  external: ["node:*", "cloudflare:*"],
  plugins: [fromSource],
  tsconfigRaw: {},
  absWorkingDir: root,
});
const [output] = Object.values(metafile.outputs);
const inputs = Object.entries(output?.inputs ?? {}).sort(
  ([, a], [, b]) => b.bytesInOutput - a.bytesInOutput,
);
console.log(`${entry.name}: ${output?.bytes} bytes, minified, not compressed`);
for (const [file, { bytesInOutput }] of inputs) {
  if (bytesInOutput > 0) console.log(`${String(bytesInOutput).padStart(8)}  ${file}`);
}
