import { describe, expect, test } from "vitest";
import { Application } from "../../src/application/application.ts";
import { BootError } from "../../src/application/boot/boot-error.ts";
import { Auth } from "../../src/auth/auth.ts";
import { type Policy, PolicyRegistry } from "../../src/auth/policies.ts";
import type { RequestContext } from "../../src/http/context.ts";
import { json } from "../../src/http/responses.ts";
import { createOptionalAuthMiddleware } from "../../src/middleware/authentication.ts";
import { createAuthorizationMiddleware } from "../../src/middleware/authorization.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { bearer, gateOf } from "./support/app.ts";
import { secret } from "./support/tokens.ts";

const auth = new Auth({ secret });
const token = await auth.generateToken({ id: 7, role: "editor" });
const signedIn = bearer(token);

interface Editor {
  readonly role: string;
}

/** Creates an application whose route `/x` uses this gate, and counts the runs of its handler. */
function appWith(
  policies: Readonly<Record<string, Policy>>,
  gate: string,
): { app: Application; ran: () => number } {
  let count = 0;
  const app = new Application({ logger: createRecordingLogger() });
  app.middleware("auth", createOptionalAuthMiddleware(auth));
  app.middleware("can", gateOf(policies));
  app.getRouter().get(
    "/x/:id",
    () => {
      count += 1;
      return json("in");
    },
    { middleware: ["auth", gate] },
  );
  return { app, ran: () => count };
}

describe("the gate", () => {
  test("only true passes, sync and async", async () => {
    for (const value of [true, Promise.resolve(true)]) {
      const { app } = appWith({ edit: () => value as boolean }, "can:edit");
      expect((await app.request("/x/1", signedIn)).status).toBe(200);
    }
    const others = [
      false,
      undefined,
      null,
      1,
      "true",
      {},
      [],
      Symbol("true"),
      Promise.resolve(false),
    ];
    for (const value of [...others, Promise.resolve(1), Promise.resolve("yes")]) {
      const { app, ran } = appWith({ edit: () => value as boolean }, "can:edit");
      expect((await app.request("/x/1", signedIn)).status).toBe(403);
      expect(ran()).toBe(0);
    }
  });

  test("without a user the response is 401, and the policy is not called", async () => {
    let asked = 0;
    const policy = (): boolean => {
      asked += 1;
      return true;
    };
    const { app, ran } = appWith({ edit: policy }, "can:edit");
    const response = await app.request("/x/1");
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer realm="api"',
    ]);
    expect([asked, ran()]).toEqual([0, 0]);
  });

  test("denied is a 403 that names the policy", async () => {
    const { app } = appWith({ "loans.extend": () => false }, "can:loans.extend");
    const response = await app.request("/x/1", signedIn);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      status: 403,
      title: "Forbidden",
      detail: 'Policy "loans.extend" denied access.',
    });
  });

  test("a policy that throws is a 500, never a pass", async () => {
    const fail = (): never => {
      throw new Error("no connection");
    };
    for (const policy of [fail, async () => fail()]) {
      const { app, ran } = appWith({ edit: policy }, "can:edit");
      expect((await app.request("/x/1", signedIn)).status).toBe(500);
      expect(ran()).toBe(0);
    }
  });

  test("a policy receives the context and the arguments", async () => {
    const seen: unknown[] = [];
    const policy = (ctx: RequestContext, ...args: string[]): boolean => {
      seen.push(ctx.params["id"], (ctx.user as Editor).role, ...args);
      return true;
    };
    const { app } = appWith({ edit: policy }, "can:edit, draft,own:1");
    expect((await app.request("/x/5", signedIn)).status).toBe(200);
    expect(seen).toEqual(["5", "editor", "draft", "own:1"]);
  });

  test("a policy's name may have a colon", async () => {
    const { app } = appWith({ "posts:edit": () => true }, "can:posts:edit");
    expect((await app.request("/x/1", signedIn)).status).toBe(200);
  });

  test.each(["can:edti", "can:toString", "can:__proto__", "can:valueOf", "can:Edit", "can:edit.x"])(
    "%s is not defined: boot fails",
    async (gate) => {
      const { app, ran } = appWith({ edit: () => true }, gate);
      await expect(app.boot()).rejects.toBeInstanceOf(BootError);
      expect((await app.request("/x/1", signedIn)).status).toBe(500);
      expect(ran()).toBe(0);
    },
  );

  test("the boot error names the route and the nearest policies", async () => {
    const { app } = appWith({ edit: () => true, read: () => true }, "can:edti");
    await expect(app.boot()).rejects.toThrow(
      'GET /x/:id asks for the policy "edti", which is not defined. Did you mean "edit"?',
    );
  });

  test.each(["can", "can:", "can:,edit"])("%j does not name a policy", async (gate) => {
    const { app, ran } = appWith({ edit: () => true }, gate);
    await expect(app.boot()).rejects.toThrow(
      /GET \/x\/:id: the middleware "can" requires the name of a policy/,
    );
    expect((await app.request("/x/1", signedIn)).status).toBe(500);
    expect(ran()).toBe(0);
  });

  test("documents its responses in OpenAPI", () => {
    expect(gateOf({}).documentation?.responses).toEqual({
      401: expect.any(String),
      403: expect.any(String),
    });
  });
});

