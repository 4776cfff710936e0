import { describe, expect, test } from "vitest";
import { createProject, type Outcome } from "./support/project.ts";

const top = 'main = "src/worker.ts"\ncompatibility_date = "2026-11-01"\n';
const kv = '[[kv_namespaces]]\nbinding = "KV"\nid = "1"\n';
const plain = 'import { Application } from "espalier"; const app = new Application();';
const worker = "export default app.worker();";

/** Runs the doctor on a configuration and a Worker. */
function examine(
  configuration: string,
  code = "",
  { exported = worker, args = [] as readonly string[], made = plain } = {},
): Outcome {
  using project = createProject({
    "wrangler.toml": configuration,
    "src/worker.ts": `${made}\n${code}\n${exported}`,
  });
  return project.espalier("doctor", ...args);
}

const job = 'app.getQueue().process("mail.send", () => {});';
const queues =
  '[[queues.producers]]\nbinding = "QUEUE"\nqueue = "jobs"\n' +
  '[[queues.consumers]]\nqueue = "jobs"\nmax_retries = 10\ndead_letter_queue = "jobs-dlq"\n' +
  '[[queues.consumers]]\nqueue = "jobs-dlq"\n';
const limiter = (store: string): string =>
  `import { RateLimitMiddleware } from "espalier"; import { ${store} } from "espalier/cloudflare";
   app.middleware("limit", new RateLimitMiddleware({ limit: 1, store: new ${store}() }));`;

test("a matching configuration has no problems", () => {
  const objects =
    '[[durable_objects.bindings]]\nname = "RATE_LIMIT"\nclass_name = "RateLimitDurableObject"\n' +
    '[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["RateLimitDurableObject"]\n';
  const limits =
    '[[ratelimits]]\nname = "RATE_LIMITER"\nnamespace_id = "1"\nsimple = { limit = 1, period = 60 }\n';
  const crons = '[triggers]\ncrons = ["0  6 * * *"]\n';
  const { code, output, errors } = examine(
    top + kv + queues + objects + limits + crons,
    `${job} app.schedule("0 6 * * *", "mail.send");
     ${limiter("DurableObjectRateLimitStore")}
     import { WorkersRateLimitStore } from "espalier/cloudflare";
     app.getRouter().get("/", () => new Response(), {
       middleware: [new RateLimitMiddleware({ limit: 1, store: new WorkersRateLimitStore() })],
     });`,
    { exported: `${worker} export { RateLimitDurableObject } from "espalier/cloudflare";` },
  );
  expect(errors).toBe("");
  expect(output).not.toMatch(/^[✗!]/m);
  for (const part of [
    "KV binding KV",
    "Queue jobs",
    "Durable Object binding RATE_LIMIT",
    "rate limit binding RATE_LIMITER",
  ]) {
    expect(output).toContain(part);
  }
  expect(output).toContain("1 of 1 schedules");
  expect(output).toContain("No problems found.");
  expect(code).toBe(0);
});

