import { EspalierError } from "../../errors.ts";
import { problemFromError } from "../../http/problem-details.ts";
import { describeError, type Logger } from "../../observability/logger.ts";
import { kindOf } from "../../util/describe.ts";
import { logSafely } from "../../util/log-safely.ts";

/** Returns whether the argument of `fetch` is a request, of any class: each platform and library has its own. */
export function isRequest(value: unknown): value is Request {
  return typeof value === "object" && value !== null && "headers" in value;
}

/** Logs that `fetch` was called with something else, such as a URL, and returns the 500 response. */
export function refuseRequest(value: unknown, logger: Logger): Response {
  const error = new EspalierError(
    "ERR_APPLICATION_BAD_OPTION",
    `The argument of app.fetch() must be a Request, got ${kindOf(value)}. Pass new Request(url), or call ` +
      "app.request(url).",
  );
  logSafely(logger, "error", "Unexpected error", { error: describeError(error) });
  return problemFromError({ status: 500, detail: "An unexpected error occurred." });
}
