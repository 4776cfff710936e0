// Checks the licences of everything that users install: dependencies and optional peers with their
// dependencies, and the code bundled into the two commands, whose licence texts must be distributed.
// Requires `npm run build` and `npm run build:starter`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  // Licence of argparse, a dependency of openapi-typescript: permissive, despite its name.
  "Python-2.0",
  "Unlicense",
]);
const problems = [];

const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Of `MIT OR GPL-2.0` one licence must be allowed; of `MIT AND Zlib` both. */
function isAllowed(licence) {
  const choices = String(licence).replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((name) => allowed.has(name)));
}

function checkLicence(folder) {
  const { name, version, license } = readManifest(folder);
  if (!isAllowed(license))
    problems.push(`${name} ${version} has the licence ${license}, which is not allowed.`);
}

/** Returns the folder that an import of `name` from `folder` resolves to; undefined if not installed. */
function findPackage(name, folder) {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (at === dirname(at)) return undefined;
  }
}

/** Adds the folders of `names` and of all their dependencies. */
function collect(names, from, found) {
  for (const name of names) {
    const folder = findPackage(name, from);
    if (folder === undefined || found.has(folder)) continue;
    found.add(folder);
    collect(Object.keys(readManifest(folder).dependencies ?? {}), folder, found);
  }
  return found;
}

const root = process.cwd();
const { dependencies, peerDependencies } = readManifest(root);
const installed = collect(Object.keys({ ...dependencies, ...peerDependencies }), root, new Set());
for (const folder of installed) checkLicence(folder);

/** Returns the packages in a bundle, from esbuild's comments before each file. */
function bundledPackages(file) {
  const comments = readFileSync(file, "utf8").matchAll(
    /^\/\/ \S*?(node_modules\/(?:@[^/]+\/)?[^/\n]+)/gm,
  );
  return new Set([...comments].map(([, folder]) => folder));
}

const licenceFile = /^(licen[cs]e|third-party-licen[cs]es)(\.\w+)?$/i;
const withoutSpace = (text) => text.replaceAll(/\s+/g, "");

const bundles = [
  { file: "dist/cli/espalier.js", notices: "dist/cli/espalier.js" },
  { file: "create-espalier/dist/index.js", notices: "create-espalier/dist/THIRD-PARTY-NOTICES" },
];
let bundled = 0;
for (const { file, notices } of bundles) {
  const given = withoutSpace(readFileSync(notices, "utf8"));
  const packages = bundledPackages(file);
  if (packages.size === 0) problems.push(`${file} has no comments that name its packages.`);
  for (const folder of packages) {
    bundled++;
    checkLicence(folder);
    const texts = readdirSync(folder).filter((name) => licenceFile.test(name));
    if (texts.length === 0) problems.push(`${folder} has no licence text.`);
    for (const name of texts) {
      const text = withoutSpace(readFileSync(join(folder, name), "utf8"));
      if (!given.includes(text)) problems.push(`${notices} lacks ${folder}/${name}.`);
    }
  }
}

for (const problem of problems) console.error(`Licences: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`Licences: ${installed.size} installed packages, ${bundled} inside the commands`);
