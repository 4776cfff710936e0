/** An invalid field of a request, as reported by the application. */
export interface ProblemFieldError {
  /** Dotted name of the field, including list indexes: `items.0.id`. */
  readonly field: string;
  /** Validation message, written for end users. */
  readonly message: string;
}

/** Options of {@link ProblemError}: an unsuccessful response and its body. */
export interface Problem {
  readonly response: Response;
  /** Parsed JSON body; a string if the body is not valid JSON. */
  readonly body: unknown;
  /** The call as shown in messages: `GET /books/{id}`. */
  readonly call: string;
}

/**
 * Thrown for an unsuccessful response. Contains its Problem Details (RFC 9457); if the body has another
 * format, such as a proxy's error page, at least the status is set.
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
  /** URI of the problem type; default `about:blank`. */
  readonly type: string;
  /** Human-readable summary of the problem type. */
  readonly title: string;
  /** Human-readable explanation of this occurrence; undefined if the response has none. */
  readonly detail: string | undefined;
  /** URI of this occurrence. */
  readonly instance: string | undefined;
  /** Identifies the request in the application's log. */
  readonly traceId: string | undefined;
  /** The invalid fields of the request; empty for other problems. */
  readonly errors: readonly ProblemFieldError[];
  /** The whole body, including extension members: parsed JSON, or a string. */
  readonly body: unknown;
  /** The response, for its headers; its body has already been read. */
  readonly response: Response;

  constructor({ response, body, call }: Problem) {
    const title = memberOf(body, "title") ?? (response.statusText || "No success");
    const detail = memberOf(body, "detail");
    const errors = fieldErrorsOf(body);
    const fields = errors.map(({ field, message }) => `\n  - ${field}: ${message}`).join("");
    const reason = detail === undefined ? "" : ` ${detail}`;
    super(`${call} responded with ${response.status} ${title}.${reason}${fields}`);
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

/** Reads the body of an unsuccessful response. */
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
