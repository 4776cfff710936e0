import { EspalierError, text } from "espalier";
import { describe, expect, test, vi } from "vitest";
import type { AllowedOrigins } from "../../src/middleware/allowed-origins.ts";
import { CorsMiddleware } from "../../src/middleware/cors.ts";
import type { CorsOptions } from "../../src/middleware/cors-options.ts";
import { addOutcomes, createApp, outcomes } from "./support/app.ts";
import { type CorsCase, expectedAnswer } from "./support/cors-model.ts";

const first = "https://a.example";
const second = "http://b.example:8080";

interface Ask {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** `Access-Control-Request-Method`: on `OPTIONS` with an origin it makes a preflight. */
  readonly requestedMethod?: string;
  /** `Access-Control-Request-Headers` */
  readonly headers?: string | undefined;
}

function corsApp(options: CorsOptions) {
  const { app } = createApp([new CorsMiddleware(options)]);
  addOutcomes(app);
  return app;
}

function preflight(path: string, headers: Record<string, string> = {}): Request {
  return new Request(`http://localhost${path}`, {
    method: "OPTIONS",
    headers: { origin: first, "access-control-request-method": "POST", ...headers },
  });
}

describe("the matrix of origins, modes, outcomes and requests", () => {
  const forms: readonly (readonly [string, AllowedOrigins, CorsCase["allowed"]])[] = [
    ["*", "*", "*"],
    ["a list of *", ["*"], "*"],
    ["one", first, [first]],
    ["a list", [first, second], [first, second]],
    ["a list with null", [first, "null"], [first, "null"]],
    ["no origin", [], []],
    ["a function", (origin) => origin === second, [second]],
    ["an async function", async (origin) => origin.startsWith("https://"), [first]],
  ];
  const origins = [undefined, first, second, "null", "http://evil.example"];
  const modes = [
    { credentials: false, exposed: [], headers: undefined, maxAge: undefined },
    { credentials: true, exposed: ["X-Total", "ETag"], headers: undefined, maxAge: 600 },
    { credentials: false, exposed: ["X-Total"], headers: ["X-Token"], maxAge: 0 },
  ];
  const requested = [
    undefined,
    "x-token",
    "content-type, x-token",
    "x-a,  X-B",
    "x a",
    "x-a, x b",
    "x\u00e9",
  ];

  test("equals the reference model in every combination", async () => {
    let compared = 0;
    for (const [form, option, allowed] of forms) {
      for (const mode of modes) {
        if ((allowed === "*" || allowed?.includes("null")) && mode.credentials) continue;
        const app = corsApp({
          origins: option,
          credentials: mode.credentials,
          exposedHeaders: mode.exposed,
          ...(mode.headers === undefined ? {} : { allowedHeaders: mode.headers }),
          ...(mode.maxAge === undefined ? {} : { maxAge: mode.maxAge }),
        });
        for (const origin of origins) {
          const asks: readonly Ask[] = [
            ...outcomes.map(([method, path, status]) => ({ method, path, status })),
            // Clients can send the header of a preflight with another method.
            ...outcomes
              .filter(([method]) => method !== "OPTIONS")
              .map(([method, path, status]) => ({ method, path, status, requestedMethod: "POST" })),
            ...["/posted", "/nowhere"].flatMap((path) =>
              requested.map((headers) => ({
                method: "OPTIONS",
                path,
                requestedMethod: "POST",
                status: path === "/posted" ? 204 : 404,
                headers,
              })),
            ),
          ];
          for (const ask of asks) {
            const one: CorsCase = {
              ...mode,
              allowed,
              origin,
              method: ask.method,
              status: ask.status,
              requestedMethod: ask.requestedMethod,
              requestedHeaders: ask.headers,
              vary: undefined,
            };
            const headers = new Headers();
            if (origin !== undefined) headers.set("origin", origin);
            if (one.requestedMethod) {
              headers.set("access-control-request-method", one.requestedMethod);
            }
            if (one.requestedHeaders) {
              headers.set("access-control-request-headers", one.requestedHeaders);
            }
            const response = await app.request(ask.path, { method: ask.method, headers });
            const expected = expectedAnswer(one);
            const actual = Object.fromEntries(
              Object.keys(expected).map((name) => [
                name,
                name === "status"
                  ? response.status
                  : (response.headers.get(name) ?? (name === "vary" ? "" : null)),
              ]),
            );
            expect(actual, `${form} ${origin} ${JSON.stringify(ask)}`).toEqual(expected);
            compared += 1;
          }
        }
      }
    }
    // 8 forms, 3 modes less the 3 of * and null with credentials, 5 origins; 16 outcomes, 15 of them again, and
    // 14 preflights.
    expect(compared).toBe(21 * 5 * 45);
  });
});

