import type { FilledRouter } from "../subjects/subject.ts";
import type { TableRequest } from "../tables/route-table.ts";

/** Returns the problem of a router's result for a request; undefined if it is correct. */
export function checkAnswer(router: FilledRouter, request: TableRequest): string | undefined {
  const asked = `${request.method} ${request.url}`;
  try {
    const found = router.find(request);
    if (request.route === null) {
      return found === undefined
        ? undefined
        : `${asked}: found route ${found.route}, expected none`;
    }
    if (found === undefined) return `${asked}: found nothing`;
    if (found.route !== request.route) {
      return `${asked}: found route ${found.route} instead of ${request.route}`;
    }
    for (const [name, value] of Object.entries(request.params)) {
      if (found.params[name] !== value) {
        return `${asked}: ${name} is ${JSON.stringify(found.params[name])}`;
      }
    }
    return undefined;
  } catch (error) {
    return `${asked}: ${error}`;
  }
}
