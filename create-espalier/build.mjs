// Bundles the command with its libraries into dist/index.js, and writes their licences.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const output = join(here, "dist/index.js");

rmSync(join(here, "dist"), { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ["src/index.ts"],
  outfile: output,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  legalComments: "none",
  // Bundled CommonJS libraries load Node's modules with `require`.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  metafile: true,
});
chmodSync(output, 0o755);

/** Returns the folders of the bundled packages, relative to this one. */
const packages = new Set(
  Object.keys(metafile.inputs)
    .map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
    .filter((folder) => folder !== undefined),
);

const notices = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(
    readFileSync(join(here, folder, "package.json"), "utf8"),
  );
  const texts = readdirSync(join(here, folder), { recursive: true })
    .filter((file) => /(^|\/)(licen[cs]e|third-party-licen[cs]es)(\.\w+)?$/i.test(file))
    .filter((file) => !file.includes("node_modules"))
    .map((file) => readFileSync(join(here, folder, file), "utf8").trim());
  if (texts.length === 0) throw new Error(`${name} has no licence file to distribute.`);
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
});
writeFileSync(
  join(here, "dist/THIRD-PARTY-NOTICES"),
  `dist/index.js contains these packages:\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`,
);