const errors: [string, string, string, string[]][] = [
  ["no main", 'compatibility_date = "2026-11-01"', "", ["has no `main`", 'main = "src/worker.ts"']],
  [
    "a main that does not exist",
    'main = "src/wroker.ts"\n',
    "",
    ["`main` is src/wroker.ts, which does not exist"],
  ],
  ["no date", 'main = "src/worker.ts"', "", ["no compatibility_date", 'compatibility_date = "20']],
  [
    "an invalid date",
    'main = "src/worker.ts"\ncompatibility_date = "2026-13-45"',
    "",
    ['got "2026-13-45"'],
  ],
  [
    "a misspelt field",
    `compatibilty_flags = []\nkv_namespace = []\n${top}`,
    "",
    ['has "kv_namespace". Did you mean "kv_namespaces"?'],
  ],
  [
    "a schedule without a trigger",
    `${top}${kv}[triggers]\ncrons = ["0 5 * * *"]`,
    'app.schedule("0 6 * * *", () => {});',
    [
      'No cron trigger matches app.schedule("0 6 * * *", …)',
      'crons = [ "0 5 * * *", "0 6 * * *" ]',
    ],
  ],
  ["jobs in memory", top, job, ["Jobs (mail.send) are stored in the memory", 'binding = "QUEUE"']],
  [
    "a misspelt queue binding",
    `${top}${kv}${queues.replace('"QUEUE"', '"QEUE"')}`,
    job,
    ['uses the queue binding "QUEUE", which does not exist. Did you mean "QEUE"?'],
  ],
  [
    "a queue without a consumer",
    `${top}${kv}[[queues.producers]]\nbinding = "QUEUE"\nqueue = "jobs"\n`,
    job,
    ['The queue "jobs" has no consumer, so its jobs are not run', "dead_letter_queue = "],
  ],
  [
    "a consumer without a producer",
    `${top}${kv}[[queues.consumers]]\nqueue = "jobs"\n`,
    job,
    ['consumes the queue "jobs", but has no producer binding "QUEUE"'],
  ],
  [
    "a rate limit without its Durable Object",
    top + kv,
    limiter("DurableObjectRateLimitStore"),
    [
      'Durable Object binding "RATE_LIMIT", which does not exist',
      'class_name = "RateLimitDurableObject"',
    ],
  ],
  [
    "a rate limit without its binding",
    top + kv,
    limiter("WorkersRateLimitStore"),
    ['rate limit binding "RATE_LIMITER"', "[[ratelimits]]"],
  ],
  [
    "a queue object of another class",
    `${top}${kv}[[durable_objects.bindings]]\nname = "QUEUE"\nclass_name = "Room"\n`,
    `${job} export class Room {}`,
    ['"QUEUE" is a Durable Object of the class "Room"', "QueueDurableObject"],
  ],
  [
    "a misspelt queue object",
    `${top}${kv}[[durable_objects.bindings]]\nname = "QEUE"\nclass_name = "QueueDurableObject"\n`,
    job,
    ['Did you mean "QEUE"?', 'export { QueueDurableObject } from "espalier/cloudflare"'],
  ],
  [
    "broadcasts without their Durable Object",
    top + kv,
    `import { DurableObjectBroadcastAdapter } from "espalier/cloudflare";
     app.useBroadcast(new DurableObjectBroadcastAdapter({ namespace: () => app.env.BROADCAST }));`,
    [
      "Broadcasts use a DurableObjectBroadcastAdapter",
      'no Durable Object binding has the class "BroadcastDurableObject"',
      'name = "BROADCAST"',
      'new_sqlite_classes = [ "BroadcastDurableObject" ]',
    ],
  ],
  [
    "locks whose class is misspelt",
    `${top}${kv}[[durable_objects.bindings]]\nname = "LOCK"\nclass_name = "LockDurableObjects"\n`,
    `import { DurableObjectLockStore } from "espalier/cloudflare";
     app.useLockStore(new DurableObjectLockStore({ namespace: () => app.env.LOCK }));`,
    ["Locks use a DurableObjectLockStore", 'Did you mean "LockDurableObjects"?'],
  ],
  [
    "a broadcast class that is not exported",
    `${top}${kv}[[durable_objects.bindings]]\nname = "BROADCAST"\nclass_name = "BroadcastDurableObject"\n`,
    "",
    ['Add: export { BroadcastDurableObject } from "espalier/cloudflare";'],
  ],
  [
    "a class that is not exported",
    `${top}${kv}[[durable_objects.bindings]]\nname = "RATE_LIMIT"\nclass_name = "RateLimitDurableObject"\n`,
    "",
    [
      'src/worker.ts does not export the class "RateLimitDurableObject"',
      'from "espalier/cloudflare"',
    ],
  ],
  [
    "a class that no migration creates",
    `${top}${kv}[[durable_objects.bindings]]\nname = "ROOM"\nclass_name = "Room"\n`,
    "export class Room {}",
    ['No migration creates the class "Room"', 'new_sqlite_classes = [ "Room" ]'],
  ],
];

describe("errors, with what to add", () => {
  test.each(errors)("%s", (_title, configuration, code, messages) => {
    const outcome = examine(configuration, code);
    expect(outcome.errors).toBe("");
    for (const message of messages) expect(outcome.output).toContain(message);
    expect(outcome.output).toMatch(/^✗/m);
    expect(outcome.code).toBe(1);
  });

  test("the KV binding set in the application's options", () => {
    const made = plain.replace("Application()", 'Application({ kv: "BOOKS" })');
    const { output, code } = examine(top + kv, "", { made });
    expect(output).toContain('uses the KV binding "BOOKS", which does not exist.');
    expect(output).toContain('binding = "BOOKS"');
    expect(code).toBe(1);
    const misspelt = examine(top + kv.replace('"KV"', '"BOKS"'), "", { made });
    expect(misspelt.output).toContain('which does not exist. Did you mean "BOKS"?');
  });

  test("missing handlers that the platform would call", () => {
    const exported = "export { app }; export default { fetch: app.fetch };";
    const { output, code } = examine(`${top}${kv}${queues}[triggers]\ncrons = ["* * * * *"]`, job, {
      exported,
    });
    expect(output).toContain(
      "The default export of src/worker.ts has no handler queue and no handler scheduled.",
    );
    expect(code).toBe(1);
  });
});

