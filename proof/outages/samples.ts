import { Agent } from "node:http";
import type { Cluster } from "../support/cluster.ts";
import { exchange } from "../support/exchange.ts";
import type { Finding } from "../support/finding.ts";
import { growthPerMinute, judgedMinutes } from "../support/growth.ts";
import { countConnections } from "./outages.ts";

/** Measurements of one process, or of the servers, at one time. */
type Sample = Readonly<Record<string, number>> & { readonly minute: number };

/** Most handles of a process: connections of nginx and to the servers, requests in flight and timers. */
const mostHandles = 60;
/**
 * Most connections to Redis: one of each of four processes for its stores, and three more for each of the two with
 * BullMQ, of which each may be replaced at the moment of a sample.
 */
const mostOfRedis = 20;
/** Most connections to PostgreSQL: four pools of ten, each with one more that listens. */
const mostOfPostgres = 44;

/** Shortest warm-up of a process, in minutes: its heap grows to its final size. The warm-up is a fifth of the time. */
const leastWarmUpMinutes = 3;

/** Growth per minute at which a number counts as growing. */
const limits: Readonly<Record<string, number>> = {
  heapMiB: 1,
  rssMiB: 1,
  handles: 2,
  redisConnections: 0.2,
  postgresConnections: 1,
};

/** Samples of a cluster: a series for each life of a process, and one for the servers. */
export class Samples {
  readonly #series: Map<string, Sample[]> = new Map();
  /** Number of restarts of each process. */
  readonly #restarts: Map<number, number> = new Map();

  restarted(index: number): void {
    this.#restarts.set(index, (this.#restarts.get(index) ?? 0) + 1);
  }

  /** Measures all processes and servers. Call it while no server is away. */
  async take(cluster: Cluster, minute: number): Promise<void> {
    const agent = new Agent({ keepAlive: false });
    for (const [index, port] of cluster.ports.entries()) {
      const { body } = await exchange(port, agent, { method: "GET", path: "/process" }, 30_000);
      const { rssBytes, heapBytes, handles } = JSON.parse(body);
      const sample = { minute, heapMiB: heapBytes / 2 ** 20, rssMiB: rssBytes / 2 ** 20, handles };
      this.#add(`process ${index}, life ${this.#restarts.get(index) ?? 0}`, sample);
    }
    const { redis, postgres } = await countConnections(cluster);
    this.#add("servers", { minute, redisConnections: redis, postgresConnections: postgres });
  }

  /** Judges all series; growth only if three minutes remain after the warm-up. */
  judge(finding: Finding, minutes: number): void {
    const warmUpMinutes = Math.max(minutes / 5, leastWarmUpMinutes);
    const maxima = new Map<string, number>();
    const growths = new Map<string, number>();
    const raise = (of: Map<string, number>, name: string, value: number): void => {
      of.set(name, Math.max(of.get(name) ?? value, value));
    };
    for (const [name, samples] of this.#series) {
      finding.tried += samples.length;
      const startedAt = samples[0]?.minute ?? 0;
      const settled = samples.filter(({ minute }) => minute - startedAt >= warmUpMinutes);
      const [first, last] = [settled.at(0)?.minute ?? 0, settled.at(-1)?.minute ?? 0];
      const isJudged = last - first >= judgedMinutes;
      if (isJudged) finding.count("judgedSeries");
      for (const [member, limit] of Object.entries(limits)) {
        const points = settled.map((sample) => ({
          minute: sample.minute,
          value: sample[member] ?? 0,
        }));
        for (const sample of samples) {
          if (sample[member] !== undefined) raise(maxima, member, sample[member]);
        }
        if (!isJudged || samples[0]?.[member] === undefined) continue;
        const growth = growthPerMinute(points);
        raise(growths, member, growth);
        finding.check(growth < limit, `${member} grows`, `${name}: by ${growth} per minute`);
      }
    }
    for (const [member, most] of maxima) finding.count(`most ${member}`, rounded(most));
    for (const [member, growth] of growths) finding.count(`${member} per minute`, rounded(growth));
    const check = (member: string, most: number): void => {
      const value = maxima.get(member) ?? 0;
      finding.check(value <= most, `too many ${member}`, `${value}, expected at most ${most}`);
    };
    check("handles", mostHandles);
    check("redisConnections", mostOfRedis);
    check("postgresConnections", mostOfPostgres);
  }

  #add(name: string, sample: Sample): void {
    const series = this.#series.get(name) ?? [];
    series.push(sample);
    this.#series.set(name, series);
    const values = Object.entries(sample).map(([member, value]) => `${member} ${rounded(value)}`);
    console.error(`${name}: ${values.join(", ")}`);
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
