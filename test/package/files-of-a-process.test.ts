import { basename, join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { root } from "../support/bundle.ts";

/** Returns the files that Node loads for an entry: those that it imports, or also those that an `import()` loads. */
async function filesOf(entry: string, { lazily = false } = {}): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [join(root, "dist", entry)],
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: "unused",
    format: "esm",
    platform: "node",
    conditions: ["node", "import"],
    external: ["jose", "croner"],
    tsconfigRaw: {},
  });
  const found = new Set<string>();
  const follow = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (external !== true && (lazily || kind === "import-statement")) follow(path);
    }
  };
  follow(`dist/${entry}`);
  return [...found].map(nameOf).sort();
}

/** Returns the name of a chunk without the hash of its content. */
const nameOf = (file: string): string => basename(file).replace(/-[\w-]{8}\.js$/, "");

test.each([
  ["index.js", ["application", "common", "index.js", "middleware", "node.js"]],
  ["core.js", ["common", "core-only", "core.js", "node.js"]],
  [
    "middleware.js",
    ["authorization.js", "common", "evaluate-policy", "middleware", "middleware.js", "node.js"],
  ],
])("Node loads few files for %s", async (entry, files) => {
  expect(await filesOf(entry)).toEqual(files);
});

test("espalier/core loads nothing of the full application, also later", async () => {
  const files = await filesOf("core.js", { lazily: true });
  expect(files).toContain("serve-on-node");
  expect(files).not.toContain("application");
  expect(files).not.toContain("middleware");
});
