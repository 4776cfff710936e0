import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../test/support/random.ts";
import { Finding } from "../support/finding.ts";
import { converse, requestBytes, type Sent } from "./converse.ts";
import { isAlive } from "./prove-requests.ts";
import type { Target } from "./target.ts";

interface Counts {
  readonly opened: number;
  readonly ended: number;
  readonly whole: number;
  readonly wronglyAborted: number;
}

/**
 * Disconnects clients before, during and after their request, and during a response. The signal of every
 * waiting handler is aborted, no signal of a completed response is, and nothing stays open.
 */
export async function proveAborts(
  target: Target,
  { aborts, seed }: { readonly aborts: number; readonly seed: number },
): Promise<Finding> {
  const finding = new Finding("client aborts");
  const random = new Random(seed);
  const ask = async (path: string): Promise<string> => {
    const { answers } = await converse(target.port, [requestBytes("GET", path, [])]);
    return answers[0]?.body.toString() ?? "";
  };
  const handles = (): Promise<string> =>
    target.runtime === "node" ? ask("/process") : Promise.resolve("");
  await ask("/aborts/whole");
  const handlesBefore = await handles();
  const client = async (): Promise<void> => {
    while (finding.tried < aborts && !target.hasEnded()) {
      finding.tried += 1;
      const leaveAfterMs = random.pick([0, 1, 3, 10, 25]);
      await converse(target.port, [leavingRequest(random)], { leaveAfterMs });
      if (random.chance(0.1))
        finding.check((await ask("/aborts/whole")) === "whole", "no answer", "");
      for (const line of target.takeLines()) checkLine(finding, line);
    }
  };
  await Promise.all(Array.from({ length: 20 }, client));
  let counts: Counts = JSON.parse(await ask("/aborts/counts"));
  // workerd cancels the execution for a disconnected client, and runs none of its code any more.
  const isTold = target.runtime !== "workerd";
  for (let wait = 0; isTold && wait < 50 && counts.opened !== counts.ended; wait += 1) {
    await sleep(100);
    counts = JSON.parse(await ask("/aborts/counts"));
  }
  finding.count("handlers and streams opened", counts.opened);
  finding.count("ended", counts.ended);
  finding.count("answered whole", counts.whole);
  finding.check(
    !isTold || counts.opened === counts.ended,
    "handlers still waiting",
    JSON.stringify(counts),
  );
  finding.check(counts.opened > aborts / 10, "too few were opened", JSON.stringify(counts));
  finding.check(counts.wronglyAborted === 0, "a signal without an abort", JSON.stringify(counts));
  finding.check(!target.hasEnded(), "the process exited", target.takeLines().slice(-20).join("\n"));
  await isAlive(target, finding);
  if (handlesBefore !== "") {
    const [before, after] = [JSON.parse(handlesBefore), JSON.parse(await handles())];
    finding.count("handles before", before.handles);
    finding.count("handles after", after.handles);
    finding.check(
      after.handles <= before.handles + 5,
      "open handles",
      `${before.handles} ${after.handles}`,
    );
  }
  return finding;
}

function leavingRequest(random: Random): Sent {
  const path = random.pick([
    "/aborts/held",
    "/aborts/held",
    "/aborts/endless",
    "/aborts/endless",
    "/long",
  ]);
  const kind = random.between(0, 9);
  if (kind < 7) return requestBytes("GET", path, []);
  const json = [["Content-Type", "application/json"]] as const;
  const whole = requestBytes(
    "POST",
    random.pick(["/echo", "/unread", "/raw"]),
    json,
    '{"a":1}'.padEnd(9_000),
  );
  return {
    method: "POST",
    bytes: whole.bytes.subarray(0, random.between(1, whole.bytes.length - 1)),
  };
}

/** A disconnect must not be logged as an error. */
function checkLine(finding: Finding, line: string): void {
  try {
    const { level } = JSON.parse(line) as { level?: string };
    finding.check(level !== "error", "an error in the log", line.slice(0, 300));
  } catch {
    finding.fault("a line that is not JSON", line.slice(0, 300));
  }
}
