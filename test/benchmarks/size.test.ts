import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { overBudget, readBudget } from "../../benchmarks/size/budget.ts";
import { coreHelloName, entries, everythingName } from "../../benchmarks/size/entries.ts";
import { bundleEntry, weigh } from "../../benchmarks/size/weigh.ts";

const manifest = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { readonly exports: Readonly<Record<string, unknown>> };
const hasCore = "./core" in manifest.exports;

/** Texts that a feature cannot do without, and nothing else has. */
const tracesOfFeatures: Readonly<Record<string, string>> = {
  tokens: "invalid_token",
  "rate limits": "RateLimit-Policy",
  CORS: "Access-Control-Allow-Origin",
  CSRF: "Sec-Fetch-Site",
  compression: "CompressionStream",
  OpenAPI: "openapi",
  queues: "ERR_QUEUE_",
  schedules: "ERR_SCHEDULE_",
  policies: "denied access",
  health: "ERR_HEALTH_",
  configuration: "ERR_CONFIG_",
  "secure headers": "Strict-Transport-Security",
};

const includesText = (code: string, text: string): boolean =>
  code.toLowerCase().includes(text.toLowerCase());

const own = entries.filter(({ group }) => group !== "peer" && (hasCore || group === "whole"));

describe("what a worker has to carry", () => {
  test.each(own)("$name is within its budget", { timeout: 60_000 }, async (entry) => {
    const weight = await weigh(entry, await bundleEntry(entry));
    expect(overBudget(weight, readBudget())).toEqual([]);
    expect(weight.startGzipBytes).toBeLessThanOrEqual(weight.totalGzipBytes);
  });

  test("the traces of features are in the bundle that uses all of them", async () => {
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

  test.skipIf(!hasCore)(
    "hello from the lean entry has no trace of what it does not use",
    async () => {
      const entry = entries.find(({ name }) => name === coreHelloName);
      if (entry === undefined) throw new Error(`Unknown entry ${coreHelloName}.`);
      const { code } = await bundleEntry(entry);
      expect(code).toContain("Hello, world!");
      const found = Object.entries(tracesOfFeatures).filter(([, text]) => includesText(code, text));
      expect(found).toEqual([]);
    },
  );
});