const queueObject =
  '[[durable_objects.bindings]]\nname = "QUEUE"\nclass_name = "QueueDurableObject"\n' +
  '[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["QueueDurableObject"]\n';

test("a Durable Object that stores jobs needs neither a consumer nor a cron trigger", () => {
  const exported = `${worker} export { QueueDurableObject } from "espalier/cloudflare";`;
  const { output, code } = examine(top + kv + queueObject, job, { exported });
  expect(output).toContain("Jobs are stored in the Durable Object binding QUEUE");
  expect(output).not.toMatch(/^[✗!]/m);
  expect(code).toBe(0);
});

const warnings: [string, string, string, string][] = [
  [
    "a queue object whose alarm cannot run jobs",
    top.replace("2026-11-01", "2025-11-16") + kv + queueObject,
    `${job} export { QueueDurableObject } from "espalier/cloudflare";`,
    'With the compatibility_date "2025-11-16" the Durable Object "QUEUE" cannot run jobs by its alarm',
  ],
  ["no KV", top, "", "No KV binding is named ESPALIER_KV, KV, CACHE"],
  [
    "a KV binding with a similar name",
    top + kv.replace("KV", "CASHE"),
    "",
    'binding "CASHE". Did you mean "CACHE"?',
  ],
  [
    "a KV binding for another purpose",
    top + kv.replace("KV", "ROOMS"),
    "",
    "(ROOMS) are not used by the cache",
  ],
  [
    "a trigger without a schedule",
    `${top}${kv}[triggers]\ncrons = ["0 5 * * *"]`,
    "",
    'The cron trigger "0 5 * * *" matches no schedule',
  ],
  [
    "jobs in KV without a cron trigger",
    top + kv,
    job,
    "without a cron trigger, retries and delayed jobs",
  ],
  ["a consumer without handlers", top + kv + queues, "", "but no job has a handler"],
  [
    "too few retries",
    top + kv + queues.replace("= 10", "= 1"),
    job,
    'max_retries of "jobs" is 1, so the platform drops a job',
  ],
  [
    "no dead-letter queue",
    top + kv + queues.replace('dead_letter_queue = "jobs-dlq"\n', ""),
    job,
    "has no dead_letter_queue, so failed jobs are lost",
  ],
  [
    "a dead-letter queue without a consumer",
    top + kv + queues.replace('[[queues.consumers]]\nqueue = "jobs-dlq"\n', ""),
    job,
    'The dead-letter queue "jobs-dlq" has no consumer',
  ],
  [
    "a dead-letter queue without its suffix",
    top + kv + queues.replaceAll("jobs-dlq", "jobs-lost"),
    job,
    'The dead-letter queue "jobs-lost" is not recognised',
  ],
  [
    "a date in the future",
    `main = "src/worker.ts"\ncompatibility_date = "2999-01-01"\n${kv}`,
    "",
    "2999-01-01 is in the future",
  ],
  [
    "an application that fails at boot",
    top + kv,
    'app.configure("mail", { key: { type: "string", required: true } });',
    "The application fails at boot with the environment variables set here.",
  ],
];

describe("warnings exit with code 0", () => {
  test.each(warnings)("%s", (_title, configuration, code, message) => {
    const outcome = examine(configuration, code);
    expect(outcome.errors).toBe("");
    expect(outcome.output).toContain(message);
    expect(outcome.output).toMatch(/^!/m);
    expect(outcome.output).not.toMatch(/^✗/m);
    expect(outcome.code).toBe(0);
  });
});

test("with jobs in KV, a cron trigger needs no schedule", () => {
  const { output, code } = examine(`${top}${kv}[triggers]\ncrons = ["* * * * *"]`, job);
  expect(output).toContain("Jobs are stored in KV, and cron triggers run them");
  expect(output).toContain("No problems found.");
  expect(code).toBe(0);
});

