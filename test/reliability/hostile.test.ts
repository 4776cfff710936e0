/*
 * The short forms of `npm run proof:hostile`: the same proofs with fewer inputs.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { converse, requestBytes } from "../../proof/hostile/converse.ts";
import type { Finding } from "../../proof/hostile/finding.ts";
import { proveAborts } from "../../proof/hostile/prove-aborts.ts";
import { proveErrors } from "../../proof/hostile/prove-errors.ts";
import { proveFramings } from "../../proof/hostile/prove-framings.ts";
import { proveIsolation } from "../../proof/hostile/prove-isolation.ts";
import { proveJson } from "../../proof/hostile/prove-json.ts";
import { proveLogs } from "../../proof/hostile/prove-logs.ts";
import { provePollution } from "../../proof/hostile/prove-pollution.ts";
import { proveRequests } from "../../proof/hostile/prove-requests.ts";
import { proveStrings } from "../../proof/hostile/prove-strings.ts";
import { startTarget, type Target } from "../../proof/hostile/target.ts";

const seed = 20261128;

function expectNoFault(finding: Finding, atLeast: number): void {
  expect(Object.fromEntries(finding.faults)).toEqual({});
  expect(finding.tried).toBeGreaterThanOrEqual(atLeast);
}

describe.each(["node", "workerd"] as const)("hostile input on %s", (runtime) => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget(runtime);
  });
  afterAll(() => target.stop());

  test("a thousand generated requests", async () => {
    expectNoFault(await proveRequests(target, { requests: 1_000, seed }), 1_000);
  });

  test("every framing that is listed", async () => {
    expectNoFault(await proveFramings(target, { cases: 160, seed }), 160);
  });

  test("naughty strings come back as they were sent", async () => {
    expectNoFault(await proveStrings(target, 6), 800);
  });

  test("JSON is understood, and what is none is refused", async () => {
    expectNoFault(await proveJson(target), 318);
  });

  test("names of prototypes are names", async () => {
    expectNoFault(await provePollution(target, { shapes: 20, seed }), 180);
  });

  test("many clients at once keep to themselves", async () => {
    expectNoFault(await proveIsolation(target, { requests: 2_000 }), 2_000);
  });

  test("clients that leave are noticed, and nobody else", async () => {
    expectNoFault(await proveAborts(target, { aborts: 200, seed }), 200);
  });

  test.runIf(runtime === "node")("the log has one line for each, without secrets", async () => {
    expectNoFault(await proveLogs(target, { requests: 400, seed }), 400);
  });
});

test("every kind of error at every place has the same answer", async () => {
  const finding = await proveErrors();
  expectNoFault(finding, 270);
  expect(finding.counts.get("500")).toBe(270);
}, 60_000);

describe("what is known of upgrades and expectations on Node, and not cured", () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget("node");
  });
  afterAll(() => target.stop());

  const statuses = async (...requests: ReturnType<typeof requestBytes>[]): Promise<number[]> => {
    const { answers, problem } = await converse(target.port, requests, { timeoutMs: 1_500 });
    expect(problem).toBeUndefined();
    return answers.map(({ status }) => status);
  };
  const webSocket = [
    ["Connection", "Upgrade"],
    ["Upgrade", "websocket"],
    ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
    ["Sec-WebSocket-Version", "13"],
  ] as const;
  const slow = requestBytes("GET", "/stream", []);

  test.fails("an interim response never stands inside another", async () => {
    const expecting = requestBytes("GET", "/fails/nothing", [["Expect", "100-continue"]]);
    expect(await statuses(slow, expecting, requestBytes("GET", "/path/a", []))).toEqual([
      200, 500, 200,
    ]);
  });

  test.fails("a handshake that gets a long page", async () => {
    expect(await statuses(requestBytes("GET", "/docs", webSocket))).toEqual([200]);
  });

  test.fails("a handshake behind a response that is not sent yet leaves that one whole", async () => {
    expect(await statuses(slow, requestBytes("GET", "/socket", webSocket))).toContain(200);
  });
});
