// Checks both tarballs: every file of dist is reachable from an entry, every imported package is declared, and
// no development files are included. Requires both builds.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** Maximum size of the tarball, which contains the code twice. */
const packedLimitBytes = 870_000;

const problems = [];
const manifest = JSON.parse(readFileSync("package.json", "utf8"));

function packedFiles(folder) {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files, size }] = Object.values(JSON.parse(output));
  return { names: files.map(({ path }) => path), packedBytes: size };
}

/** Returns all paths in `exports`, `imports` and `bin`, under any condition except that of sources. */
function pathsIn(value, condition = "") {
  if (typeof value === "string") return condition === "espalier-source" ? [] : [normalize(value)];
  return Object.entries(value ?? {}).flatMap(([key, inner]) => pathsIn(inner, key));
}

const importsOf = (file) =>
  ts.preProcessFile(readFileSync(file, "utf8")).importedFiles.map(({ fileName }) => fileName);

function fileOf(name, importer) {
  const path = join(dirname(importer), name.replace(/\?module$/, ""));
  if (!importer.endsWith(".d.ts")) return path;
  return path.replace(/\.js$/, ".d.ts");
}

/** Returns the files that a name such as `#part/util/describe.js` stands for; none for a package. */
function filesOfPart(name) {
  const key = Object.keys(manifest.imports).find(
    (known) => known.endsWith("/*") && name.startsWith(known.slice(0, -1)),
  );
  if (key === undefined) return [];
  const rest = name.slice(key.length - 1);
  return pathsIn(manifest.imports[key]).map((path) => path.replace("*", rest));
}

/** Follows relative imports from the entries; returns the reachable files and the imported packages. */
function follow(entries) {
  const reached = new Set();
  const packages = new Set();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    if (!existsSync(file)) problems.push(`${file} does not exist. Run npm run build.`);
    else if (/\.(js|d\.ts)$/.test(file)) {
      for (const name of importsOf(file)) {
        const parts = filesOfPart(name);
        if (name.startsWith(".")) waiting.push(fileOf(name, file));
        else if (parts.length > 0) waiting.push(...parts);
        else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)[0]);
      }
    }
  }
  return { reached, packages };
}

const command = normalize(manifest.bin.espalier);
// The command is a single file whose strings contain import statements of generated files.
const { reached, packages } = follow(
  pathsIn([manifest.exports, manifest.imports]).filter(
    (path) => path !== command && !path.endsWith("*"),
  ),
);
const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.imports };
for (const name of packages) {
  if (!/^(node|cloudflare):/.test(name) && declared[name] === undefined) {
    problems.push(`dist imports "${name}", which package.json does not declare.`);
  }
}

const documents = ["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "package.json"];
const framework = packedFiles(".");
for (const name of framework.names) {
  if (name !== command && !reached.has(name) && !documents.includes(name)) {
    problems.push(`${name} is in the tarball, but not reachable from an entry. Run a clean build.`);
  }
}
for (const name of [...documents, command, ...reached]) {
  if (!framework.names.includes(name)) problems.push(`The tarball lacks ${name}.`);
}
if (framework.packedBytes > packedLimitBytes) {
  problems.push(
    `The tarball must have at most ${packedLimitBytes} bytes, got ${framework.packedBytes}.`,
  );
}

const starter = packedFiles("create-espalier");
for (const name of ["LICENSE", "README.md", "dist/THIRD-PARTY-NOTICES", "dist/index.js"]) {
  if (!starter.names.includes(name)) problems.push(`create-espalier: ${name} is missing.`);
}
for (const name of starter.names) {
  if (!/^(dist\/|templates\/|LICENSE$|README\.md$|package\.json$)/.test(name)) {
    problems.push(`The tarball of create-espalier must not contain ${name}.`);
  }
}

for (const problem of problems) console.error(`Files: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else {
  console.log(
    `Files: espalier ${framework.names.length} (${framework.packedBytes} bytes packed), ` +
      `create-espalier ${starter.names.length} (${starter.packedBytes} bytes packed)`,
  );
}
