import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { type TypeCheckCost, typeCheck } from "../../scripts/runner/type-check.ts";
import { modulesOf, type Subject } from "./programs.ts";

/** Packages that are not those of the benchmarks. */
const ownPackages: Readonly<Record<string, string>> = {
  espalier: root,
  "openapi-fetch": join(root, "node_modules/openapi-fetch"),
};

/** Settings of a new project; the declarations of packages are not checked. */
const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: "es2024",
  lib: ["es2024", "dom", "dom.iterable"],
  module: "preserve",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  types: [],
};

/**
 * Type-checks a program of a framework.
 *
 * @throws if the program does not compile
 */
export function check(subject: Subject, routes: number): TypeCheckCost {
  const folder = mkdtempSync(join(tmpdir(), "espalier-types-"));
  try {
    for (const [file, content] of modulesOf(subject, routes)) {
      writeFileSync(join(folder, file), content);
    }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    for (const name of subject.packages) {
      const link = join(folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(ownPackages[name] ?? join(root, "benchmarks/node_modules", name), link);
    }
    return typeCheck(folder, `The routes of ${subject.name}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
