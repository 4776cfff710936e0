import { EspalierError } from "../errors.ts";
import { describeStatus, reasonPhrase } from "./status.ts";
import type { HeadersInit } from "./web-types.ts";

/** One invalid field of a request. */
export interface FieldError {
  /** Dotted name of the field, including array indexes: `items.0.id`. */
  readonly field: string;
  /** Error message for the end user. */
  readonly message: string;
}

/** Options of `HttpError`. */
export interface HttpErrorOptions {
  /** Headers of the response, for example `Retry-After`. */
  readonly headers?: HeadersInit;
  /** The invalid fields of the request. */
  readonly errors?: readonly FieldError[];
  /** URI of the problem type; by default derived from the status. */
  readonly type?: string;
  /** Short summary of the problem type; by default the status's reason phrase. */
  readonly title?: string;
  /** The underlying error: logged with a status of 500 and above, and sent to the client only with the application's option `debug`. */
  readonly cause?: unknown;
}

/**
 * An error that becomes a Problem Details response (RFC 9457) when it is thrown.
 *
 * Everything but `cause` is sent to the client; `cause` only with the application's option `debug`. Headers are
 * validated by the constructor, so that a value with a line break fails there and not while the error is rendered.
 *
 * @throws {EspalierError} `ERR_HTTP_BAD_STATUS` when the status is not an integer from 400 to 599.
 * @example throw new HttpError(404, `Book ${id} does not exist.`);
 */
export class HttpError extends Error {
  override readonly name: string = "HttpError";
  /** The status of the response, 400 to 599. */
  readonly status: number;
  /** Explanation of this occurrence; omitted from the response if `undefined`. */
  readonly detail: string | undefined;
  /** Headers of the response; undefined when none were given. */
  readonly headers: Headers | undefined;
  /** The invalid fields; undefined when none were given. */
  readonly errors: readonly FieldError[] | undefined;
  /** URI of the problem type; undefined to derive it from the status. */
  readonly type: string | undefined;
  /** Summary of the problem type; undefined for the status's reason phrase. */
  readonly title: string | undefined;

  constructor(status: number, detail?: string, options: HttpErrorOptions = {}) {
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new EspalierError(
        "ERR_HTTP_BAD_STATUS",
        `The status of an HttpError must be an integer from 400 to 599, got ${describeStatus(status)}. ` +
          "The order is: status, detail.",
      );
    }
    const message = detail ?? options.title ?? reasonPhrase(status);
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.status = status;
    this.detail = detail;
    this.headers = options.headers === undefined ? undefined : new Headers(options.headers);
    this.errors = options.errors;
    this.type = options.type;
    this.title = options.title;
  }
}

/**
 * A 422 error for invalid fields of a request, with one entry per field.
 *
 * @example throw new ValidationError([{ field: "title", message: "title is taken" }]);
 */
export class ValidationError extends HttpError {
  override readonly name: string = "ValidationError";

  constructor(errors: readonly FieldError[]) {
    super(422, "One or more validation errors occurred.", {
      errors,
      title: "Validation Failed",
      type: "https://www.rfc-editor.org/rfc/rfc9457",
    });
  }
}
