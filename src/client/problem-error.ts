/** An invalid field of a request, as the application tells of it. */
export interface ProblemFieldError {
  /** Dotted name of the field, list indexes included: `items.0.id`. */
  readonly field: string;
  /** What is wrong with it, for the person who filled it in. */
  readonly message: string;
}

/** What a response that is no success said. */
export interface Problem {
  readonly response: Response;
  /** Its parsed JSON; its text when it is none. */
  readonly body: unknown;
  /** The call as messages name it: `GET /books/{id}`. */
  readonly call: string;
}

/**
 * A call was answered with something else than success: what its Problem Details (RFC 9457) say, and at
 * least the status where a proxy answered in another form.
 *
 * ```ts
 * try {
 *   await client.POST("/books", { body });
 * } catch (error) {
 *   if (error instanceof ProblemError && error.status === 422) showBeside(error.errors);
 *   else throw error;
 * }
 * ```
 */
export class ProblemError extends Error {
  override readonly name: string = "ProblemError";
  /** The status of the response. */
  readonly status: number;
  /** URI of the kind of problem; `about:blank` when it is not told. */
  readonly type: string;
  /** What kind of problem it is, for people. */
  readonly title: string;
  /** What happened this time; undefined when it is not told. */
  readonly detail: string | undefined;
  /** The URL it happened at. */
  readonly instance: string | undefined;
  /** Finds the request in the application's log. */
  readonly traceId: string | undefined;
  /** The invalid fields of the request; empty when it is about something else. */
  readonly errors: readonly ProblemFieldError[];
  /** The whole of it, with members of the application's own: parsed JSON, or text. */
  readonly body: unknown;
  /** The response, for its headers; its body has been read. */
  readonly response: Response;

  constructor({ response, body, call }: Problem) {
    const title = memberOf(body, "title") ?? (response.statusText || "No success");
    const detail = memberOf(body, "detail");
    const errors = fieldErrorsOf(body);
    const fields = errors.map(({ field, message }) => `\n  - ${field}: ${message}`).join("");
    const reason = detail === undefined ? "" : ` ${detail}`;
    super(`${call} was answered with ${response.status} ${title}.${reason}${fields}`);
    this.status = response.status;
    this.type = memberOf(body, "type") ?? "about:blank";
    this.title = title;
    this.detail = detail;
    this.instance = memberOf(body, "instance");
    this.traceId = memberOf(body, "traceId") ?? response.headers.get("x-request-id") ?? undefined;
    this.errors = errors;
    this.body = body;
    this.response = response;
  }
}

/** Reads the rest of a response that is no success. */
export async function readProblem(response: Response, call: string): Promise<ProblemError> {
  const text = await response.text();
  return new ProblemError({ response, body: parseOrText(text), call });
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function memberOf(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : undefined;
}

function fieldErrorsOf(body: unknown): readonly ProblemFieldError[] {
  const errors: unknown =
    typeof body === "object" && body !== null ? Reflect.get(body, "errors") : undefined;
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error: unknown) => {
    const [field, message] = [memberOf(error, "field"), memberOf(error, "message")];
    return field === undefined || message === undefined ? [] : [{ field, message }];
  });
}
