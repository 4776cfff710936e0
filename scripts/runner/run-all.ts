import { spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
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
import type { RecordedResult } from "./result-files.ts";
import { describeBuildOf, describeDuration, describeInputs } from "./result-texts.ts";
import { root } from "./root.ts";
import { formatTable } from "./table.ts";
import { readOptions } from "./usage.ts";

/** Timeout of a short form. */
const quickLimitMs = 10 * 60_000;

/** Result of an entry. */
interface Outcome {
  readonly name: string;
  readonly verdict: "passed" | "failed" | "skipped";
  /** Why it has failed or was skipped; empty if it has passed. */
  readonly reason: string;
  readonly seconds: number;
  /** Undefined if the program exited before writing one. */
  readonly result: RecordedResult | undefined;
}

/**
 * Runs every entry in turn, prints one table, and returns the exit code: 1 if an entry has failed, 2
 * if none has failed but one was skipped, because this machine lacks what it needs.
 *
 * @param recordFolder folder that `--record` copies the results to, from the root of the repository
 */
export async function runAll(
  entries: readonly Entry[],
  recordFolder: string,
  args: readonly string[],
): Promise<number> {
  const { quick, json, record } = readOptions(args, { record: "boolean" });
  const startedAt = performance.now();
  ensureBuild();
  const folder = mkdtempSync(join(tmpdir(), "espalier-run-all-"));
  const outcomes: Outcome[] = [];
  try {
    for (const entry of entries) {
      const log = join(folder, `${entry.name}.log`);
      const outcome = await runEntry(entry, { quick, log, json: join(folder, entry.name) });
      outcomes.push(outcome);
      console.log(`${outcome.verdict.padEnd(7)}  ${entry.name}, ${outcome.seconds.toFixed(0)} s`);
      if (record && outcome.verdict === "passed") {
        const name = `${entry.name}${quick ? "-quick" : ""}.json`;
        copyFileSync(join(folder, entry.name), join(root, recordFolder, name));
      }
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
  const total = describeDuration((performance.now() - startedAt) / 1_000);
  console.log(
    `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped in ${total}`,
  );
  if (count("failed") > 0) return 1;
  return count("skipped") > 0 ? 2 : 0;
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
  let isTooSlow = false;
  const stopSlowRun = (): void => {
    isTooSlow = true;
    killGroup();
  };
  const timer = quick ? setTimeout(stopSlowRun, quickLimitMs) : undefined;
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  clearTimeout(timer);
  killGroup();
  process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  // Unchecked cast: written by the entry.
  const result = existsSync(json)
    ? (JSON.parse(readFileSync(json, "utf8")) as RecordedResult)
    : undefined;
  const isSkipped = result?.skippedBecause !== undefined;
  const verdict = code === 0 ? "passed" : isSkipped ? "skipped" : "failed";
  const reason =
    verdict === "passed"
      ? ""
      : (result?.skippedBecause ??
        (isTooSlow ? `stopped after ${quickLimitMs / 60_000} minutes` : undefined) ??
        firstFault(result) ??
        `exit code ${code}, see the log above`);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { name: entry.name, verdict, reason, seconds, result };
}

/** Returns the first fault and its case, short enough for a table. */
function firstFault(result: RecordedResult | undefined): string | undefined {
  const row = result?.rows.find(({ faults = [] }) => faults.length > 0);
  if (row === undefined) return undefined;
  const text = `${row.case} (${row.runtime}): ${row.faults?.[0]}`;
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

const titles = ["name", "inputs", "duration", "date", "build", "result"];

function cellsOf({ name, verdict, reason, seconds, result }: Outcome): readonly string[] {
  const text = reason === "" ? verdict : `${verdict}: ${reason.replaceAll(/[|\s]+/g, " ")}`;
  const duration = describeDuration(seconds);
  if (result === undefined) return [name, "", duration, "", "", text];
  const date = result.date.slice(0, 10);
  return [name, describeInputs(result), duration, date, describeBuildOf(result), text];
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}
