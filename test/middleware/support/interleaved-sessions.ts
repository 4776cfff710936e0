import { AtomicSessionBackend } from "../../../src/middleware/session-atomic-backend.ts";
import { Session } from "../../../src/middleware/session-data.ts";
import type { SessionBackend, SessionPlan } from "../../../src/middleware/session-plan.ts";
import {
  changedSession,
  type LoadedSession,
  newSession,
  parseSession,
  type SessionChanges,
  sessionText,
} from "../../../src/middleware/session-record.ts";
import { type SessionStore, SessionStoreClient } from "../../../src/middleware/session-store.ts";
import { TombstoneSessionBackend } from "../../../src/middleware/session-tombstone-backend.ts";
import { KeyedLock } from "../../../src/util/keyed-lock.ts";
import type { Random } from "../../support/random.ts";

/** Session operations of the simulated handlers. */
const actions = [
  "read",
  "set",
  "set",
  "delete",
  "renew",
  "regenerate",
  "sign in",
  "destroy",
] as const;

export interface Scenario {
  /** With `compareAndSet`. */
  readonly atomic: boolean;
  /** Number of processes that share the store; each has a separate lock. */
  readonly processes: number;
}

/** One write of a session's record, seen at the moment at which the store carries it out. */
interface RecordWrite {
  readonly request: SimulatedRequest;
  readonly id: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface SimulatedRequest {
  readonly name: string;
  plan: SessionPlan | undefined;
  /** Names whose change by another request a write of this one has replaced. */
  readonly replacedNames: Set<string>;
  hasWritten: boolean;
  /** Its last write came after a tombstone, in a process that had not seen it. */
  hasWrittenToEnded: boolean;
}

const ttlMs = 60_000;

/**
 * Runs up to four requests of one visitor against a store whose operations are carried out one at a time,
 * in a random order, and returns every rule of sessions that was broken.
 */
export async function runInterleaving(random: Random, scenario: Scenario): Promise<string[]> {
  const simulation = new Simulation(random, scenario);
  await simulation.run();
  return simulation.violations;
}

class Simulation {
  readonly violations: string[] = [];
  readonly #random: Random;
  readonly #scenario: Scenario;
  readonly #entries = new Map<string, string>();
  readonly #locks: readonly KeyedLock[];
  /** Store operations and handlers that wait to be carried on. */
  readonly #waiting: (() => void)[] = [];
  /** Ids that were destroyed or replaced by a request that has ended. */
  readonly #endedIds = new Set<string>();
  readonly #createdIds = new Set<string>();
  /** New ids by the old ones, once the request that replaced them has ended. */
  readonly #replacements = new Map<string, string>();
  /** Ids that visitors have in their cookies. */
  readonly #cookies = ["a".repeat(32)];
  #nextValue = 1;

  constructor(random: Random, scenario: Scenario) {
    this.#random = random;
    this.#scenario = scenario;
    this.#locks = Array.from({ length: scenario.processes }, () => new KeyedLock());
    const values = { a: 0, b: 0, c: 0 };
    for (const id of this.#cookies) {
      this.#createdIds.add(id);
      const record = { id, expiresAtMs: Date.now() + ttlMs, values };
      this.#entries.set(`session:${id}`, sessionText(record));
    }
  }

  async run(): Promise<void> {
    const count = this.#random.between(2, 4);
    let running = 0;
    for (let index = 0; index < count; index += 1) {
      running += 1;
      // Some requests start while others are already under way.
      const start = new Promise<void>((resolve) => this.#waiting.push(resolve));
      void this.#request(`request ${index}`, start).then(() => {
        running -= 1;
      });
    }
    while (running > 0) {
      await settle();
      const next = this.#waiting.splice(this.#random.between(0, this.#waiting.length - 1), 1)[0];
      if (next === undefined) throw new Error("Every request waits, and nothing is left to do.");
      next();
      await settle();
      this.#checkEndedIds();
    }
    this.#checkRemains();
  }

