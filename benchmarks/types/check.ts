import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { modulesOf, type Subject } from "./programs.ts";

/** Cost of one type check, as the compiler reports it. */
export interface Cost {
  readonly checkSeconds: number;
  readonly instantiations: number;
  readonly types: number;
  readonly memoryKib: number;
}

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
 * @param rounds the costs of each round are returned
 * @throws if the program does not compile
 */
export function check(subject: Subject, routes: number, rounds: number): readonly Cost[] {
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
    return Array.from({ length: rounds }, () => compile(folder));
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`The program of ${subject.name} does not compile:\n${output || error}`, {
      cause: error,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compile(folder: string): Cost {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const output = execFileSync(
    process.execPath,
    [compiler, "-p", folder, "--extendedDiagnostics", "--pretty", "false"],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  const read = (label: string): number =>
    Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(output)?.[1]);
  return {
    checkSeconds: read("Check time"),
    instantiations: read("Instantiations"),
    types: read("Types"),
    memoryKib: read("Memory used"),
  };
}
