import { medianRatio, quantile, type Series, timesWithInterval } from "../support/statistics.ts";
import type { Verdict } from "./engine/command.ts";
import type { TableResult } from "./measure-matching.ts";
import type { Comparison, Row, Shortcoming } from "./result.ts";
import type { RuntimeName } from "./runtimes/runtime.ts";
import { baseline } from "./subjects/peers.ts";

/** Name of Espalier's router in the results. */
export const ours = "Espalier";

/** Collects measurements as rows, and computes the ratios within each case. */
export class Results {
  readonly #rows: Row[] = [];
  readonly #comparisons: Comparison[] = [];
  readonly #shortcomings: Shortcoming[] = [];

  /** @throws for a wrong result of Espalier's router, which would make its times meaningless */
  addTable(table: string, runtime: RuntimeName, result: TableResult): void {
    for (const verdict of result.verdicts) this.#addVerdict(table, runtime, verdict);
    const { ns, ofSession } = result;
    this.add(table, runtime, "ns", ns.matches, ofSession);
    this.add(`${table}, 404`, runtime, "ns", ns.misses, ofSession);
  }

  /**
   * Adds tables that differ only in size, smallest first, and the ratio of the largest to the smallest
   * by round.
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
    this.add(name, runtime, "times", growth ?? [], largest?.ofSession);
  }

  /**
   * Adds the measurements of one case, with the ratios to Hono and to the fastest peer.
   *
   * @param ofSession number of rounds of a process
   */
  add(
    name: string,
    runtime: RuntimeName,
    unit: Row["unit"],
    series: readonly Series[],
    ofSession = 1,
  ): void {
    if (series.every(({ samples }) => samples.length === 0)) return;
    const hono = series.find(({ subject }) => subject === baseline);
    const espalier = series.find(({ subject }) => subject === ours);
    for (const own of series) {
      const [low, value, high] = [0.25, 0.5, 0.75].map((share) => quantile(own.samples, share));
      const isPeer = espalier !== undefined && espalier !== own;
      this.#rows.push({
        case: name,
        runtime,
        subject: own.subject,
        value: round(value),
        unit,
        ratio: hono && ratioOf(hono, own),
        low: round(low),
        high: round(high),
        ...(isPeer && { more: timesWithInterval("timesOurs", own, espalier, ofSession) }),
      });
    }
    this.#compare(name, runtime, series, hono);
  }

  /** Adds the routers that were not measured with a table. */
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
      throw new Error(`Wrong results for ${table} in ${runtime}: ${problem ?? example}`);
    }
    if (problem === undefined && wrong === 0) return;
    const answers = wrong === 0 ? "" : `${wrong} of ${asked} results differ, such as ${example}`;
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

/** Returns undefined if a short run measured nothing above the loop. */
function ratioOf(slower: Series, faster: Series): number | undefined {
  const ratio = medianRatio(slower, faster);
  return Number.isFinite(ratio) ? round(ratio) : undefined;
}

function round(value: number | undefined): number {
  return Number((value ?? Number.NaN).toPrecision(4));
}
