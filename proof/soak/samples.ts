import { readdirSync, readFileSync } from "node:fs";
import { converse, requestBytes } from "../hostile/converse.ts";
import type { Target } from "../hostile/target.ts";

/** What a server was like at one moment. */
export interface Sample {
  readonly minute: number;
  readonly requests: number;
  readonly rssMiB: number;
  readonly wasmPages: number;
  /** Timers, sockets and the like; Node alone tells. */
  readonly handles: number | undefined;
}

/** Looks at a server, by asking it and the system. */
export async function takeSample(
  target: Target,
  { minute, requests }: { readonly minute: number; readonly requests: number },
): Promise<Sample> {
  const { answers } = await converse(target.port, [requestBytes("GET", "/process", [])], {
    timeoutMs: 60_000,
  });
  const told = JSON.parse(answers[0]?.body.toString() ?? "{}") as {
    rss?: number;
    wasmPages: number;
    handles?: number;
  };
  const bytes = told.rss ?? residentBytesOfWorkerd();
  return {
    minute,
    requests,
    rssMiB: Math.round((bytes / 2 ** 20) * 10) / 10,
    wasmPages: told.wasmPages,
    handles: told.handles,
  };
}

/** Of the workerd that this process has started. */
function residentBytesOfWorkerd(): number {
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      if (!/^Name:\s*workerd$/m.test(status)) continue;
      if (Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]) !== process.pid) continue;
      return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1_024;
    } catch {
      // It has ended since.
    }
  }
  throw new Error("No workerd of this process was found.");
}

/** The slope of the memory by least squares, MiB for each minute, of the samples after the warm-up. */
export function growthPerMinute(samples: readonly Sample[], warmUpMinutes: number): number {
  const used = samples.filter(({ minute }) => minute >= warmUpMinutes);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(used.map((one) => one.minute)), mean(used.map((one) => one.rssMiB))];
  const above = used.reduce((sum, one) => sum + (one.minute - x) * (one.rssMiB - y), 0);
  const below = used.reduce((sum, one) => sum + (one.minute - x) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
