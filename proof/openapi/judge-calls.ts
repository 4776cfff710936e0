import type { Operation } from "./operations.ts";

/** Line that the program of a client prints: a request, or the error of a call. */
export interface CallFact {
  readonly operation: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  /** Body of an unsuccessful response. */
  readonly problem?: string;
  readonly error?: string;
}

/** Statuses that mean that the client sent something else than the document says, or that the server failed. */
const wrongStatuses: readonly number[] = [400, 405, 406, 411, 413, 414, 415, 422];

/**
 * Checks that each operation was called by one request with its method and path, that the application accepted
 * what the client sent, and that the client could read the response. A sample need not exist: a 404 is fine.
 */
export function judgeCalls(
  operations: readonly Operation[],
  facts: readonly CallFact[],
): readonly string[] {
  return operations.flatMap(({ id, method, path }) => {
    const own = facts.filter(({ operation }) => operation === id);
    const requests = own.filter(({ status }) => status !== undefined);
    const faults = own.flatMap(({ error }) => (error === undefined ? [] : [`${id}: ${error}`]));
    const [request] = requests;
    if (request === undefined || requests.length > 1) {
      return [...faults, `${id}: ${requests.length} requests`];
    }
    const { status = 0, problem = "" } = request;
    if (request.method !== method.toUpperCase() || !matches(path, request.path ?? "")) {
      faults.push(`${id}: sent ${request.method} ${request.path}, expected ${method} ${path}`);
    }
    if (wrongStatuses.includes(status) || status >= 500) {
      faults.push(`${id}: status ${status} ${problem.slice(0, 300)}`);
    }
    return faults;
  });
}

function matches(template: string, path: string): boolean {
  const expression = template
    .split(/\{[^}]*\}/)
    .map((text) => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&"))
    .join("[^/]+");
  return new RegExp(`^${expression}$`).test(path);
}
