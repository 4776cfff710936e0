import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runBenchmark } from "./run-benchmark.ts";

// The peers are dependencies of the benchmarks' folder, which the tests do not install.
const peers = existsSync(new URL("../../benchmarks/node_modules/fastify", import.meta.url));

/** Subjects measured beside Espalier in each application: at least the handler without a framework. */
function expectEveryApplication(report: Awaited<ReturnType<typeof runBenchmark>>): void {
  const measured = new Set(
    report.rows.filter(({ subject }) => subject === "Espalier").map((row) => row.case),
  );
  expect([...measured].sort()).toEqual([
    "auth",
    "echo",
    "error",
    "hello",
    "not-found",
    "parameter",
    "routes-300",
    "ten-middleware",
  ]);
  const complaints = report.shortcomings.map(({ subject, reason }) => `${subject}: ${reason}`);
  expect(complaints).toEqual([]);
}

describe("a quick run of the applications has correct responses", () => {
  test("only Espalier, on Node", { timeout: 120_000 }, async () => {
    const report = await runBenchmark("application/run.ts", ["--runtime", "node", "--own"]);
    expectEveryApplication(report);
    const subjects = new Set(report.rows.map(({ subject }) => subject));
    expect([...subjects].sort()).toEqual(["Espalier", "bare"]);
  });

  test.skipIf(!peers)("with every peer, on Node", { timeout: 120_000 }, async () => {
    const report = await runBenchmark("application/run.ts", ["--runtime", "node"]);
    expectEveryApplication(report);
    expect(new Set(report.rows.map(({ subject }) => subject)).size).toBe(7);
  });

  test.skipIf(!peers)("with every peer, in workerd", { timeout: 120_000 }, async () => {
    const report = await runBenchmark("application/run.ts", ["--runtime", "workerd"]);
    expectEveryApplication(report);
    expect(new Set(report.rows.map(({ subject }) => subject)).size).toBe(7);
  });
});

test("a request does not grow the router's memory", { timeout: 120_000 }, async () => {
  const flags = ["--runtime", "node", "--own", "--app", "routes-300"];
  const { rows } = await runBenchmark("application/memory.ts", flags);
  expect(rows).toHaveLength(1);
  const { wasmFirstBytes, wasmLastBytes } = rows[0]?.more ?? {};
  expect(wasmFirstBytes).toBeGreaterThan(0);
  expect(wasmLastBytes).toBe(wasmFirstBytes);
});

test("a start is timed with a correct response", { timeout: 120_000 }, async () => {
  const { rows } = await runBenchmark("application/start/run.ts", ["--own"]);
  const measured = rows.map((row) => `${row.case} in ${row.runtime}`);
  expect(measured).toContain("1,000 routes, both in node");
  expect(measured).toContain("10 routes, both in workerd");
  for (const { value } of rows) expect(value).toBeGreaterThanOrEqual(0);
});

describe.skipIf(!peers && !existsSync("/usr/bin/wrk"))("a quick run of the servers", () => {
  test("Espalier on Node, Deno and Bun", { timeout: 120_000 }, async () => {
    const flags = ["--own", "--app", "hello,echo"];
    const { rows } = await runBenchmark("application/sockets/run.ts", flags);
    const measured = rows.map((row) => `${row.case} in ${row.runtime}`);
    expect(measured.toSorted()).toEqual(
      ["bun", "deno", "node"]
        .flatMap((runtime) => [`echo in ${runtime}`, `hello in ${runtime}`])
        .toSorted(),
    );
    for (const { value } of rows) expect(value).toBeGreaterThan(0);
  });
});

test("an unknown application is rejected", { timeout: 60_000 }, async () => {
  const run = runBenchmark("application/run.ts", ["--app", "goodbye"]);
  await expect(run).rejects.toThrow(/The option --app must be of hello, .*; got "goodbye"\./);
});
