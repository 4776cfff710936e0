import { describe, expect, it } from "vitest";
import { KvQueueCandidates } from "../../src/platform/cloudflare/kv-queue-candidates.ts";
import type { KvListOptions, KvListPage } from "../../src/platform/cloudflare/kv-types.ts";
import {
  formatJobKey,
  type JobKey,
  parseJobKey,
} from "../../src/platform/cloudflare/queue-job-keys.ts";
import { MemoryKv } from "./support/memory-kv.ts";

const prefix = "queue/job/";
const now = Date.UTC(2026, 0, 1);

class CountingKv extends MemoryKv {
  lists = 0;

  override list(options: KvListOptions = {}): Promise<KvListPage> {
    this.lists += 1;
    return super.list(options);
  }
}

type Fields = Partial<JobKey> & { readonly name?: string };

function createCandidates() {
  const namespace = new CountingKv();
  const candidates = new KvQueueCandidates(() => namespace, prefix);
  let token = 0;
  const keyOf = ({ name: _, ...fields }: Fields): string => {
    token += 1;
    const usual = { id: `job ${token}`, priority: 0, attempt: 0, state: "waiting" as const };
    return (
      prefix + formatJobKey({ ...usual, dueAt: now, enqueuedAt: now, token: `${token}`, ...fields })
    );
  };
  /** Stores a key as another instance would. */
  const store = async (fields: Fields): Promise<string> => {
    const key = keyOf(fields);
    await namespace.put(key, "{}", { metadata: { name: fields.name ?? "x" } });
    return key;
  };
  /** Adds a key as this instance does after it has written it; it is not listed yet. */
  const learn = (fields: Fields, at = now): void =>
    candidates.learn(keyOf(fields), fields.name ?? "x", at);
  const take = async (count: number, room: Record<string, number> = { x: 9 }, at = now) => {
    const groups = await candidates.take(count, new Map(Object.entries(room)), at);
    return groups.map(([{ id }]) => id);
  };
  return { namespace, candidates, store, learn, take };
}

describe("jobs that this instance has written since the list", () => {
  it("are taken by priority, then by due time, then as they were written", async () => {
    const { learn, take, store } = createCandidates();
    await store({ id: "listed", priority: 2 });
    expect(await take(1, { y: 1 })).toEqual([]);
    learn({ id: "low", priority: 1 });
    learn({ id: "high", priority: 5 });
    learn({ id: "first", priority: 3 });
    learn({ id: "second", priority: 3 });
    learn({ id: "earlier", priority: 3, dueAt: now - 1 });
    expect(await take(9)).toEqual(["high", "earlier", "first", "second", "listed", "low"]);
  });

  it("are taken before listed ones of lower priority, also when some of these have been taken", async () => {
    const { candidates, namespace, learn, take, store } = createCandidates();
    for (const id of ["a", "b", "c"]) await store({ id });
    expect(await take(1)).toEqual(["a"]);
    candidates.markDeleted([...namespace.stored.keys()].slice(0, 1), now);
    expect(await take(1)).toEqual(["b"]);
    learn({ id: "urgent", priority: 5 });
    expect(await take(2)).toEqual(["urgent", "c"]);
  });

  it("are taken without another list for ten seconds", async () => {
    const { namespace, learn, take, store } = createCandidates();
    await store({ id: "listed" });
    await take(1);
    learn({ id: "written" }, now + 10_000);
    expect(await take(1, { x: 9 }, now + 10_000)).toEqual(["written"]);
    expect(namespace.lists).toBe(1);
  });
});

describe("the list", () => {
  it("is used for ten seconds while it has jobs, and for two while it has none", async () => {
    const { namespace, take, store } = createCandidates();
    expect(await take(1)).toEqual([]);
    expect(await take(1, { x: 9 }, now + 2000)).toEqual([]);
    expect(namespace.lists).toBe(1);
    for (const id of ["a", "b", "c"]) await store({ id });
    expect(await take(1, { x: 9 }, now + 2001)).toEqual(["a"]);
    expect(await take(1, { x: 9 }, now + 12_001)).toEqual(["b"]);
    expect(namespace.lists).toBe(2);
    expect(await take(1, { x: 9 }, now + 12_002)).toEqual(["c"]);
    expect(namespace.lists).toBe(3);
  });

  it.each([
    [29_999, []],
    [30_000, ["reserved"]],
  ])("%i ms after a key was reserved, shows %j", async (ms, expected) => {
    const { candidates, take, store } = createCandidates();
    candidates.reserve([await store({ id: "reserved" })], now);
    expect(await take(1, { x: 9 }, now + ms)).toEqual(expected);
  });

  it.each([
    [1999, []],
    [2000, ["back"]],
  ])("%i ms after a key was given back, shows %j", async (ms, expected) => {
    const { candidates, take, store } = createCandidates();
    await store({ id: "back" });
    const [group] = await candidates.take(1, new Map([["x", 1]]), now);
    if (group !== undefined) candidates.giveBack(group, now);
    expect(await take(1, { x: 9 }, now + ms)).toEqual(expected);
  });

  it("ignores a deleted key for five minutes", async () => {
    const { candidates, take, store } = createCandidates();
    candidates.markDeleted([await store({ id: "deleted" })], now);
    expect(await candidates.countJobs(now)).toEqual({ waiting: 0, delayed: 0, running: 0 });
    expect(await candidates.find("deleted")).toBeUndefined();
    expect(await take(1, { x: 9 }, now + 299_999)).toEqual([]);
    expect(await take(1, { x: 9 }, now + 302_000)).toEqual(["deleted"]);
  });
});

