import { badOption, checkInteger, checkOptionNames, type OptionNames } from "../util/options.ts";
import { Counter, Gauge, Histogram, type Instrument, type InstrumentInput } from "./instruments.ts";
import { badName, checkNames } from "./series.ts";

/** Options of {@link Metrics}. */
export interface MetricsOptions {
  /** Maximum number of label combinations of one metric; further ones are counted together. Default 1,000. */
  readonly maxSeries?: number;
}

/** Options of a counter or gauge. */
export interface MetricOptions<Label extends string = never> {
  /** Description in one line. */
  readonly help: string;
  /** Names of its labels; default none. Their values should be few: never ids, addresses or paths. */
  readonly labels?: readonly Label[];
}

/** Options of a histogram. */
export interface HistogramOptions<Label extends string = never> {
  /** Description in one line. */
  readonly help: string;
  /** Names of its labels; default none. Their values should be few: never ids, addresses or paths. */
  readonly labels?: readonly Label[];
  /** Upper bounds of the buckets, ascending; default 0.005 to 10, for durations in seconds. */
  readonly buckets?: readonly number[];
}

/** Content types of the two text formats. */
const prometheusType = "text/plain; version=0.0.4; charset=utf-8";
const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** Bounds in seconds that OpenTelemetry's conventions advise for the durations of requests. */
const durationBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

const metricNames: OptionNames<MetricOptions> = { help: true, labels: true };
const histogramNames: OptionNames<HistogramOptions> = { help: true, labels: true, buckets: true };
const owner = { code: "ERR_METRICS_BAD_OPTION", name: "Metrics" } as const;

/**
 * A registry of metrics in the formats of Prometheus. Values are those of this process.
 *
 * ```ts
 * const metrics = new Metrics();
 * const orders = metrics.counter("orders_total", { help: "Orders by plan.", labels: ["plan"] });
 * app.exposeMetrics("/metrics", { metrics });
 * orders.add(1, { plan: "pro" });
 * ```
 */
export class Metrics {
  readonly #maxSeries: number;
  readonly #instruments = new Map<string, Instrument>();

  /** @throws EspalierError `ERR_METRICS_BAD_OPTION` */
  constructor(options: MetricsOptions = {}) {
    checkOptionNames<MetricsOptions>(owner, options, { maxSeries: true });
    this.#maxSeries = checkInteger(owner, "maxSeries", options.maxSeries ?? 1000, 1);
  }

  /**
   * Adds a counter. Its name ends in `_total`.
   *
   * @throws EspalierError `ERR_METRICS_BAD_NAME`, `ERR_METRICS_BAD_OPTION`
   */
  counter<const Label extends string = never>(
    name: string,
    options: MetricOptions<Label>,
  ): Counter<Label> {
    if (!name.endsWith("_total")) {
      throw badName(`The name of the counter "${name}" must end in "_total".`);
    }
    return this.#add(new Counter<Label>(this.#input(name, options, metricNames)));
  }

  /**
   * Adds a gauge.
   *
   * @throws EspalierError `ERR_METRICS_BAD_NAME`, `ERR_METRICS_BAD_OPTION`
   */
  gauge<const Label extends string = never>(
    name: string,
    options: MetricOptions<Label>,
  ): Gauge<Label> {
    return this.#add(new Gauge<Label>(this.#input(name, options, metricNames)));
  }

  /**
   * Adds a histogram. Its name ends in the unit, such as `_seconds` or `_bytes`.
   *
   * @throws EspalierError `ERR_METRICS_BAD_NAME`, `ERR_METRICS_BAD_OPTION`
   */
  histogram<const Label extends string = never>(
    name: string,
    options: HistogramOptions<Label>,
  ): Histogram<Label> {
    const input = this.#input(name, options, histogramNames, ["le"]);
    const { buckets = durationBuckets } = options;
    const isAscending = buckets.every(
      (bound, index) => Number.isFinite(bound) && bound > (buckets[index - 1] ?? -Infinity),
    );
    if (!isAscending) {
      throw badOption(
        { ...owner, name: `the metric "${name}"` },
        "buckets",
        buckets,
        "ascending numbers",
      );
    }
    return this.#add(new Histogram<Label>(input, buckets));
  }

  /**
   * Returns all metrics in the text format of Prometheus, or in that of OpenMetrics if a client accepts it.
   *
   * @param accept the header `Accept` of the request
   */
  render(accept: string = ""): { readonly type: string; readonly text: string } {
    const isOpenMetrics = /application\/openmetrics-text/.test(accept);
    const lines = [...this.#instruments.values()].flatMap((one) => linesOf(one, isOpenMetrics));
    const end = isOpenMetrics ? ["# EOF"] : [];
    const type = isOpenMetrics ? openMetricsType : prometheusType;
    return { type, text: [...lines, ...end].map((line) => `${line}\n`).join("") };
  }

  #input(
    name: string,
    options: MetricOptions<string>,
    names: Readonly<Record<string, true>>,
    reserved: string[] = [],
  ): InstrumentInput {
    checkOptionNames({ ...owner, name: `the metric "${name}"` }, options, names);
    const { help, labels = [] } = options;
    checkNames(name, labels, reserved);
    return { name, help, labels, maxSeries: this.#maxSeries };
  }

  #add<Added extends Instrument>(instrument: Added): Added {
    if (this.#instruments.has(instrument.name)) {
      throw badName(
        `The metric "${instrument.name}" exists. Create it once, and use it in several places.`,
      );
    }
    this.#instruments.set(instrument.name, instrument);
    return instrument;
  }
}

function linesOf(instrument: Instrument, isOpenMetrics: boolean): string[] {
  const { name, type, help } = instrument;
  // In OpenMetrics the suffix of a counter belongs to its samples, not to the family.
  const family = isOpenMetrics && type === "counter" ? name.replace(/_total$/, "") : name;
  const escaped = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  const description = isOpenMetrics ? escaped.replaceAll('"', '\\"') : escaped;
  const lines = [`# HELP ${family} ${description}`, `# TYPE ${family} ${type}`];
  for (const { suffix, labels, value } of instrument.samples()) {
    lines.push(`${name}${suffix}${labels === "" ? "" : `{${labels}}`} ${value}`);
  }
  return lines;
}
