import { setFlagsFromString } from "node:v8";
import { Application, json } from "espalier";
import { expect, test } from "vitest";
import { resolveBodyLimits } from "../../src/http/body-options.ts";
import { RequestContext } from "../../src/http/context.ts";
import { RequestBody } from "../../src/http/context-body.ts";
import { parseJsonText } from "../../src/http/json-body.ts";
import { describeError } from "../../src/observability/logger.ts";
import { ruleValidator } from "../../src/validation/compile.ts";

setFlagsFromString("--allow-natives-syntax");
/** Returns whether V8 has one shape for two objects. */
const haveSameShape = new Function("a", "b", "return %HaveSameMap(a, b)") as (
  a: object,
  b: object,
) => boolean;

/** Returns the object of its class that always exists. */
function sampleOf(instance: object): object {
  return (instance.constructor as unknown as { readonly sample: object }).sample;
}

const rules = {
  title: { type: "string", required: true },
  pages: { type: "integer", required: true },
} as const;

/** Sends a request, and returns its context. */
async function request(): Promise<RequestContext> {
  const app = new Application();
  const seen: RequestContext[] = [];
  const handler = (ctx: RequestContext) => {
    seen.push(ctx);
    return json(ctx.validated);
  };
  app.getRouter().post("/books", handler, { validation: { body: rules } });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ title: "Emma", pages: 474 });
  const response = await app.request("/books", { method: "POST", headers, body });
  expect(response.status).toBe(200);
  return seen[0] as RequestContext;
}

test("shapes can be compared", () => {
  expect(haveSameShape({ a: 1 }, { a: "b" })).toBe(true);
  expect(haveSameShape({ a: 1 }, { b: 1 })).toBe(false);
});

test("a context and its body have the shapes of the samples", async () => {
  const ctx = await request();
  expect(haveSameShape(ctx, RequestContext.internalSample)).toBe(true);
  expect(haveSameShape(ctx.internalBody as RequestBody, RequestBody.sample)).toBe(true);
});

test("validated values have the shapes of the sample of their rules", async () => {
  const ctx = await request();
  const route = { method: "POST", parameters: [] };
  const grouped = ruleValidator([{ body: rules }], route) as unknown as {
    sample: { body: object };
  };
  const { body } = ctx.validated as { body: object };
  expect(haveSameShape(body, grouped.sample.body)).toBe(true);
  expect(Object.keys(grouped.sample.body)).toEqual(["title", "pages"]);
});

test("a JSON body and the record of an error have the shapes of the samples", () => {
  const parsed = parseJsonText('{"a":1}', 7, resolveBodyLimits({}));
  expect(haveSameShape(parsed, sampleOf(parsed))).toBe(true);
  const record = describeError(new TypeError("The shelf is broken."));
  expect(haveSameShape(record, sampleOf(record))).toBe(true);
});
