import {
  EspalierError,
  HttpError,
  json,
  noContent,
  SessionMiddleware,
  type SessionOptions,
  type SessionStore,
  session,
} from "espalier";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AtomicSessionBackend } from "../../src/middleware/session-atomic-backend.ts";
import { createSessionBackend } from "../../src/middleware/session-backend.ts";
import { cookieBackend } from "../../src/middleware/session-cookie-backend.ts";
import { Session } from "../../src/middleware/session-data.ts";
import { endMark, readReplacement } from "../../src/middleware/session-end-mark.ts";
import { logSessionLosses } from "../../src/middleware/session-losses.ts";
import type {
  SessionBackend,
  SessionWrite,
  SessionWriteResult,
} from "../../src/middleware/session-plan.ts";
import {
  type LoadedSession,
  parseSession,
  type SessionChanges,
  sessionText,
} from "../../src/middleware/session-record.ts";
import { SessionStoreClient } from "../../src/middleware/session-store.ts";
import { TombstoneSessionBackend } from "../../src/middleware/session-tombstone-backend.ts";
import { KeyedLock } from "../../src/util/keyed-lock.ts";
import { createApp } from "./support/app.ts";

const now = Date.UTC(2026, 10, 1);
const ttlMs = 10_000;
const lifetime = { expiresAtMs: now + ttlMs, ttlMs };
const id = "a".repeat(32);
const newId = "b".repeat(32);
const none: SessionChanges = new Map();
const theme: SessionChanges = new Map([["theme", { before: undefined, after: '"dark"' }]]);
const without: SessionChanges = new Map([["user", { before: '"u1"', after: undefined }]]);