describe("the type of env", () => {
  const declare = (env: string): string =>
    `declare module "espalier" { interface Register { env: ${env} } }`;
  const examineEnv = (
    env: string,
    configuration: string,
    more = "",
    packages = ["esbuild", "typescript"],
  ) => {
    using project = createProject(
      {
        "wrangler.toml": `${top}${kv}${configuration}`,
        "src/worker.ts": `${plain} ${declare(env)} ${worker}`,
        "src/env.d.ts": more,
      },
      packages,
    );
    return project.espalier("doctor");
  };

  test("has bindings that do not exist", () => {
    const { code, output } = examineEnv(
      "{ readonly DB: D1Database; FILES: R2Bucket; MAIL: Queue<{ to: string }>; KV: KVNamespace }",
      '[[r2_buckets]]\nbinding = "FILE"\nbucket_name = "files"\n',
    );
    expect(output).toContain('✗ Env declares the binding "DB" (D1Database), which does not exist.');
    expect(output).toContain('[[d1_databases]]\n      binding = "DB"');
    expect(output).toContain('"FILES" (R2Bucket), which does not exist. Did you mean "FILE"?');
    expect(output).toContain('"MAIL" (Queue<{ to: string }>), which does not exist.');
    expect(output).toContain("1 of 4 bindings declared in Env exist");
    expect(code).toBe(1);
  });

  test("is found by its name, in other files and in what it extends", () => {
    const more = `
      declare namespace Cloudflare {
        interface Env extends Storage { COUNTER: DurableObjectNamespace; SECRET: string; NODE_ENV: "a" | "b" }
      }
      interface Storage { DB: D1Database; OWN: LinkStore; LATER?: R2Bucket }
      interface Register { env: { OTHER: R2Bucket } }`;
    const { code, output } = examineEnv("Cloudflare.Env", "", more);
    expect(output.match(/Env declares the binding "\w+"/g)).toEqual(
      ["DB", "OWN", "COUNTER"].map((name) => `Env declares the binding "${name}"`),
    );
    expect(output).toContain('! Env declares the binding "OWN" (LinkStore), which does not exist.');
    expect(code).toBe(1);
  });

  test("is not checked without TypeScript, and has no problem with all bindings", () => {
    expect(examineEnv("{ DB: D1Database }", "", "", ["esbuild"]).output).toContain(
      "No problems found",
    );
    const complete =
      '[[d1_databases]]\nbinding = "DB"\ndatabase_name = "books"\n[ai]\nbinding = "AI"\n';
    const { output, code } = examineEnv("{ DB: D1Database; AI: Ai; KV: KVNamespace }", complete);
    expect(output).toContain("3 of 3 bindings declared in Env exist");
    expect(output).toContain("No problems found");
    expect(code).toBe(0);
  });
});

test("a rate limit in memory is a warning", () => {
  const code = `import { RateLimitMiddleware } from "espalier";
    app.middleware("login", new RateLimitMiddleware({ name: "login", limit: 5 }));`;
  const { output } = examine(`${top}${kv}`, code);
  expect(output).toContain(
    '! The counts of the rate limit "login" are in the memory of each isolate.',
  );
});

test("an application with a custom cache store and queue needs no binding", () => {
  const made = `import { MemoryCacheStore } from "espalier"; ${plain}`;
  const code = `app.useInMemoryQueue(); app.useCacheStore(new MemoryCacheStore()); ${job}`;
  expect(examine(top, code, { made }).output).toContain("No problems found.");
});

test("an environment has separate bindings and inherits the rest", () => {
  const configuration = `${top}${kv}[env.staging]\n[env.staging.triggers]\ncrons = ["0 6 * * *"]\n`;
  const code = 'app.schedule("0 6 * * *", () => {});';
  expect(examine(configuration, code).output).toContain("No cron trigger matches");
  const staging = examine(configuration, code, { args: ["--env", "staging"] });
  expect(staging.output).toContain("1 of 1 schedules");
  expect(staging.output).toContain("No KV binding is named");
  const unknown = examine(configuration, code, { args: ["--env", "stagin"] });
  expect(unknown.errors).toContain('Unknown environment "stagin". Known: staging.');
});

