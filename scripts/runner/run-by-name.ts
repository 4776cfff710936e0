import { spawn } from "node:child_process";
import { join } from "node:path";
import { nearestNames } from "../../src/util/nearest-names.ts";
import { ensureBuild } from "./ensure-build.ts";
import type { Entry, Tool } from "./entry.ts";
import type { resultFolders } from "./result-files.ts";
import { root } from "./root.ts";
import { runAll } from "./run-all.ts";
import { reportUsage, UsageError } from "./usage.ts";

/** Programs of a script of package.json. */
export interface Catalogue {
  /** Name of the script: `proof` or `bench`. */
  readonly script: string;
  /** `proof` or `benchmark`, for messages. */
  readonly noun: string;
  readonly entries: readonly Entry[];
  readonly tools: readonly Tool[];
  /** Documentation page. */
  readonly page: string;
  /** Folder of the committed results, from the root of the repository. */
  readonly resultFolder: (typeof resultFolders)[number];
}

/**
 * Runs the program named by the first argument with the remaining arguments. Lists the names without
 * arguments, and runs every entry for `all`.
 */
export async function runByName(catalogue: Catalogue, args: readonly string[]): Promise<void> {
  const [name, ...rest] = args;
  const { entries, tools } = catalogue;
  if (name === undefined || name === "--help") {
    console.log(listNames(catalogue));
    return;
  }
  process.exitCode = await reportUsage(async () => {
    if (name === "all") return runAll(entries, catalogue.resultFolder, rest);
    const programs: readonly Tool[] = [...entries, ...tools];
    const found = programs.find((program) => program.name === name);
    if (found === undefined) {
      const known = programs.map((program) => program.name);
      const hint = nearestNames(name, [...known, "all"], known.length + 1);
      throw new UsageError(`Unknown ${catalogue.noun} "${name}".${hint}`);
    }
    if (rest.includes("--help")) {
      console.log(describeUsage(catalogue, found));
      return 0;
    }
    if (found.needsBuild) ensureBuild();
    return runProgram(found, rest);
  });
}

/** Lists every name with its summary. */
function listNames({ script, noun, entries, tools, page }: Catalogue): string {
  const all = { name: "all", summary: `Every ${noun} in turn, then a table of the results` };
  const lists = [[...entries, all], tools].filter((list) => list.length > 0);
  const width = Math.max(...lists.flat().map(({ name }) => name.length));
  const line = ({ name, summary }: { name: string; summary: string }): string =>
    `  ${name.padEnd(width)}  ${summary}`;
  return [
    `npm run ${script} -- NAME [--quick] [--json FILE] [options]`,
    ...lists.map((list) => list.map(line).join("\n")),
    `--quick runs a short form; all --record keeps the results. Options of one: npm run ${script} -- NAME --help. Details: ${page}`,
  ].join("\n\n");
}

function describeUsage({ script }: Catalogue, program: Entry | Tool): string {
  const common = "code" in program ? "[--quick] [--json FILE]" : "";
  const words = [`npm run ${script} -- ${program.name}`, common, program.options];
  return `${words.filter(Boolean).join(" ")}\n\n${program.summary}`;
}

/** Runs a program and returns its exit code. Forwards signals to it. */
function runProgram({ program }: Tool, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(root, program), ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
