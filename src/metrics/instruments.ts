import { EspalierError } from "../errors.ts";
import { describe } from "../util/describe.ts";
import { type LabelsArgument, type Sample, SeriesMap } from "./series.ts";

/** A metric as the text format needs it. */
export interface Instrument {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  samples(): Iterable<Sample>;
}

/** Parts that all metrics have. */
export interface InstrumentInput {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly maxSeries: number;
}

interface Cell {
  value: number;
}

/** Creates the values of a counter or gauge, which begin at 0. */
function createCells({ labels, maxSeries }: InstrumentInput): SeriesMap<Cell> {
  return new SeriesMap<Cell>(labels, maxSeries, () => ({ value: 0 }));
}

function* samplesOf(series: SeriesMap<Cell>): Generator<Sample> {
  for (const [labels, { value }] of series.entries()) yield { suffix: "", labels, value };
}

/**
 * A number that only grows, such as the number of orders.
 *
 * @example new Metrics().counter("orders_total", { help: "Orders by plan.", labels: ["plan"] }).add(1, { plan: "pro" });
 */
export class Counter<Label extends string = never> implements Instrument {
  /** Type in the text format. */
  readonly type = "counter";
  /** Name of the metric. */
  readonly name: string;
  /** Description of the metric. */
  readonly help: string;
  readonly #series: SeriesMap<Cell>;

  /** @internal */
  constructor(input: InstrumentInput) {
    this.name = input.name;
    this.help = input.help;
    this.#series = createCells(input);
  }

  /**
   * Adds to the counter.
   *
   * @throws EspalierError `ERR_METRICS_BAD_VALUE` unless `value` is a finite number of at least 0
   */
  add(value: number, ...labels: LabelsArgument<Label>): void {
    if (!(Number.isFinite(value) && value >= 0)) throw badValue(this.name, value, "of at least 0");
    this.#series.get(labels[0] ?? {}).value += value;
  }

  /** Yields the samples of a scrape. */
  samples(): Iterable<Sample> {
    return samplesOf(this.#series);
  }
}

/**
 * A number that can change in both directions, such as the number of open connections.
 *
 * @example new Metrics().gauge("connections", { help: "Open connections." }).set(5);
 */
export class Gauge<Label extends string = never> implements Instrument {
  /** Type in the text format. */
  readonly type = "gauge";
  /** Name of the metric. */
  readonly name: string;
  /** Description of the metric. */
  readonly help: string;
  readonly #series: SeriesMap<Cell>;

  /** @internal */
  constructor(input: InstrumentInput) {
    this.name = input.name;
    this.help = input.help;
    this.#series = createCells(input);
  }

  /** Replaces the value. @throws EspalierError `ERR_METRICS_BAD_VALUE` unless it is a finite number */
  set(value: number, ...labels: LabelsArgument<Label>): void {
    if (!Number.isFinite(value)) throw badValue(this.name, value);
    this.#series.get(labels[0] ?? {}).value = value;
  }

  /** Adds to the value. @throws EspalierError `ERR_METRICS_BAD_VALUE` unless it is a finite number */
  add(value: number, ...labels: LabelsArgument<Label>): void {
    if (!Number.isFinite(value)) throw badValue(this.name, value);
    this.#series.get(labels[0] ?? {}).value += value;
  }

  /** Yields the samples of a scrape. */
  samples(): Iterable<Sample> {
    return samplesOf(this.#series);
  }
}

interface Distribution {
  readonly counts: number[];
  sum: number;
}

/**
 * A distribution of values, such as durations, counted in buckets.
 *
 * @example new Metrics().histogram("import_duration_seconds", { help: "Duration of imports." }).observe(1.5);
 */
export class Histogram<Label extends string = never> implements Instrument {
  /** Type in the text format. */
  readonly type = "histogram";
  /** Name of the metric. */
  readonly name: string;
  /** Description of the metric. */
  readonly help: string;
  readonly #buckets: readonly number[];
  readonly #series: SeriesMap<Distribution>;

  /** @internal */
  constructor(input: InstrumentInput, buckets: readonly number[]) {
    this.name = input.name;
    this.help = input.help;
    this.#buckets = buckets;
    // The last count is that of values beyond all buckets.
    const create = (): Distribution => ({ counts: new Array(buckets.length + 1).fill(0), sum: 0 });
    this.#series = new SeriesMap<Distribution>(input.labels, input.maxSeries, create);
  }

  /** Counts a value. @throws EspalierError `ERR_METRICS_BAD_VALUE` unless it is a finite number */
  observe(value: number, ...labels: LabelsArgument<Label>): void {
    if (!Number.isFinite(value)) throw badValue(this.name, value);
    const distribution = this.#series.get(labels[0] ?? {});
    const found = this.#buckets.findIndex((bound) => value <= bound);
    const index = found === -1 ? this.#buckets.length : found;
    distribution.counts[index] = (distribution.counts[index] ?? 0) + 1;
    distribution.sum += value;
  }

  /** Yields the samples of a scrape. */
  *samples(): Iterable<Sample> {
    for (const [labels, { counts, sum }] of this.#series.entries()) {
      let total = 0;
      for (const [index, count] of counts.entries()) {
        total += count;
        const bound = this.#buckets[index] ?? "+Inf";
        const prefix = labels === "" ? "" : `${labels},`;
        yield { suffix: "_bucket", labels: `${prefix}le="${bound}"`, value: total };
      }
      yield { suffix: "_sum", labels, value: sum };
      yield { suffix: "_count", labels, value: total };
    }
  }
}

function badValue(name: string, value: unknown, range = ""): EspalierError {
  return new EspalierError(
    "ERR_METRICS_BAD_VALUE",
    `A value of the metric "${name}" must be a finite number${range === "" ? "" : ` ${range}`}, got ${describe(value)}.`,
  );
}
