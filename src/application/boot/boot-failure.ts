import { problemFromError } from "../../http/problem-details.ts";
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
  request: Request,
  error: unknown,
  logger: Logger,
  loadDebugResponse: LoadDebugResponse | undefined,
): Promise<Response> {
  logSafely(logger, "error", "The application cannot start", { error: describeError(error) });
  const traceId = requestId(request.headers);
  const problem = { status: 500, headers: { "x-request-id": traceId } };
  const { url: href, method, headers } = request;
  const createDebugResponse = await loadDebugResponse?.();
  const response = createDebugResponse
    ? createDebugResponse(error, problem, { method, href, headers, traceId })
    : problemFromError(
        { ...problem, detail: "An unexpected error occurred." },
        { instance: href, traceId },
      );
  return method === "HEAD" ? headResponse(response) : response;
}
