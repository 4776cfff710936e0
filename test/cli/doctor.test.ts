import { describe, expect, test } from "vitest";
import { createProject, type Outcome } from "./support/project.ts";

const top = 'main = "src/worker.ts"\ncompatibility_date = "2026-11-01"\n';
const kv = '[[kv_namespaces]]\nbinding = "KV"\nid = "1"\n';
const plain = 'import { Application } from "espalier"; const app = new Application();';
const worker = "export default app.worker();";

/** What the doctor says about a configuration and a Worker. */
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

test("nothing is wrong with what fits", () => {
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
  for (const part of ["KV binding KV", "Queue jobs", "RATE_LIMIT counts", "RATE_LIMITER is used"]) {
    expect(output).toContain(part);
  }
  expect(output).toContain("1 of 1 schedules");
  expect(output).toContain("Nothing is wrong.");
  expect(code).toBe(0);
});

const errors: [string, string, string, string[]][] = [
  ["no main", 'compatibility_date = "2026-11-01"', "", ["has no `main`", 'main = "src/worker.ts"']],
  [
    "a main that is not there",
    'main = "src/wroker.ts"\n',
    "",
    ["`main` is src/wroker.ts, which is not"],
  ],
  ["no date", 'main = "src/worker.ts"', "", ["no compatibility_date", 'compatibility_date = "20']],
  [
    "a date that is none",
    'main = "src/worker.ts"\ncompatibility_date = "2026-13-45"',
    "",
    ['compatibility_date is "2026-13-45". Write a date'],
  ],
  [
    "a misspelt field",
    `compatibilty_flags = []\nkv_namespace = []\n${top}`,
    "",
    ['has "kv_namespace". Did you mean "kv_namespaces"?'],
  ],
  [
    "a schedule without its trigger",
    `${top}${kv}[triggers]\ncrons = ["0 5 * * *"]`,
    'app.schedule("0 6 * * *", () => {});',
    ['No cron trigger runs app.schedule("0 6 * * *", …)', 'crons = [ "0 5 * * *", "0 6 * * *" ]'],
  ],
  [
    "jobs that are in memory",
    top,
    job,
    ["Jobs (mail.send) are in the memory", 'binding = "QUEUE"'],
  ],
  [
    "a queue binding that is misspelt",
    `${top}${kv}${queues.replace('"QUEUE"', '"QEUE"')}`,
    job,
    ['looks for the queue binding "QUEUE". Did you mean "QEUE"?'],
  ],
  [
    "a queue that nothing is taken out of",
    `${top}${kv}[[queues.producers]]\nbinding = "QUEUE"\nqueue = "jobs"\n`,
    job,
    ['Nothing takes jobs out of the queue "jobs"', "dead_letter_queue = "],
  ],
  [
    "a consumer without the producer",
    `${top}${kv}[[queues.consumers]]\nqueue = "jobs"\n`,
    job,
    ['"jobs" is delivered to this Worker, which has no producer binding "QUEUE"'],
  ],
  [
    "no Durable Object for the limiter",
    top + kv,
    limiter("DurableObjectRateLimitStore"),
    [
      'Durable Object binding "RATE_LIMIT", which is not there',
      'class_name = "RateLimitDurableObject"',
    ],
  ],
  [
    "no binding for the limiter",
    top + kv,
    limiter("WorkersRateLimitStore"),
    ['rate limit binding "RATE_LIMITER"', "[[ratelimits]]"],
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

  test("the KV binding that the application names", () => {
    const made = plain.replace("Application()", 'Application({ kv: "BOOKS" })');
    const { output, code } = examine(top + kv, "", { made });
    expect(output).toContain('looks for the KV binding "BOOKS", which is not there.');
    expect(output).toContain('binding = "BOOKS"');
    expect(code).toBe(1);
    const misspelt = examine(top + kv.replace('"KV"', '"BOKS"'), "", { made });
    expect(misspelt.output).toContain('which is not there. Did you mean "BOKS"?');
  });

  test("handlers that the platform would call and that are not there", () => {
    const exported = "export { app }; export default { fetch: app.fetch };";
    const { output, code } = examine(`${top}${kv}${queues}[triggers]\ncrons = ["* * * * *"]`, job, {
      exported,
    });
    expect(output).toContain("The default export of src/worker.ts has no queue and no scheduled.");
    expect(code).toBe(1);
  });
});

