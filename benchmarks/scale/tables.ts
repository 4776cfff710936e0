import { existsSync, readFileSync } from "node:fs";
import type { Report, Row } from "../support/row.ts";
import { monthlyDollars, prices } from "./platform.ts";
import type { SimulationResult } from "./result.ts";

/** Generators of the tables of `docs/scale.md`, from the committed results in `results`. */
export const tables: Readonly<Record<string, () => string>> = {
  capacity,
  routes,
  cache,
  limiter,
  shards,
  costs,
  jobs,
};

const WANTED_PER_SECOND = 1_000_000;
const applications: Readonly<Record<string, string>> = {
  hello: "a text",
  parameter: "a parameter, JSON",
  echo: "a validated JSON body",
  "ten-middleware": "ten middleware",
  auth: "a token, HS256, and a policy",
  "routes-300": "one of 300 routes",
};

function capacity(): string {
  const isolate = readReport("application-workerd");
  const node = readReport("application-node");
  const sockets = onNode(readReport("sockets-node"));
  const rows = Object.entries(applications).map(([name, title]) => {
    const inIsolate = wholeMicros(isolate, name);
    const overSockets = rowOf(sockets, name);
    return [
      title,
      shown(inIsolate),
      shown(1e6 / inIsolate),
      shown(WANTED_PER_SECOND / (1e6 / inIsolate)),
      shown(wholeMicros(node, name)),
      overSockets === undefined ? "–" : shown(overSockets.value),
    ];
  });
  return table(
    [
      "request",
      "µs in an isolate",
      "a second in one isolate",
      "isolates that 1,000,000 a second keep busy",
      "µs on Node, no network",
      "a second from one Node process, sockets",
    ],
    rows,
  );
}

function routes(): string {
  const grown = readReport("scale");
  const start = readReport("start");
  const rows = ["10", "100", "1,000", "10,000"].map((count) => {
    const row = rowOf(grown, `${count} routes`);
    const started = start.rows.find(
      (one) =>
        one.case === `${count} routes, both` &&
        one.runtime === "workerd" &&
        one.subject === "Espalier",
    );
    return [
      count,
      shown(row?.value ?? Number.NaN),
      `${Math.round((row?.more?.["shareOfSmallest"] ?? Number.NaN) * 100)} %`,
      started === undefined ? "–" : `${shown(started.value)} ms`,
    ];
  });
  return table(
    ["routes", "requests a second on Node, no network", "of 10 routes", "first answer in workerd"],
    rows,
  );
}

function cache(): string {
  const { kvCache, memoryCache, settings } = readSimulation();
  const rows = kvCache.map((one) => [
    `KV, kept for ${one.name}`,
    percent(one.hitRate),
    percent(one.staleRate),
    `${one.ageSeconds.p50} / ${one.ageSeconds.p99} s`,
    percent(one.behindRate),
    shown(one.producerCallsPerSecond),
    shown(one.kvWritesPerSecond),
    shown(one.kvRefusedWritesPerSecond),
  ]);
  const memory = [
    "memory of each isolate, 60 s",
    percent(memoryCache?.hitRate ?? Number.NaN),
    "0 %",
    "–",
    "–",
    shown(memoryCache?.producerCallsPerSecond ?? Number.NaN),
    "–",
    "–",
  ];
  const title = `cache, ${settings.requestsPerSecond.toLocaleString("en")} look-ups a second`;
  return table(
    [
      title,
      "hits",
      "of them past their TTL",
      "age, median / 99 %",
      "hits behind KV",
      "producers a second",
      "writes a second",
      "refused a second",
    ],
    [...rows, memory],
  );
}

