import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bundle } from "../../benchmarks/application/runtimes/bundle.ts";
import { overBudget, readBudget } from "../../benchmarks/size/budget.ts";
import { entries, everythingName } from "../../benchmarks/size/entries.ts";
import { evaluatedCode, evaluatedModules } from "../../benchmarks/size/evaluated-code.ts";
import { bundleEntry, weigh } from "../../benchmarks/size/weigh.ts";

const manifest = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { readonly exports: Readonly<Record<string, unknown>> };
const hasCore = "./core" in manifest.exports;

/** Strings that only the code of a feature contains, by the feature's name in the entries. */
const tracesOfFeatures: Readonly<Record<string, string>> = {
  validation: "ERR_VALIDATION_BAD_RULE",
  tokens: "invalid_token",
  "rate limits": "RateLimit-Policy",
  CORS: "Access-Control-Allow-Origin",
  CSRF: "Sec-Fetch-Site",
  compression: "CompressionStream",
  sessions: "__Host-session",
  timeouts: "timeoutSignal",
  OpenAPI: "openapi",
  queues: "ERR_QUEUE_",
  schedules: "ERR_SCHEDULE_",
  policies: "denied access",
  health: "ERR_HEALTH_",
  configuration: "ERR_CONFIG_BAD_SECTION",
  "secure headers": "Strict-Transport-Security",
  services: "ERR_CONTAINER_CYCLE",
  "allowed hosts": "does not serve the requested host",
  capabilities: "A shutdown hook failed.",
};

/** Strings of lazily loaded parts, which are not evaluated at startup. */
const tracesOfLazyParts: Readonly<Record<string, string>> = {
  bodies: "The request body is not valid JSON.",
  "multipart forms": "delimiter is missing",
  validation: "ERR_VALIDATION_BAD_RULE",
  "the documentation page": "prefers-color-scheme",
  "the OpenAPI document": "#/components/schemas/",
  "running jobs": "ERR_QUEUE_JOB_TIMEOUT",
  "the cache's producers": "ERR_CACHE_BAD_PRODUCER",
  "the redactor": "[redacted]",
  "the lifecycle of controllers": "beforeHandle",
  "jobs enqueued before the queue is loaded": "enqueueCopies(jobs, texts, options) {",
  tokens: "invalid_token",
};

/** Folders of the capabilities, and of the middleware that options and methods of the application add. */
const capabilityFolders = [
  "auth",
  "broadcast",
  "cache",
  "health",
  "lock",
  "metrics",
  "middleware",
  "observability",
  "openapi",
  "plugins",
  "queue",
  "rate-limit",
  "resilience",
  "schedule",
  "validation",
  "websocket",
];

/**
 * What is evaluated of them by every application: files that record what is registered, with the checks of
 * the arguments. `config/` and `events/` are not listed: `getConfig` and `emitSync` return at once, also
 * before boot, so that all of their code has to be there.
 */
const recorders = [
  "auth/policies.js",
  "cache/cache-source.js",
  "cache/escape-key.js",
  "health/health-checks.js",
  "health/health-routes.js",
  "metrics/metrics-options.js",
  "middleware/cors-options.js",
  "middleware/request-observability-options.js",
  // The logger, and the check of an option.
  "observability/console-logger.js",
  "observability/logger.js",
  "observability/open-telemetry.js",
  "openapi/openapi-routes.js",
  "plugins/extension.js",
  "plugins/plugin-manager.js",
  "queue/job-definitions.js",
  "queue/option-checks.js",
  "queue/wrong-names.js",
  "schedule/cron-problem.js",
  "schedule/normalise-cron.js",
  "schedule/scheduler.js",
  // Names the sources in the options of a route.
  "validation/pick-sources.js",
];

const includesText = (code: string, text: string): boolean =>
  code.toLowerCase().includes(text.toLowerCase());

const own = entries.filter(({ group }) => group !== "peer" && (hasCore || group === "whole"));

