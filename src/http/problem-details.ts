import { createResponse } from "./create-response.ts";
import { FixedHeaders } from "./fixed-headers.ts";
import type { FieldError } from "./http-error.ts";
import { toJsonText } from "./json-text.ts";
import { problemType, reasonPhrase } from "./status.ts";
import type { HeadersInit } from "./web-types.ts";

/** Members of a Problem Details object (RFC 9457 section 3.1) and of its response. */
export interface ProblemDetails {
  /** HTTP status, 200 to 599; 400 to 599 for errors. */
  readonly status: number;
  /** Short summary of the problem type; default: the status's reason phrase. */
  readonly title?: string | undefined;
  /** Explanation of this occurrence; omitted if undefined. */
  readonly detail?: string | undefined;
  /** URL of the request. */
  readonly instance?: string | undefined;
  /** Correlation id of the request. */
  readonly traceId?: string | undefined;
  /** URI of the problem type; by default derived from the status. */
  readonly type?: string | undefined;
  /** The invalid fields of the request. */
  readonly errors?: readonly FieldError[] | undefined;
  /** Additional headers of the response; its content type remains `application/problem+json`. */
  readonly headers?: HeadersInit | undefined;
  /** Extension members; one with the name of a member above is ignored. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** The members of Problem Details that an `HttpError` provides. */
export type Problem = Pick<
  ProblemDetails,
  "status" | "title" | "detail" | "type" | "errors" | "headers"
>;

/** The members of Problem Details that describe the request. */
export interface ProblemContext {
  readonly instance?: string | undefined;
  readonly traceId?: string | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

const problemHeaders = /* @__PURE__ */ new FixedHeaders({
  "content-type": "application/problem+json",
  "x-content-type-options": "nosniff",
});

/**
 * Creates an `application/problem+json` response (RFC 9457) for any status.
 *
 * Every member accepts strings with any characters.
 *
 * @throws {EspalierError} for a status outside 200 to 599, or extensions that are not JSON.
 * @example createProblemDetailsResponse({ status: 404, detail: "No such book.", traceId: ctx.id });
 */
export function createProblemDetailsResponse(problem: ProblemDetails): Response {
  return problemResponse(problem, problem, toJsonText);
}

/** Renders a problem, such as an `HttpError`, as a response; the error's cause is not included. */
export function problemFromError(error: Problem, context: ProblemContext = {}): Response {
  return problemResponse(error, context, JSON.stringify);
}

function problemResponse(
  problem: Problem,
  { instance, traceId, extensions }: ProblemContext,
  toText: (members: object) => string,
): Response {
  const { status } = problem;
  const members = {
    type: problem.type ?? problemType(status),
    title: problem.title ?? reasonPhrase(status),
    status,
    detail: problem.detail,
    instance,
    traceId,
    errors: problem.errors,
  };
  // Spread twice: the first sets the order of the members, the second their values, because an
  // extension named `status` must not override the response's status.
  const text = toText(extensions ? { ...members, ...extensions, ...members } : members);
  if (problem.headers === undefined)
    return createResponse(text, { status, headers: problemHeaders.values, fixed: problemHeaders });

  const headers = new Headers(problem.headers);
  for (const [name, value] of Object.entries(problemHeaders.values)) headers.set(name, value);
  return createResponse(text, { status, headers });
}
