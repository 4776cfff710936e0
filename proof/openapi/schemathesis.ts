import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import type { RunningApplication } from "./start-application.ts";

/** Version that is installed. */
export const schemathesisVersion = "4.32.5";

/**
 * Statuses that a response may have although the document allows the request. 422 is among them because an
 * application's own checks (a rule's `custom`) cannot be expressed in JSON Schema; 415 because its
 * middleware and hooks may require more than the document describes; 429 because of its rate limits. The names in
 * a form have no NUL: parsers disagree on it, so that it is refused with a 400.
 */
const settings = `
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "410", "415", "422", "429", "5xx"]

[[operations]]
include-path = "/photos"
generation.allow-x00 = false
`;

/**
 * Installs Schemathesis once into a folder of `node_modules/.cache`.
 *
 * @returns its program; undefined without Python
 * @throws if the installation fails
 */
export function findSchemathesis(): string | undefined {
  const folder = join(root, "node_modules", ".cache", `schemathesis-${schemathesisVersion}`);
  const program = join(folder, "bin", "st");
  if (existsSync(join(folder, "installed"))) return program;
  if (spawnSync("python3", ["--version"]).error !== undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  runToEnd("python3", ["-m", "venv", "--clear", folder]);
  const name = `schemathesis==${schemathesisVersion}`;
  runToEnd(join(folder, "bin", "pip"), ["install", "--quiet", name]);
  writeFileSync(join(folder, "installed"), schemathesisVersion);
  return program;
}

function runToEnd(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, [...args], { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with code ${status}.`);
}

/** Settings of one run of Schemathesis. */
export interface SchemathesisRun {
  readonly folder: string;
  readonly application: RunningApplication;
  readonly seed: number;
  /** Examples of each operation. */
  readonly maxExamples: number;
}

/** Runs every check of Schemathesis against an application. */
export async function runSchemathesis(
  program: string,
  { folder, application, seed, maxExamples }: SchemathesisRun,
): Promise<{ readonly code: number | null; readonly output: string }> {
  writeFileSync(join(folder, "schemathesis.toml"), settings);
  const args = [
    "run",
    `${application.url}openapi.json`,
    "--checks=all",
    "--mode=all",
    `--seed=${seed}`,
    `--max-examples=${maxExamples}`,
    "--generation-database=none",
    "--suppress-health-check=all",
    "--continue-on-failure",
    "--warnings=off",
    "--no-color",
    `--header=Authorization: Bearer ${application.token}`,
  ];
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  return { code, output };
}
