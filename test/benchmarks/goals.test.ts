import { expect, it } from "vitest";
import { readGoals } from "../../benchmarks/goals.ts";
import type { Report, Row } from "../../benchmarks/support/row.ts";

it("computes what was reached from the results, and whether it meets the goal", () => {
  const start = "10 routes, both";
  const goals = readGoals(
    readFrom({
      size: [
        { runtime: "workerd", case: "size", subject: "espalier/core, hello", value: 25_900 },
        { runtime: "workerd", case: "size", subject: "espalier, hello", value: 80_000 },
      ],
      start: [
        { runtime: "workerd", case: start, subject: "Espalier", value: 15.4 },
        { runtime: "workerd", case: start, subject: "Hono", value: 10 },
      ],
    }),
  );
  expect(goals).toContainEqual({
    title: "`espalier/core` with a route, gzipped with the wasm",
    goal: "≤ 26 kB",
    reached: "25.9",
    isMet: true,
  });
  expect(goals).toContainEqual({
    title: "`espalier` with a route",
    goal: "≤ 70 kB",
    reached: "80",
    isMet: false,
  });
  expect(goals).toContainEqual({
    title: "start of `espalier` with 10 routes in workerd",
    goal: "≤ 1.5 × Hono",
    reached: "1.54",
    isMet: false,
  });
});

it("compares a request with the best peer, beyond the response alone", () => {
  const title = "overhead of `hello` in workerd, beyond its response";
  const measured = (own: number) => {
    const runtime = "workerd";
    const rows = { Espalier: own, "its response alone": 500, Hono: 1_000, Elysia: 2_000 };
    return readGoals(
      readFrom({
        "application-workerd": Object.entries(rows).map(([subject, value]) => {
          return { runtime, case: "hello", subject, value };
        }),
      }),
    ).find((goal) => goal.title === title);
  };
  expect(measured(1_800)).toMatchObject({ reached: "1.3", isMet: true });
  expect(measured(1_900)).toMatchObject({ reached: "1.4", isMet: false });
  // Below the response alone by the noise of the measurement.
  expect(measured(400)).toMatchObject({ reached: "0", isMet: true });
});

it("meets a goal if the interval of the ratio includes it", () => {
  const runtime = "workerd";
  const start = "10 routes, both";
  const measured = (timesLow: number) =>
    readGoals(
      readFrom({
        start: [
          { runtime, case: start, subject: "Hono", value: 10 },
          {
            runtime,
            case: start,
            subject: "Espalier",
            value: 16,
            more: { times: 1.6, timesLow, timesHigh: 1.75 },
          },
        ],
      }),
    );
  expect(measured(1.45)).toMatchObject([{ reached: "1.6 (1.45 to 1.75)", isMet: true }]);
  expect(measured(1.55)).toMatchObject([{ reached: "1.6 (1.55 to 1.75)", isMet: false }]);
});

it("takes the interval beyond the response from the best peer's row", () => {
  const runtime = "workerd";
  const row = (subject: string, value: number, more?: Record<string, number>) => {
    return { runtime, case: "parameter", subject, value, ...(more && { more }) };
  };
  const goals = readGoals(
    readFrom({
      "application-workerd": [
        row("Espalier", 1_620),
        row("its response alone", 500),
        row("Hono", 2_000, { ours: 0.56, oursLow: 0.4, oursHigh: 0.7 }),
        row("Elysia", 1_000, { ours: 1.12, oursLow: 0.94, oursHigh: 1.31 }),
      ],
    }),
  );
  expect(goals).toMatchObject([{ reached: "1.12 (0.94 to 1.31)", isMet: true }]);
});

it("compares matches with the fastest peer of the table", () => {
  const row = (subject: string, value: number, more?: Record<string, number>) => {
    return { runtime: "node", case: "static", subject, value, ...(more && { more }) };
  };
  const measured = (timesOursHigh: number) =>
    readGoals(
      readFrom({
        "routing-node": [
          row("Espalier", 100),
          row("memoirist", 120),
          row("rou3", 90, { timesOurs: 0.9, timesOursLow: 0.8, timesOursHigh }),
        ],
      }),
    );
  const title = "matches of `static` per second on Node";
  const goal = "≥ 1 × the fastest peer, rou3";
  expect(measured(1.02)).toEqual([{ title, goal, reached: "0.9 (0.8 to 1.02)", isMet: true }]);
  expect(measured(0.95)).toEqual([{ title, goal, reached: "0.9 (0.8 to 0.95)", isMet: false }]);
});

it("states the time of ten middleware in workerd beyond the response", () => {
  const row = (subject: string, value: number) => {
    return { runtime: "workerd", case: "ten-middleware", subject, value };
  };
  const goals = readGoals(
    readFrom({ "application-workerd": [row("Espalier", 6_800), row("its response alone", 500)] }),
  );
  expect(goals).toContainEqual({
    title: "overhead of `ten-middleware` in workerd, beyond its response",
    goal: "≤ 6 µs",
    reached: "6.3",
    isMet: false,
  });
});

it("does not count an application on Node that was not measured", () => {
  const row = { runtime: "node", case: "hello", subject: "Hono", value: 1_000 };
  expect(readGoals(readFrom({ "application-node": [row] }))).toMatchObject([
    { goal: "1", reached: "0", isMet: false },
  ]);
});

it("leaves out what was not measured", () => {
  expect(readGoals(() => undefined)).toEqual([]);
});

type Measured = Pick<Row, "case" | "runtime" | "subject" | "value" | "more">;

function readFrom(files: Readonly<Record<string, readonly Measured[]>>) {
  return (name: string): Report | undefined => {
    const rows = files[name];
    // The goals read the rows of a report only.
    return rows && ({ rows } as Report);
  };
}