  async #request(name: string, start: Promise<void>): Promise<void> {
    await start;
    const request: SimulatedRequest = {
      name,
      plan: undefined,
      replacedNames: new Set(),
      hasWritten: false,
      hasWrittenToEnded: false,
    };
    const backend = this.#backend(request);
    const cookie = this.#random.pick(this.#cookies);
    const hadEnded = this.#endedIds.has(cookie);
    const loaded = await backend.load(cookie);
    if (hadEnded && loaded !== undefined) this.violations.push(`${name} loaded an ended session`);
    const session = new Session(loaded);
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const renew = this.#act(session);
    const plan = Session.finish(session, renew && loaded !== undefined);
    request.plan = plan;
    if (plan.action === "keep") return;
    if (plan.action === "create") this.#createdIds.add(plan.id);
    if (plan.action === "replace") this.#createdIds.add(plan.newId);
    if (plan.action === "end" && plan.next !== undefined) this.#createdIds.add(plan.next.id);
    const lifetime = { expiresAtMs: Date.now() + ttlMs, ttlMs };
    // What had replaced the session by now must end with it.
    const ending = plan.action === "end" ? this.#withReplacements(plan.id) : [];
    const endedBefore = this.#endedIds.has(cookie);
    const result = await backend.write(plan, loaded, lifetime);
    if (plan.action === "replace" && endedBefore && result.cookie && result.lost === undefined) {
      this.violations.push(`${name} carried values of an ended session to ${plan.newId}`);
    }
    for (const id of ending) this.#endedIds.add(id);
    if (plan.action === "replace") {
      this.#endedIds.add(plan.id);
      if (result.cookie === plan.newId && result.lost === undefined) {
        this.#replacements.set(plan.id, plan.newId);
      }
      if (result.lost === "values") this.#checkDetached(request, plan.newId, plan.changes);
    }
    if (typeof result.cookie === "string") this.#cookies.push(result.cookie);
    const changes = changesOf(plan);
    if (changes.size > 0 && !request.hasWritten && result.lost !== "changes") {
      const removesOnly = [...changes.values()].every(({ after }) => after === undefined);
      if (!(removesOnly && plan.action === "replace")) {
        this.violations.push(`${name} lost its changes and does not report it`);
      }
    }
    if (request.hasWrittenToEnded && changes.size > 0 && result.lost === undefined) {
      this.violations.push(`${name} changed an ended session and does not report it`);
    }
    for (const lost of request.replacedNames) {
      if (!result.overwritten.includes(lost)) {
        this.violations.push(`${name} replaced a change of ${lost} and does not report it`);
      }
    }
  }

  /** Checks what is stored when every request has ended. */
  #checkRemains(): void {
    for (const key of this.#entries.keys()) {
      const id = key.slice("session:".length);
      if (!key.startsWith("session:") || this.#find(id) === undefined) continue;
      if (!this.#cookies.includes(id)) this.violations.push(`${id} is stored, and in no cookie`);
      if (this.#entries.has(`session-ended:${id}`)) this.violations.push(`${id} is left over`);
    }
  }

  #withReplacements(id: string): string[] {
    const next = this.#isOrdered ? this.#replacements.get(id) : undefined;
    return next === undefined ? [id] : [id, ...this.#withReplacements(next)];
  }

  /** Changes the session as a handler would. Returns true to renew its expiry. */
  #act(session: Session): boolean {
    switch (this.#random.pick(actions)) {
      case "read":
        session.get("a");
        return false;
      case "set":
        session.set(this.#random.pick(["a", "b", "c", "d"]), this.#nextValue++);
        return false;
      case "delete":
        session.delete(this.#random.pick(["a", "b", "c"]));
        return false;
      case "renew":
        return true;
      case "regenerate":
        session.regenerate();
        return false;
      case "sign in":
        session.regenerate();
        session.set("userId", this.#nextValue++);
        return false;
      case "destroy":
        session.destroy();
        return false;
    }
  }

  #backend(request: SimulatedRequest): SessionBackend {
    const client = new SessionStoreClient(this.#storeFor(request), (operation) => operation());
    return this.#scenario.atomic
      ? new AtomicSessionBackend(client)
      : new TombstoneSessionBackend(client, this.#random.pick(this.#locks));
  }

  #storeFor(request: SimulatedRequest): SessionStore {
    const entries = this.#entries;
    const write = (key: string, text: string | undefined): void => {
      const before = entries.get(key);
      if (text === undefined) entries.delete(key);
      else entries.set(key, text);
      if (!key.startsWith("session:")) return;
      this.#checkWrite({ request, id: key.slice("session:".length), before, after: text });
    };
    const store: SessionStore = {
      get: (key) => this.#later(() => entries.get(key)),
      set: (key, text) => this.#later(() => write(key, text)),
      delete: (key) => this.#later(() => write(key, undefined)),
    };
    if (!this.#scenario.atomic) return store;
    return {
      ...store,
      compareAndSet: (key, expected, text) =>
        this.#later(() => {
          if (entries.get(key) !== expected) return false;
          write(key, text);
          return true;
        }),
    };
  }

  #later<Result>(operation: () => Result): Promise<Result> {
    return new Promise((resolve) => this.#waiting.push(() => resolve(operation())));
  }

  /** Several processes without an atomic store cannot keep these rules; the guide says so. */
  get #isOrdered(): boolean {
    return this.#scenario.atomic || this.#scenario.processes === 1;
  }

  #checkWrite({ request, id, before, after }: RecordWrite): void {
    const { plan } = request;
    const stored = parseSession(before);
    const written = parseSession(after);
    if (plan === undefined || plan.action === "keep") {
      this.violations.push(`${request.name} wrote although it had nothing to write`);
      return;
    }
    if (written !== undefined) {
      request.hasWritten = true;
      request.hasWrittenToEnded = this.#entries.has(`session-ended:${id}`);
    }
    if (!this.#isOrdered) return;
    if (plan.action === "update" && written !== undefined) {
      if (stored === undefined) {
        this.violations.push(`${request.name} stored a session again that had ended`);
        return;
      }
      this.#expectMerged(request, stored.values, plan.changes, written.values);
    }
    if (plan.action !== "replace") return;
    // The moment from which the new session counts: where the old one gives way to it.
    const [source, target] = this.#scenario.atomic
      ? [id === plan.id ? stored : undefined, this.#find(plan.newId)]
      : [this.#find(plan.id), id === plan.newId ? written : undefined];
    if (source === undefined || target === undefined) return;
    this.#expectMerged(request, source.values, plan.changes, target.values);
  }

  #find(id: string): LoadedSession | undefined {
    return parseSession(this.#entries.get(`session:${id}`));
  }

  /** A session that begins without the values of one that has ended. */
  #checkDetached(request: SimulatedRequest, newId: string, changes: SessionChanges): void {
    const stored = this.#find(newId);
    if (stored === undefined) return;
    const expected = newSession(newId, changes, 0).values;
    if (JSON.stringify(sorted(expected)) === JSON.stringify(sorted(stored.values))) return;
    this.violations.push(`${request.name} carried values of an ended session to ${newId}`);
  }

  #expectMerged(
    request: SimulatedRequest,
    newest: Readonly<Record<string, unknown>>,
    changes: SessionChanges,
    written: Readonly<Record<string, unknown>>,
  ): void {
    const record = { id: "", expiresAtMs: 0, values: newest };
    const expected = changedSession(record, changes, { expiresAtMs: 0 }).record;
    if (JSON.stringify(sorted(expected.values)) !== JSON.stringify(sorted(written))) {
      this.violations.push(
        `${request.name} wrote ${JSON.stringify(written)}, not ${JSON.stringify(expected.values)}`,
      );
    }
    request.replacedNames.clear();
    for (const [name, { before, after }] of changes) {
      const current = Object.hasOwn(newest, name) ? JSON.stringify(newest[name]) : undefined;
      if (current !== before && current !== after) request.replacedNames.add(name);
    }
  }

  #checkEndedIds(): void {
    for (const id of this.#endedIds) {
      const hasTombstone = this.#entries.has(`session-ended:${id}`);
      if (!hasTombstone && parseSession(this.#entries.get(`session:${id}`)) !== undefined) {
        this.violations.push(`the ended session ${id} can be loaded again`);
      }
    }
    for (const key of this.#entries.keys()) {
      const id = key.replace(/^session(-ended)?:/, "");
      if (!this.#createdIds.has(id)) this.violations.push(`${key} was created by no request`);
    }
  }
}

function changesOf(plan: SessionPlan): SessionChanges {
  if (plan.action === "keep") return new Map();
  if (plan.action === "end") return plan.next?.changes ?? new Map();
  return plan.changes;
}

function sorted(values: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Lets everything run that waits for nothing but promises. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
