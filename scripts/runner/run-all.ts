import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuild } from "./ensure-build.ts";
import type { Entry } from "./entry.ts";
import type { Result } from "./result.ts";
import { root } from "./root.ts";
import { formatTable } from "./table.ts";
import { readOptions } from "./usage.ts";

/** Timeout of a short form. */
const quickLimitMs = 10 * 60_000;

/** A result file of any entry; only proofs have the optional members. */
interface AnyResult extends Result {
  readonly inputs?: number;
  readonly skippedBecause?: string;
}

/** Result of an entry. */
interface Outcome {
  readonly name: string;
  readonly verdict: "passed" | "failed" | "skipped";
  readonly seconds: number;
  /** Undefined if the program exited before writing one. */
  readonly result: AnyResult | undefined;
}

/**
 * Runs every entry in turn, prints one table, and returns the exit code: 1 if an entry has failed.
 * An entry whose requirements are missing on this machine is skipped, with the reason.
 */
export async function runAll(entries: readonly Entry[], args: readonly string[]): Promise<number> {
  const { quick, json } = readOptions(args, {});
  ensureBuild();
  const folder = mkdtempSync(join(tmpdir(), "espalier-run-all-"));
  const outcomes: Outcome[] = [];
  try {
    for (const entry of entries) {
      const log = join(folder, `${entry.name}.log`);
      const outcome = await runEntry(entry, { quick, log, json: join(folder, entry.name) });
      outcomes.push(outcome);
      console.log(`${outcome.verdict.padEnd(7)}  ${entry.name}, ${outcome.seconds.toFixed(0)} s`);
      if (outcome.verdict === "failed") console.log(lastLines(readFileSync(log, "utf8"), 40));
      // After each entry, so that an interrupted run keeps the finished ones.
      if (json !== undefined) {
        writeFileSync(json, `${JSON.stringify({ results: outcomes }, null, 1)}\n`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${formatTable([titles, ...outcomes.map(cellsOf)])}\n`);
  const count = (verdict: Outcome["verdict"]): number =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  console.log(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  return count("failed") > 0 ? 1 : 0;
}

interface Files {
  readonly quick: boolean;
  readonly log: string;
  readonly json: string;
}

/** Runs an entry in a separate process group, which is killed afterwards with all child processes. */
async function runEntry(entry: Entry, { quick, log, json }: Files): Promise<Outcome> {
  const output = openSync(log, "w");
  const startedAt = performance.now();
  const args = [join(root, entry.program), ...(quick ? ["--quick"] : []), "--json", json];
  const child = spawn(process.execPath, args, {
    cwd: root,
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  const killGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group has exited.
    }
  };
  const interrupt = (): never => {
    killGroup();
    process.exit(130);
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const timer = quick ? setTimeout(killGroup, quickLimitMs) : undefined;
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  clearTimeout(timer);
  killGroup();
  process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  // Unchecked cast: written by the entry.
  const result = existsSync(json)
    ? (JSON.parse(readFileSync(json, "utf8")) as AnyResult)
    : undefined;
  const isSkipped = result?.skippedBecause !== undefined;
  const verdict = code === 0 ? "passed" : isSkipped ? "skipped" : "failed";
  return { name: entry.name, verdict, seconds: (performance.now() - startedAt) / 1_000, result };
}

const titles = ["name", "inputs", "duration", "date", "build", "result"];

function cellsOf({ name, verdict, seconds, result }: Outcome): readonly string[] {
  if (result === undefined) return [name, "", `${seconds.toFixed(0)} s`, "", "", verdict];
  const { inputs, rows, date, build, skippedBecause } = result;
  return [
    name,
    inputs === undefined ? `${rows.length} rows` : inputs.toLocaleString("en"),
    `${seconds.toFixed(0)} s`,
    date.slice(0, 10),
    `${build.commit.slice(0, 9)}${build.isModified ? " modified" : ""}`,
    skippedBecause === undefined ? verdict : `${verdict}: ${skippedBecause}`,
  ];
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}
