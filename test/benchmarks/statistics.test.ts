import { expect, test } from "vitest";
import { overheadRows } from "../../benchmarks/application/overhead-rows.ts";
import type { Row } from "../../benchmarks/support/row.ts";
import { medianOf, withInterval } from "../../benchmarks/support/statistics.ts";
import { Random } from "../support/random.ts";

const random = new Random(7);
/** Returns samples around a value, in rounds of 15 to a session. */
const samplesAround = (ns: number, noise: number, count = 75): number[] =>
  Array.from({ length: count }, () => ns + (2 * random.next() - 1) * noise);

test("an interval has the median of all rounds, and is narrower with more of them", () => {
  const measure = (count: number) => {
    const samples = samplesAround(1_000, 200, count);
    return withInterval("median", count, 15, (rounds) => medianOf(samples, rounds));
  };
  const width = ({ medianLow = 0, medianHigh = 0 }) => medianHigh - medianLow;
  const [few, many] = [measure(30), measure(750)];
  expect(many["medianLow"]).toBeLessThanOrEqual(many["median"] ?? 0);
  expect(many["medianHigh"]).toBeGreaterThanOrEqual(many["median"] ?? Infinity);
  expect(width(many)).toBeGreaterThan(0);
  expect(width(many)).toBeLessThan(width(few) / 2);
});

test("sessions that differ make the interval wide, however many rounds they have", () => {
  const samples = [1_000, 1_000, 1_000, 1_500, 1_500].flatMap((ns) => samplesAround(ns, 1, 200));
  const measure = (ofSession: number) =>
    withInterval("median", samples.length, ofSession, (rounds) => medianOf(samples, rounds));
  expect(measure(200)["medianHigh"]).toBeGreaterThan(1_400);
  expect(measure(1)["medianHigh"]).toBeLessThan(1_100);
});

test("a statistic that is not finite has no interval", () => {
  expect(withInterval("ratio", 10, 5, () => Infinity)).toEqual({});
  expect(withInterval("ratio", 10, 5, () => Number.NaN)).toEqual({});
});

/**
 * Returns the rows of subjects that take some nanoseconds beyond a handler without a framework: exactly as the median,
 * and up to 1,000 more or less in a round.
 */
function rowsFor(application: string, beyondBare: Readonly<Record<string, number>>): Row[] {
  const rounds = 75;
  const steps = [7, 37, 41, 43, 53];
  const bare = samplesAround(10_000, 3_000, rounds);
  const series = Object.entries(beyondBare).map(([subject, ns], at) => ({
    subject,
    // Each subject has each deviation once, in an order of its own: the steps have no divisor in common with 75.
    samples: bare.map((sample, i) => sample + ns + ((((steps[at] ?? 1) * i) % rounds) - 37) * 27),
  }));
  return overheadRows(application, "workerd", [{ subject: "bare", samples: bare }, ...series], 15);
}

test("an overhead is level with the best where their difference is within its spread", () => {
  const rows = rowsFor("parameter", {
    "its response alone": 500,
    Espalier: 2_500,
    Hono: 2_450,
    Elysia: 1_000,
    h3: 1_020,
  });
  const more = (subject: string) => rows.find((row) => row.subject === subject)?.more ?? {};
  expect(more("Elysia")).toMatchObject({ behind: 0, behindLow: 0, behindHigh: 0 });
  expect(more("h3")["behindLow"]).toBeLessThanOrEqual(0);
  expect(more("Espalier")["behindLow"]).toBeGreaterThan(1_000);
  expect(more("its response alone")).not.toHaveProperty("behind");
  // (2,500 - 500) / 1,000
  expect(more("Elysia")["ours"]).toBeCloseTo(2, 0);
  expect(more("Elysia")["oursLow"]).toBeGreaterThan(1.2);
  expect(more("Hono")["ours"]).toBeLessThan(1);
  expect(more("Espalier")).not.toHaveProperty("ours");
});

test("there is no ratio to a peer that takes no longer than no framework", () => {
  const rows = rowsFor("not-found", { "its response alone": 500, Espalier: 2_500, Elysia: -10 });
  const elysia = rows.find(({ subject }) => subject === "Elysia");
  expect(elysia?.ratio).toBeUndefined();
  expect(elysia?.more).not.toHaveProperty("ours");
});
