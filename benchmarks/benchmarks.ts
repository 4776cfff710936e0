import { builtFrom, type Entry, packageSources, type Tool } from "../scripts/runner/entry.ts";

const built = builtFrom("src/index.ts", "src/core.ts");

/** Every benchmark, in the order of `npm run bench -- all`. */
export const benchmarks: readonly Entry[] = [
  {
    name: "application",
    summary: "Time that a framework adds to a request, in process (Node, Deno, Bun, workerd)",
    program: "benchmarks/application/run.ts",
    options: "[--runtime node,…] [--app hello,…] [--subject Espalier,…] [--own]",
    ...built,
  },
  {
    name: "memory",
    summary: "Memory that a request leaves behind (Node, Deno, Bun, workerd)",
    program: "benchmarks/application/memory.ts",
    options: "[--runtime node,…] [--app hello,…] [--subject Espalier,…] [--requests N] [--own]",
    ...built,
  },
  {
    name: "routing",
    summary: "Time from a URL to its route and parameters, by router (Node, workerd)",
    program: "benchmarks/routing/run.ts",
    options: "[--runtime node|workerd] [--table github-v3]",
    code: ["src/routing/matcher.ts"],
    texts: ["router-wasm/pkg"],
    needsBuild: false,
  },
  {
    name: "scale",
    summary: "Requests per second by the number of routes, up to 10,000 (Node)",
    program: "benchmarks/application/scale.ts",
    options: "[--subject Espalier,…] [--own]",
    ...built,
  },
  {
    name: "services",
    summary: "Cache hits, and jobs per second in memory, on Redis and on PostgreSQL (Node)",
    program: "benchmarks/services/run.ts",
    options: "[--only cache,memory,engines]",
    ...builtFrom("src/index.ts", "src/bullmq.ts", "src/postgres.ts"),
  },
  {
    name: "simulation",
    summary: "Limiters and caches at a million requests per second, in simulated time",
    program: "benchmarks/scale/simulate.ts",
    options: "[--requests-per-second N] [--isolates N] [--seconds N] [--charts]",
    code: [
      "src/rate-limit/memory-rate-limit-store.ts",
      "src/rate-limit/sliding-window.ts",
      "src/cache/cache.ts",
      "src/cache/memory-store.ts",
    ],
    texts: ["benchmarks/scale"],
    needsBuild: false,
  },
  {
    name: "size",
    summary: "Bytes of a bundled Worker by feature; --budget writes the limits",
    program: "benchmarks/size/run.ts",
    options: "[--budget]",
    ...builtFrom(
      "src/index.ts",
      "src/core.ts",
      "src/middleware.ts",
      // Conditions of a bundler replace modules by these.
      "src/omitted",
      "src/production",
    ),
  },
  {
    name: "sockets",
    summary: "Requests per second and latency over sockets (Node, Deno, Bun)",
    program: "benchmarks/application/sockets/run.ts",
    options: "[--runtime node,…] [--app hello,…] [--subject Espalier,…] [--own]",
    ...built,
  },
  {
    name: "source",
    summary: "Readability of the sources: wording, files per request, cycles, long files",
    program: "benchmarks/source/run.ts",
    options: "[--list]",
    code: [],
    texts: ["src", "router-wasm/src"],
    needsBuild: false,
  },
  {
    name: "start",
    summary: "Time from an empty process or isolate to the first response (Node, workerd)",
    program: "benchmarks/application/start/run.ts",
    options: "[--runtime node,workerd] [--subject Espalier,…] [--own]",
    ...built,
  },
  {
    name: "types",
    summary: "Type-checking of 300 routes and the client that is inferred from them",
    program: "benchmarks/types/run.ts",
    options: "",
    code: [],
    texts: packageSources,
    needsBuild: true,
  },
];

/** Programs that explain the results or write them into pages. */
export const tools: readonly Tool[] = [
  {
    name: "anatomy",
    summary: "Bytes of a bundle by module, and without some of them",
    program: "benchmarks/size/anatomy.ts",
    options: '[--entry "espalier, everything"] [--without http/query,…]',
    needsBuild: true,
  },
  {
    name: "charts",
    summary: "Draws docs/charts from the committed results",
    program: "benchmarks/draw-charts.ts",
    options: "",
    needsBuild: false,
  },
  {
    name: "profile",
    summary: "Functions with the most time of an application (Node, workerd)",
    program: "benchmarks/application/profile.ts",
    options: "[--runtime node,workerd] [--app hello,…] [--subject Espalier]",
    needsBuild: true,
  },
  {
    name: "tables",
    summary:
      "Writes the tables of docs/performance.md and docs/scale.md from the committed results",
    program: "benchmarks/write-tables.ts",
    options: "[--check]",
    needsBuild: false,
  },
];

/** Finds a benchmark by name. @throws if it does not exist */
export function findBenchmark(name: string): Entry {
  const found = benchmarks.find((benchmark) => benchmark.name === name);
  if (found === undefined) throw new Error(`benchmarks/benchmarks.ts has no benchmark "${name}".`);
  return found;
}