test("rejects lookalikes of an allowed origin", async () => {
  const app = corsApp({ origins: [first], credentials: true });
  const lookalikes = [
    "https://a.example.evil",
    "https://evila.example",
    "http://a.example",
    "https://a.example:443",
    "https://a.example/",
    "https://A.example",
    "https://a.example, https://b.example",
    "null",
    "",
    "https://a.example%60",
    "*",
  ];
  for (const origin of lookalikes) {
    const response = await app.request("/ok", { headers: { origin } });
    expect(response.headers.get("access-control-allow-origin"), origin).toBeNull();
    expect(response.headers.get("access-control-allow-credentials"), origin).toBeNull();
    expect(response.headers.get("vary"), origin).toBe("Origin");
  }
});

test("does not call a function with null", async () => {
  const isAllowed = vi.fn(() => true);
  const app = corsApp({ origins: isAllowed });
  const allowed = async (origin: string) =>
    (await app.request("/ok", { headers: { origin } })).headers.get("access-control-allow-origin");
  expect(await allowed(first)).toBe(first);
  expect(await allowed("null")).toBeNull();
  expect(isAllowed).toHaveBeenCalledOnce();
});

test("passes the context to the function, and responds with 500 if it fails", async () => {
  const app = corsApp({
    origins: async (_origin, ctx) => {
      if (ctx.route?.pattern === "/failing") throw new Error("no list");
      return ctx.route?.pattern === "/ok";
    },
  });
  const ok = await app.request("/ok", { headers: { origin: first } });
  expect(ok.headers.get("access-control-allow-origin")).toBe(first);
  expect((await app.request("/failing", { headers: { origin: first } })).status).toBe(500);
});

test("adds to Vary once and keeps existing values", async () => {
  const app = corsApp({ origins: [first] });
  const varies = ["Accept-Encoding", "origin", "Accept, ORIGIN", "*"];
  for (const [index, vary] of varies.entries()) {
    app.getRouter().get(`/vary/${index}`, () => new Response("x", { headers: { vary } }));
  }
  const seen = await Promise.all(
    varies.map(async (_, index) => (await app.request(`/vary/${index}`)).headers.get("vary")),
  );
  expect(seen).toEqual(["Accept-Encoding, Origin", "origin", "Accept, ORIGIN", "*"]);
});

test("handles preflights before authentication, rate limits and routing", async () => {
  const { app } = createApp([new CorsMiddleware({ origins: [first] })]);
  let guarded = 0;
  let handled = 0;
  app.middleware("guard", () => {
    guarded += 1;
    return text("who are you", 401);
  });
  app.getRouter().group("/private", { middleware: ["guard"] }, (group) => {
    group.post("/", () => {
      handled += 1;
      return text("made");
    });
    group.options("/own", () => text("own"));
  });
  for (const path of ["/private", "/private/own", "/unknown", "/private/%zz"]) {
    const response = await app.fetch(preflight(path));
    expect(response.status, path).toBe(204);
    expect(response.headers.get("access-control-allow-methods"), path).toContain("POST");
    expect(await response.text()).toBe("");
  }
  expect([guarded, handled]).toEqual([0, 0]);

  // Without Access-Control-Request-Method or Origin, it is an ordinary OPTIONS request.
  for (const headers of [{ origin: first }, { "access-control-request-method": "POST" }]) {
    const response = await app.request("/private/own", { method: "OPTIONS", headers });
    expect(response.status).toBe(401);
  }
  expect(guarded).toBe(2);
});

test("limits the repeated headers of a preflight", async () => {
  const app = corsApp({ origins: [first] });
  const allowed = async (names: string) => {
    const request = preflight("/ok", { "access-control-request-headers": names });
    return (await app.fetch(request)).headers.get("access-control-allow-headers");
  };
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `x-${index}`);
  expect(await allowed(numbered(64).join(","))).toBe(numbered(64).join(", "));
  for (const names of [numbered(65).join(), numbered(500).join(), `x-${"a".repeat(10_000)}`, ""]) {
    expect(await allowed(names)).toBeNull();
  }
  expect(await allowed(`x-${"a".repeat(2_046)}`)).toBe(`x-${"a".repeat(2_046)}`);
  expect(await allowed(`x-${"a".repeat(2_047)}`)).toBeNull();

  const fixed = corsApp({ origins: [first], allowedHeaders: ["X-Token"] });
  const request = preflight("/ok", { "access-control-request-headers": "x".repeat(10_000) });
  expect((await fixed.fetch(request)).headers.get("access-control-allow-headers")).toBe("X-Token");
});

test("is on six kinds of responses that are often forgotten", async () => {
  const app = corsApp({ origins: [first] });
  const router = app.getRouter();
  app.middleware("limited", () => text("slow down", 429));
  router.get("/limited", () => text("never"), { middleware: ["limited"] });
  for (const path of ["/nowhere", "/invalid", "/failing", "/unauthorised", "/limited", "/thrown"]) {
    const response = await app.request(path, { headers: { origin: first } });
    expect(response.status, path).toBeGreaterThanOrEqual(400);
    expect(response.headers.get("access-control-allow-origin"), path).toBe(first);
    expect(response.headers.get("vary"), path).toBe("Origin");
  }
});

