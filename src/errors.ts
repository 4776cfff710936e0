/**
 * The codes of the errors that Espalier raises about an application's own code: wrong registration,
 * wrong configuration, wrong use. `docs/reference/errors.md` explains each.
 */
export type ErrorCode =
  | "ERR_APPLICATION_BOOT"
  | "ERR_APPLICATION_LISTEN"
  | "ERR_HTTP_BAD_STATUS"
  | "ERR_HTTP_BAD_LOCATION"
  | "ERR_HTTP_BAD_CONTENT_TYPE"
  | "ERR_HTTP_BAD_COOKIE"
  | "ERR_HTTP_BAD_EVENT"
  | "ERR_HTTP_BAD_TRUST_PROXY"
  | "ERR_HTTP_NOT_SERIALIZABLE"
  | "ERR_PIPELINE_NEXT_TWICE"
  | "ERR_PIPELINE_NOT_A_RESPONSE"
  | "ERR_PIPELINE_UNKNOWN_MIDDLEWARE"
  | "ERR_PIPELINE_BAD_MIDDLEWARE"
  | "ERR_CONTROLLER_BAD_HANDLER";

/**
 * An error about how Espalier is used, with a stable code to look up.
 *
 * What a client did wrong is an `HttpError` instead: it becomes a response, this one a 500.
 */
export class EspalierError extends Error {
  override readonly name: string = "EspalierError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
