import { expect, test } from "vitest";
import { overheadRows } from "../../benchmarks/application/overhead-rows.ts";
import { createRandom } from "../../benchmarks/support/random.ts";
import { medianOf, withInterval } from "../../benchmarks/support/statistics.ts";

const random = createRandom(7);
/** Returns samples around a value, in rounds of 15 to a session. */
const samplesAround = (ns: number, noise: number, count = 75): number[] =>
  Array.from({ length: count }, () => ns + (random(2_001) / 1_000 - 1) * noise);

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

test("an overhead is level with the best where their difference is within its spread", () => {
  const bare = samplesAround(10_000, 3_000);
  const beyond = (ns: number) => bare.map((sample) => sample + ns + (random(2_001) - 1_000));
  const rows = overheadRows(
    "parameter",
    "workerd",
    [
      { subject: "bare", samples: bare },
      { subject: "its response alone", samples: beyond(500) },
      { subject: "Espalier", samples: beyond(2_500) },
      { subject: "Hono", samples: beyond(2_450) },
      { subject: "Elysia", samples: beyond(1_000) },
      { subject: "h3", samples: beyond(1_020) },
    ],
    15,
  );
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
  const bare = samplesAround(10_000, 3_000);
  const beyond = (ns: number) => bare.map((sample) => sample + ns + (random(2_001) - 1_000));
  const rows = overheadRows(
    "not-found",
    "workerd",
    [
      { subject: "bare", samples: bare },
      { subject: "its response alone", samples: beyond(500) },
      { subject: "Espalier", samples: beyond(2_500) },
      { subject: "Elysia", samples: beyond(-10) },
    ],
    15,
  );
  const elysia = rows.find(({ subject }) => subject === "Elysia");
  expect(elysia?.ratio).toBeUndefined();
  expect(elysia?.more).not.toHaveProperty("ours");
});
