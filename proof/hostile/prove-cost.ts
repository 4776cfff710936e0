import { startServerProcess } from "../../test/support/server-process.ts";
import { Finding } from "../support/finding.ts";
import type { Cost } from "./cost/measure.ts";

/** Processor time of a dense body, at most, in proportion to a benign one of the same size. */
const mostTimes = 5;

/**
 * Kinds that cost more, with their bound: parts of a few bytes each, which take more work for their size. Their number is
 * limited to 1,000 and their header lines to 32, so one form costs a few milliseconds at most.
 */
const knownTimes: Readonly<Record<string, number>> = {
  "multipart, empty fields": 15,
  "multipart, empty files": 20,
  "multipart, header lines": 25,
  "json, names": 10,
};

export interface CostOptions {
  /** Bodies of each dense kind; as many benign ones are in between. */
  readonly bodiesOfEach: number;
  readonly bodyBytes: number;
}

/** Dense bodies cost at most five times the processor time of benign ones of the same size, but for known kinds. */
export async function proveCost(
  runtime: "node" | "deno" | "bun",
  { bodiesOfEach, bodyBytes }: CostOptions,
): Promise<Finding> {
  const finding = new Finding(`cost of dense bodies of ${bodyBytes / 1_024} KiB`);
  const env = { BODIES_OF_EACH: String(bodiesOfEach), BODY_BYTES: String(bodyBytes) };
  const { output, child } = await startServerProcess(
    "proof/hostile/cost/print-costs.ts",
    runtime,
    env,
  );
  child.kill("SIGKILL");
  const costs: readonly Cost[] = JSON.parse(/^costs (.*)$/m.exec(output())?.[1] ?? "[]");
  for (const { kind, dense, bodies, ratio, status } of costs) {
    finding.tried += bodies;
    finding.count(`${kind}, ${dense} (${status})`, ratio);
    const most = knownTimes[`${kind}, ${dense}`] ?? mostTimes;
    finding.check(ratio <= most, `over ${most} times`, `${kind}, ${dense}: ${ratio}`);
  }
  finding.check(costs.length > 0, "nothing was measured", output().slice(-300));
  return finding;
}