function limiter(): string {
  const { limiter: result } = readSimulation();
  if (result === undefined) return "Not simulated yet.";
  const { exact, memory, requests, limit } = result;
  const share = (count: number): string => percent(count / requests);
  return table(
    ["limiter", "admitted", "refused", "overloaded", "most in any window", "of the limit"],
    [
      [
        "a Durable Object for each client",
        share(exact.admitted),
        share(exact.refused),
        share(exact.overloaded),
        shown(exact.mostInAnyWindow),
        `${shown(exact.mostInAnyWindow / limit)}×`,
      ],
      [
        "memory of each isolate",
        share(memory.admitted),
        share(memory.refused),
        "0 %",
        shown(memory.mostInAnyWindow),
        `${shown(memory.mostInAnyWindow / limit)}×`,
      ],
    ],
  );
}

function shards(): string {
  const { hotKey } = readSimulation();
  const rows = (hotKey?.shards ?? []).map((one) => [
    String(one.shards),
    percent(one.overloaded / one.requests),
    percent(one.shareOfLimit),
  ]);
  return table(
    ["objects for the key", "requests that get an error", "of the limit admitted"],
    rows,
  );
}

function costs(): string {
  const { kvCache, limiter: result, workerRequestsMonthlyDollars } = readSimulation();
  const hello = wholeMicros(readReport("application-workerd"), "hello");
  const cpu = monthlyDollars((WANTED_PER_SECOND * hello) / 1_000, prices.workerCpuMs);
  const dollars = (value: number | undefined): string => (value ?? Number.NaN).toLocaleString("en");
  return table(
    ["what", "US dollars for 30 days"],
    [
      ["requests of Workers", dollars(workerRequestsMonthlyDollars)],
      [`CPU time of Workers, ${shown(hello)} µs each`, dollars(cpu)],
      ...kvCache.flatMap((one) => [
        [`cache in KV for ${one.name}: reads`, dollars(one.monthlyDollars.kvReads)],
        [`cache in KV for ${one.name}: writes`, dollars(one.monthlyDollars.kvWrites)],
      ]),
      ["limiter: requests of objects", dollars(result?.monthlyDollars.objectRequests)],
      ["limiter: rows of admitted requests", dollars(result?.monthlyDollars.rowsWritten)],
      [
        `limiter: duration, if none of ${shown(result?.objects ?? Number.NaN)} objects ever rests`,
        dollars(monthlyDollars((result?.objects ?? Number.NaN) * 0.128, prices.objectGbSeconds)),
      ],
    ],
  );
}

/** Operations of a job that succeeds on the first attempt, from the code of the drivers. */
function jobs(): string {
  const dollars = (value: number): string => value.toFixed(2);
  return table(
    ["queue", "what a job costs", "US dollars for a million jobs"],
    [
      [
        "KV",
        "2 writes, 2 deletions, 1 read; lists beside",
        dollars(4 * prices.kvWrites + prices.kvReads),
      ],
      [
        "Durable Object",
        "2 requests, 5 rows written; its duration beside",
        dollars(2 * prices.objectRequests + 5 * prices.objectRowsWritten),
      ],
      ["Cloudflare Queues", "3 operations up to 64 KB", dollars(3 * prices.queueOperations)],
    ],
  );
}

function wholeMicros(report: Report, application: string): number {
  return (rowOf(report, application)?.more?.["whole"] ?? Number.NaN) / 1_000;
}

function rowOf(report: Report, name: string): Row | undefined {
  return report.rows.find((row) => row.case === name && row.subject === "Espalier");
}

function shown(value: number): string {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return rounded.toLocaleString("en");
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = `| --- |${" ---: |".repeat(header.length - 1)}`;
  return [line(header), rule, ...rows.map(line)].join("\n");
}

function readReport(name: string): Report {
  return JSON.parse(read(name)) as Report; // written by --json
}

function onNode(report: Report): Report {
  return { ...report, rows: report.rows.filter(({ runtime }) => runtime === "node") };
}

function readSimulation(): SimulationResult {
  return JSON.parse(read("scale-simulation")) as SimulationResult; // written by simulate.ts
}

function read(name: string): string {
  const file = new URL(`../results/${name}.json`, import.meta.url);
  if (existsSync(file)) return readFileSync(file, "utf8");
  throw new Error(`benchmarks/results/${name}.json does not exist; see benchmarks/README.md.`);
}
