import type * as full from "../../../application/request/debug-problem.ts";
import { problemFromError } from "../../../http/problem-details.ts";

/** Creates Problem Details without the error: the option `debug` has no effect. */
export const createDebugProblem: typeof full.createDebugProblem = (_error, problem, request) =>
  problemFromError(
    { ...problem, detail: problem.detail ?? "An unexpected error occurred." },
    { instance: request.href, traceId: request.traceId },
  );