test("JSON with comments is parsed, and fields to add are shown as JSON", () => {
  using project = createProject({
    "src/worker.ts": `${plain} app.schedule("0 6 * * *", () => {}); ${worker}`,
    "config/wrangler.jsonc": `{
      // the Worker
      "main": "../src/worker.ts", "compatibility_date": "2026-11-01",
      "kv_namespaces": [{ "binding": "KV", "id": "1" }],
    }`,
  });
  const { output, code } = project.espalier("doctor", "--config", "config/wrangler.jsonc");
  expect(output).toContain('"triggers": {\n        "crons": [');
  expect(code).toBe(1);
});

describe("reports an error for", () => {
  test("no configuration", () => {
    using project = createProject({ "src/worker.ts": plain });
    expect(project.espalier("doctor").errors).toContain("No wrangler.toml");
    expect(project.espalier("doctor", "--config", "x.toml").errors).toContain(
      "File x.toml not found",
    );
  });

  test.each([
    ["wrangler.toml", "main = ", "Cannot parse wrangler.toml: Invalid TOML"],
    ["wrangler.json", "{ main }", "Cannot parse wrangler.json: "],
  ])("a broken %s", (name, text, message) => {
    using project = createProject({ [name]: text });
    const { code, errors } = project.espalier("doctor");
    expect(errors).toContain(message);
    expect(code).toBe(1);
  });

  test("a Worker without an application", () => {
    const { code, errors } = examine(top, "", { exported: "export default { fetch: app.fetch };" });
    expect(errors).toContain("src/worker.ts exports no application");
    expect(code).toBe(1);
  });
});

const room = `import { RoomDurableObject } from "espalier/cloudflare";
  export class ChatRoom extends RoomDurableObject { handlers = {}; }`;

test("the bindings of broadcasts and rooms are found by their classes", () => {
  const objects =
    '[[durable_objects.bindings]]\nname = "EVENTS"\nclass_name = "BroadcastDurableObject"\n' +
    '[[durable_objects.bindings]]\nname = "ROOMS"\nclass_name = "ChatRoom"\n' +
    '[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["BroadcastDurableObject", "ChatRoom"]\n';
  const { code, output, errors } = examine(
    top + kv + objects,
    `import { DurableObjectBroadcastAdapter } from "espalier/cloudflare";
     app.useBroadcast(new DurableObjectBroadcastAdapter({ namespace: () => app.env.EVENTS }));
     export { BroadcastDurableObject } from "espalier/cloudflare"; ${room}`,
  );
  expect(errors).toBe("");
  expect(output).toContain("Broadcasts use the Durable Object binding EVENTS");
  expect(output).toContain("Rooms use the Durable Object binding ROOMS");
  expect(code).toBe(0);
});

describe("Durable Object classes in `exports`", () => {
  const rooms =
    '[[durable_objects.bindings]]\nname = "ROOMS"\nclass_name = "ChatRoom"\n' +
    '[exports.Lobby]\ntype = "durable-object"\nstate = "renamed"\nrenamed_to = "ChatRoom"\n';

  test("create a class as migrations do", () => {
    const declared = '[exports.ChatRoom]\ntype = "durable-object"\nstorage = "sqlite"\n';
    const { code, output } = examine(top + kv + rooms + declared, room);
    expect(output).not.toMatch(/^[✗!]/m);
    expect(code).toBe(0);
  });

  test.each([
    ["is missing", ""],
    ["is deleted", '[exports.ChatRoom]\ntype = "durable-object"\nstate = "deleted"\n'],
    ["is another kind of class", '[exports.ChatRoom]\ntype = "worker"\n'],
  ])("a class that %s is an error with the lines to add", (_what, entry) => {
    const { code, output } = examine(top + kv + rooms + entry, room);
    expect(output).toContain('"exports" does not declare the class "ChatRoom".');
    expect(output).toMatch(/\[exports\.ChatRoom\]\s+type = "durable-object"\s+storage = "sqlite"/);
    expect(output).not.toContain("migrations");
    expect(code).toBe(1);
  });
});

test("a room without a binding is a warning with the lines to add", () => {
  const { code, output } = examine(top + kv, room);
  expect(output).toContain('The class "ChatRoom" is a room, but no Durable Object binding has it.');
  expect(output).toContain('name = "ROOMS"');
  expect(code).toBe(0);
});
