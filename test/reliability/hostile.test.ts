/*
 * The short forms of `npm run proof -- hostile`: the same proofs with fewer inputs.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { converse, requestBytes } from "../../proof/hostile/converse.ts";
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
import type { Finding } from "../../proof/support/finding.ts";

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

  test("every listed framing", async () => {
    expectNoFault(await proveFramings(target, { cases: 160, seed }), 160);
  });

  test("an invalid Host is rejected", async () => {
    const head = "PUT /session/x HTTP/1.1\r\nHost: a b\r\nContent-Type: application/json\r\n";
    const bytes = Buffer.from(`${head}Content-Length: 2\r\n\r\n{}`);
    const { answers } = await converse(target.port, [{ method: "PUT", bytes }]);
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  test("naughty strings are returned unchanged", async () => {
    expectNoFault(await proveStrings(target, 6), 800);
  });

  test("valid JSON is accepted, and invalid JSON is rejected", async () => {
    expectNoFault(await proveJson(target), 318);
  });

  test("names of prototypes are ordinary", async () => {
    expectNoFault(await provePollution(target, { shapes: 20, seed }), 180);
  });

  test("many concurrent clients are isolated", async () => {
    expectNoFault(await proveIsolation(target, { requests: 2_000 }), 2_000);
  });

  test("only disconnected clients are aborted", async () => {
    expectNoFault(await proveAborts(target, { aborts: 200, seed }), 200);
  });

  test.runIf(runtime === "node")("the log has one line for each, without secrets", async () => {
    expectNoFault(await proveLogs(target, { requests: 400, seed }), 400);
  });
});

test("every kind of error at every place has the same response", async () => {
  const finding = await proveErrors();
  expectNoFault(finding, 270);
  expect(finding.counts.get("500")).toBe(250);
  expect(finding.counts.get("503")).toBe(20);
}, 60_000);

describe("upgrades and expectations among other requests on Node", () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget("node");
  });
  afterAll(() => target.stop());

  const statuses = async (...requests: ReturnType<typeof requestBytes>[]): Promise<number[]> => {
    const { answers, problem } = await converse(target.port, requests, { timeoutMs: 5_000 });
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

  test("an interim response is never inside another response", async () => {
    const expecting = requestBytes("GET", "/fails/nothing", [["Expect", "100-continue"]]);
    expect(await statuses(slow, expecting, requestBytes("GET", "/path/a", []))).toEqual([
      200, 500, 200,
    ]);
  });

  test("a handshake that gets a long page", async () => {
    expect(await statuses(requestBytes("GET", "/docs", webSocket))).toEqual([200]);
  });

  test("a handshake after a pending response does not truncate it", async () => {
    expect(await statuses(slow, requestBytes("GET", "/socket", webSocket))).toContain(200);
  });

  test("a pipelined request with Expect gets 100 Continue in its turn", async () => {
    const json = ["Content-Type", "application/json"] as const;
    const expecting = requestBytes("POST", "/echo", [json, ["Expect", "100-continue"]], "{}");
    const last = requestBytes("GET", "/path/a", []);
    expect(await statuses(slow, expecting, expecting, last)).toEqual([200, 200, 200, 200]);
  });

  test("a handshake after a long pending page", async () => {
    const long = requestBytes("GET", "/docs", []);
    expect(await statuses(slow, long, requestBytes("GET", "/path/a", webSocket))).toEqual([
      200, 200, 200,
    ]);
  });

  test("handshakes with ordinary responses keep neither the connection nor the process open", async () => {
    const own = await startTarget("node");
    const openOnes = async (): Promise<number> => {
      const { answers } = await converse(own.port, [requestBytes("GET", "/process", [])]);
      return (JSON.parse(answers[0]?.body.toString() ?? "") as { handles: number }).handles;
    };
    const before = await openOnes();
    const refused = requestBytes("GET", "/path/a", webSocket);
    // Bytes after the handshake are not read.
    const behind = requestBytes("POST", "/echo", [], "x".repeat(200_000));
    for (let i = 0; i < 20; i += 1) await converse(own.port, [refused, behind]);
    await expect.poll(openOnes, { timeout: 3_000 }).toBeLessThan(before + 10);
    expect(await own.stop()).toBe(true);
  });

  test("pipelined upgrades to other protocols each get a response, without a log line", async () => {
    const wish = requestBytes("GET", "/path/a", [
      ["Connection", "Upgrade"],
      ["Upgrade", "h2c"],
    ]);
    const sent = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? slow : wish));
    expect(await statuses(...sent)).toEqual(sent.map(() => 200));
    expect(target.takeLines().filter((line) => line.includes("Warning"))).toEqual([]);
    expect(target.hasEnded()).toBe(false);
  });
});
