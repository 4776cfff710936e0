import { spawn } from "node:child_process";
import {
  chmodSync,
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
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Area } from "./areas.ts";
import type { Order } from "./order.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const here = fileURLToPath(new URL("./", import.meta.url));

export type Status = "killed" | "survived" | "timeout" | "noCoverage";

/** Result of a mutant. */
export interface Verdict {
  readonly status: Status;
  /** The test that failed. */
  readonly by?: string;
}

interface Progress {
  readonly verdicts: Map<string, Verdict>;
  /** The current mutant, and the time of its tests without it. */
  readonly current: { readonly id: string; readonly durationMs: number } | undefined;
}

function readProgress(path: string): Progress {
  const verdicts = new Map<string, Verdict>();
  let current: Progress["current"];
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
  for (const line of lines) {
    const event = JSON.parse(line);
    if (event.start !== undefined) current = { id: event.start, durationMs: event.durationMs };
    else {
      verdicts.set(event.id, event);
      current = undefined;
    }
  }
  return { verdicts, current };
}

type Limits = Pick<Area, "limitMs" | "testMs">;

/** Time in which a process ends that has tested its last mutant: connections that are left open may keep it. */
const closeMs = 20_000;

/** Runs a Vitest process; resolves when it exits or is killed after its time limit. */
async function runWorker(
  order: Order,
  folder: string,
  { limitMs, testMs = 8_000 }: Limits,
): Promise<"ended" | "slow"> {
  const orderPath = join(folder, "order.json");
  writeFileSync(orderPath, JSON.stringify(order));
  // Otherwise Vitest would treat a worker of the tree as one of its tests.
  for (const file of ["worker.ts", "order.ts", "watch.ts"]) {
    const name = file === "worker.ts" ? "mutation-worker.test.ts" : file;
    copyFileSync(join(here, file), join(order.tree, name));
  }
  const log = openSync(join(folder, "worker.log"), "a");
  const temporary = mkdtempSync(join(tmpdir(), "espalier-mutation-"));
  // The user of a database server may differ.
  chmodSync(temporary, 0o711);
  const worker = spawn(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--config",
      fileURLToPath(import.meta.resolve("./vitest.config.ts")),
    ],
    {
      cwd: order.tree,
      // Detached: a separate process group, so that Vitest's child processes are killed with it.
      detached: true,
      stdio: ["ignore", log, log],
      env: {
        ...process.env,
        CI: "1",
        TMPDIR: temporary,
        MUTATION_TREE: order.tree,
        MUTATION_ORDER: orderPath,
        MUTATION_TEST_MS: String(testMs),
      },
    },
  );
  closeSync(log);
  let ended = false;
  worker.once("exit", () => {
    ended = true;
    // PostgreSQL, which is in a process group of its own, ends within a minute without its data.
    rmSync(temporary, { recursive: true, force: true });
  });
  let seen: string | undefined = "";
  let since = performance.now();
  while (!ended) {
    await sleep(250);
    const { current, verdicts } = readProgress(order.progress);
    const now = performance.now();
    if (current?.id !== seen) {
      seen = current?.id;
      since = now;
    }
    const hasBegun = current !== undefined || order.mutants.some((id) => verdicts.has(id));
    // The machine may be much slower than when the reach was measured.
    const allowedMs = current === undefined ? closeMs : limitMs + 5 * current.durationMs;
    if (!hasBegun || now - since < allowedMs) continue;
    process.kill(-(worker.pid ?? 0), "SIGKILL");
    return current === undefined ? "ended" : "slow";
  }
  return "ended";
}

/**
 * Tests every mutant of the order, in as many processes as necessary. A mutant that crashes its
 * process, or exceeds the process's time limit, counts as timed out.
 */
export async function runMutants(
  order: Omit<Order, "isFirst">,
  folder: string,
  limits: Limits,
  say: (done: number) => void,
): Promise<Map<string, Verdict>> {
  // A resumed run has verified that already.
  for (let isFirst = !existsSync(order.reach); ; isFirst = false) {
    const before = readProgress(order.progress).verdicts;
    const rest = order.mutants.filter((id) => !before.has(id));
    if (rest.length === 0 && existsSync(order.reach)) return before;
    await runWorker({ ...order, mutants: rest, isFirst }, folder, limits);
    const { verdicts, current } = readProgress(order.progress);
    if (current !== undefined) {
      const line = { id: current.id, status: "timeout", by: "time limit of the process" };
      writeFileSync(order.progress, `${JSON.stringify(line)}\n`, { flag: "a" });
    } else if (verdicts.size === before.size) {
      throw new Error(`The worker tested no mutant; see ${join(folder, "worker.log")}.`);
    }
    say(readProgress(order.progress).verdicts.size);
  }
}
