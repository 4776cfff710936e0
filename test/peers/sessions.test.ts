/*
 * Behaviour that users of AdonisJS (session), Laravel (session store and its middleware), Hono and Fastify (their session
 * plugins) expect of sessions.
 */
import { json, SessionMiddleware, type SessionOptions, session } from "espalier";
import { describe, expect, test } from "vitest";
import { cookiesOf, createApp } from "./support/app.ts";

const secret = "0123456789abcdef0123456789abcdef";

function keeping(options: Partial<SessionOptions> = {}) {
  return createApp((router, app) => {
    app.use(new SessionMiddleware({ secret, ...options }));
    router.get("/read", (ctx) => json(session(ctx).all()));
    router.get("/id", (ctx) => {
      session(ctx).set("touched", true);
      return json(session(ctx).id);
    });
    router.get("/visit", (ctx) => {
      const visits = (session(ctx).get<number>("visits") ?? 0) + 1;
      session(ctx).set("visits", visits);
      return json(visits);
    });
    router.get("/nested", (ctx) => {
      session(ctx).set("cart", { items: [1, { two: "日本" }], empty: null });
      return json(session(ctx).has("cart"));
    });
    router.get("/forget", (ctx) => {
      session(ctx).delete("visits");
      return json(session(ctx).has("visits"));
    });
    router.get("/regenerate", (ctx) => {
      session(ctx).regenerate();
      return json(session(ctx).all());
    });
    router.get("/destroy", (ctx) => {
      session(ctx).destroy();
      return json("destroyed");
    });
  });
}

/** Requests paths sequentially as a browser that keeps cookies. */
async function browse(app: ReturnType<typeof createApp>, paths: readonly string[]) {
  let cookie = "";
  const answers: unknown[] = [];
  for (const path of paths) {
    const response = await app.request(path, { headers: cookie === "" ? {} : { cookie } });
    cookie = cookiesOf(response) || cookie;
    answers.push(await response.json());
  }
  return { cookie, answers };
}

describe.each([
  ["in the cookie", () => keeping()],
  ["in a store", () => keeping({ store: new Map<string, string>() as never })],
])("a session %s", (_name, create) => {
  test("counts the visits of a browser", async () => {
    expect((await browse(create(), ["/visit", "/visit", "/visit"])).answers).toEqual([1, 2, 3]);
  });

  test("of another browser is separate", async () => {
    const app = create();
    await browse(app, ["/visit", "/visit"]);
    expect((await browse(app, ["/visit"])).answers).toEqual([1]);
  });

  test("keeps lists, objects and letters of any alphabet", async () => {
    expect((await browse(create(), ["/nested", "/read"])).answers[1]).toEqual({
      cart: { items: [1, { two: "日本" }], empty: null },
    });
  });

  test("removes deleted values", async () => {
    expect((await browse(create(), ["/visit", "/forget", "/read"])).answers).toEqual([
      1,
      false,
      {},
    ]);
  });

  test("sets no cookie while it is empty", async () => {
    expect((await create().request("/read")).headers.getSetCookie()).toEqual([]);
  });

  test("keeps its values when it is regenerated", async () => {
    const { answers } = await browse(create(), ["/visit", "/regenerate", "/visit"]);
    expect(answers).toEqual([1, { visits: 1 }, 2]);
  });

  test("is empty after it was destroyed, and the browser drops its cookie", async () => {
    const app = create();
    const { cookie } = await browse(app, ["/visit"]);
    const response = await app.request("/destroy", { headers: { cookie } });
    expect(response.headers.getSetCookie()[0]).toMatch(/max-age=0/i);
    expect((await browse(app, ["/read"])).answers).toEqual([{}]);
  });

  test("is a new one if its cookie was modified", async () => {
    const app = create();
    const { cookie } = await browse(app, ["/visit"]);
    const response = await app.request("/visit", { headers: { cookie: `${cookie}x` } });
    expect(await response.json()).toBe(1);
  });

  test("has a cookie that scripts cannot read", async () => {
    const [cookie = ""] = (await create().request("/visit")).headers.getSetCookie();
    expect(cookie).toMatch(/httponly/i);
    expect(cookie).toMatch(/samesite=lax/i);
  });
});

test("an id made up by a client is not accepted", async () => {
  const app = keeping({ store: new Map<string, string>() as never });
  const headers = { cookie: "session=made-up-by-the-client" };
  const response = await app.request("/id", { headers });
  expect(await response.json()).not.toBe("made-up-by-the-client");
});

test("the old id of a regenerated session is invalid", async () => {
  const app = keeping({ store: new Map<string, string>() as never });
  const { cookie } = await browse(app, ["/visit"]);
  await app.request("/regenerate", { headers: { cookie } });
  const response = await app.request("/read", { headers: { cookie } });
  expect(await response.json()).toEqual({});
});
