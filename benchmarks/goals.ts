import { responseAloneName } from "./application/subjects/subject.ts";
import type { Report, Row } from "./support/row.ts";

/** A goal of the framework, and what the committed results have for it. */
export interface Goal {
  readonly title: string;
  readonly goal: string;
  readonly reached: string;
  readonly isMet: boolean;
}

/** Returns the result of a benchmark by its name, such as `size`; undefined if it was not recorded. */
export type ReadReport = (name: string) => Report | undefined;

const own = "Espalier";
const core = "Espalier (core)";
/** Frameworks that run at the edge: the peers of a request without a network. */
const edgePeers = ["Hono", "Elysia", "h3", "itty-router"];
const runtimes = [
  ["workerd", "in workerd"],
  ["node", "on Node"],
  ["deno", "on Deno"],
  ["bun", "on Bun"],
] as const;

/** Returns the goals with the numbers that were reached, in the order of the page. */
export function readGoals(read: ReadReport): readonly Goal[] {
  return [
    ...sizeGoals(read),
    ...startGoals(read),
    ...requestGoals(read),
    ...socketGoals(read),
    ...routingGoals(read),
    ...queueGoals(read),
  ];
}

function sizeGoals(read: ReadReport): readonly Goal[] {
  const rows = rowsOf(read, "size", "workerd");
  const size = (
    title: string,
    subject: string,
    mostKb: number,
    isAtStart = false,
  ): readonly Goal[] => {
    const row = rows.find((one) => one.subject === subject);
    const bytes = isAtStart ? row?.more?.["startGzipBytes"] : row?.value;
    return bytes === undefined ? [] : [atMost(title, mostKb, bytes / 1_000, "kB")];
  };
  const small = "espalier, hello, production, without unused parts";
  return [
    ...size("`espalier/core` with a route, gzipped with the wasm", "espalier/core, hello", 26),
    ...size("the same with the condition `production`", "espalier/core, hello, production", 24),
    ...size("`espalier` with a route", "espalier, hello", 70),
    ...size("of it, evaluated at startup", "espalier, hello", 38, true),
    ...size("`espalier` with a route, `production`, without unused parts", small, 70),
    ...size("of it, evaluated at startup", small, 38, true),
    ...size("`espalier` with every feature", "espalier, everything", 88),
  ];
}

function startGoals(read: ReadReport): readonly Goal[] {
  const workerd = rowsOf(read, "start", "workerd");
  const node = rowsOf(read, "start", "node");
  const start = (subject: string, routes: string, most: number): readonly Goal[] => {
    const name = subject === core ? "`espalier/core`" : "`espalier`";
    const title = `start of ${name} with ${routes} routes in workerd`;
    const part = `${routes} routes, both`;
    const interval = intervalOf(findRow(workerd, part, subject), "times");
    const times = [find(workerd, part, subject), find(workerd, part, "Hono")] as const;
    return ratioGoal(title, most, ...times, "Hono", interval);
  };
  const modules = (title: string, subject: string): readonly Goal[] => {
    const ms = find(node, "10 routes, evaluating the modules", subject);
    return ms === undefined ? [] : [atMost(`modules of ${title} on Node`, 8, ms, "ms")];
  };
  return [
    ...start(own, "10", 1.5),
    ...start(core, "10", 1.5),
    ...start(own, "1,000", 1),
    ...start(core, "1,000", 1),
    ...modules("`espalier`", own),
    ...modules("`espalier/core`", core),
  ];
}