beforeEach(() => void vi.useFakeTimers({ now, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

function textOf(values: Record<string, unknown>, name = id, expiresAtMs = now + 1): string {
  return sessionText({ id: name, expiresAtMs, values });
}

function loadedOf(values: Record<string, unknown>): LoadedSession {
  return parseSession(textOf(values)) as LoadedSession;
}

function errorOf(run: () => unknown): { code: string; message: string; cause: unknown } {
  try {
    run();
  } catch (error) {
    if (error instanceof EspalierError) return error as ReturnType<typeof errorOf>;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("a session", () => {
  test("is new unless one was stored", () => {
    const [fresh, known] = [new Session(undefined), new Session(loadedOf({}))];
    expect([fresh.isNew, known.isNew]).toEqual([true, false]);
    expect(Session.isUsed(known)).toBe(true);
  });

  test.each<[string, (session: Session) => unknown, boolean]>([
    ["nothing", () => undefined, false],
    ["id", (session) => session.id, true],
    ["isNew", (session) => session.isNew, true],
    ["get()", (session) => session.get("user"), true],
    ["has()", (session) => session.has("user"), true],
    ["all()", (session) => session.all(), true],
    ["delete()", (session) => session.delete("user"), true],
  ])("is used by %s", (_name, use, isUsed) => {
    const session = new Session(loadedOf({ user: "u1" }));
    use(session);
    expect(Session.isUsed(session)).toBe(isUsed);
  });

  test("deletes a value that is set to undefined", () => {
    const session = new Session(loadedOf({ user: "u1", theme: "dark" }));
    session.set("user", undefined);
    expect([session.has("user"), session.all()]).toEqual([false, { theme: "dark" }]);
    expect(Session.finish(session, false)).toEqual({ action: "update", id, changes: without });
  });

  test.each<[string, (session: Session) => void]>([
    ["set()", (session) => session.set("theme", "dark")],
    ["delete()", (session) => session.delete("user")],
    ["clear()", (session) => session.clear()],
    ["regenerate()", (session) => session.regenerate()],
    ["destroy()", (session) => session.destroy()],
  ])("rejects %s after it was saved", (_name, change) => {
    const session = new Session(loadedOf({ user: "u1" }));
    Session.finish(session, false);
    expect(errorOf(() => change(session))).toMatchObject({
      code: "ERR_SESSION_ALREADY_SAVED",
      message:
        "The session was changed after it had been saved with the response, so the change would be lost. " +
        "Change it before the handler returns, and in middleware inside SessionMiddleware.",
    });
  });

  test("that was destroyed stays so after regenerate(), and its new values begin another", () => {
    const session = new Session(loadedOf({ user: "u1" }));
    session.destroy();
    session.regenerate();
    expect(Session.finish(session, false)).toEqual({ action: "end", id, next: undefined });
    const again = new Session(loadedOf({ user: "u1" }));
    again.destroy();
    again.set("theme", "dark");
    const plan = Session.finish(again, false);
    expect(plan).toEqual({ action: "end", id, next: { id: again.id, changes: theme } });
    expect(again.id).not.toBe(id);
  });

  test("names the value that JSON cannot hold, and why", () => {
    const session = new Session(undefined);
    const broken = {
      toJSON: () => {
        throw new RangeError("no");
      },
    };
    session.set("x".repeat(300), broken);
    const error = errorOf(() => Session.finish(session, false));
    expect(error.code).toBe("ERR_SESSION_NOT_JSON");
    expect(error.message).toMatch(/^The session value "x{200}" cannot be stored: /);
    expect(error.message).toMatch(
      /Store plain data: objects, arrays, strings, numbers, booleans and null\.$/,
    );
    expect(error.cause).toBeInstanceOf(RangeError);
    const other = new Session(undefined);
    other.set("size", new Map());
    expect(errorOf(() => Session.finish(other, false))).not.toHaveProperty("cause");
  });

  test("compares with no values if the stored text is damaged", () => {
    const session = new Session({ ...loadedOf({ user: "u1" }), text: "{" });
    session.set("theme", "dark");
    const plan = Session.finish(session, false);
    expect(plan).toMatchObject({ action: "update" });
  });
});

describe("a stored text that is no session", () => {
  const whole = { id, expiresAtMs: 1, values: {} };
  test.each([
    ["a number", "1"],
    ["null", "null"],
    ["a list", "[]"],
    ["no JSON", "{"],
    ["no id", JSON.stringify({ ...whole, id: undefined })],
    ["a number as id", JSON.stringify({ ...whole, id: 1 })],
    ["no expiry", JSON.stringify({ ...whole, expiresAtMs: undefined })],
    ["a text as expiry", JSON.stringify({ ...whole, expiresAtMs: "1" })],
    ["no values", JSON.stringify({ ...whole, values: undefined })],
    ["null as values", JSON.stringify({ ...whole, values: null })],
    ["a text as values", JSON.stringify({ ...whole, values: "x" })],
    ["an object that prints as one", { toString: () => JSON.stringify(whole) }],
  ])("is ignored: %s", (_name, stored) => {
    expect(parseSession(stored)).toBeUndefined();
    expect(parseSession(JSON.stringify(whole))).toMatchObject(whole);
  });

  test.each([
    ["a session", textOf({})],
    ["null", "null"],
    ["no JSON", "{"],
    ["a number as id", JSON.stringify({ ended: true, replacedBy: 1 })],
    ["an object that prints as a mark", { toString: () => endMark(newId) }],
  ])("names no replacement: %s", (_name, stored) => {
    expect(readReplacement(stored)).toBeUndefined();
    expect(readReplacement(endMark(newId))).toBe(newId);
    expect(JSON.parse(endMark())).toEqual({ ended: true });
  });
});

describe("sessions in the cookie", () => {
  const write = async (plan: SessionWrite, loaded?: LoadedSession) => {
    const result = await cookieBackend.write(plan, loaded, lifetime);
    const text = result.cookie ? await cookieBackend.load(result.cookie) : result.cookie;
    return { ...result, cookie: text };
  };

  test("end, and begin again with the values that were set afterwards", async () => {
    const loaded = loadedOf({ user: "u1" });
    expect(await write({ action: "end", id, next: undefined }, loaded)).toEqual({
      cookie: null,
      overwritten: [],
    });
    const next = { id: newId, changes: theme };
    expect((await write({ action: "end", id, next }, loaded)).cookie).toMatchObject({
      id: newId,
      values: { theme: "dark" },
    });
  });

  test("keep their id, or get the new one", async () => {
    const loaded = loadedOf({ user: "u1" });
    const values = { user: "u1", theme: "dark" };
    const updated = await write({ action: "update", id, changes: theme }, loaded);
    expect(updated.cookie).toMatchObject({ id, values, expiresAtMs: now + ttlMs });
    const replaced = await write({ action: "replace", id, newId, changes: theme }, loaded);
    expect(replaced.cookie).toMatchObject({ id: newId, values });
  });

  test("have at most 3,900 characters", async () => {
    const ofLength = (length: number): SessionWrite => ({
      action: "create",
      id,
      changes: new Map([
        ["note", { before: undefined, after: JSON.stringify("x".repeat(length)) }],
      ]),
    });
    const lengths: number[] = [];
    let length = 2_700;
    let error: unknown;
    for (; error === undefined; length += 1) {
      try {
        const { cookie } = await cookieBackend.write(ofLength(length), undefined, lifetime);
        lengths.push(String(cookie).length);
      } catch (thrown) {
        error = thrown;
      }
    }
    // Three bytes are four characters.
    expect(lengths.at(-1)).toBe(3_900);
    expect(error).toMatchObject({
      code: "ERR_SESSION_TOO_LARGE",
      message:
        "The session has 3902 characters as a cookie; at most 3900 fit. " +
        'Store less in it, or set the option "store" of SessionMiddleware.',
    });
  });
});

/** A store that returns null for an absent key, and remembers what each key was set for. */
class Store {
  readonly values = new Map<string, string>();
  readonly ttls = new Map<string, number>();
  calls = 0;
  get(key: string): string | null {
    this.calls += 1;
    return this.values.get(key) ?? null;
  }
  set(key: string, text: string, ms: number): void {
    this.values.set(key, text);
    this.ttls.set(key, ms);
  }
  delete(key: string): void {
    this.values.delete(key);
  }
}

class AtomicStore extends Store {
  isBusy = false;
  swaps = 0;
  compareAndSet(key: string, expected: string, text: string | undefined, ms: number): boolean {
    this.swaps += 1;
    if (this.isBusy || this.values.get(key) !== expected) return false;
    if (text === undefined) this.delete(key);
    else this.set(key, text, ms);
    return true;
  }
}

function clientOf(store: Store): SessionStoreClient {
  return new SessionStoreClient(store, (operation) => operation());
}

const backends: readonly (readonly [string, () => { store: Store; backend: SessionBackend }])[] = [
  [
    "a store with compareAndSet",
    () => {
      const store = new AtomicStore();
      return { store, backend: new AtomicSessionBackend(clientOf(store)) };
    },
  ],
  [
    "a store without it",
    () => {
      const store = new Store();
      return { store, backend: new TombstoneSessionBackend(clientOf(store), new KeyedLock()) };
    },
  ],
];

describe.each(backends)("sessions in %s", (_name, create) => {
  const prepare = (expiresAtMs: number) => {
    const { store, backend } = create();
    store.values.set(`session:${id}`, textOf({ user: "u1" }, id, expiresAtMs));
    const write = (plan: SessionWrite) => backend.write(plan, undefined, lifetime);
    return { store, backend, write };
  };

  test("end at their expiry, also while a request is being handled", async () => {
    for (const expiresAtMs of [now - 1, now]) {
      const { write } = prepare(expiresAtMs);
      expect(await write({ action: "update", id, changes: theme })).toEqual({
        cookie: undefined,
        lost: "changes",
        overwritten: [],
      });
      expect(await write({ action: "replace", id, newId, changes: theme })).toEqual({
        cookie: newId,
        lost: "values",
        overwritten: [],
      });
    }
    const { write } = prepare(now + 1);
    expect(await write({ action: "update", id, changes: theme })).toEqual({
      cookie: id,
      overwritten: [],
    });
  });

  test("that have ended get no new id for changes that set nothing", async () => {
    for (const changes of [none, without]) {
      const { write, store } = prepare(now);
      const result = await write({ action: "replace", id, newId, changes });
      expect(result).toEqual({ cookie: undefined, overwritten: [] });
      expect(store.values.has(`session:${newId}`)).toBe(false);
    }
  });

  test("name the values that another request has changed otherwise meanwhile", async () => {
    const { write } = prepare(now + 1);
    const change = (after: string): SessionChanges =>
      new Map([["user", { before: undefined, after }]]);
    expect(await write({ action: "update", id, changes: change('"u1"') })).toMatchObject({
      overwritten: [],
    });
    expect(await write({ action: "update", id, changes: change('"u2"') })).toMatchObject({
      overwritten: ["user"],
    });
  });

  test("begin again in the request that ends one", async () => {
    const { write, backend } = prepare(now + 1);
    const ended = await write({ action: "end", id, next: undefined });
    expect(ended).toEqual({ cookie: null, overwritten: [] });
    const next = { id: newId, changes: theme };
    expect(await write({ action: "end", id, next })).toEqual({ cookie: newId, overwritten: [] });
    expect(await backend.load(id)).toBeUndefined();
    expect(await backend.load(newId)).toMatchObject({ values: { theme: "dark" } });
  });
});

describe("a store whose sessions other requests keep changing", () => {
  test.each<[string, SessionWrite]>([
    ["update", { action: "update", id, changes: theme }],
    ["replace", { action: "replace", id, newId, changes: theme }],
    ["end", { action: "end", id, next: undefined }],
  ])("ends %s with 503 after 20 attempts", async (_action, plan) => {
    const store = new AtomicStore();
    store.values.set(`session:${id}`, textOf({ user: "u1" }));
    store.isBusy = true;
    const backend = new AtomicSessionBackend(clientOf(store));
    const error = await backend.write(plan, undefined, lifetime).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      status: 503,
      detail: "The session is in use by too many requests. Try again later.",
    });
    expect((error as HttpError).headers?.get("retry-after")).toBe("1");
    expect(store.swaps).toBe(20);
  });
});

describe("tombstones", () => {
  test("outlast what was written without seeing them by a minute", async () => {
    const store = new Store();
    store.values.set(`session:${id}`, textOf({ user: "u1" }));
    const backend = new TombstoneSessionBackend(clientOf(store), new KeyedLock());
    await backend.write({ action: "replace", id, newId, changes: none }, undefined, lifetime);
    await backend.write({ action: "end", id: newId, next: undefined }, undefined, lifetime);
    expect(store.ttls.get(`session-ended:${id}`)).toBe(ttlMs + 60_000);
    expect(store.ttls.get(`session-ended:${newId}`)).toBe(ttlMs + 60_000);
  });

  test("that name each other do not hold a request", async () => {
    const store = new Store();
    store.get = (key) => {
      store.calls += 1;
      return key.startsWith("session-ended:") ? endMark(newId) : null;
    };
    const backend = new TombstoneSessionBackend(clientOf(store), new KeyedLock());
    await backend.write({ action: "end", id, next: undefined }, undefined, lifetime);
    expect(store.calls).toBe(20);
  });
});

describe("losses are logged with the request and without secrets", () => {
  test.each<[SessionWriteResult, readonly unknown[]]>([
    [{ cookie: id, overwritten: [] }, []],
    [
      { cookie: id, lost: "changes", overwritten: [] },
      [["warn", "The changes of a session were dropped, because it had ended in the meantime."]],
    ],
    [
      { cookie: id, lost: "values", overwritten: [] },
      [
        [
          "warn",
          "A session that was to get a new id had ended in the meantime; " +
            "a new one begins with the changes of this request.",
        ],
      ],
    ],
    [
      { cookie: id, overwritten: ["user"] },
      [["info", "Two requests changed the same session value; the later change was kept."]],
    ],
  ])("%j", async (result, expected) => {
    const { app, lines } = createApp([]);
    let requestId: string | undefined;
    app.getRouter().get("/", (ctx) => {
      requestId = ctx.id;
      logSessionLosses(ctx, result);
      return noContent();
    });
    await app.request("/");
    expect(lines.map(({ level, message }) => [level, message])).toEqual(expected);
    for (const line of lines) expect(line).toMatchObject({ id: requestId });
    if (result.overwritten.length > 0) expect(lines).toMatchObject([{ names: ["user"] }]);
  });
});

describe("SessionMiddleware", () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const backendOf = (store: SessionStore | undefined): SessionBackend =>
    createSessionBackend(store, (operation) => operation(), new KeyedLock());

  test("compares and sets where the store can, and writes tombstones elsewhere", () => {
    expect(backendOf(new AtomicStore())).toBeInstanceOf(AtomicSessionBackend);
    expect(backendOf(new Store())).toBeInstanceOf(TombstoneSessionBackend);
    expect(backendOf(undefined)).toBe(cookieBackend);
  });

  test("does not read the secret for a visitor without a cookie who gets none", async () => {
    const ask = vi.fn(() => secret);
    const { app } = createApp([new SessionMiddleware({ secret: ask })]);
    app.getRouter().get("/", (ctx) => json(session(ctx).all()));
    await app.request("/");
    expect(ask).not.toHaveBeenCalled();
  });

  test("warns once of a short secret that a function returns", async () => {
    const { app, lines } = createApp([new SessionMiddleware({ secret: () => "short" })]);
    app.getRouter().get("/", (ctx) => {
      session(ctx).set("a", 1);
      return noContent();
    });
    for (let count = 0; count < 2; count += 1) await app.request("/");
    expect(lines).toMatchObject([{ level: "warn", message: expect.stringMatching(/is shorter/) }]);
  });

  test.each<[object, RegExp]>([
    [{ secret, ttlMs: 999 }, /^The option "ttlMs" of SessionMiddleware must/],
    [{ secret, timeoutMs: 0 }, /^The option "timeoutMs" of SessionMiddleware must/],
    [{ secret: "" }, /^The option "secret" of SessionMiddleware must .* got an empty string\.$/],
    [{ secret: [1] }, /^The option "secret" of SessionMiddleware must .* got an array\.$/],
  ])("rejects the options %j", (options, message) => {
    expect(() => new SessionMiddleware(options as SessionOptions)).toThrow(message);
  });

  test("names the store that fails in the log", async () => {
    const store = { ...new Map(), get: () => null, delete: () => true, set: vi.fn() };
    store.set.mockRejectedValue(new Error("down"));
    const { app, lines } = createApp([new SessionMiddleware({ secret, store })]);
    app.getRouter().get("/", (ctx) => {
      session(ctx).set("a", 1);
      return noContent();
    });
    expect((await app.request("/")).status).toBe(503);
    expect(JSON.stringify(lines)).toContain("session store");
  });
});
