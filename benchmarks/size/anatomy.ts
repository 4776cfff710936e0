import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build, type OutputFile, type Plugin } from "esbuild";
import { resolutionFor, root } from "../application/runtimes/bundle.ts";
import { coreHelloName, entries, type SizeEntry } from "./entries.ts";

/**
 * Prints the parts of a bundle of ours: minified bytes by file of the built package, the largest first.
 * `--entry` names another entry. `--without` also weighs the bundle with empty functions as the
 * exports of some files: the least that it would weigh without them.
 */
const { values } = parseArgs({
  options: {
    entry: { type: "string", default: coreHelloName },
    without: { type: "string" },
  },
});
const own = entries.filter(({ group }) => group !== "peer");
const entry = own.find(({ name }) => name === values.entry);
if (entry === undefined) {
  const names = own.map(({ name }) => name).join("\n  ");
  throw new Error(`Unknown entry "${values.entry}". The entries are:\n  ${names}`);
}

const modules = "dist/modules/";
const whole = await bundleParts(entry);
const [output] = Object.values(whole.metafile.outputs);
const files = Object.entries(output?.inputs ?? {})
  .map(([path, { bytesInOutput }]) => ({ name: nameOf(path), bytes: bytesInOutput }))
  .filter(({ bytes }) => bytes > 0)
  .sort((a, b) => b.bytes - a.bytes);
console.log(
  `${entry.name}: ${output?.bytes} bytes, minified; ${gzippedBytes(whole)} gzipped, without the wasm`,
);
for (const { name, bytes } of files) console.log(`${String(bytes).padStart(8)}  ${name}`);

if (values.without !== undefined) {
  const emptied = values.without.split(",");
  const unknown = emptied.filter((name) => !files.some((file) => file.name === name));
  if (unknown.length > 0) throw new Error(`The bundle has no ${unknown.join(", ")}.`);
  const rest = await bundleParts(entry, [emptyModules(emptied)]);
  console.log(`\n${gzippedBytes(rest)} gzipped without ${emptied.join(", ")}`);
}

/** Bundles an entry for Workers from the built package, which has a file for each module. */
function bundleParts({ code, conditions }: SizeEntry, plugins: Plugin[] = []) {
  return build({
    ...resolutionFor("workerd", conditions),
    stdin: { contents: code, resolveDir: root },
    write: false,
    metafile: true,
    minify: true,
    external: ["node:*", "cloudflare:*", "*.wasm"],
    plugins,
    absWorkingDir: root,
  });
}

/** Replaces modules by functions that do nothing, under the same names. */
function emptyModules(names: readonly string[]): Plugin {
  return {
    name: "empty-modules",
    setup(context) {
      context.onLoad({ filter: /[/\\]dist[/\\]modules[/\\].*\.js$/ }, async ({ path }) => {
        if (!names.includes(nameOf(path.slice(root.length)))) return undefined;
        const { metafile } = await build({
          entryPoints: [path],
          bundle: false,
          write: false,
          metafile: true,
          format: "esm",
        });
        const exported = Object.values(metafile.outputs)[0]?.exports ?? [];
        return { contents: exported.map((name) => `export const ${name} = () => {};`).join("\n") };
      });
    },
  };
}

/** `http/query` for `dist/modules/http/query.js`. */
function nameOf(path: string): string {
  const start = path.replaceAll("\\", "/");
  return start.startsWith(modules) ? start.slice(modules.length).replace(/\.js$/, "") : start;
}

function gzippedBytes({ outputFiles: [script] }: { outputFiles: readonly OutputFile[] }): number {
  return gzipSync(script?.contents ?? "", { level: 9 }).length;
}