/** Overhead: in workerd that beyond the response of Espalier, which has more headers than those of others. */
function requestGoals(read: ReadReport): readonly Goal[] {
  const rows = rowsOf(read, "application-workerd", "workerd");
  const titleOf = (application: string): string =>
    `overhead of \`${application}\` in workerd, beyond its response`;
  const beyondResponse = (application: string): number | undefined => {
    const whole = find(rows, application, own);
    const response = find(rows, application, responseAloneName);
    if (whole === undefined || response === undefined) return undefined;
    return Math.max(whole - response, 0);
  };
  const overhead = (application: string, most: number): readonly Goal[] => {
    const best = bestPeer(rows, application);
    const times = [beyondResponse(application), best?.value] as const;
    const interval = intervalOf(best, "ours");
    return ratioGoal(titleOf(application), most, ...times, "the best peer", interval);
  };
  const ten = beyondResponse("ten-middleware");
  const tenGoal =
    ten === undefined ? [] : [atMost(titleOf("ten-middleware"), 6, ten / 1_000, "µs")];
  const node = rowsOf(read, "application-node", "node");
  const cases = casesOf(node);
  const met = cases.filter(
    (name) => (find(node, name, own) ?? Infinity) <= (bestPeer(node, name)?.value ?? 0),
  );
  const middleware = runtimes.flatMap(([runtime, where]) => {
    const all = rowsOf(read, `application-${runtime}`, runtime);
    const time = find(all, "ten-middleware", own);
    const positive = time === undefined ? undefined : Math.max(time, 0);
    const title = `overhead of \`ten-middleware\` ${where}`;
    return ratioGoal(title, 0.5, positive, find(all, "ten-middleware", "Hono"), "Hono");
  });
  const onNode: Goal = {
    title: "applications on Node with no more overhead than the best peer",
    goal: `${cases.length}`,
    reached: `${met.length}`,
    isMet: met.length === cases.length,
  };
  return [
    ...(cases.length === 0 ? [] : [onNode]),
    ...["hello", "echo"].flatMap((name) => overhead(name, 1.3)),
    ...["parameter", "routes-300", "not-found", "error", "auth"].flatMap((one) => overhead(one, 1)),
    ...tenGoal,
    ...middleware,
  ];
}

function socketGoals(read: ReadReport): readonly Goal[] {
  const sockets = (runtime: string, title: string, peers: readonly string[]): readonly Goal[] => {
    const rows = rowsOf(read, `sockets-${runtime}`, runtime);
    const ratios = casesOf(rows).flatMap((application) => {
      const value = find(rows, application, own);
      const others = peers.flatMap((peer) => find(rows, application, peer) ?? []);
      return value === undefined || others.length === 0 ? [] : value / Math.max(...others);
    });
    if (ratios.length === 0) return [];
    const least = Math.min(...ratios);
    return [
      {
        title: `requests per second over sockets on ${title}, eight applications`,
        goal: `≥ 0.95 × ${peers.join(" and ")}`,
        reached: `${rounded(least)} to ${rounded(Math.max(...ratios))}`,
        isMet: least >= 0.95,
      },
    ];
  };
  return [
    ...sockets("node", "Node", ["Fastify"]),
    ...sockets("node", "Node", ["h3"]),
    ...sockets("deno", "Deno", ["Hono"]),
    ...sockets("bun", "Bun", ["Hono", "Elysia"]),
  ];
}

function routingGoals(read: ReadReport): readonly Goal[] {
  const matching = (runtime: "node" | "workerd", timesHono: number): readonly Goal[] => {
    const rows = rowsOf(read, `routing-${runtime}`, runtime);
    const where = runtime === "node" ? "on Node" : "in workerd";
    const speed = (title: string, table: string, least: number, peer?: string): readonly Goal[] => {
      const time = find(rows, table, own);
      const other = peer === undefined ? fastestPeer(rows, table) : findRow(rows, table, peer);
      if (time === undefined || other === undefined) return [];
      const name = peer ?? `the fastest peer, ${other.subject}`;
      const interval = intervalOf(other, "timesOurs");
      return [atLeast(`${title} ${where}`, least, other.value / time, `× ${name}`, interval)];
    };
    return [
      ...speed("matches of `github-v3` per second", "github-v3", timesHono, "Hono (default)"),
      ...speed("matches of `github-v3` per second", "github-v3", 1),
      ...speed("matches of `static` per second", "static", 1),
      ...speed("unknown paths of `github-v3` per second", "github-v3, 404", 1, "memoirist"),
    ];
  };
  const scale = rowsOf(read, "scale", "node");
  const most = find(scale, "10,000 routes", own);
  const least = find(scale, "10 routes", own);
  const scaled = (): readonly Goal[] => {
    if (most === undefined || least === undefined) return [];
    const title = "requests per second with 10,000 routes";
    return [atLeast(title, 0.9, most / least, "× 10 routes")];
  };
  return [...matching("node", 3.5), ...matching("workerd", 2.6), ...scaled()];
}

