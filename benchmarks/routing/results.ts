import { medianRatio, quantile, type Series } from "../support/statistics.ts";
import type { Verdict } from "./engine/command.ts";
import type { TableResult } from "./measure-matching.ts";
import type { Comparison, Row, Shortcoming } from "./result.ts";
import type { RuntimeName } from "./runtimes/runtime.ts";
import { baseline } from "./subjects/peers.ts";

/** The name under which our own router appears. */
export const ours = "Espalier";

/** Gathers what was measured as rows, and works out the ratios within each case. */
export class Results {
  readonly #rows: Row[] = [];
  readonly #comparisons: Comparison[] = [];
  readonly #shortcomings: Shortcoming[] = [];

  /** @throws when our own router got an answer wrong: then the times mean nothing. */
  addTable(table: string, runtime: RuntimeName, result: TableResult): void {
    for (const verdict of result.verdicts) this.#addVerdict(table, runtime, verdict);
    this.add(table, runtime, "ns", result.ns.matches);
    this.add(`${table}, 404`, runtime, "ns", result.ns.misses);
  }

  /**
   * The tables that differ in their size alone, the smallest first; and how many times longer a
   * match takes in the largest than in the smallest, round by round.
   */
  addGrowth(runtime: RuntimeName, sizes: readonly number[], results: readonly TableResult[]): void {
    for (const [i, result] of results.entries())
      this.addTable(`grown-${sizes[i]}`, runtime, result);
    const [smallest, largest] = [results.at(0), results.at(-1)];
    const growth = largest?.ns.matches.flatMap(({ subject, samples }): Series[] => {
      const small = smallest?.ns.matches.find((series) => series.subject === subject);
      if (small === undefined) return [];
      return [{ subject, samples: samples.map((ns, i) => ns / (small.samples[i] ?? Number.NaN)) }];
    });
    const name = `growth from ${sizes.at(0)} to ${sizes.at(-1)} routes`;
    this.add(name, runtime, "times", growth ?? []);
  }

  /** Adds what was measured in one case, with the ratios to Hono and to the fastest peer. */
  add(name: string, runtime: RuntimeName, unit: Row["unit"], series: readonly Series[]): void {
    if (series.every(({ samples }) => samples.length === 0)) return;
    const hono = series.find(({ subject }) => subject === baseline);
    for (const own of series) {
      const [low, value, high] = [0.25, 0.5, 0.75].map((share) => quantile(own.samples, share));
      this.#rows.push({
        case: name,
        runtime,
        subject: own.subject,
        value: round(value),
        unit,
        ratio: hono && ratioOf(hono, own),
        low: round(low),
        high: round(high),
      });
    }
    this.#compare(name, runtime, series, hono);
  }

  /** The routers that were not measured with a table. */
  refused(table: string, runtime: RuntimeName): ReadonlySet<string> {
    const those = this.#shortcomings.filter(
      (entry) => entry.case === table && entry.runtime === runtime && !entry.measured,
    );
    return new Set(those.map(({ subject }) => subject));
  }

  collect(): { rows: Row[]; comparisons: Comparison[]; shortcomings: Shortcoming[] } {
    return { rows: this.#rows, comparisons: this.#comparisons, shortcomings: this.#shortcomings };
  }

  #addVerdict(table: string, runtime: RuntimeName, verdict: Verdict): void {
    const { subject, problem, asked, wrong, example } = verdict;
    if (subject === ours && (problem !== undefined || wrong > 0)) {
      throw new Error(`Wrong answers to ${table} in ${runtime}: ${problem ?? example}`);
    }
    if (problem === undefined && wrong === 0) return;
    const answers = wrong === 0 ? "" : `${wrong} of ${asked} answers differ, as ${example}`;
    const reason = [problem, answers].filter(Boolean).join("; ");
    this.#shortcomings.push({
      case: table,
      runtime,
      subject,
      measured: problem === undefined,
      reason,
    });
  }

  #compare(
    name: string,
    runtime: RuntimeName,
    series: readonly Series[],
    hono: Series | undefined,
  ): void {
    const own = series.find(({ subject }) => subject === ours);
    const [fastest] = series
      .filter((candidate) => candidate !== own)
      .toSorted((a, b) => quantile(a.samples, 0.5) - quantile(b.samples, 0.5));
    if (own === undefined || fastest === undefined) return;
    this.#comparisons.push({
      case: name,
      runtime,
      againstHono: hono && ratioOf(hono, own),
      fastestPeer: fastest.subject,
      againstFastestPeer: ratioOf(fastest, own),
    });
  }
}

/** Undefined where a short run measured nothing above the loop. */
function ratioOf(slower: Series, faster: Series): number | undefined {
  const ratio = medianRatio(slower, faster);
  return Number.isFinite(ratio) ? round(ratio) : undefined;
}

function round(value: number | undefined): number {
  return Number((value ?? Number.NaN).toPrecision(4));
}
