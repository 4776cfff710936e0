import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasCurl } from "./curl-lines.ts";
import { assertions } from "./realworld-assertions.ts";
import { anonymous, call, join, password, publish } from "./realworld-client.ts";
import { mistakes } from "./realworld-mistakes.ts";
import {
  type Conduit,
  type ConduitServer,
  openConduit,
  startConduit,
} from "./realworld-servers.ts";
import { type Send, sendTo } from "./send.ts";

const everything = [...assertions, ...mistakes];

describe("the RealWorld API on Node, with SQLite", () => {
  let app: Conduit;
  let lines: string[];
  const send: Send = (path, init) => app.request(path, init);
  beforeAll(async () => {
    lines = [];
    const keep = (...entries: unknown[]): void => void lines.push(JSON.stringify(entries));
    app = await openConduit({ debug: keep, info: keep, warn: keep, error: keep });
  });
  afterAll(() => app.stop());
  for (const { title, run } of everything) test(title, () => run(send));

  test("logs contain no password or token", async () => {
    const ada = await join(send, "ada");
    await call(send, ada, "GET", "/user");
    const log = lines.join("\n");
    expect(log).toContain("/api/user");
    for (const secret of [password, "pbkdf2", ada.token ?? "", "a-guess"]) {
      expect(log).not.toContain(secret);
    }
    expect(log).not.toContain("Unexpected error");
  });

  test("its OpenAPI document has every route", async () => {
    const response = await app.request("/openapi.json");
    const { paths } = (await response.json()) as { paths: Record<string, object> };
    expect(
      Object.entries(paths)
        .flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
        .sort(),
    ).toEqual([
      "delete /api/articles/{slug}",
      "delete /api/articles/{slug}/comments/{id}",
      "delete /api/articles/{slug}/favorite",
      "delete /api/profiles/{username}/follow",
      "get /api/articles",
      "get /api/articles/feed",
      "get /api/articles/{slug}",
      "get /api/articles/{slug}/comments",
      "get /api/profiles/{username}",
      "get /api/tags",
      "get /api/user",
      "post /api/articles",
      "post /api/articles/{slug}/comments",
      "post /api/articles/{slug}/favorite",
      "post /api/profiles/{username}/follow",
      "post /api/users",
      "post /api/users/login",
      "put /api/articles/{slug}",
      "put /api/user",
    ]);
  });
});

describe("the RealWorld API on workerd, with D1", () => {
  let server: ConduitServer;
  const send: Send = (path, init) => sendTo(() => server.origin)(path, init);
  beforeAll(async () => {
    server = await startConduit("workerd");
  });
  afterAll(() => server.stop());
  for (const { title, run } of everything) test(title, () => run(send));
});

describe("one RealWorld API in this process", () => {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };

  test("a token of a deleted account responds with 401, never with 500", async () => {
    const [first, second] = [await openConduit(silent), await openConduit(silent)];
    const ada = await join((path, init) => first.request(path, init), "ada");
    const send: Send = (path, init) => second.request(path, init);
    const article = { title: "Gone", description: "Gone", body: "Gone", tagList: ["gone"] };
    expect((await call(send, ada, "GET", "/user")).status).toBe(401);
    expect((await call(send, ada, "PUT", "/user", { user: { bio: "Gone" } })).status).toBe(401);
    expect((await call(send, ada, "POST", "/articles", { article })).status).toBe(401);
    expect((await call(send, anonymous, "GET", "/tags")).body).toEqual({ tags: [] });
    await Promise.all([first.stop(), second.stop()]);
  });

  test("an unexpected error exposes no details", async () => {
    const app = await openConduit(silent);
    const send: Send = (path, init) => app.request(path, init);
    const ada = await join(send, "ada");
    app.instance("now", () => {
      throw new Error("the clock has stopped");
    });
    await expect(publish(send, ada)).rejects.toThrow(
      '500 for an article: {"errors":{"body":["An unexpected error occurred."]}}',
    );
    await app.stop();
  });

  test("password guessing is rate limited", async () => {
    const app = await openConduit(silent);
    const send: Send = (path, init) => app.request(path, init);
    const user = { email: "", password: "" };
    let answer = await call<unknown>(send, anonymous, "POST", "/users/login", { user });
    for (let more = 0; more < 30 && answer.status === 422; more += 1) {
      answer = await call(send, anonymous, "POST", "/users/login", { user });
    }
    expect([answer.status, answer.body]).toEqual([429, { errors: { body: [expect.any(String)] } }]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    await app.stop();
  });

  test("cross-origin requests are allowed", async () => {
    const app = await openConduit(silent);
    const preflight = await app.request("/api/articles", {
      method: "OPTIONS",
      headers: {
        origin: "https://front.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase();
    expect(allowed).toContain("authorization");
    await app.stop();
  });
});

test.skipIf(!hasCurl)(
  "the README's curl commands respond with the documented status",
  async () => {
    const server = await startConduit("node");
    const readme = new URL("../../examples/realworld/README.md", import.meta.url);
    const text = readFileSync(readme, "utf8").replaceAll("http://localhost:3000", server.origin);
    const lines = [...text.matchAll(/^(curl .*) # (\d{3})$|^[A-Z]+=\$\(.*\)$/gm)];
    // Runs all commands in one shell: later ones use the token of an earlier one.
    const script = lines.map(([whole, line]) =>
      line === undefined ? whole : `${line} -s -o /dev/null -w '%{http_code}\\n'`,
    );
    const { stdout } = await promisify(execFile)("sh", ["-c", script.join("\n")]);
    await server.stop();
    const promised = lines.flatMap(([, , status]) => (status === undefined ? [] : [status]));
    expect(promised.length).toBeGreaterThan(8);
    expect(stdout.trim().split("\n")).toEqual(promised);
  },
  30_000,
);

test("a page of articles takes two statements in one round trip, whatever its size", async () => {
  const app = await openConduit({ debug() {}, info() {}, warn() {}, error: console.error });
  const send: Send = (path, init) => app.request(path, init);
  const ada = await join(send, "ada");
  for (let count = 0; count < 12; count += 1) await publish(send, ada, { tagList: ["a", "b"] });
  const database = app.resolve("database");
  const trips: number[] = [];
  app.instance("database", {
    all: (statement: object) => {
      trips.push(1);
      return database.all(statement);
    },
    batch: (statements: readonly object[]) => {
      trips.push(statements.length);
      return database.batch(statements);
    },
  });
  const { body } = await call<{ articles: unknown[] }>(send, ada, "GET", "/articles");
  expect([body.articles.length, trips]).toEqual([12, [2]]);
  await app.stop();
});
