import { type Problem, problemFromError } from "../../http/problem-details.ts";
import { describeError, type LogRecord } from "../../observability/logger.ts";
import type { CreateDebugResponse } from "../options.ts";
import type { FailedRequest } from "./debug-response.ts";

/**
 * Creates Problem Details that contain the error with its stack and causes, for development. The application of
 * `espalier` responds to browsers with a page instead, and redacts secrets.
 */
export const createDebugProblem: CreateDebugResponse = (error, problem, request) =>
  problemWithDetails(describeError(error), problem, request);

/** Creates Problem Details that contain the description of an error. */
export function problemWithDetails(
  { name, message, thrown, stack, cause, errors }: LogRecord,
  problem: Problem,
  request: FailedRequest,
): Response {
  return problemFromError(
    { ...problem, detail: problem.detail ?? String(message ?? thrown) },
    {
      instance: request.href,
      traceId: request.traceId,
      extensions: { error: name, stack, cause, causes: errors },
    },
  );
}