const warnings: [string, string, string, string][] = [
  ["no KV", top, "", "No KV binding is called ESPALIER_KV, KV, CACHE"],
  [
    "a KV of a name that is near",
    top + kv.replace("KV", "CASHE"),
    "",
    'binding "CASHE". Did you mean "CACHE"?',
  ],
  ["a KV that is the application's own", top + kv.replace("KV", "ROOMS"), "", "(ROOMS) are yours"],
  [
    "a trigger that runs nothing",
    `${top}${kv}[triggers]\ncrons = ["0 5 * * *"]`,
    "",
    'The cron trigger "0 5 * * *" runs nothing',
  ],
  [
    "jobs in KV that only requests run",
    top + kv,
    job,
    "without a cron trigger retries and delayed jobs",
  ],
  ["a consumer without handlers", top + kv + queues, "", "and no job has a handler"],
  [
    "too few retries",
    top + kv + queues.replace("= 10", "= 1"),
    job,
    'max_retries of "jobs" is 1, so the platform gives a job up',
  ],
  [
    "no dead-letter queue",
    top + kv + queues.replace('dead_letter_queue = "jobs-dlq"\n', ""),
    job,
    "has no dead_letter_queue, so what is given up is lost",
  ],
  [
    "a dead-letter queue that nobody reads",
    top + kv + queues.replace('[[queues.consumers]]\nqueue = "jobs-dlq"\n', ""),
    job,
    'The dead-letter queue "jobs-dlq" has no consumer',
  ],
  [
    "a dead-letter queue that looks like any other",
    top + kv + queues.replaceAll("jobs-dlq", "jobs-lost"),
    job,
    'The dead-letter queue is called "jobs-lost"',
  ],
  [
    "a date that has not come",
    `main = "src/worker.ts"\ncompatibility_date = "2999-01-01"\n${kv}`,
    "",
    "2999-01-01 has not come yet",
  ],
  [
    "what does not start here",
    top + kv,
    'app.configure("mail", { key: { type: "string", required: true } });',
    "It does not start with the variables there are here.",
  ],
];

describe("warnings end with 0", () => {
  test.each(warnings)("%s", (_title, configuration, code, message) => {
    const outcome = examine(configuration, code);
    expect(outcome.errors).toBe("");
    expect(outcome.output).toContain(message);
    expect(outcome.output).toMatch(/^!/m);
    expect(outcome.output).not.toMatch(/^✗/m);
    expect(outcome.code).toBe(0);
  });
});

test("jobs in KV need no schedule for their cron trigger", () => {
  const { output, code } = examine(`${top}${kv}[triggers]\ncrons = ["* * * * *"]`, job);
  expect(output).toContain("Jobs are in KV, and cron triggers run them");
  expect(output).toContain("Nothing is wrong.");
  expect(code).toBe(0);
});

test("an application that keeps its cache and jobs itself needs no binding", () => {
  const made = `import { MemoryCacheStore } from "espalier"; ${plain}`;
  const code = `app.useInMemoryQueue(); app.useCacheStore(new MemoryCacheStore()); ${job}`;
  expect(examine(top, code, { made }).output).toContain("Nothing is wrong.");
});

test("an environment has its own bindings, and inherits the rest", () => {
  const configuration = `${top}${kv}[env.staging]\n[env.staging.triggers]\ncrons = ["0 6 * * *"]\n`;
  const code = 'app.schedule("0 6 * * *", () => {});';
  expect(examine(configuration, code).output).toContain("No cron trigger runs");
  const staging = examine(configuration, code, { args: ["--env", "staging"] });
  expect(staging.output).toContain("1 of 1 schedules");
  expect(staging.output).toContain("No KV binding is called");
  const unknown = examine(configuration, code, { args: ["--env", "stagin"] });
  expect(unknown.errors).toContain(
    'There is no environment "stagin" in the file. There are: staging.',
  );
});

test("JSON with comments is read, and what to add is JSON", () => {
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

describe("what cannot be examined is told", () => {
  test("no configuration", () => {
    using project = createProject({ "src/worker.ts": plain });
    expect(project.espalier("doctor").errors).toContain("There is no wrangler.toml");
    expect(project.espalier("doctor", "--config", "x.toml").errors).toContain(
      "There is no file x.toml",
    );
  });

  test.each([
    ["wrangler.toml", "main = ", "wrangler.toml cannot be read: Invalid TOML"],
    ["wrangler.json", "{ main }", "wrangler.json cannot be read: "],
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
