import { readCount, readOptions } from "../../scripts/runner/usage.ts";

/** What is simulated; see `benchmarks/README.md` for why these numbers. */
export interface Settings {
  readonly quick: boolean;
  readonly seed: number;
  readonly requestsPerSecond: number;
  /** How long the cache is simulated; its second half is what counts. */
  readonly seconds: number;
  /** How long the limiters are. */
  readonly limiterSeconds: number;
  readonly isolates: number;
  /** Data centres; isolates and clients are spread evenly over them. */
  readonly regions: number;
  readonly clients: number;
  readonly cacheKeys: number;
}

/** What the command line asks for. */
export interface Options extends Settings {
  readonly jsonFile: string | undefined;
  /** Whether the charts in `docs/charts` are drawn anew. */
  readonly charts: boolean;
}

/** @throws UsageError for an unknown option and for a number below 1 */
export function parseOptions(commandLine: readonly string[]): Options {
  const values = readOptions(commandLine, {
    "requests-per-second": "string",
    seconds: "string",
    isolates: "string",
    charts: "boolean",
  });
  const quick = values.quick;
  const requestsPerSecond = readCount(
    "--requests-per-second",
    values["requests-per-second"],
    quick ? 5_000 : 1_000_000,
  );
  const seconds = readCount("--seconds", values.seconds, quick ? 160 : 240);
  return {
    quick,
    charts: values.charts,
    jsonFile: values.json,
    seed: 20_261_128,
    requestsPerSecond,
    seconds,
    limiterSeconds: Math.min(seconds, 20),
    isolates: readCount("--isolates", values.isolates, quick ? 40 : 1_000),
    regions: quick ? 4 : 25,
    clients: Math.max(100, Math.round(requestsPerSecond / 10)),
    cacheKeys: quick ? 2_000 : 100_000,
  };
}
