import { isDeepStrictEqual } from "node:util";
import type { Logger } from "espalier";
import { Finding } from "../support/finding.ts";
import { canaries, findLeak } from "./canaries.ts";
import { createFailing, type Site, sites } from "./failing.ts";

const hostileProxy: unknown = new Proxy(
  {},
  {
    get: () => {
      throw new Error("get");
    },
    getPrototypeOf: () => {
      throw new Error("prototype");
    },
  },
);

function cyclic(): Error {
  const error = new TypeError(canaries.thrown);
  error.cause = error;
  return error;
}

/** Ten kinds of values that JavaScript can throw. */
const kinds: Readonly<Record<string, () => unknown>> = {
  Error: () => new Error(canaries.thrown),
  "an error that is its own cause": cyclic,
  "an AggregateError": () => new AggregateError([new Error(canaries.service)], canaries.thrown),
  "a text": () => canaries.thrown,
  null: () => null,
  undefined: () => undefined,
  "a symbol": () => Symbol(canaries.service),
  "a frozen object": () => Object.freeze({ secret: canaries.config }),
  "an object whose toString throws": () => ({ toString: () => Number(Symbol()) }),
  "a Proxy that throws on every get": () => hostileProxy,
};

/** A logger that collects JSON lines. */
function createLines(): Logger & { readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (record: unknown): void => void lines.push(record as Record<string, unknown>);
  return { lines, debug: write, info: write, warn: write, error: write };
}

/**
 * Throws every kind at every place: the response is a 500, or a 503 for a store, with exactly these members,
 * reveals nothing and has CORS headers, and the log has the error once and the request once.
 */
export async function proveErrors(): Promise<Finding> {
  const finding = new Finding(`error contract, ${sites.length} places`);
  for (const site of sites) {
    for (const [kind, make] of Object.entries(kinds)) {
      finding.tried += 1;
      await tryOne(finding, site, kind, make());
    }
    await tryWithout(finding, site);
  }
  return finding;
}

const headers = { "x-request-id": "r1", origin: "https://page.example", host: "localhost" };
const methodOf = (path: string): string => (path === "/csrf" ? "POST" : "GET");

const unexpectedError = {
  type: "https://httpwg.org/specs/rfc9110.html#status.500",
  title: "Internal Server Error",
  status: 500,
  detail: "An unexpected error occurred.",
};

const storeFailure = {
  type: "https://httpwg.org/specs/rfc9110.html#status.503",
  title: "Service Unavailable",
  status: 503,
  detail: "A service that this request needs is not available. Try again later.",
};

/** Names of the stores in the log, by the place that fails. */
const storeOf: ReadonlyMap<Site, string> = new Map([
  ["session store", "session store"],
  ["limit store", 'rate limit store of "default"'],
]);

async function tryOne(finding: Finding, site: Site, kind: string, thrown: unknown): Promise<void> {
  const logger = createLines();
  const fail = (): never => {
    throw thrown;
  };
  const { app, path } = createFailing(site, fail, logger);
  const response = await app.request(path, { method: methodOf(path), headers });
  const body = await response.text();
  const where = `${site}, ${kind}`;
  finding.count(`${response.status}`);
  // A failing store is temporary: clients may retry.
  const store = storeOf.get(site);
  const isStore = store !== undefined;
  const expected = {
    ...(isStore ? storeFailure : unexpectedError),
    instance: `http://localhost${path}`,
    traceId: "r1",
  };
  const { headers: given } = response;
  finding.check(response.status === expected.status, `status ${response.status}`, where);
  finding.check(given.get("content-type") === "application/problem+json", "content type", where);
  finding.check(isDeepStrictEqual(parsed(body), expected), "members", `${where}: ${body}`);
  const leak = findLeak(body + JSON.stringify([...given]));
  finding.check(leak === undefined, "a leak", `${where}: ${leak}`);
  finding.check(given.get("access-control-allow-origin") === "*", "no CORS headers", where);
  finding.check(given.get("x-request-id") === "r1", "no id", where);
  const logged = isStore ? `A call of the ${store} failed.` : "Unexpected error";
  const errors = logger.lines.filter(({ message }) => message === logged);
  const requests = logger.lines.filter(({ durationMs }) => durationMs !== undefined);
  const counts = `${where}: ${errors.length} errors, ${requests.length} requests`;
  finding.check(
    errors.length === 1 && (isStore || errors[0]?.["id"] === "r1"),
    "not one error in the log",
    counts,
  );
  finding.check(
    requests.length === 1 && requests[0]?.["status"] === expected.status,
    "not one request in the log",
    counts,
  );
}

/** Checks the same request without an error, to rule out other failures. */
async function tryWithout(finding: Finding, site: Site): Promise<void> {
  const { app, path } = createFailing(site, () => undefined, createLines());
  const { status } = await app.request(path, { method: methodOf(path), headers });
  finding.check(status === 200, `status ${status} without an error`, site);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
