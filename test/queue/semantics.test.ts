import { describe, it } from "vitest";
import { expectJobsAsModelled } from "./support/job-model.ts";

/** One more for each; the long form is `QUEUE_SEEDS=20`. */
const seeds = Array.from({ length: Number(process.env["QUEUE_SEEDS"] ?? 1) }, (_, at) => 7 + at);

describe("what becomes of 10 000 jobs", () => {
  it.each(seeds)("is what the model says (seed %i)", { timeout: 300_000 }, (seed) =>
    expectJobsAsModelled(10_000, seed),
  );
});
