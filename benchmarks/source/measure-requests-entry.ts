// Runs in a process with the condition `espalier-source`: counts the files and functions of src/ that each
// measured request calls once the application is warm, and writes them as JSON.
import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { root } from "../../scripts/runner/root.ts";
import type { CalledFile } from "./measure-requests.ts";
import { measuredRequests } from "./requests.ts";

/** Requests before the measured one. */
const warmUpRequests = 20;

// The build embeds the bytes of the router as a module.
const routerModule = "virtual:router-wasm-base64";
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === routerModule
      ? { url: routerModule, shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    if (url !== routerModule) return next(url, context);
    const base64 = readFileSync(`${root}router-wasm/pkg/router.wasm`).toString("base64");
    const source = `export default ${JSON.stringify(base64)};`;
    return { format: "module", shortCircuit: true, source };
  },
});

const { Application, json } = await import("../../src/index.ts");
const app = new Application();
const router = app.getRouter();
router.get("/hello/:name", (ctx) => json({ hello: ctx.params.name }));
router.post("/books", (ctx) => json(ctx.validated, 201), {
  validation: {
    title: { type: "string", required: true, min: 2 },
    pages: { type: "integer", min: 1 },
  },
});

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const called: Record<string, readonly CalledFile[]> = {};
for (const { name, expectedStatus, create } of measuredRequests) {
  const send = async (): Promise<void> => {
    const response = await app.fetch(create());
    await response.text();
    if (response.status === expectedStatus) return;
    throw new Error(`${name}: the status must be ${expectedStatus}, got ${response.status}`);
  };
  for (let i = 0; i < warmUpRequests; i++) await send();
  // Sets all counts to 0.
  await session.post("Profiler.takePreciseCoverage");
  await send();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  called[name] = result.flatMap(({ url, functions }) => findCalled(url, functions));
}
console.log(JSON.stringify(called));
await app.stop();

interface FunctionCoverage {
  readonly functionName: string;
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
}

/** Counts the functions of a file of `src/` that were called; the module itself does not count. */
function findCalled(url: string, functions: readonly FunctionCoverage[]): CalledFile[] {
  const source = `${root}src/`;
  if (!url.startsWith("file:") || !fileURLToPath(url).startsWith(source)) return [];
  const counts = functions
    .filter(({ functionName, ranges }) => functionName !== "" || ranges[0]?.startOffset !== 0)
    .map(({ ranges }) => ranges[0]?.count ?? 0)
    .filter((count) => count > 0);
  if (counts.length === 0) return [];
  const calls = counts.reduce((sum, count) => sum + count, 0);
  return [{ name: fileURLToPath(url).slice(source.length), functions: counts.length, calls }];
}
