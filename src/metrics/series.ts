import { EspalierError } from "../errors.ts";

/** Values of the labels of a sample. */
export type Labels<Label extends string> = Readonly<Record<Label, string | number | boolean>>;

/** The argument for the labels of a sample: none for a metric without labels. */
export type LabelsArgument<Label extends string> = [Label] extends [never]
  ? []
  : [labels: Labels<Label>];

/** Line of the text format: suffix of the metric's name, labels and value. */
export interface Sample {
  readonly suffix: string;
  /** Labels in the text format, without braces; empty without labels. */
  readonly labels: string;
  readonly value: number;
}

/** Labels of the series that receives all samples beyond the limit, as in OpenTelemetry. */
const overflow = 'otel_metric_overflow="true"';

/** Values of one metric by their labels, bounded: labels may have values that clients choose. */
export class SeriesMap<Value> {
  readonly #names: readonly string[];
  readonly #maxSeries: number;
  readonly #create: () => Value;
  readonly #values = new Map<string, Value>();

  constructor(names: readonly string[], maxSeries: number, create: () => Value) {
    this.#names = names;
    this.#maxSeries = maxSeries;
    this.#create = create;
  }

  /** Returns the value for labels, which is created with the first sample. */
  get(labels: Readonly<Record<string, unknown>>): Value {
    const key = this.#keyOf(labels);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= this.#maxSeries && key !== overflow) {
      return this.#values.get(overflow) ?? this.#add(overflow);
    }
    return this.#add(key);
  }

  entries(): Iterable<[labels: string, value: Value]> {
    return this.#values;
  }

  #add(key: string): Value {
    const value = this.#create();
    this.#values.set(key, value);
    return value;
  }

  #keyOf(labels: Readonly<Record<string, unknown>>): string {
    return this.#names
      .filter((name) => labels[name] !== undefined)
      .map((name) => `${name}="${escapeLabel(String(labels[name]))}"`)
      .join(",");
  }
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/** @throws EspalierError `ERR_METRICS_BAD_NAME` for names that Prometheus does not accept */
export function checkNames(name: string, labels: readonly string[], reserved: string[]): void {
  if (!metricName.test(name)) {
    throw badName(
      `The metric name ${JSON.stringify(name)} must consist of letters, digits, "_" and ":".`,
    );
  }
  const wrong = labels.find((label) => !labelName.test(label) || reserved.includes(label));
  if (wrong === undefined) return;
  throw badName(
    `The label ${JSON.stringify(wrong)} of the metric "${name}" must consist of letters, digits and "_", ` +
      `not beginning with "__"${reserved.length > 0 ? `, and must not be "${reserved.join('", "')}"` : ""}.`,
  );
}

/** Creates the error for an invalid name. */
export function badName(message: string): EspalierError {
  return new EspalierError("ERR_METRICS_BAD_NAME", message);
}
