import { startServerProcess } from "../../test/support/server-process.ts";
import { Finding } from "../support/finding.ts";
import { type Cost, measureCosts } from "./cost/measure.ts";
import { type GeneratedCost, measureGenerated } from "./cost/measure-generated.ts";
import { startWorkerdTarget } from "./cost/workerd-target.ts";

/** Processor time of a body, at most, in proportion to a benign one of the same size. */
const mostTimes = 5;

export const costRuntimes = ["node", "deno", "bun", "workerd"] as const;

export interface CostOptions {
  /** Bodies of each dense kind; as many benign ones are in between. */
  readonly bodiesOfEach: number;
  readonly bodyBytes: number;
  /** Generated bodies of each type. */
  readonly generated: number;
  readonly generatedBytes: number;
  readonly seed: number;
}

interface Costs {
  readonly dense: readonly Cost[];
  readonly generated: readonly GeneratedCost[];
}

/** Dense and generated bodies cost at most five times the processor time of benign ones of the same size. */
export async function proveCost(
  runtime: (typeof costRuntimes)[number],
  options: CostOptions,
): Promise<Finding[]> {
  const { bodyBytes, generatedBytes, seed } = options;
  const { dense, generated } =
    runtime === "workerd"
      ? await measureWorkerd(options)
      : await measureInProcess(runtime, options);
  const finding = new Finding(`cost of dense bodies of ${bodyBytes / 1_024} KiB`);
  for (const { kind, dense: name, bodies, ratio, status } of dense) {
    finding.tried += bodies;
    finding.count(`${kind}, ${name} (${status})`, ratio);
    finding.check(ratio <= mostTimes, `over ${mostTimes} times`, `${kind}, ${name}: ${ratio}`);
  }
  const small = new Finding(
    `cost of generated bodies of ${generatedBytes / 1_024} KiB, seed ${seed}`,
  );
  for (const { kind, bodies, largest, repeated, body } of generated) {
    small.tried += bodies;
    small.count(kind, largest);
    small.count(`${kind}, measured again`, repeated);
    small.check(
      largest <= mostTimes,
      `over ${mostTimes} times`,
      `${kind}: ${largest}, ${body.slice(0, 400)}`,
    );
  }
  return [finding, small];
}

async function measureInProcess(
  runtime: "node" | "deno" | "bun",
  options: CostOptions,
): Promise<Costs> {
  const env = {
    BODIES_OF_EACH: String(options.bodiesOfEach),
    BODY_BYTES: String(options.bodyBytes),
    GENERATED: String(options.generated),
    GENERATED_BYTES: String(options.generatedBytes),
    SEED: String(options.seed),
    LIMIT: String(mostTimes),
  };
  const { output, child } = await startServerProcess(
    "proof/hostile/cost/print-costs.ts",
    runtime,
    env,
  );
  child.kill("SIGKILL");
  const costs = /^costs (.*)$/m.exec(output())?.[1];
  if (costs === undefined) throw new Error(`Nothing was measured: ${output().slice(-300)}`);
  return JSON.parse(costs);
}

async function measureWorkerd(options: CostOptions): Promise<Costs> {
  const target = await startWorkerdTarget();
  try {
    const { bodiesOfEach, bodyBytes, generated: count, generatedBytes, seed } = options;
    const dense = await measureCosts(target, bodiesOfEach, bodyBytes, mostTimes);
    const generated = await measureGenerated(target, count, generatedBytes, seed, mostTimes);
    return { dense, generated };
  } finally {
    await target.stop();
  }
}
