import { MemoryRateLimitStore } from "../../src/rate-limit/memory-rate-limit-store.ts";
import { admit, type SlidingWindow } from "../../src/rate-limit/sliding-window.ts";
import { createRandom } from "../support/random.ts";
import type { Settings } from "./options.ts";
import { limits } from "./platform.ts";
import { createZipf } from "./zipf.ts";

/** 50 requests per 10 seconds and client. */
export const limit = 50;
export const windowMs = 10_000;
/** Skew of clients: some send far more requests than others. */
const CLIENT_EXPONENT = 0.7;

/** Counts of the whole run. */
export interface LimiterResult {
  requests: number;
  /** With one object per client, which counts all its requests. */
  exact: { admitted: number; refused: number; overloaded: number; mostInAnyWindow: number };
  /** With a memory store per isolate. */
  memory: { admitted: number; refused: number; mostInAnyWindow: number };
  /** Requests admitted by the memory stores, relative to the exact limiter. */
  overAdmission: number;
  /** The same for the client with the highest ratio. */
  worstOverAdmission: number;
  /** Number of objects that received a request. */
  objects: number;
}

/** Model of a client's Durable Object: the window of its class, and the object's capacity. */
interface Client {
  readonly window: SlidingWindow;
  second: number;
  askedInSecond: number;
  exactAdmitted: number;
  memoryAdmitted: number;
  /** Admitted requests, for a check that is independent of the limiter. */
  readonly exactTimes: Checker;
  readonly memoryTimes: Checker;
}

/** Maximum of admitted requests in any window: computed by a queue that shares no code with `admit`. */
class Checker {
  readonly #times: number[] = [];
  #oldest = 0;
  most = 0;

  add(nowMs: number): void {
    this.#times.push(nowMs);
    while ((this.#times[this.#oldest] ?? nowMs) <= nowMs - windowMs) this.#oldest += 1;
    this.most = Math.max(this.most, this.#times.length - this.#oldest);
  }
}

/**
 * Simulates regions one after the other, since a client stays in its region; a request goes to any
 * isolate of the region. Messages to the object have no latency: it decides in the order of sending.
 *
 * @param onProgress called with the share of the regions that was simulated
 */
export function simulateLimiter(
  settings: Settings,
  onProgress: (share: number) => void = () => {},
): LimiterResult {
  const result: LimiterResult = {
    requests: 0,
    exact: { admitted: 0, refused: 0, overloaded: 0, mostInAnyWindow: 0 },
    memory: { admitted: 0, refused: 0, mostInAnyWindow: 0 },
    overAdmission: 0,
    worstOverAdmission: 0,
    objects: 0,
  };
  for (let region = 0; region < settings.regions; region += 1) {
    simulateRegion(settings, region, result);
    onProgress((region + 1) / settings.regions);
  }
  result.overAdmission = result.memory.admitted / result.exact.admitted;
  return result;
}

function simulateRegion(settings: Settings, region: number, result: LimiterResult): void {
  const random = createRandom(settings.seed + region);
  const clientCount = Math.ceil(settings.clients / settings.regions);
  const drawClient = createZipf(clientCount, CLIENT_EXPONENT, random);
  let nowMs = 0;
  const isolates: Pick<MemoryRateLimitStore, "consume">[] = Array.from(
    { length: Math.ceil(settings.isolates / settings.regions) },
    () => new MemoryRateLimitStore({ now: () => nowMs }),
  );
  const clients = new Map<number, Client>();
  const perSecond = settings.requestsPerSecond / settings.regions;
  const total = Math.round(perSecond * settings.limiterSeconds);
  for (let index = 0; index < total; index += 1) {
    nowMs = (index / perSecond) * 1_000;
    const number = drawClient();
    let client = clients.get(number);
    if (client === undefined) {
      client = createClient();
      clients.set(number, client);
    }
    result.requests += 1;
    askObject(client, nowMs, result);
    askIsolate(
      isolates[Math.floor(random() * isolates.length)],
      String(number),
      client,
      nowMs,
      result,
    );
  }
  for (const { exactTimes, memoryTimes, exactAdmitted, memoryAdmitted } of clients.values()) {
    const { exact, memory } = result;
    exact.mostInAnyWindow = Math.max(exact.mostInAnyWindow, exactTimes.most);
    memory.mostInAnyWindow = Math.max(memory.mostInAnyWindow, memoryTimes.most);
    const worst = memoryAdmitted / Math.max(1, exactAdmitted);
    result.worstOverAdmission = Math.max(result.worstOverAdmission, worst);
  }
  result.objects += clients.size;
}

function createClient(): Client {
  return {
    window: [],
    second: -1,
    askedInSecond: 0,
    exactAdmitted: 0,
    memoryAdmitted: 0,
    exactTimes: new Checker(),
    memoryTimes: new Checker(),
  };
}

function askObject(client: Client, nowMs: number, { exact }: LimiterResult): void {
  const second = Math.floor(nowMs / 1_000);
  if (second !== client.second) {
    client.second = second;
    client.askedInSecond = 0;
  }
  client.askedInSecond += 1;
  if (client.askedInSecond > limits.objectRequestsPerSecond) {
    exact.overloaded += 1;
  } else if (admit(client.window, limit, windowMs, nowMs).allowed) {
    exact.admitted += 1;
    client.exactAdmitted += 1;
    client.exactTimes.add(nowMs);
  } else exact.refused += 1;
}

function askIsolate(
  store: Pick<MemoryRateLimitStore, "consume"> | undefined,
  key: string,
  client: Client,
  nowMs: number,
  { memory }: LimiterResult,
): void {
  if (store?.consume({ key, limit, windowMs }).allowed === true) {
    memory.admitted += 1;
    client.memoryAdmitted += 1;
    client.memoryTimes.add(nowMs);
  } else memory.refused += 1;
}
