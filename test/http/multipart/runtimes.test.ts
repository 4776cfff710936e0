import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { multipartCases } from "../../support/multipart-cases.ts";
import { outcomesOfMutations } from "../../support/multipart-mutations.ts";
import { startServerProcess } from "../../support/server-process.ts";
import { startWorkerd } from "../../support/workerd.ts";
import { roundTripFields, roundTripFile } from "./runtime/round-trip.ts";

async function start(runtime: "node" | "deno" | "bun" | "workerd") {
  if (runtime !== "workerd") {
    return startServerProcess("test/http/multipart/runtime/listen.ts", runtime);
  }
  const miniflare = await startWorkerd("test/http/multipart/runtime/worker.ts");
  return { url: (await miniflare.ready).href, stop: () => miniflare.dispose() };
}

/** Expected results: those of this runtime. */
const seed = 7;
const mutations = 1500;
let expectedOutcomes: string[];
beforeAll(async () => {
  expectedOutcomes = await outcomesOfMutations(seed, mutations);
});

describe.each(["node", "deno", "bun", "workerd"] as const)("multipart forms on %s", (runtime) => {
  let running: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    running = await start(runtime);
  });
  afterAll(async () => {
    await running.stop();
  });

  async function get(path: string): Promise<unknown> {
    const response = await fetch(new URL(path, running.url));
    expect(response.status).toBe(200);
    return response.json();
  }

  // A size of 0 is the form as a whole.
  test.each([0, 1, 2, 3, 7, 64, 1000])("every case in pieces of %i bytes", async (pieceBytes) => {
    const outcomes = (await get(`/cases/${pieceBytes}`)) as unknown[];
    const actual = outcomes.map((outcome, index) => ({ id: multipartCases[index]?.id, outcome }));
    const expected = multipartCases.map(({ id, expected: outcome }) => ({ id, outcome }));
    expect(actual).toEqual(expected);
  });

  test("mutated forms read as on every other runtime", async () => {
    const outcomes = await get(`/mutations/${seed}/${mutations}`);
    expect(outcomes).toEqual(expectedOutcomes);
    expect(expectedOutcomes.filter((outcome) => outcome.includes(", in pieces of "))).toEqual([]);
  });

  test("a form encoded by the runtime", async () => {
    const { name, filename, content } = roundTripFile;
    expect(await get("/round-trip")).toEqual([
      ...roundTripFields,
      [name, filename, "application/x-test", content],
    ]);
  });
});
