import { accepts } from "../../http/accepts.ts";
import { createResponse } from "../../http/create-response.ts";
import type { Problem } from "../../http/problem-details.ts";
import { reasonPhrase } from "../../http/status.ts";
import { appendVary } from "../../http/vary.ts";
import { describeError, type LogRecord } from "../../observability/logger.ts";
import { Redactor } from "../../observability/redactor.ts";
import { problemWithDetails } from "./debug-problem.ts";
import { errorPage } from "./error-page.ts";

/** The failed request, as the response describes it. */
export interface FailedRequest {
  readonly method: string;
  readonly href: string;
  readonly headers: Headers;
  readonly traceId: string;
  /** Method and pattern of the route; undefined if none matched. */
  readonly route?: string | undefined;
}

/**
 * Creates a response that contains the error with its stack and causes, for development: an HTML page for a
 * client that prefers `text/html`, as browsers do, and Problem Details for any other. Secrets are redacted as
 * in the access log.
 *
 * @param problem status and headers of the response; its detail is by default the error's message
 */
export function createDebugResponse(
  error: unknown,
  problem: Problem,
  request: FailedRequest,
): Response {
  const redactor = new Redactor();
  const details = redactError(describeError(error), redactor);
  const wantsPage =
    accepts(request, "application/problem+json", "application/json", "text/html") === "text/html";
  const response = wantsPage
    ? pageResponse(details, problem, request, redactor)
    : problemWithDetails(details, problem, request);
  appendVary(response.headers, "accept");
  return response;
}

/** No script runs and nothing is loaded, whatever the error's message contains. */
const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=UTF-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

function pageResponse(
  details: LogRecord,
  { status, title, headers: own }: Problem,
  request: FailedRequest,
  redactor: Redactor,
): Response {
  const headers = new Headers(own);
  for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
  const page = errorPage({
    title: `${status} ${title ?? reasonPhrase(status)}`,
    error: details,
    request: [
      ["Request", `${request.method} ${redactor.text(request.href)}`],
      ["Route", request.route ?? "none"],
      ["Trace id", request.traceId],
      ...[...request.headers].map(([name, value]) => [name, redactor.header(name, value)] as const),
    ],
  });
  return createResponse(page, { status, headers });
}

/** Copies the description of an error without secrets. Frames of a stack contain names and places only. */
function redactError(error: LogRecord, redactor: Redactor): LogRecord {
  const { name, message, thrown, code, stack, cause, errors } = error;
  if (thrown !== undefined) return { thrown: redactor.text(String(thrown)) };
  const head = `${String(name)}: ${String(message)}`;
  const shown = `${redactor.text(String(name))}: ${redactor.text(String(message))}`;
  const full = String(stack ?? "");
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return {
    name: redactor.text(String(name)),
    message: redactor.text(String(message)),
    code: typeof code === "string" || typeof code === "number" ? code : undefined,
    stack: full.startsWith(head) ? shown + full.slice(head.length) : redactLines(full, redactor),
    cause: cause === undefined ? undefined : redactError(Object(cause), redactor),
    errors: list.length === 0 ? undefined : list.map((one) => redactError(Object(one), redactor)),
  };
}

function redactLines(text: string, redactor: Redactor): string {
  return text
    .split("\n")
    .map((line) => redactor.text(line))
    .join("\n");
}