describe("the size of a worker", () => {
  test.each(own)("$name is within its budget", { timeout: 60_000 }, async (entry) => {
    const weight = await weigh(entry, await bundleEntry(entry));
    expect(overBudget(weight, readBudget())).toEqual([]);
    expect(weight.startGzipBytes).toBeLessThanOrEqual(weight.totalGzipBytes);
  });

  test("the bundle with all features contains their strings", async () => {
    const entry = entries.find(({ name }) => name === everythingName);
    if (entry === undefined) throw new Error(`Unknown entry ${everythingName}.`);
    const { code } = await bundleEntry(entry);
    const absent = Object.entries(tracesOfFeatures).filter(([, text]) => !includesText(code, text));
    expect(absent).toEqual([]);
  });

  test.each([
    ["escapeHtml", "espalier", 3_000],
    ["noContent", "espalier/core", 3_000],
    ["cspNonce", "espalier/middleware", 3_000],
    ["DurableObjectRateLimitStore", "espalier/cloudflare", 3_000],
  ])("a worker that uses %s of %s alone carries little else", async (name, from, limit) => {
    const code = `import { ${name} } from "${from}"; export default ${name};`;
    const alone = await bundleEntry({ name, group: "core", code });
    // What is made at the top of a module stays, unless it is said to have no effect. All there is would
    // be over 200,000 characters.
    expect(alone.code.length).toBeLessThan(limit);
  });

  test.skipIf(!hasCore).each(own.filter(({ group }) => group === "core"))(
    "$name has no trace of another feature",
    async ({ name, ...entry }) => {
      const { code } = await bundleEntry({ name, ...entry });
      expect(code).toContain("Hello, world!");
      const others = Object.entries(tracesOfFeatures).filter(
        ([feature]) => name !== `espalier/core + ${feature}`,
      );
      expect(others.filter(([, text]) => includesText(code, text))).toEqual([]);
    },
  );

  test("hello evaluates no lazily loaded part at startup", async () => {
    const entry = own.find(({ name }) => name === "espalier, hello");
    if (entry === undefined) throw new Error("Unknown entry.");
    const { code } = await bundle(entry, "workerd");
    const lazy = Object.entries(tracesOfLazyParts).filter(([part]) => part !== "tokens");
    expect(lazy.filter(([, text]) => !includesText(code, text))).toEqual([]);
    const atStart = await evaluatedCode(code);
    const found = Object.entries(tracesOfLazyParts).filter(([, text]) =>
      includesText(atStart, text),
    );
    expect(found).toEqual([]);
  });

  test("hello evaluates no file of a capability beside those that record", async () => {
    const entry = own.find(({ name }) => name === "espalier, hello");
    if (entry === undefined) throw new Error("Unknown entry.");
    const { code } = await bundle(entry, "workerd");
    const evaluated = evaluatedModules(code).flatMap(({ path }) => path ?? []);
    const ofCapabilities = evaluated
      .map((path) => path.replace("dist/modules/", ""))
      .filter((path) => capabilityFolders.some((folder) => path.startsWith(`${folder}/`)));
    // A set, because esbuild names some modules twice.
    expect([...new Set(ofCapabilities)].toSorted()).toEqual(recorders);
    // The engines of the capabilities are beside them.
    expect(evaluated.filter((path) => path.endsWith("-engine.js"))).toEqual([]);
  });

  // esbuild puts what lazily loaded code imports into functions, which are parsed once more.
  test("hello evaluates the context and the router without a function around them", async () => {
    const entry = own.find(({ name }) => name === "espalier, hello");
    if (entry === undefined) throw new Error("Unknown entry.");
    const { code } = await bundle(entry, "workerd");
    const evaluated = evaluatedModules(code).filter(({ init }) => init === undefined);
    const paths = evaluated.map(({ path }) => path);
    for (const file of ["http/context", "routing/route-match", "routing/matcher"]) {
      expect(paths).toContain(`dist/modules/${file}.js`);
    }
  });
});
