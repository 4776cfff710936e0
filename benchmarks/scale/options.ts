import { readCount, readOptions } from "../../scripts/runner/usage.ts";

/** Parameters of the simulation; see `benchmarks/README.md` for the choice of numbers. */
export interface Settings {
  readonly quick: boolean;
  readonly seed: number;
  readonly requestsPerSecond: number;
  /** Simulated time of the cache; only the second half is counted. */
  readonly seconds: number;
  /** Simulated time of the limiters. */
  readonly limiterSeconds: number;
  readonly isolates: number;
  /** Number of data centres; isolates and clients are spread evenly over them. */
  readonly regions: number;
  readonly clients: number;
  readonly cacheKeys: number;
}

/** Parsed command line. */
export interface Options extends Settings {
  readonly jsonFile: string | undefined;
  /** True to draw the charts in `docs/charts`. */
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
