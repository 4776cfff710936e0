import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../test/support/random.ts";
import { exchange, type ReceivedResponse, type SentRequest } from "../support/exchange.ts";
import type { Finding } from "../support/finding.ts";
import type { Availability, Server } from "./availability.ts";

/** Longest time that a response may take, in milliseconds: three deadlines of a second, on a loaded machine. */
const longestMs = 5_000;
/** Time after which a response counts as missing, in milliseconds. */
const patienceMs = 30_000;
/** Mean pause of a client between two requests, in milliseconds. */
const pauseMs = 200;

/** Name of the count of POSTs that were sent on a connection which an ending process was closing. */
export const postsCut = "postsCutAtAnEnd";

/** A request, and the response that it must get unless its server is away. */
interface Expected extends SentRequest {
  /** `jobs`: the server that keeps the jobs of the process that responds. */
  readonly needs?: Server | "jobs";
  readonly status: number;
  /** Returns what is wrong with the response of that status, undefined if nothing is. */
  judge(response: ReceivedResponse): string | undefined;
  /** Called after a 503. */
  failed?(): void;
}

/** What the load has sent. */
export interface LoadState {
  readonly accepted: string[];
  refused: number;
  slowestMs: number;
}

/** Options of a load. */
export interface LoadOptions {
  readonly port: number;
  readonly clients: number;
  readonly random: Random;
  readonly availability: Availability;
  /** Ends the load. */
  readonly signal: AbortSignal;
}

/** Sends requests of every kind from several clients, and judges each response, until the signal ends it. */
export async function sendLoad(
  finding: Finding,
  state: LoadState,
  options: LoadOptions,
): Promise<void> {
  const { port, random, availability, signal } = options;
  const agent = new Agent({ keepAlive: true });
  let sent = 0;
  const client = async (name: string): Promise<void> => {
    const visits = new Visits(name);
    while (!signal.aborted) {
      sent += 1;
      const expected = requestOf(sent, `${name}-${sent}`, visits, state);
      await send(finding, { port, agent, availability, state }, expected);
      await sleep(random.between(0, 2 * pauseMs), undefined, { signal }).catch(() => {});
    }
  };
  const names = Array.from({ length: options.clients }, (_, index) => `client${index}`);
  await Promise.all(names.map(client));
  agent.destroy();
}

interface Sender {
  readonly port: number;
  readonly agent: Agent;
  readonly availability: Availability;
  readonly state: LoadState;
}

async function send(
  finding: Finding,
  { port, agent, availability, state }: Sender,
  expected: Expected,
): Promise<void> {
  const { method, path, needs, status } = expected;
  const kind = path.split("/")[1] ?? "";
  const at = new Date().toISOString();
  const startedAt = Date.now();
  finding.tried += 1;
  let response: ReceivedResponse;
  try {
    response = await exchange(port, agent, expected, patienceMs);
  } catch (error) {
    finding.fault("no response", `${method} ${path} at ${at}: ${error}`);
    expected.failed?.();
    return;
  }
  const endedAt = Date.now();
  const elapsedMs = endedAt - startedAt;
  const input = `${method} ${path} at ${at} after ${elapsedMs} ms`;
  state.slowestMs = Math.max(state.slowestMs, elapsedMs);
  finding.check(elapsedMs < longestMs, "a slow response", input);
  if (response.status === status) {
    const problem = expected.judge(response);
    finding.check(problem === undefined, "a wrong response", `${input}: ${problem}`);
    return;
  }
  expected.failed?.();
  if (response.status === 502 && method === "POST" && availability.mayCutPost(startedAt, endedAt)) {
    finding.count(postsCut);
    return;
  }
  const jobsIn = response.headers["x-jobs-in"] === "redis" ? "redis" : "postgres";
  const server = needs === "jobs" ? jobsIn : needs;
  if (response.status !== 503 || server === undefined) {
    const body = response.body.slice(0, 200);
    finding.fault("a wrong status", `${input}: ${response.status} ${body}`);
    return;
  }
  finding.count(`${kind}503`);
  availability.failed(server, endedAt);
  finding.check(
    availability.mayFail(server, startedAt, endedAt),
    `503 with ${server} there`,
    input,
  );
  finding.check(response.headers["retry-after"] !== undefined, "503 without Retry-After", input);
}

/** The session of one client, whose requests follow each other. */
class Visits {
  readonly #client: string;
  #cookie = "";
  #count = 0;
  /** Visits since the last response, which may have been counted. */
  #uncertain = 0;

  constructor(client: string) {
    this.#client = client;
  }

  request(): Expected {
    return {
      method: "GET",
      path: `/visits/${this.#client}`,
      headers: this.#cookie === "" ? {} : { cookie: this.#cookie },
      needs: "redis",
      status: 200,
      judge: (response) => this.#judge(response),
      failed: () => {
        this.#uncertain += 1;
      },
    };
  }

  #judge({ headers, body }: ReceivedResponse): string | undefined {
    const { client, count } = JSON.parse(body) as { client: string; count: number };
    const least = this.#count + 1;
    const most = least + this.#uncertain;
    this.#cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? this.#cookie;
    this.#count = count;
    this.#uncertain = 0;
    if (client !== this.#client) return `the session of ${client}`;
    return count < least || count > most ? `visit ${count}, not ${least} to ${most}` : undefined;
  }
}

function requestOf(number: number, id: string, visits: Visits, state: LoadState): Expected {
  const get = (
    path: string,
    contains: string,
    rest: Partial<Pick<Expected, "needs" | "status">> = {},
  ): Expected => ({
    method: "GET",
    path,
    status: 200,
    judge: ({ body }) => (body.includes(contains) ? undefined : body.slice(0, 200)),
    ...rest,
  });
  const kinds: readonly (() => Expected)[] = [
    () => get(`/plain/${id}`, `"${id}"`),
    () => ({
      ...get("/echo", `["${id}"]`),
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `["${id}"]`,
    }),
    () => get(`/nowhere/${id}`, "Not Found", { status: 404 }),
    // Three requests or so for each key: the later ones find it in the cache, or wait for its producer.
    () => get(`/remember/key${number >> 5}`, `value of key${number >> 5}`),
    () => visits.request(),
    () => get("/limited", "{}", { needs: "redis" }),
    () => get("/limited-postgres", "{}", { needs: "postgres" }),
    () => get(`/cached/key-${id}/${id}`, `"value":"${id}"`, { needs: "redis" }),
    () => get(`/locked/${id}`, `"${id}"`, { needs: "redis" }),
    () => ({
      method: "POST",
      path: `/jobs/${id}`,
      needs: "jobs",
      status: 202,
      judge: () => {
        state.accepted.push(id);
        return undefined;
      },
      failed: () => {
        state.refused += 1;
      },
    }),
  ];
  const kind = kinds[number % kinds.length];
  if (kind === undefined) throw new Error("The list of requests is empty.");
  return kind();
}
