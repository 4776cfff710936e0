import { readFileSync } from "node:fs";
import { startWorkerd } from "../support/workerd.ts";

/** The running example, with a separate, empty database. */
export interface ConduitServer {
  /** `http://127.0.0.1:49152` */
  readonly origin: string;
  stop(): Promise<void>;
}

export const platforms = ["node", "workerd"] as const;

/** The subset of the example's application used by the tests. */
export interface Conduit {
  request(target: string, init?: RequestInit): Promise<Response>;
  listen(options: { port: number; host: string }): Promise<{ readonly url: string }>;
  stop(): Promise<void>;
  registerProvider(provider: object): unknown;
  resolve(name: "database"): {
    all(statement: object): Promise<object[]>;
    batch(statements: readonly object[]): Promise<object[][]>;
  };
  instance(name: string, value: unknown): unknown;
}

const secret = "a-secret-of-the-tests-with-32-characters";
const migrations = new URL("../../examples/realworld/migrations/", import.meta.url);

// Imported by computed paths, so that the type checker does not apply the example's `Register`
// declarations to every test.
const folder: string = "../../examples/realworld";

/** Creates the example with an empty database in memory, in this process. */
export async function openConduit(logger: object): Promise<Conduit> {
  const { createConduit } = (await import(`${folder}/app.ts`)) as {
    createConduit(options: object): Conduit;
  };
  const { SqliteProvider } = (await import(`${folder}/database/sqlite-provider.ts`)) as {
    SqliteProvider: new (path: string, migrations: URL) => object;
  };
  const app = createConduit({ logger });
  app.registerProvider(new SqliteProvider(":memory:", migrations));
  return app;
}

/** Starts the example on a free port. */
export function startConduit(platform: (typeof platforms)[number]): Promise<ConduitServer> {
  return platform === "node" ? startOnNode() : startOnWorkerd();
}

async function startOnNode(): Promise<ConduitServer> {
  const app = await openConduit({ debug() {}, info() {}, warn() {}, error: console.error });
  const { url } = await app.listen({ port: 0, host: "127.0.0.1" });
  return { origin: new URL(url).origin, stop: () => app.stop() };
}

async function startOnWorkerd(): Promise<ConduitServer> {
  const mf = await startWorkerd("examples/realworld/worker.ts", {
    env: {
      DB: { type: "d1", id: "DB" },
      CONDUIT_ENVIRONMENT: { type: "text", value: "production" },
      CONDUIT_SECRET: { type: "text", value: secret },
    },
  });
  const database = await mf.getD1Database("DB");
  const migration = readFileSync(new URL("0001_conduit.sql", migrations), "utf8");
  // Safe: no string in it has a semicolon at the end of a line.
  const statements = migration.split(/;\s*$/m).filter((statement) => /^\s*\w/m.test(statement));
  await database.batch(statements.map((statement) => database.prepare(statement)));
  return { origin: (await mf.ready).origin, stop: () => mf.dispose() };
}
