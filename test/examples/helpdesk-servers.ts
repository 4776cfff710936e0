import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/bundle.ts";
import { freePort } from "../support/free-port.ts";
import { startWorkerd } from "../support/workerd.ts";
import { type Send, sendTo } from "./send.ts";

/** The running example, with an empty database. */
export interface HelpdeskServer {
  readonly send: Send;
  /** Runs the schedule of the digest. */
  readonly runDigest?: () => Promise<void>;
  /** Listens on a free port, and returns the origin. */
  readonly listen?: () => Promise<string>;
  stop(): Promise<void>;
}

export interface HelpdeskSettings {
  readonly mailUrl: string;
  /** Cron expression of the digest, behind nginx. */
  readonly digestCron?: string;
}

/** Requests that a user may send in a minute. */
export const userLimit = 100;

const digestCron = "0 7 * * MON-FRI";

interface HelpdeskApplication {
  request(target: string, init?: RequestInit): Promise<Response>;
  boot(): Promise<void>;
  listen(options: object): Promise<{ readonly url: string }>;
  stop(): Promise<void>;
  getQueue(): { start(): Promise<void> };
  worker(): { scheduled(event: object, env: object, invocation: object): Promise<void> };
}

// Imported by computed paths, so that the type checker does not apply the example's `Register`
// declarations to every test.
const folder: string = "../../examples/helpdesk";

const migrations = new URL("../../examples/helpdesk/migrations/", import.meta.url);

/** Creates the example in this process, with SQLite and everything else in memory. */
export async function openHelpdesk(
  { mailUrl }: HelpdeskSettings,
  logger: object,
): Promise<HelpdeskServer> {
  const { createHelpdesk } = (await import(`${folder}/app.ts`)) as {
    createHelpdesk(platform: object, options: object): HelpdeskApplication;
  };
  const { oneProcess } = (await import(`${folder}/node/one-process.ts`)) as {
    oneProcess(options: object): object;
  };
  const files = mkdtempSync(join(tmpdir(), "espalier-helpdesk-files-"));
  process.env["MAIL_URL"] = mailUrl;
  process.env["HELPDESK_USER_LIMIT"] = String(userLimit);
  const platform = oneProcess({ database: ":memory:", folder: files, migrations });
  const app = createHelpdesk(platform, { logger, validateResponses: true });
  await app.boot();
  await app.getQueue().start();
  return {
    send: (path, init) => app.request(path, init),
    listen: async () => {
      const { url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
      return new URL(url).origin;
    },
    runDigest: () =>
      app
        .worker()
        .scheduled({ cron: digestCron, scheduledTime: Date.now() }, {}, { waitUntil() {} }),
    async stop() {
      await app.stop();
      delete process.env["MAIL_URL"];
      delete process.env["HELPDESK_USER_LIMIT"];
      rmSync(files, { recursive: true, force: true });
    },
  };
}

/** Starts the example on workerd, with D1, R2, KV, Queues and Durable Objects. */
export async function startOnWorkerd({ mailUrl }: HelpdeskSettings): Promise<HelpdeskServer> {
  const text = (value: string): object => ({ type: "text", value });
  const object = { type: "durable-object", worker: "worker" };
  const storage = { type: "durable-object", storage: "sqlite" };
  const mf = await startWorkerd("examples/helpdesk/worker.ts", {
    env: {
      DB: { type: "d1", id: "DB" },
      KV: { type: "kv", id: "KV" },
      FILES: { type: "r2", name: "files" },
      QUEUE: { type: "queue", name: "jobs" },
      BROADCAST: { ...object, exportName: "BroadcastDurableObject" },
      LOCK: { ...object, exportName: "LockDurableObject" },
      RATE_LIMIT: { ...object, exportName: "RateLimitDurableObject" },
      HELPDESK_ENVIRONMENT: text("production"),
      HELPDESK_SECRET: text("a-secret-of-the-tests-with-32-characters"),
      HELPDESK_ENCRYPTION_KEY: text(Buffer.alloc(32, 7).toString("base64")),
      HELPDESK_USER_LIMIT: text(String(userLimit)),
      MAIL_URL: text(mailUrl),
    },
    worker: {
      exports: {
        BroadcastDurableObject: storage,
        LockDurableObject: storage,
        RateLimitDurableObject: storage,
      },
      triggers: [{ type: "queue", name: "jobs", maxBatchTimeout: 0.1, maxRetries: 10 }],
    },
  });
  const database = await mf.getD1Database("DB");
  const script = readFileSync(new URL("0001_helpdesk.sql", migrations), "utf8");
  const statements = script.split(/;\s*$/m).filter((statement) => /^\s*\w/m.test(statement));
  await database.batch(statements.map((statement) => database.prepare(statement)));
  const { origin } = await mf.ready;
  const worker = await mf.getWorker();
  return {
    send: sendTo(() => origin),
    runDigest: async () => {
      await worker.scheduled({ cron: digestCron, scheduledTime: new Date() });
    },
    stop: () => mf.dispose(),
  };
}

/** Runs the command that starts four processes behind nginx, PostgreSQL and Redis. */
export async function startBehindNginx({
  mailUrl,
  digestCron,
}: HelpdeskSettings): Promise<HelpdeskServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, "examples/helpdesk/start.mjs")], {
    env: {
      ...process.env,
      PORT: String(port),
      MAIL_URL: mailUrl,
      HELPDESK_USER_LIMIT: String(userLimit),
      ...(digestCron === undefined ? {} : { HELPDESK_DIGEST: digestCron }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  let output = "";
  const isStarted = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes(`The helpdesk is at http://localhost:${port}/`)) resolve();
      });
    }
    void exited.then((code) => reject(new Error(`start.mjs exited with ${code}: ${output}`)));
  });
  await isStarted;
  return {
    send: sendTo(() => `http://127.0.0.1:${port}`),
    async stop() {
      child.kill("SIGTERM");
      const code = await exited;
      if (code !== 0) throw new Error(`start.mjs exited with ${code}: ${output}`);
    },
  };
}
