import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/runner/root.ts";

/** One check of a document by a tool. */
export interface ToolCheck {
  readonly name: string;
  /** Empty if the tool has nothing to report. */
  readonly faults: readonly string[];
}

/** Packages of each tool; each set is installed once into a folder of `node_modules/.cache`. */
const packages = {
  redocly: ["@redocly/cli@2.77.0"],
  spectral: ["@stoplight/spectral-cli@6.16.3"],
  clients: [
    "openapi-typescript@7.13.0",
    "orval@8.38.0",
    "@hey-api/openapi-ts@0.99.0",
    ...["cli", "core", "plugin-oas", "plugin-ts", "plugin-client"].map(
      (name) => `@kubb/${name}@4.39.3`,
    ),
    "typescript@5.9.3",
  ],
} as const;

export const toolVersions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(packages)
    .flat()
    .map((name) => [name.slice(0, name.lastIndexOf("@")), name.slice(name.lastIndexOf("@") + 1)]),
);

/**
 * Checks a document with the recommended rules of two linters.
 *
 * @param folder receives the files of the tools
 * @throws if a tool cannot be installed
 */
export function checkDocument(
  name: string,
  document: string,
  folder: string,
): readonly ToolCheck[] {
  const file = join(folder, "openapi.json");
  writeFileSync(file, document);
  return [
    { name: `${name}: Redocly`, faults: lintWithRedocly(file) },
    { name: `${name}: Spectral`, faults: lintWithSpectral(file, folder) },
  ];
}

function lintWithRedocly(file: string): readonly string[] {
  const args = ["lint", file, "--extends=recommended", "--format=checkstyle"];
  const { code, output } = run(install("redocly"), "redocly", args);
  const problems = [...output.matchAll(/<error [^>]*/g)].map(([problem]) => problem);
  return problems.length === 0 && code !== 0 ? [output] : problems;
}

function lintWithSpectral(file: string, folder: string): readonly string[] {
  const ruleset = join(folder, "spectral.yaml");
  writeFileSync(ruleset, 'extends: ["spectral:oas"]\n');
  const args = ["lint", file, "--ruleset", ruleset, "--fail-severity=hint", "--format=text"];
  const { code, output } = run(install("spectral"), "spectral", args);
  return code === 0 ? [] : output.trim().split("\n");
}

const kubb = `import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
export default {
  root: ".",
  input: { path: "FILE" },
  output: { path: "./generated/kubb", clean: true, barrelType: false, format: false },
  plugins: [pluginOas({ generators: [] }), pluginTs({}), pluginClient({ bundle: true, client: "fetch" })],
};
`;

const compilerOptions = {
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  noEmit: true,
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

/** Generated clients in a folder. */
export interface GeneratedClients {
  readonly home: string;
  /** Messages of a generator that failed. */
  readonly faults: readonly string[];
}

/**
 * Generates clients of a document with four generators.
 *
 * @param file the document
 * @throws if a generator cannot be installed
 */
export function generateClients(file: string): GeneratedClients {
  const home = install("clients");
  rmSync(join(home, "generated"), { recursive: true, force: true });
  writeFileSync(join(home, "kubb.config.mjs"), kubb.replace("FILE", file));
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ["openapi-typescript", [file, "--output", "generated/openapi-typescript.ts"]],
    ["orval", ["--input", file, "--output", "generated/orval.ts", "--client", "fetch"]],
    ["openapi-ts", ["--input", file, "--output", "generated/hey-api"]],
    ["kubb", ["generate", "--config", "kubb.config.mjs"]],
  ];
  return { home, faults: steps.flatMap(([program, args]) => problemsOf(home, program, args)) };
}

/** Type-checks the clients and the programs that call them. */
export function compileClients(home: string): readonly string[] {
  // The declarations that are published: the sources need the compiler and the libraries of this repository.
  const paths = { "espalier/client": [join(root, "dist/client.d.ts")] };
  const project = { compilerOptions: { ...compilerOptions, paths }, include: ["**/*.ts"] };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify(project));
  return problemsOf(home, "tsc", ["-p", "."]);
}

function problemsOf(home: string, program: string, args: readonly string[]): readonly string[] {
  const { code, output } = run(home, program, args);
  return code === 0 ? [] : [`${program} exited with code ${code}`, ...output.trim().split("\n")];
}

/** Installs a set of packages once, and returns its folder. */
function install(name: keyof typeof packages): string {
  const folder = join(root, "node_modules", ".cache", `openapi-${name}`);
  const installed = join(folder, "installed");
  if (existsSync(installed)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages[name]];
  const { code, output } = run(folder, "npm", args);
  if (code !== 0) throw new Error(`npm install of ${packages[name].join(", ")} failed: ${output}`);
  writeFileSync(installed, "");
  return folder;
}

function run(
  cwd: string,
  program: string,
  args: readonly string[],
): { readonly code: number | null; readonly output: string } {
  const local = join(cwd, "node_modules", ".bin", program);
  const command = existsSync(local) ? local : program;
  const { status, stdout, stderr, error } = spawnSync(command, [...args], {
    cwd,
    encoding: "utf8",
  });
  return { code: status, output: error === undefined ? `${stdout}${stderr}` : error.message };
}
