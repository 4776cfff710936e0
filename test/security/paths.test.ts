import { Application, text } from "espalier";
import { describe, expect, test } from "vitest";
import { Random } from "../support/random.ts";
import { exchange, statusOf } from "../support/raw-http.ts";
import { createHostileTarget } from "./application.ts";
import { randomSpelling } from "./spelling.ts";
import { describeTargets, type HostileAnswer } from "./targets.ts";

const handlerOf = ({ headers }: HostileAnswer): string | null => headers.get("x-handler");

const guardedPaths = ["/area", "/area/deep/7", "/area/x"] as const;
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"] as const;

/** Returns true if a response shows that a guarded handler ran without its guard. */
function isBypass(answer: { readonly headers: Headers; readonly body: string }): boolean {
  if (answer.headers.get("x-handler") !== "area") return false;
  return answer.headers.get("x-guard") === null || answer.body === "false";
}

describeTargets("paths", (send, name, port) => {
  test.each(["/%61dmin", "/adm%69n", "/%41dmin", "/%61%64%6d%69%6E", "/admi%6e"])(
    "the spelling %s of a guarded path never passes its guard",
    async (path) => {
      const answer = await send({ path });
      expect([401, 404]).toContain(answer.status);
      expect(handlerOf(answer)).toBeNull();
    },
  );

  test("an escaped letter is that letter, so the guard runs", async () => {
    expect((await send({ path: "/%61dmin" })).status).toBe(401);
    const headers = { authorization: "Bearer letmein" };
    expect(handlerOf(await send({ path: "/%61dmin", headers }))).toBe("admin");
  });

  test.each([
    "//admin",
    "/admin//",
    "/ADMIN",
    "/admin;a=b",
    "/admin%2F",
    "/admin%5C",
    "/admin%5c",
    "/./admin",
    "/x/../admin",
    "/x/%2e%2e/admin",
    "/%2e/admin",
    "\\admin",
    "/\\admin",
    "/admin/.",
    "/admin/..;/admin",
    "/admin%00",
    "/admin%20",
    "/admin%3Fx",
    "/admin#x",
    "/admin.",
  ])("%s is the guarded route or unmatched", async (path) => {
    // A client of HTTP cannot send a path that does not begin with a slash.
    const answer = await send({ path: path.startsWith("/") ? path : `/${path}` });
    expect([400, 401, 404]).toContain(answer.status);
    expect(handlerOf(answer)).toBeNull();
  });

  test.each(["/admin/", "/admin/?", "/admin/?x=/", "/admin?/public"])(
    "%s does not skip the guard",
    async (path) => {
      const answer = await send({ path });
      expect([401, 404]).toContain(answer.status);
      expect(handlerOf(answer)).toBeNull();
    },
  );

  test("a group's prefix with and without slash has the same status and middleware", async () => {
    const [bare, slashed] = [await send({ path: "/api/v1" }), await send({ path: "/api/v1/" })];
    expect([bare.status, slashed.status]).toEqual([200, 200]);
    expect([bare.headers.get("x-guard"), slashed.headers.get("x-guard")]).toEqual([
      "/api/v1",
      "/api/v1",
    ]);
  });

  test("of 2,000 random spellings no handler runs without its guard", async () => {
    if (name === "in process") return;
    const random = new Random(0x504);
    const reached = new Set<string>();
    let violations = 0;
    for (let round = 0; round < 250; round++) {
      const calls = methods.map((method) => ({
        method,
        path: randomSpelling(random, random.pick(guardedPaths)),
      }));
      const answers = await Promise.all(calls.map((call) => send(call)));
      for (const [index, answer] of answers.entries()) {
        if (handlerOf(answer) === "area") reached.add(calls[index]?.path ?? "");
        if (isBypass(answer)) violations += 1;
        expect(answer.status).toBeLessThan(500);
      }
    }
    expect(violations).toBe(0);
    expect(reached.size).toBeGreaterThan(100);
  });

  test("a group's prefix matches complete segments", async () => {
    for (const path of ["/areas/x", "/area-public/x"]) {
      const answer = await send({ path });
      expect([handlerOf(answer), answer.headers.get("x-guard")]).toEqual(["neighbour", null]);
    }
    expect((await send({ path: "/areax" })).status).toBe(404);
    expect((await send({ path: "/area/x" })).headers.get("x-guard")).toBe("/area/x");
  });

  test("a Host header does not bypass a guard", async () => {
    if (name === "in process") return;
    for (const host of ["a/../b?", "a#b", "user@evil", "localhost:3000/public?", "a/admin?"]) {
      const response = await exchange(
        port(),
        `GET /admin HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(response.toLowerCase()).not.toContain("x-handler: admin");
      // workerd builds the URL itself and may derive another path: then that path's route responds.
      if (name === "on Node") {
        expect(statusOf(response)).toBe(400);
        expect(response).not.toContain("/public");
      }
    }
  });

  test("parameters under prefixes that are not ASCII are exact", async () => {
    const answers: [string, string, unknown][] = [
      ["/%C3%BC/a%20%C3%BC", "umlaut", { id: "a ü" }],
      ["/%c3%bc/%E6%97%A5", "umlaut", { id: "日" }],
      ["/%E6%97%A5%E6%9C%AC/x%2Fy", "japan", { id: "x/y" }],
      ["/a%20b/c%25d", "blank", { id: "c%d" }],
      ["/%61%20b/%2525", "blank", { id: "%25" }],
    ];
    for (const [path, handler, params] of answers) {
      const answer = await send({ path });
      expect([handlerOf(answer), JSON.parse(answer.body)]).toEqual([handler, params]);
    }
    expect((await send({ path: "/%C3%BC/%zz" })).status).toBe(400);
    expect((await send({ path: "/%C3/x" })).status).toBe(404);
  });

  test.each([
    ["/t/%", 400],
    ["/t/%zz", 400],
    ["/t/%E0%A4%A", 400],
    ["/t/%F0%27%22%3C", 400],
    ["/t/%ED%A0%80", 400],
    ["/t/%00", 200],
    ["/t/%25", 200],
    ["/t/%2525", 200],
    ["/two/a/%", 400],
    ["/rest/a/%C3", 400],
    ["/none/%", 404],
  ])("the escape in %s is a %i, never a 500", async (path, status) => {
    const answer = await send({ path });
    expect(answer.status).toBe(status);
    if (path === "/t/%25") expect(JSON.parse(answer.body)).toBe("%");
    if (path === "/t/%2525") expect(JSON.parse(answer.body)).toBe("%25");
  });

  test("forwarded scheme and host do not change the URL", async () => {
    const instanceOf = async (headers: Record<string, string>): Promise<unknown> =>
      (JSON.parse((await send({ path: "/nothing?a=b", headers })).body) as { instance: unknown })
        .instance;
    const plain = await instanceOf({});
    expect(plain).toMatch(/^http:\/\/[\w.]+(?::\d+)?\/nothing\?a=b$/);
    for (const [header, value] of [
      ["x-forwarded-host", "evil.example"],
      ["x-forwarded-proto", "https"],
      ["x-forwarded-port", "1"],
      ["x-forwarded-server", "evil.example"],
      ["x-host", "evil.example"],
      ["x-original-host", "evil.example"],
      ["forwarded", "for=1.1.1.1;host=evil.example;proto=https"],
      ["x-url-scheme", "https"],
      ["front-end-https", "on"],
    ] as const) {
      // Miniflare makes workerd trust it, since it simulates the edge, which sets the header.
      if (name === "in workerd" && header === "x-forwarded-proto") continue;
      expect([header, await instanceOf({ [header]: value })]).toEqual([header, plain]);
    }
  });

  test("headers and form fields do not override method or path", async () => {
    const tricks = {
      "x-middleware-subrequest": "middleware:middleware:middleware",
      "x-http-method-override": "DELETE",
      "x-http-method": "DELETE",
      "x-method-override": "DELETE",
      "x-original-url": "/public",
      "x-rewrite-url": "/public",
      "x-forwarded-uri": "/public",
      "x-forwarded-prefix": "/public",
      "x-forwarded-path": "/public",
    };
    for (const [header, value] of Object.entries(tricks)) {
      const answer = await send({ path: "/admin", headers: { [header]: value } });
      expect([header, answer.status, handlerOf(answer)]).toEqual([header, 401, null]);
    }
    const form = await send({
      method: "POST",
      path: "/admin?_method=GET",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "_method=GET",
    });
    expect([form.status, handlerOf(form)]).toEqual([405, null]);
  });

  test("HEAD runs the guard of GET, OPTIONS runs no handler", async () => {
    const guarded = await send({ method: "HEAD", path: "/admin" });
    expect([guarded.status, guarded.body, handlerOf(guarded)]).toEqual([401, "", null]);
    const [get, head] = [
      await send({ path: "/public" }),
      await send({ method: "HEAD", path: "/public" }),
    ];
    expect([head.status, head.body, head.headers.get("content-type"), handlerOf(head)]).toEqual([
      get.status,
      "",
      get.headers.get("content-type"),
      "public",
    ]);
    const options = await send({ method: "OPTIONS", path: "/admin" });
    expect([options.status, options.body, handlerOf(options)]).toEqual([204, "", null]);
  });

  test("TRACE, CONNECT and methods in other cases reach no handler and are not echoed", async () => {
    if (name === "in process") return;
    // workerd passes CONNECT to a special handler, which a worker does not have.
    const tunnels = name === "on Node" ? ["CONNECT"] : [];
    for (const method of ["TRACE", "get", "GeT", "FOO", ...tunnels]) {
      const response = await exchange(
        port(),
        `${method} /public HTTP/1.1\r\nHost: localhost\r\nX-Canary: echoed\r\nConnection: close\r\n\r\n`,
        1000,
      );
      // A runtime may reject such a method itself, also by closing the connection.
      expect(statusOf(response) ?? 400).toBeGreaterThanOrEqual(400);
      expect(response.toLowerCase()).not.toContain("x-handler");
      expect(response).not.toContain("echoed");
    }
  });
});

describe("spellings in process", () => {
  test("of 100,000 random spellings no handler runs without its guard", async () => {
    const app = createHostileTarget();
    const random = new Random(0x5040);
    let violations = 0;
    let reached = 0;
    for (let round = 0; round < 100_000; round++) {
      const path = randomSpelling(random, random.pick(guardedPaths));
      const request = new Request(`http://localhost${path}`, { method: random.pick(methods) });
      const { headers, status, body } = await app.fetch(request);
      if (status >= 500) throw new Error(`${request.method} ${path} gave ${status}`);
      if (headers.get("x-handler") === "area") {
        reached += 1;
        if (headers.get("x-guard") === null) violations += 1;
      }
      body?.cancel();
    }
    expect(violations).toBe(0);
    expect(reached).toBeGreaterThan(5000);
  }, 120_000);

  test("a guard that rejects blocks every spelling", async () => {
    const app = new Application({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
    let runs = 0;
    app.middleware("block", () => text("no", 401));
    app.getRouter().group("/area", { middleware: ["block"] }, (group) => {
      group.all("/*", () => text(String(++runs)));
    });
    const random = new Random(0x5041);
    let blocked = 0;
    for (let round = 0; round < 10_000; round++) {
      const path = randomSpelling(random, "/area/deep/7");
      const { status } = await app.request(`http://localhost${path}`);
      if (status === 401) blocked += 1;
    }
    expect(runs).toBe(0);
    expect(blocked).toBeGreaterThan(1000);
  });
});

describe("the URL behind a socket", () => {
  test("instance is the requested path, whatever the request line", async () => {
    const app = createHostileTarget();
    const { port } = await app.listen({ port: 0, gracefulSignals: false });
    try {
      const absolute = await exchange(
        port,
        "GET http://evil.example/nowhere?a=/public HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      );
      expect(statusOf(absolute)).toBe(404);
      expect(absolute).toMatch(/"instance":"http:\/\/[^/"]+\/nowhere\?a=\/public"/);
      const guarded = await exchange(
        port,
        "GET http://localhost/admin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      );
      expect(statusOf(guarded)).toBe(401);
    } finally {
      await app.stop();
    }
  });
});