function queueGoals(read: ReadReport): readonly Goal[] {
  const rows = rowsOf(read, "services-engines", "node");
  const processor = (title: string, subject: string, peer: string): readonly Goal[] =>
    (["client", "server"] as const).flatMap((side) => {
      const part = `processor time of the ${side} for a job`;
      const name = `processor time of the ${side} for a job on ${title}`;
      return ratioGoal(name, 1.15, find(rows, part, subject), find(rows, part, peer), peer);
    });
  return [
    ...processor("PostgreSQL", "Espalier on PostgreSQL", "SKIP LOCKED"),
    ...processor("BullMQ", "Espalier on BullMQ", "BullMQ"),
  ];
}

function rowsOf(read: ReadReport, name: string, runtime: string): readonly Row[] {
  return read(name)?.rows.filter((row) => row.runtime === runtime) ?? [];
}

function casesOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map((row) => row.case))];
}

function findRow(rows: readonly Row[], title: string, subject: string): Row | undefined {
  return rows.find((row) => row.case === title && row.subject === subject);
}

function find(rows: readonly Row[], title: string, subject: string): number | undefined {
  return findRow(rows, title, subject)?.value;
}

function bestPeer(rows: readonly Row[], application: string): Row | undefined {
  const peers = edgePeers.flatMap((peer) => findRow(rows, application, peer) ?? []);
  return peers.toSorted((a, b) => a.value - b.value)[0];
}

/** Returns the row of the fastest router that is not ours. */
function fastestPeer(rows: readonly Row[], table: string): Row | undefined {
  const peers = rows.filter((row) => row.case === table && row.subject !== own);
  return peers.toSorted((a, b) => a.value - b.value)[0];
}

/** The 95 % interval of a measured ratio. */
interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Returns the interval that a row has for a ratio in `more`; undefined if it was not measured. */
function intervalOf(row: Row | undefined, name: string): Interval | undefined {
  const [low, high] = [row?.more?.[`${name}Low`], row?.more?.[`${name}High`]];
  return low === undefined || high === undefined ? undefined : { low, high };
}

/** Returns the goal that a value is at most `most` times that of a peer; none if one was not measured. */
function ratioGoal(
  title: string,
  most: number,
  value: number | undefined,
  peer: number | undefined,
  name: string,
  interval?: Interval,
): readonly Goal[] {
  if (value === undefined || peer === undefined || peer <= 0) return [];
  return [atMost(title, most, value / peer, `× ${name}`, interval)];
}

/** A goal within the interval of a value is met too: the measurement shows no difference. */
function atMost(
  title: string,
  most: number,
  value: number,
  unit: string,
  interval?: Interval,
): Goal {
  const isMet = Math.min(value, interval?.low ?? value) <= most;
  return { title, goal: `≤ ${most} ${unit}`, reached: describe(value, interval), isMet };
}

/** As {@link atMost}, for a value that should be large. */
function atLeast(
  title: string,
  least: number,
  value: number,
  unit: string,
  interval?: Interval,
): Goal {
  const isMet = Math.max(value, interval?.high ?? value) >= least;
  return { title, goal: `≥ ${least} ${unit}`, reached: describe(value, interval), isMet };
}

function describe(value: number, interval: Interval | undefined): string {
  if (interval === undefined) return rounded(value);
  return `${rounded(value)} (${rounded(interval.low)} to ${rounded(interval.high)})`;
}

function rounded(value: number): string {
  return String(Number(value.toFixed(value >= 10 ? 1 : 2)));
}
