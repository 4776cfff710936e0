import type { RequestServices } from "../../http/context-input.ts";
import { createProblemDetailsResponse } from "../../http/problem-details.ts";
import { requestId } from "../../http/request-id.ts";
import { describeError, type Logger } from "../../observability/logger.ts";
import { logSafely } from "../../util/log-safely.ts";
import type { LoadDebugResponse } from "../options.ts";
import { headResponse } from "../request/handle.ts";

/**
 * Logs why the application cannot boot, and returns the 500 response for the request that triggered it.
 *
 * @param loadDebugResponse adds the error to the response
 */
export async function bootFailure(
  services: RequestServices,
  request: Request,
  error: unknown,
  logger: Logger,
  loadDebugResponse: LoadDebugResponse | undefined,
): Promise<Response> {
  logSafely(logger, "error", "The application cannot start", { error: describeError(error) });
  const traceId = requestId(request.headers);
  const headers = { "x-request-id": traceId };
  const { url: href, method } = request;
  const createDebugResponse = await loadDebugResponse?.();
  const response = createDebugResponse
    ? createDebugResponse(
        error,
        { status: 500, headers },
        { method, href, headers: request.headers, traceId },
      )
    : createProblemDetailsResponse({
        status: 500,
        detail: "An unexpected error occurred.",
        instance: href,
        traceId,
        headers,
      });
  return request.method === "HEAD" ? headResponse(services, response) : response;
}
