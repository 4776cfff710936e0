import { vi } from "vitest";
import type {
  ObjectNamespace,
  ObjectState,
  SqlValue,
} from "../../../../src/platform/cloudflare/durable-object-types.ts";

const { DatabaseSync } = process.getBuiltinModule?.("node:sqlite") ?? {};

/** False on a Node without SQLite. */
export const hasSqlite: boolean = DatabaseSync !== undefined;

/** State of an object with storage in memory, whose Worker runs `attempts` jobs at each request. */
export function createState() {
  const values = new Map<string, unknown>();
  const database = DatabaseSync === undefined ? undefined : new DatabaseSync(":memory:");
  const worker = { attempts: 0, requests: 0, isBroken: false };
  const alarms: number[] = [];
  let alarmAt: number | null = null;
  let loading: Promise<void> | undefined;
  const state: ObjectState = {
    blockConcurrencyWhile: async (callback) => {
      loading = callback();
      await loading;
    },
    exports: {
      default: {
        async fetch() {
          worker.requests += 1;
          if (worker.isBroken) throw new Error("The Worker is broken");
          return { status: 200, json: async () => ({ attempts: worker.attempts }) };
        },
      },
    },
    storage: {
      get: async (key) => values.get(key),
      put: async (key, value) => void values.set(key, value),
      getAlarm: async () => alarmAt,
      setAlarm: async (at) => {
        alarmAt = at;
        alarms.push(at);
      },
      deleteAll: async () => values.clear(),
      sql: {
        exec(query: string, ...bindings: SqlValue[]) {
          if (database === undefined) throw new Error("node:sqlite is missing");
          const before = Number(database.prepare("SELECT total_changes() AS n").get()?.["n"]);
          const rows = database.prepare(query).all(...bindings);
          const after = Number(database.prepare("SELECT total_changes() AS n").get()?.["n"]);
          return Object.assign(rows, { rowsWritten: after - before });
        },
      },
    },
  };
  /** Fires the alarm, as the platform does: it is not set while it runs. */
  const fire = async (object: { alarm(): Promise<void> }): Promise<void> => {
    vi.setSystemTime(alarmAt ?? 0);
    alarmAt = null;
    await object.alarm();
  };
  /** Resolves when the object has loaded its state: the platform delivers requests then. */
  const loaded = async (): Promise<void> => await loading;
  return { state, values, worker, alarms, fire, loaded };
}

interface DurableObject {
  fetch(request: Request): Promise<Response>;
}

/** A namespace whose objects have storage in memory; `restart` forgets the objects, but not their storage. */
export function createNamespace(ObjectClass: new (state: ObjectState) => DurableObject) {
  const states = new Map<string, ReturnType<typeof createState>>();
  const objects = new Map<string, DurableObject>();
  const requests: Request[] = [];
  const find = (name: string): DurableObject => {
    const parts = states.get(name) ?? createState();
    states.set(name, parts);
    const object = objects.get(name) ?? new ObjectClass(parts.state);
    objects.set(name, object);
    return object;
  };
  const namespace: ObjectNamespace = {
    idFromName: (name) => ({ toString: () => name }),
    get: (id) => ({
      async fetch(url, init) {
        const request = new Request(url, init);
        requests.push(request);
        const object = find(String(id));
        await states.get(String(id))?.loaded();
        return await object.fetch(request);
      },
    }),
  };
  return { namespace, states, requests, restart: () => objects.clear() };
}
