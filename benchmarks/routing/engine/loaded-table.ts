import { empty } from "../subjects/empty.ts";
import { type FilledRouter, type Subject, sumOfParameters } from "../subjects/subject.ts";
import { parameterNames, type RouteTable, type TableRequest } from "../tables/route-table.ts";
import { checkAnswer } from "./check-answers.ts";
import type { Loaded, RequestSet, Verdict } from "./command.ts";
import { sample } from "./sample.ts";

/** Maximum share of wrong results; a router above it is not measured. */
const wrongLimit = 0.05;

/** Input of the timed loop: requests, the router, and the expected sum of one pass. */
export interface Batch {
  readonly router: FilledRouter;
  readonly requests: readonly TableRequest[];
  readonly sum: number;
}

/** A table loaded into the routers of all subjects, with the requests on which they agree. */
export interface LoadedTable {
  readonly report: Loaded;
  /** @throws when the subject is not measured with this table. */
  batch(subject: string, set: RequestSet): Batch;
}

/** Fills every router with a table, matches every request, and keeps the requests that all match correctly. */
export function loadTable(table: RouteTable, subjects: readonly Subject[]): LoadedTable {
  const requests = table.requests.map((request) => ({ ...request, url: flat(request.url) }));
  const routers = new Map<string, FilledRouter>([[empty.name, empty.fill(table.routes)]]);
  const refused = new Set<TableRequest>();
  const verdicts: Verdict[] = [];
  for (const subject of subjects) {
    const asked = subject.linear ? sample(requests, table.routes.length) : requests;
    const filled = fill(subject, table);
    if (typeof filled === "string") {
      verdicts.push(verdict(subject, filled, 0, []));
      continue;
    }
    const wrong = new Map<TableRequest, string>();
    for (const request of asked) {
      const complaint = checkAnswer(filled, request);
      if (complaint !== undefined) wrong.set(request, complaint);
    }
    const useless = countMatches(wrong.keys()) > wrongLimit * countMatches(asked);
    const problem = useless ? "too many wrong answers" : undefined;
    verdicts.push(verdict(subject, problem, asked.length, [...wrong.values()]));
    if (useless) continue;
    routers.set(subject.name, filled);
    for (const request of wrong.keys()) refused.add(request);
  }
  const agreed = requests.filter((request) => !refused.has(request));
  const sets = {
    matches: agreed.filter((request) => request.route !== null),
    misses: agreed.filter((request) => request.route === null),
  };
  const linear = new Set(subjects.filter((subject) => subject.linear).map(({ name }) => name));
  return {
    report: { verdicts, sizes: { matches: sets.matches.length, misses: sets.misses.length } },
    batch(subject, set) {
      const router = routers.get(subject);
      if (router === undefined) throw new Error(`${subject} is not measured with ${table.name}.`);
      const own = linear.has(subject) ? sample(sets[set], table.routes.length) : sets[set];
      return { router, requests: own, sum: expectedSum(own, table) };
    },
  };
}

function fill(subject: Subject, table: RouteTable): FilledRouter | string {
  try {
    const router = subject.fill(table.routes);
    const first = table.requests[0];
    if (first !== undefined) router.find(first); // some routers build their tree only now, and may throw
    return router;
  } catch (error) {
    return String(error);
  }
}

function verdict(
  subject: Subject,
  problem: string | undefined,
  asked: number,
  complaints: readonly string[],
): Verdict {
  return {
    subject: subject.name,
    problem,
    asked,
    wrong: complaints.length,
    example: complaints[0],
  };
}

function countMatches(requests: Iterable<TableRequest>): number {
  let count = 0;
  for (const request of requests) if (request.route !== null) count++;
  return count;
}

function expectedSum(requests: readonly TableRequest[], table: RouteTable): number {
  let sum = 0;
  for (const { route, params } of requests) {
    if (route === null) continue;
    const names = parameterNames(table.routes[route]?.[1] ?? "");
    sum = (sum + sumOfParameters(route, params, names)) | 0;
  }
  return sum;
}

/**
 * Returns the same string in flat form, as a runtime provides `request.url`: a rope or a slice would
 * cost every reader an indirection per character.
 */
function flat(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
