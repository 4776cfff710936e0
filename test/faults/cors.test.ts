import { CorsMiddleware, type CorsOptions, CsrfMiddleware, text } from "espalier";
import { describe, expect, test } from "vitest";
import { createApp } from "../middleware/support/app.ts";

const page = "https://app.example";

describe("a function that decides about origins", () => {
  const decisions: readonly (readonly [string, unknown, string])[] = [
    ["the origin, as in Hono", page, `"${page}"`],
    ["null", null, "null"],
    ["undefined", undefined, "undefined"],
    ["a number", 1, "1"],
  ];

  test.each(decisions)("is an error that shows %s", async (_name, decision, shown) => {
    const origins = (() => decision) as never;
    for (const middleware of [new CorsMiddleware({ origins }), new CsrfMiddleware({ origins })]) {
      const { app, lines } = createApp([middleware]);
      app.getRouter().post("/", () => text("x"));
      const response = await app.request("/", { method: "POST", headers: { origin: page } });
      expect(response.status).toBe(500);
      expect(lines).toMatchObject([
        {
          error: {
            code: "ERR_MIDDLEWARE_BAD_OPTION",
            message: expect.stringContaining(`must return true or false, got ${shown}.`),
          },
        },
      ]);
    }
  });

  test.each([true, false])("may return %s, or a promise of it", async (decision) => {
    for (const origins of [() => decision, async () => decision]) {
      const { app } = createApp([new CorsMiddleware({ origins })]);
      app.getRouter().get("/", () => text("x"));
      const { headers } = await app.request("/", { headers: { origin: page } });
      expect(headers.get("access-control-allow-origin")).toBe(decision ? page : null);
    }
  });
});

test("the option origin is an error that names origins", () => {
  expect(() => new CorsMiddleware({ origin: page } as never)).toThrow(
    'CorsMiddleware: unknown option "origin". Did you mean "origins"?',
  );
});

describe("a preflight of a page in a public network", () => {
  async function preflight(options: CorsOptions, asked: string | undefined, origin = page) {
    const { app } = createApp([new CorsMiddleware({ origins: [page], ...options })]);
    const headers = new Headers({ origin, "access-control-request-method": "POST" });
    if (asked !== undefined) headers.set("access-control-request-private-network", asked);
    const response = await app.request("/", { method: "OPTIONS", headers });
    expect(response.status).toBe(204);
    return [
      response.headers.get("access-control-allow-private-network"),
      response.headers.get("vary")?.includes("Access-Control-Request-Private-Network"),
    ];
  }

  test("is allowed with allowPrivateNetwork", async () => {
    expect(await preflight({ allowPrivateNetwork: true }, "true")).toEqual(["true", true]);
  });

  test("is not allowed by default, when it does not ask, and for another page", async () => {
    expect(await preflight({}, "true")).toEqual([null, false]);
    expect(await preflight({ allowPrivateNetwork: true }, undefined)).toEqual([null, true]);
    expect(await preflight({ allowPrivateNetwork: true }, "yes")).toEqual([null, true]);
    const other = await preflight({ allowPrivateNetwork: true }, "true", "https://other.example");
    expect(other).toEqual([null, true]);
  });

  test("is not allowed outside a preflight", async () => {
    const { app } = createApp([new CorsMiddleware({ allowPrivateNetwork: true })]);
    app.getRouter().get("/", () => text("x"));
    const headers = { origin: page, "access-control-request-private-network": "true" };
    const response = await app.request("/", { headers });
    expect(response.headers.has("access-control-allow-private-network")).toBe(false);
  });
});
