// Compares jsr.json with package.json: name, version, licence, entries, and the packages it imports.
import { existsSync, readFileSync } from "node:fs";

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const npm = read("package.json");
const jsr = read("jsr.json");
const problems = [];

function expectEqual(what, actual, expected) {
  if (actual !== expected) problems.push(`${what} must be ${expected}, got ${actual}.`);
}

// Names on JSR have a scope.
expectEqual("The name after the scope", jsr.name.replace(/^@[^/]+\//, ""), npm.name);
expectEqual("version", jsr.version, npm.version);
expectEqual("license", jsr.license, npm.license);

// On JSR only modules can be entries: not the WebAssembly file, not package.json.
const modules = Object.keys(npm.exports).filter((entry) => !/\.(wasm|json)$/.test(entry));
for (const entry of modules) {
  const source = `./src/${entry === "." ? "index" : entry.slice(2)}.ts`;
  expectEqual(`exports["${entry}"]`, jsr.exports[entry], source);
  if (!existsSync(source)) problems.push(`${source} does not exist.`);
}
for (const entry of Object.keys(jsr.exports).filter((name) => !modules.includes(name))) {
  problems.push(`exports["${entry}"] is not in package.json.`);
}

for (const [name, target] of Object.entries(npm.imports)) {
  // Written by the build, in modules for bundlers.
  if (name.endsWith("/*")) continue;
  expectEqual(`imports["${name}"]`, jsr.imports[name], target["espalier-source"]);
}
const versions = { ...npm.peerDependencies, ...npm.dependencies };
for (const name of Object.keys(npm.dependencies)) {
  if (jsr.imports[name] === undefined) problems.push(`imports["${name}"] is missing.`);
}
for (const [name, target] of Object.entries(jsr.imports)) {
  if (!target.startsWith("npm:")) continue;
  expectEqual(`imports["${name}"]`, target, `npm:${name}@${versions[name]}`);
}

for (const problem of problems) console.error(`jsr.json: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`jsr.json: ${modules.length} entries as in package.json`);