describe("the limits of a pull", () => {
  it("is that of each name, and of all", async () => {
    const { take, store } = createCandidates();
    for (const id of ["x1", "x2", "x3"]) await store({ id });
    for (const id of ["y1", "y2"]) await store({ id, name: "y" });
    await store({ id: "z1", name: "z" });
    expect(await take(9, { x: 2, y: 1 })).toEqual(["x1", "x2", "y1"]);
    expect(await take(1, { x: 2, y: 1 })).toEqual(["x3"]);
  });

  it("is that of the newest name, if the id was enqueued again for another handler", async () => {
    const { take, store } = createCandidates();
    await store({ id: "job", name: "x" });
    await store({ id: "job", name: "y", enqueuedAt: now + 1 });
    expect(await take(9, { x: 9 })).toEqual([]);
    expect(await take(9, { y: 9 })).toEqual(["job"]);
  });
});

describe("the state of a job", () => {
  it("is running until the end of its lease", async () => {
    const { candidates, store } = createCandidates();
    await store({ id: "job", state: "leased", attempt: 1, dueAt: now + 10 });
    const stateAt = async (at: number): Promise<string | undefined> =>
      Object.entries(await candidates.countJobs(at)).find(([, count]) => count > 0)?.[0];
    expect([await stateAt(now + 9), await stateAt(now + 10)]).toEqual(["running", "waiting"]);
  });

  it("is delayed until it is due, and counted once for all its keys", async () => {
    const { candidates, store } = createCandidates();
    await store({ id: "job", attempt: 0 });
    await store({ id: "job", attempt: 1, dueAt: now + 10 });
    expect(await candidates.countJobs(now + 9)).toEqual({ waiting: 0, delayed: 1, running: 0 });
    expect(await candidates.countJobs(now + 10)).toEqual({ waiting: 1, delayed: 0, running: 0 });
  });
});

/** A namespace whose list has these pages, or endlessly many. */
class PagedKv extends MemoryKv {
  lists = 0;
  readonly #pages: readonly KvListPage["keys"][];
  readonly #isEndless: boolean;

  constructor(pages: readonly KvListPage["keys"][], isEndless = false) {
    super();
    this.#pages = pages;
    this.#isEndless = isEndless;
  }

  override async list({ cursor = "0" }: KvListOptions = {}): Promise<KvListPage> {
    this.lists += 1;
    const number = Number(cursor);
    const keys = this.#pages[number] ?? [];
    const isLast = !this.#isEndless && number + 1 >= this.#pages.length;
    return isLast
      ? { keys, list_complete: true }
      : { keys, list_complete: false, cursor: `${number + 1}` };
  }
}

function pagedKey(
  fields: Partial<JobKey> & { readonly id: string },
  metadata: unknown = { name: "x" },
) {
  const usual = { priority: 0, attempt: 0, state: "waiting" as const, token: "t" };
  return {
    name: prefix + formatJobKey({ ...usual, dueAt: now, enqueuedAt: now, ...fields }),
    metadata,
  };
}

