import { expect, it } from "vitest";
import result from "../../benchmarks/results/scale-simulation.json" with { type: "json" };
import { tables } from "../../benchmarks/scale/tables.ts";

it("the committed simulation is complete, with a million requests per second", () => {
  expect(result).toMatchObject({
    isWhole: true,
    settings: { quick: false, requestsPerSecond: 1_000_000 },
  });
});

it("no table of docs/scale.md lacks a number", () => {
  for (const [name, write] of Object.entries(tables)) {
    expect([name, write()]).not.toEqual([name, expect.stringMatching(/NaN|undefined/)]);
  }
});
