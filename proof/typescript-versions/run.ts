// Type-checks programs that use the packed package with several versions of TypeScript: the oldest that the guide
// names, a later one of the same major version, and the newest of each further one. Fails if a version reports an
// error, or infers what the guide says it does not.
//
// The compilers are installed with npm into node_modules/.cache.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { installPacked } from "../../test/support/packed-package.ts";
import { runProof } from "../support/run-proof.ts";
import { programs } from "./programs.ts";

const versions = ["5.7.3", "5.9.3", "6.0.3", "7.0.2"];

/** Packages that declarations of the entries name. */
const peers = ["openapi-fetch", "openapi-typescript-helpers"];

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // The declarations of the package are checked too.
  skipLibCheck: false,
  noEmit: true,
  target: "esnext",
  module: "nodenext",
  moduleResolution: "nodenext",
  lib: ["esnext", "dom", "dom.iterable"],
  types: [],
};

await runProof("typescript-versions", {}, async (proof) => {
  const home = install();
  const consumer = installPacked(peers);
  try {
    for (const { name, text } of programs) {
      consumer.write(`${name}.ts`, text);
      const config = { compilerOptions, files: [`${name}.ts`] };
      consumer.write(`${name}.json`, JSON.stringify(config));
    }
    for (const version of versions) {
      proof.addVersion(`typescript ${version}`, version);
      const compiler = compilerOf(home, version);
      for (const { name, summary, failsBefore } of programs) {
        const errors = errorsOf(compiler, join(consumer.folder, `${name}.json`));
        const mustFail = Number.parseInt(version, 10) < (failsBefore ?? 0);
        const faults = mustFail ? unexpectedSuccess(errors) : errors;
        const title = `${version}, ${summary}`;
        proof.add({ case: title, runtime: "node", tried: 1, unit: "programs", faults });
      }
    }
  } finally {
    consumer.remove();
  }
});

/** A program that the guide says does not compile, and does, makes the guide wrong. */
function unexpectedSuccess(errors: readonly string[]): readonly string[] {
  return errors.length > 0 ? [] : ["It compiles: the guide says that it does not."];
}

/** Returns what a compiler prints about a project that does not compile; empty if it does. */
function errorsOf(compiler: string, project: string): readonly string[] {
  try {
    const options = ["-p", project, "--pretty", "false"];
    execFileSync(process.execPath, [compiler, ...options], { encoding: "utf8", stdio: "pipe" });
    return [];
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    return [output.trim() || String(error)];
  }
}

/** Alias of a version, so that npm installs several. */
function aliasOf(version: string): string {
  return `typescript-${version}`;
}

/** Returns the program `tsc` of a version. */
function compilerOf(home: string, version: string): string {
  const folder = join(home, "node_modules", aliasOf(version));
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: { tsc: string };
  };
  return join(folder, bin.tsc);
}

/** Installs the compilers once, and returns their folder. */
function install(): string {
  const folder = join(root, "node_modules", ".cache", "typescript-versions");
  const packages = versions.map((version) => `${aliasOf(version)}@npm:typescript@${version}`);
  const installed = join(folder, "installed");
  const list = packages.join("\n");
  if (existsSync(installed) && readFileSync(installed, "utf8") === list) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const args = ["install", "--no-audit", "--no-fund", ...packages];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(installed, list);
  return folder;
}