describe("the pages of a list", () => {
  const takeAll = async (namespace: PagedKv) => {
    const candidates = new KvQueueCandidates(() => namespace, prefix);
    const groups = await candidates.take(9, new Map([["x", 9]]), now);
    return groups.map(([{ id }]) => id);
  };

  it("are read to the end, however few keys they have", async () => {
    const namespace = new PagedKv([[pagedKey({ id: "a" })], [], [pagedKey({ id: "b" })]]);
    expect(await takeAll(namespace)).toEqual(["a", "b"]);
    const candidates = new KvQueueCandidates(() => namespace, prefix);
    expect(await candidates.countJobs(now)).toEqual({ waiting: 2, delayed: 0, running: 0 });
    expect((await candidates.find("b"))?.[0].id).toBe("b");
  });

  it("are read up to the first key that is not due", async () => {
    const later = pagedKey({ id: "later", dueAt: now + 1 });
    const namespace = new PagedKv([
      [pagedKey({ id: "a" }), later],
      [pagedKey({ id: "b", priority: -1 })],
    ]);
    expect(await takeAll(namespace)).toEqual(["a"]);
    expect(namespace.lists).toBe(1);
  });

  it("are read up to ten at a time", async () => {
    const namespace = new PagedKv([], true);
    expect(await takeAll(namespace)).toEqual([]);
    expect(namespace.lists).toBe(10);
  });

  it("are read past any number of jobs of other names, ten at a time", async () => {
    const others = Array.from({ length: 10 }, (_, index) => [
      pagedKey({ id: `other ${index}` }, { name: "y" }),
    ]);
    const namespace = new PagedKv([...others, [pagedKey({ id: "a" })]]);
    const candidates = new KvQueueCandidates(() => namespace, prefix);
    const take = async (at: number) => {
      const groups = await candidates.take(9, new Map([["x", 9]]), at);
      return groups.map(([{ id }]) => id);
    };
    expect([await take(now), namespace.lists]).toEqual([[], 10]);
    expect([await take(now + 2000), namespace.lists]).toEqual([[], 10]);
    expect([await take(now + 2001), namespace.lists]).toEqual([["a"], 11]);
    // The next scan starts with the first page again.
    others[0]?.push(pagedKey({ id: "b" }));
    expect([await take(now + 4002), namespace.lists]).toEqual([["b"], 21]);
  });

  it("are read from the first one if they have keys of a name that is wanted later", async () => {
    const pages = Array.from({ length: 11 }, (_, index) => [pagedKey({ id: `${index}` })]);
    const candidates = new KvQueueCandidates(() => new PagedKv(pages), prefix);
    const take = async (name: string, at: number) => {
      const groups = await candidates.take(1, new Map([[name, 1]]), at);
      return groups.map(([{ id }]) => id);
    };
    expect(await take("x", now)).toEqual(["0"]);
    expect(await take("y", now + 2001)).toEqual([]);
    expect(await take("x", now + 12_002)).toEqual(["1"]);
  });

  it("are not read if no name has room", async () => {
    const namespace = new PagedKv([[pagedKey({ id: "a" })]]);
    const candidates = new KvQueueCandidates(() => namespace, prefix);
    expect(await candidates.take(9, new Map(), now)).toEqual([]);
    expect(namespace.lists).toBe(0);
  });

  it("are read from the first one after a scan that failed", async () => {
    const others = Array.from({ length: 10 }, (_, index) => [
      pagedKey({ id: `other ${index}` }, { name: "y" }),
    ]);
    const namespace = new PagedKv([...others, []]);
    const candidates = new KvQueueCandidates(() => namespace, prefix);
    const take = (at: number) => candidates.take(9, new Map([["x", 9]]), at);
    expect(await take(now)).toEqual([]);
    const { list } = namespace;
    const cursors: unknown[] = [];
    namespace.list = async ({ cursor } = {}) => {
      cursors.push(cursor);
      throw new Error("The cursor is not valid.");
    };
    await expect(take(now + 2001)).rejects.toThrow("The cursor is not valid.");
    namespace.list = list;
    others[0]?.push(pagedKey({ id: "a" }));
    expect((await take(now + 2002)).map(([{ id }]) => id)).toEqual(["a"]);
    expect(cursors).toEqual(["10"]);
  });

  it("may have keys of others, and metadata of any kind", async () => {
    const strange = [null, "x", 5, {}, { name: 5 }].map((metadata, index) =>
      pagedKey({ id: `${index}` }, metadata),
    );
    const foreign = { name: `${prefix}notes`, metadata: { name: "x" } };
    const namespace = new PagedKv([[...strange, foreign, pagedKey({ id: "own" })]]);
    expect(await takeAll(namespace)).toEqual(["own"]);
    const candidates = new KvQueueCandidates(() => namespace, prefix);
    expect(await candidates.countJobs(now)).toMatchObject({ waiting: 6 });
    expect((await candidates.find("0"))?.[0].jobName).toBe("");
  });
});

it("keys of jobs are parsed as they were formatted, and others are not", () => {
  const key: JobKey = {
    ...{ id: "a/b\n", priority: 3, attempt: 2, state: "leased", token: "t" },
    ...{ dueAt: now, enqueuedAt: now - 5 },
  };
  const text = formatJobKey(key);
  expect(parseJobKey(text)).toEqual(key);
  for (const other of [
    "",
    `x${text}`,
    text.slice(1),
    `${text.split("/").slice(0, -2).join("/")}/`,
  ]) {
    expect(parseJobKey(other), other).toBeUndefined();
  }
});
