import { describe, expect, test } from "vitest";
import { parseTraceParent } from "../../src/http/trace-context.ts";
import { Application, json } from "../../src/index.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const app = new Application();
app.getRouter().get("/trace", (ctx) => json({ ...ctx.trace, again: ctx.trace.spanId }));

async function traceOf(traceparent?: string): Promise<Record<string, string>> {
  const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent };
  return (await app.request("/trace", { headers })).json() as Promise<Record<string, string>>;
}

describe("ctx.trace (W3C Trace Context)", () => {
  test("continues the caller's trace with a new span", async () => {
    const trace = await traceOf(`00-${traceId}-${parentId}-01`);
    expect(trace["traceId"]).toBe(traceId);
    expect(trace["spanId"]).toMatch(/^[0-9a-f]{16}$/);
    expect(trace["spanId"]).not.toBe(parentId);
    expect(trace["again"]).toBe(trace["spanId"]);
    expect(trace["traceparent"]).toBe(`00-${traceId}-${trace["spanId"]}-01`);
  });

  test("starts a new one, not sampled, without a caller's", async () => {
    const [one, two] = await Promise.all([traceOf(), traceOf()]);
    expect(one?.["traceparent"]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(one?.["traceId"]).not.toBe(two?.["traceId"]);
  });

  test.each([
    ["", undefined],
    ["junk", undefined],
    [`00-${traceId}-${parentId}`, undefined],
    [`00-${traceId}-${parentId}-01-more`, undefined],
    [`ff-${traceId}-${parentId}-01`, undefined],
    [`00-${"0".repeat(32)}-${parentId}-01`, undefined],
    [`00-${traceId}-${"0".repeat(16)}-01`, undefined],
    [`00-${traceId.toUpperCase()}-${parentId}-01`, undefined],
    [`00-${traceId}-${parentId}-0g`, undefined],
    [`01-${traceId}-${parentId}-01-${"x".repeat(300)}`, undefined],
    [`cc-${traceId}-${parentId}-01-what-the-future-brings`, "01"],
    [`00-${traceId}-${parentId}-ff`, "ff"],
  ])("%s", (header, flags) => {
    expect(parseTraceParent(header)).toEqual(
      flags === undefined ? undefined : { traceId, parentId, flags },
    );
  });

  test("two traceparent headers count as missing", async () => {
    const headers = new Headers();
    headers.append("traceparent", `00-${traceId}-${parentId}-01`);
    headers.append("traceparent", `00-${traceId}-${parentId}-01`);
    const trace = (await (await app.request("/trace", { headers })).json()) as { traceId: string };
    expect(trace.traceId).not.toBe(traceId);
  });
});
