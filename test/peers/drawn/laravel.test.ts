/*
 * Tests of Laravel, drawn at random and restated: titles.json has the judgement on each.
 */
import {
  Auth,
  Controller,
  createAuthMiddleware,
  createBasicAuthMiddleware,
  type FieldError,
  json,
  type RouteValidation,
  redirect,
  SessionMiddleware,
  session,
  signUrl,
  text,
  verifySignedUrl,
} from "espalier";
import { expect, vi } from "vitest";
import { Locks } from "../../../src/lock/locks.ts";
import { MemoryLockStore } from "../../../src/lock/memory-lock-store.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";
import { cookiesOf, createApp, sendJson } from "../support/app.ts";
import { testDrawn } from "./support.ts";

const secret = "0123456789abcdef0123456789abcdef";

class Shown extends Controller {
  async handle(): Promise<Response> {
    return this.json(this.context.state["seen"] ?? []);
  }
}

async function errorsOf(
  validation: RouteValidation,
  body: unknown,
): Promise<readonly FieldError[]> {
  const app = createApp((router) => router.post("/", () => text(""), { validation }));
  const response = await app.request("/", sendJson(body));
  return response.status === 200
    ? []
    : ((await response.json()) as { errors: FieldError[] }).errors;
}

testDrawn("Laravel", {
  testImplicitRuleCanUseInlineValidationMessages: async () => {
    const custom = () => "name is not a name";
    expect(await errorsOf({ name: { custom } }, { name: "x" })).toEqual([
      { field: "name", message: "name is not a name" },
    ]);
    expect(await errorsOf({ name: { custom } }, {})).toEqual([]);
  },

  testResourceWithMiddlewareAsStringable: async () => {
    const app = createApp((router, application) => {
      for (const name of ["one", "two"]) {
        application.middleware(name, (ctx, next) => {
          ctx.state["seen"] = [...((ctx.state["seen"] as string[]) ?? []), name];
          return next();
        });
      }
      router.resource("/users", { index: Shown, show: Shown }, { middleware: ["one", "two"] });
    });
    expect(await (await app.request("/users/1")).json()).toEqual(["one", "two"]);
    expect(await (await app.request("/users")).json()).toEqual(["one", "two"]);
  },

  testEnumMethod: async () => {
    const rule = {
      valid: { enum: ["test"], default: "test" },
      number: { enum: [-1, 0, 1] },
    } as const;
    const app = createApp((router) => {
      router.post("/", (ctx) => json(ctx.validated), { validation: rule });
    });
    const ask = (body: unknown) => app.request("/", sendJson(body));
    expect(await (await ask({})).json()).toEqual({ valid: "test" });
    expect(await (await ask({ valid: "test", number: -1 })).json()).toEqual({
      valid: "test",
      number: -1,
    });
    for (const body of [{ valid: "invalid" }, { number: 1024 }, { number: "1" }]) {
      expect((await ask(body)).status).toBe(422);
    }
  },

  testExceptionSummarizesThreeOrMoreErrors: async () => {
    const required = { required: true };
    expect(await errorsOf({ foo: required, bar: required, baz: required }, {})).toEqual([
      { field: "foo", message: "foo is required" },
      { field: "bar", message: "bar is required" },
      { field: "baz", message: "baz is required" },
    ]);
  },

  testItSetsEmptyStatusOnExceptionWhenAuthorizing: async () => {
    const auth = new Auth({ secret });
    const app = createApp((router, application) => {
      application.middleware("auth", createAuthMiddleware(auth));
      application.definePolicy("edit", () => false);
      router.get("/", () => text(""), { middleware: ["auth", "can:edit"] });
    });
    const headers = { authorization: `Bearer ${await auth.generateToken({ id: "7" } as never)}` };
    const response = await app.request("/", { headers });
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ detail: 'Policy "edit" denied access.' }),
    ]);
  },

  testBulkRespectsDelayAttributeWhenPushingOntoBeanstalkd: async () => {
    vi.useFakeTimers();
    try {
      const app = createApp((_router, application) => application.useInMemoryQueue());
      const run: unknown[] = [];
      app.getQueue().process("job", (job) => {
        run.push(job.payload);
      });
      await app.boot();
      await app.getQueue().enqueueMany([{ name: "job", payload: "data", delayMs: 15_000 }]);
      await vi.advanceTimersByTimeAsync(14_999);
      await app.getQueue().drain();
      expect(run).toEqual([]);
      await vi.advanceTimersByTimeAsync(2);
      await app.getQueue().drain();
      expect(run).toEqual(["data"]);
    } finally {
      vi.useRealTimers();
    }
  },

  testValidateStartsWithDoesNotThrowOnNonStringValue: async () => {
    const rules = { x: { pattern: /^1/ } };
    expect(await errorsOf(rules, { x: ["array", "value"] })).toHaveLength(1);
    expect(await errorsOf(rules, { x: 123 })).toHaveLength(1);
    expect(await errorsOf(rules, { x: "123" })).toEqual([]);
  },

  testLockWithNoExpirationNeverExpires: async () => {
    const clock = new FakeClock();
    const store = new MemoryLockStore({ now: () => clock.now() });
    const locks = new Locks(store, createRecordingLogger(), clock);
    const lock = await locks.acquire("foo", { ttlMs: 1_000 });
    await clock.advance(3_600_000);
    expect(await locks.acquire("foo")).toBeUndefined();
    await lock?.release();
  },

  testKeyExists: async () => {
    const app = createApp((router, application) => {
      application.use(new SessionMiddleware({ secret }));
      router.get("/put", (ctx) => {
        session(ctx).set("foo", "bar");
        session(ctx).set("baz", null);
        return text("");
      });
      router.get("/has", (ctx) =>
        json(["foo", "baz", "bogus", "toString"].map((name) => session(ctx).has(name))),
      );
    });
    const cookie = cookiesOf(await app.request("/put"));
    expect(await (await app.request("/has", { headers: { cookie } })).json()).toEqual([
      true,
      true,
      false,
      false,
    ]);
  },

  testRouteGenerationWithBackedEnums: () => {
    const category = { fruits: "fruits" } as const;
    const app = createApp((router) => router.get("/foo/:bar", () => text(""), { name: "foo.bar" }));
    expect(app.getRouter().url("foo.bar", { bar: category.fruits })).toBe("/foo/fruits");
  },

  testRoutePermanentRedirect: async () => {
    const app = createApp((router) => router.get("/contact_us", () => redirect("/contact", 301)));
    const response = await app.request("/contact_us");
    expect([response.status, response.headers.get("location")]).toEqual([301, "/contact"]);
  },

  testPipelineUsageWithPipe: async () => {
    let value = 0;
    const app = createApp((router, application) => {
      application.middleware("count", (_ctx, next) => {
        value += 1;
        return next();
      });
      router.get("/", () => text(String(value)), { middleware: ["count", "count"] });
    });
    expect(await (await app.request("/")).text()).toBe("2");
  },

  testSignedUrlWithAppendedNullParameterInvalid: async () => {
    const app = createApp((router) => {
      router.get("/foo/:id", async (ctx) => {
        await verifySignedUrl(ctx, secret);
        return text("valid");
      });
    });
    const url = await signUrl("http://localhost/foo/1", secret, { expiresInSeconds: 60 });
    expect((await app.request(url)).status).toBe(200);
    for (const end of ["&appended", "&", "&appended=", "&appended=1"]) {
      expect([end, (await app.request(url + end)).status]).toEqual([end, 403]);
    }
  },

  testRouteCollectionCanGetIteratorWhenRoutesAreAdded: () => {
    const router = createApp(() => {}).getRouter();
    router.get("/foo/index", () => text(""), { name: "foo_index" });
    expect(router.routes()).toHaveLength(1);
    router.get("/bar/show", () => text(""), { name: "bar_show" });
    expect(router.routes().map(({ name }) => name)).toEqual(["foo_index", "bar_show"]);
  },

  test_it_can_validate_attribute_as_array_when_validation_should_fails: async () => {
    const emails = { type: "array", items: { type: "email", required: true } } as const;
    expect(
      await errorsOf({ emails }, { emails: ["a@b.example", "taylor[at]laravel.example"] }),
    ).toEqual([{ field: "emails.1", message: expect.stringContaining("emails.1") }]);
  },

  testItAllowsToPassCustomRequestInSetterAndUseItForValidation: async () => {
    const auth = new Auth({ secret });
    const app = createApp((router, application) => {
      application.middleware("auth", createAuthMiddleware(auth));
      router.get("/", () => text(""), { middleware: ["auth"] });
    });
    const token = await auth.generateToken({ id: "7" } as never);
    expect((await app.request(`/?api_token=${token}`)).status).toBe(401);
  },

  testPastTtlTagEntriesAreNotAdded: async () => {
    const { cache } = createApp(() => {});
    for (const ttlMs of [0, -86_400_000]) {
      expect(await cache.remember("person-1", () => 0, ttlMs, { tags: ["votes"] })).toBe(0);
      expect(await cache.get("person-1")).toBeUndefined();
    }
  },

  testItemsCanBeFlushed: async () => {
    const { cache } = createApp(() => {});
    await cache.set("foo", "bar", 10_000);
    await cache.set("baz", "boom", 10_000);
    await cache.clear();
    expect(await cache.getMany(["foo", "baz"])).toEqual([undefined, undefined]);
  },

  testBasicAuthPassesOnCorrectCredentials: async () => {
    const findUser = (email: string, password: string) =>
      email === "email" && password === "password" ? { id: email } : null;
    const app = createApp((router) => {
      const middleware = [createBasicAuthMiddleware({ findUser })];
      router.get("/basic", (ctx) => json(ctx.user), { middleware });
    });
    const headers = { authorization: `Basic ${btoa("email:password")}` };
    expect(await (await app.request("/basic", { headers })).json()).toEqual({ id: "email" });
  },
});
