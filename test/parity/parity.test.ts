/*
 * The short form of `npm run proof -- parity`: every case on Node's sockets, in this process, and in workerd. Deno,
 * Bun and Chromium are asked by the proof.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createParityApplication } from "../../proof/parity/application.ts";
import { askCase } from "../../proof/parity/ask.ts";
import type { Answer } from "../../proof/parity/case.ts";
import { allCases, casesByPart } from "../../proof/parity/cases/all.ts";
import { readExpectations } from "../../proof/parity/expectations.ts";
import { judge } from "../../proof/parity/judge.ts";
import { knownCounts, knownDifferences } from "../../proof/parity/known-differences.ts";
import { type Platform, startPlatform } from "../../proof/parity/platforms.ts";
import { sendOverSocket } from "../../proof/parity/send.ts";

const expectations = readExpectations();
/** Node's responses to the cases that are compared within one run. */
const ofNode = new Map<string, readonly Answer[]>();

async function startHere(): Promise<Platform> {
  const app = createParityApplication();
  const { url } = await app.listen({ port: 0, gracefulSignals: false });
  return { base: url, send: (call) => sendOverSocket(url, call), stop: () => app.stop() };
}

describe.each([
  ["node", startHere],
  ["workerd", () => startPlatform("workerd")],
] as const)("%s", (name, start) => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await start();
  });
  afterAll(() => platform.stop());

  describe.each(Object.entries(casesByPart))("%s", (_part, cases) => {
    test.each(cases)("$title", async (one) => {
      const answers = await askCase(platform, one);
      if (name === "node") ofNode.set(one.title, answers);
      const expected = one.isRecorded === false ? ofNode.get(one.title) : expectations[one.title];
      if (expected === undefined) throw new Error("Record it: npm run proof -- parity --record");
      const { kind, differences } = judge(name, one.title, expected, answers);
      expect([kind, differences]).toEqual([kind === "known" ? "known" : "same", differences]);
      // A known difference may be one of the status; what was recorded may not.
      expect(expected.at(-1)?.status).toBe(one.status);
    });
  });
});

/** Chromium cannot be asked: no page and no worker chooses the Host of a request. */
describe.each([
  ["node", startHere],
  ["workerd", () => startPlatform("workerd")],
] as const)("hosts on %s", (_name, start) => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await start();
  });
  afterAll(() => platform.stop());

  test.each(["exa mple", "a<b", "a%", "a^b"])("%j is invalid, and 400", async (host) => {
    const { status, bytes } = await platform.send({ path: "/url", headers: { host } });
    expect([status, new TextDecoder().decode(bytes)]).toEqual([
      400,
      expect.stringContaining("The Host header is not valid."),
    ]);
  });

  test.each(["example.com", "example.com:8080", "[::1]:8080"])("%j is one", async (host) => {
    expect((await platform.send({ path: "/url", headers: { host } })).status).toBe(200);
  });
});

describe("the lists", () => {
  const titles = allCases.map(({ title }) => title);

  test("name each case once", () => {
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.length).toBeGreaterThanOrEqual(300);
  });

  test("record every case, and nothing else", () => {
    const recorded = allCases.filter(({ isRecorded }) => isRecorded !== false);
    expect(Object.keys(expectations)).toEqual(recorded.map(({ title }) => title));
  });

  test("list only differences of existing cases", () => {
    const known = knownDifferences.flatMap((entry) => entry.titles);
    expect(known.filter((title) => !titles.includes(title))).toEqual([]);
  });

  test("hold no more differences than they say", () => {
    const count = (isOurs: boolean): number =>
      knownDifferences
        .filter((entry) => entry.isOurs === isOurs)
        .reduce((sum, { platforms, titles: some }) => sum + platforms.length * some.length, 0);
    expect({ ofPlatforms: count(false), ours: count(true) }).toEqual(knownCounts);
  });
});
