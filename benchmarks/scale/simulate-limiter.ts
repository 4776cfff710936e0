import { MemoryRateLimitStore } from "../../src/rate-limit/memory-rate-limit-store.ts";
import { admit, type SlidingWindow } from "../../src/rate-limit/sliding-window.ts";
import type { Settings } from "./options.ts";
import { limits } from "./platform.ts";
import { createRandom, createZipf } from "./random.ts";

/** Fifty requests in ten seconds for each client. */
export const limit = 50;
export const windowMs = 10_000;
/** Some clients ask far more often than others. */
const CLIENT_EXPONENT = 0.7;

/** Counts over the whole run. */
export interface LimiterResult {
  requests: number;
  /** With one object for each client, where every request of that client is counted. */
  exact: { admitted: number; refused: number; overloaded: number; mostInAnyWindow: number };
  /** With a store in the memory of each isolate. */
  memory: { admitted: number; refused: number; mostInAnyWindow: number };
  /** How many times more the memory stores admitted than the exact one. */
  overAdmission: number;
  /** The same for the client for whom it is worst. */
  worstOverAdmission: number;
  /** Objects that were asked at least once. */
  objects: number;
}

/** The Durable Object of each client: the window its class keeps, and what an object can answer. */
interface Client {
  readonly window: SlidingWindow;
  second: number;
  askedInSecond: number;
  exactAdmitted: number;
  memoryAdmitted: number;
  /** What was admitted, to be checked by another rule than the limiter's own. */
  readonly exactTimes: Checker;
  readonly memoryTimes: Checker;
}

/** The most that any stretch of a window's length held: a queue that shares no code with `admit`. */
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
 * A client keeps to its region, so regions share nothing and are simulated one after the other; a
 * request goes to any isolate of the region. The way to the object takes no time: it decides in the
 * order in which requests were sent.
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