test("keeps every cookie, and handles immutable responses", async () => {
  const app = corsApp({ origins: [first] });
  const cookies = await app.request("/cookies", { headers: { origin: first } });
  expect(cookies.headers.getSetCookie()).toEqual([
    "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT",
    "b=2",
  ]);
  const moved = await app.request("/immutable", { headers: { origin: first } });
  expect(moved.headers.get("access-control-allow-origin")).toBe(first);
  expect(moved.headers.get("location")).toBe("http://localhost/elsewhere");
});

describe("construction", () => {
  const codeOf = (options: unknown): string | undefined => {
    try {
      new CorsMiddleware(options as CorsOptions);
      return undefined;
    } catch (error) {
      return error instanceof EspalierError ? error.code : String(error);
    }
  };

  test("rejects the origin null with credentials: any page can have it", () => {
    for (const origins of ["null", ["null"], [first, "null"]]) {
      expect(() => new CorsMiddleware({ origins, credentials: true })).toThrow(
        'The option "origins" of CorsMiddleware must be a list of origins without "null" when credentials is true, got "null".',
      );
      expect(() => new CorsMiddleware({ origins })).not.toThrow();
    }
  });

  test("rejects * with credentials in every list", () => {
    for (const options of [
      { origins: "*", credentials: true },
      { origins: ["*"], credentials: true },
      { credentials: true },
      { origins: [first], credentials: true, methods: ["*"] },
      { origins: [first], credentials: true, allowedHeaders: ["*"] },
      { origins: [first], credentials: true, exposedHeaders: ["*"] },
    ]) {
      expect(codeOf(options), JSON.stringify(options)).toBe("ERR_MIDDLEWARE_BAD_OPTION");
    }
    expect(() => new CorsMiddleware({ origins: "*", credentials: true })).toThrow(
      'The option "origins" of CorsMiddleware must be a list of names without "*" when credentials is true, got "*".',
    );
  });

  test("rejects values that no browser sends as an origin, with the expected form", () => {
    for (const origin of [
      "a.example",
      "https://*.a.example",
      `${first}/`,
      "https://a.example:443",
      "",
    ]) {
      expect(codeOf({ origins: [origin] }), origin).toBe("ERR_MIDDLEWARE_BAD_OPTION");
    }
    expect(() => new CorsMiddleware({ origins: "https://B\u00fccher.example/" })).toThrow(
      'written as browsers send it, "https://xn--bcher-kva.example", got',
    );
    expect(codeOf({ origins: ["capacitor://localhost", "http://localhost:3000"] })).toBeUndefined();
  });

  const list = "a list of names of letters, digits and hyphens";
  test.each([
    [
      { origins: [first, "*"] },
      "origins",
      '"*" alone or a list without "*", got ["https://a.example", "*"]',
    ],
    [{ origins: 1 }, "origins", "an origin, a list of origins or a function, got 1"],
    [{ origins: [1] }, "origins", 'an origin such as "https://app.example", got 1'],
    [
      { origins: ["a.example"] },
      "origins",
      'an origin such as "https://app.example", without path and wildcard, got "a.example"',
    ],
    [{ methods: "GET" }, "methods", 'a list of names, got "GET"'],
    [{ methods: ["GE T"] }, "methods", `${list}, got "GE T"`],
    [{ methods: [1] }, "methods", `${list}, got 1`],
    [{ allowedHeaders: ["x:y"] }, "allowedHeaders", `${list}, got "x:y"`],
    [{ exposedHeaders: ["x\r\ny"] }, "exposedHeaders", `${list}, got "x\\r\\ny"`],
    [{ maxAge: 1.5 }, "maxAge", "an integer of at least 0, got 1.5"],
    [{ maxAge: -1 }, "maxAge", "an integer of at least 0, got -1"],
    [{ maxAge: Number.NaN }, "maxAge", "an integer of at least 0, got NaN"],
  ])("refuses %j and says what is expected", (options, option, expected) => {
    expect(codeOf(options)).toBe("ERR_MIDDLEWARE_BAD_OPTION");
    expect(() => new CorsMiddleware(options as CorsOptions)).toThrow(
      `The option "${option}" of CorsMiddleware must be ${expected}.`,
    );
  });

  test("accepts the origins of web views exactly", () => {
    for (const origin of ["capacitor://localhost", "web2app://localhost", "app+x.y-z://host:81"]) {
      expect(codeOf({ origins: [origin] }), origin).toBeUndefined();
    }
    for (const origin of [
      " capacitor://localhost",
      "capacitor://localhost/",
      "capacitor://localhost ",
      "capacitor://u@localhost",
      "capacitor:localhost",
      "Capacitor://localhost",
    ]) {
      expect(codeOf({ origins: [origin] }), origin).toBe("ERR_MIDDLEWARE_BAD_OPTION");
    }
  });

  test("treats a star within a name as a letter, also with credentials", () => {
    expect(
      codeOf({ origins: [first], credentials: true, exposedHeaders: ["x-*", "x-b"] }),
    ).toBeUndefined();
  });

  test("is * without credentials by default", async () => {
    const response = await corsApp({}).request("/ok");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("vary")).toBeNull();
  });
});
