import { describe, it } from "vitest";
import { expectJobsAsModelled } from "./support/job-model.ts";

/** Number of seeds; the long form is `QUEUE_SEEDS=20`. */
const seeds = Array.from({ length: Number(process.env["QUEUE_SEEDS"] ?? 1) }, (_, at) => 7 + at);

describe("10,000 jobs", () => {
  it.each(seeds)("behave as in the model (seed %i)", { timeout: 300_000 }, (seed) =>
    expectJobsAsModelled(10_000, seed),
  );
});