describe("an application", () => {
  const createApp = (): Application => {
    const app = new Application({ logger: createRecordingLogger() });
    app.middleware("auth", createOptionalAuthMiddleware(auth));
    return app;
  };

  test("has the gate under the name can, with its policies", async () => {
    const app = createApp();
    app.definePolicy("edit", (ctx, ...args) => args[0] === (ctx.user as Editor).role);
    app.definePolicies({ no: () => false, yes: async () => true });
    const router = app.getRouter();
    router.get("/editor", () => json(1), { middleware: ["auth", "can:edit,editor"] });
    router.get("/admin", () => json(1), { middleware: ["auth", "can:edit,admin"] });
    router.get("/no", () => json(1), { middleware: ["auth", "can:yes", "can:no"] });
    router.get("/yes", () => json(1), { middleware: ["auth", "can:yes"] });
    const statuses = [];
    for (const path of ["/editor", "/admin", "/no", "/yes"]) {
      statuses.push((await app.request(path, signedIn)).status, (await app.request(path)).status);
    }
    expect(statuses).toEqual([200, 401, 403, 401, 403, 401, 200, 401]);
  });

  test("registers the gate with the policies of another application too", async () => {
    const other = createApp().definePolicy("theirs", () => true);
    const app = createApp();
    app.middleware("can", createAuthorizationMiddleware());
    app.middleware("other", createAuthorizationMiddleware(other));
    app.definePolicy("ours", () => true);
    app.getRouter().get("/", () => json(1), { middleware: ["auth", "can:ours", "other:theirs"] });
    expect((await app.request("/", signedIn)).status).toBe(200);
    app.getRouter().get("/x", () => json(1), { middleware: ["auth", "can:theirs"] });
    expect((await app.request("/x", signedIn)).status).toBe(500);
  });

  test("can() checks a policy inside a handler", async () => {
    const app = createApp();
    app.definePolicy("edit", (ctx, what) => what === "drafts" && ctx.user !== null);
    app
      .getRouter()
      .get(
        "/",
        async (ctx) => json([await ctx.app.can("edit", ctx, "drafts"), await app.can("edit", ctx)]),
        { middleware: ["auth"] },
      );
    expect(await (await app.request("/", signedIn)).json()).toEqual([true, false]);
    expect(await (await app.request("/")).json()).toEqual([false, false]);
  });
});

describe("PolicyRegistry", () => {
  const ctx = { user: { id: 1 } } as unknown as RequestContext;

  test("names such as valueOf are ordinary names", async () => {
    const names = ["valueOf", "toString", "constructor", "hasOwnProperty", "__proto__"];
    const registry = new PolicyRegistry();
    for (const name of names) {
      expect(registry.has(name)).toBe(false);
      await expect(registry.evaluate(name, ctx)).rejects.toMatchObject({
        code: "ERR_AUTH_UNKNOWN_POLICY",
      });
      registry.define(name, () => true);
      expect(registry.has(name)).toBe(true);
      expect(await registry.evaluate(name, ctx)).toBe(true);
    }
    expect(registry.names()).toEqual(names);
  });

  test("defineAll accepts a map, and a later policy replaces an earlier one", async () => {
    const registry = new PolicyRegistry();
    registry.defineAll({ a: () => true, b: async () => false });
    expect([await registry.evaluate("a", ctx), await registry.evaluate("b", ctx)]).toEqual([
      true,
      false,
    ]);
    registry.define("a", () => false);
    expect(await registry.evaluate("a", ctx)).toBe(false);
    expect(registry.names()).toEqual(["a", "b"]);
  });

  test("without a user everything is denied", async () => {
    const registry = new PolicyRegistry();
    registry.define("a", () => true);
    for (const user of [undefined, null]) {
      expect(await registry.evaluate("a", { user } as RequestContext)).toBe(false);
    }
  });

  test.each(["", " a", "a ", "a,b"])("the name %j is refused", (name) => {
    expect(() => new PolicyRegistry().define(name, () => true)).toThrow(
      /The name of a policy must be/,
    );
  });

  test.each([null, undefined, true, "x", {}])("the policy %j is refused", (policy) => {
    const define = () => new PolicyRegistry().define("a", policy as never);
    expect(define).toThrow(/Write \(ctx\) =>/);
  });
});
