import type { RequestServices } from "../../http/context-input.ts";
import { createProblemDetailsResponse } from "../../http/problem-details.ts";
import { requestId } from "../../http/request-id.ts";
import { describeError, type Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";
import { headResponse } from "../request/handle.ts";

/** Logs why the application cannot boot, and returns the 500 response for the request that triggered it. */
export function bootFailure(
  services: RequestServices,
  request: Request,
  error: unknown,
  logger: Logger,
  debug: boolean,
): Response {
  logSafely(logger, "error", "The application cannot start", { error: describeError(error) });
  const traceId = requestId(request.headers);
  const response = createProblemDetailsResponse({
    status: 500,
    detail: debug ? String(error) : "An unexpected error occurred.",
    instance: request.url,
    traceId,
    headers: { "x-request-id": traceId },
  });
  return request.method === "HEAD" ? headResponse(services, response) : response;
}
