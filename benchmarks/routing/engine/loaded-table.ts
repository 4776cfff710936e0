import { empty } from "../subjects/empty.ts";
import { type FilledRouter, type Subject, sumOfParameters } from "../subjects/subject.ts";
import { parameterNames, type RouteTable, type TableRequest } from "../tables/route-table.ts";
import { checkAnswer } from "./check-answers.ts";
import type { Loaded, RequestSet, Verdict } from "./command.ts";
import { sample } from "./sample.ts";

/** A router that answers this share of requests wrongly is not measured: its answers are no use. */
const wrongLimit = 0.05;

/** What a timed loop runs: requests, the router to ask, and the sum that one pass must give. */
export interface Batch {
  readonly router: FilledRouter;
  readonly requests: readonly TableRequest[];
  readonly sum: number;
}

/** A table in the routers of all subjects, with the requests on which they agree. */
export interface LoadedTable {
  readonly report: Loaded;
  /** @throws when the subject is not measured with this table. */
  batch(subject: string, set: RequestSet): Batch;
}

/** Fills every router with a table, asks each every request, and keeps what all answer rightly. */
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
    if (first !== undefined) router.find(first); // some build their tree only now, and refuse then
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
 * The same text as one flat string, which is how a runtime hands out `request.url`: a concatenation
 * or a piece of a larger string would cost every reader an indirection per character.
 */
function flat(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
