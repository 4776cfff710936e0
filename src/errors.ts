/**
 * The codes of the errors that Espalier raises about an application's own code: wrong registration,
 * wrong configuration, wrong use. `docs/reference/errors.md` explains each.
 */
export type ErrorCode =
  | "ERR_APPLICATION_BOOT"
  | "ERR_APPLICATION_LISTEN"
  | "ERR_CACHE_BAD_KEY"
  | "ERR_CACHE_BAD_NAMESPACE"
  | "ERR_CACHE_BAD_STORE"
  | "ERR_CACHE_BAD_TTL"
  | "ERR_CACHE_CLEAR_UNSUPPORTED"
  | "ERR_CACHE_NOT_JSON"
  | "ERR_CACHE_STORE_FAILED"
  | "ERR_CACHE_VALUE_TOO_LARGE"
  | "ERR_HEALTH_BAD_CHECK"
  | "ERR_HTTP_BAD_STATUS"
  | "ERR_HTTP_BAD_LOCATION"
  | "ERR_HTTP_BAD_CONTENT_TYPE"
  | "ERR_HTTP_BAD_COOKIE"
  | "ERR_HTTP_BAD_EVENT"
  | "ERR_HTTP_BAD_TRUST_PROXY"
  | "ERR_HTTP_NOT_SERIALIZABLE"
  | "ERR_OBSERVABILITY_BAD_OPTION"
  | "ERR_OPENAPI_BAD_OPTION"
  | "ERR_PIPELINE_NEXT_TWICE"
  | "ERR_PIPELINE_NOT_A_RESPONSE"
  | "ERR_PIPELINE_UNKNOWN_MIDDLEWARE"
  | "ERR_PIPELINE_BAD_MIDDLEWARE"
  | "ERR_VALIDATION_BAD_RULE"
  | "ERR_CONTROLLER_BAD_HANDLER"
  | "ERR_ROUTE_PATTERN"
  | "ERR_ROUTE_DUPLICATE"
  | "ERR_ROUTE_NAME_DUPLICATE"
  | "ERR_ROUTE_BAD_HANDLER"
  | "ERR_ROUTE_BAD_METHOD"
  | "ERR_ROUTE_BAD_OPTION"
  | "ERR_ROUTE_UNKNOWN_NAME"
  | "ERR_ROUTE_MISSING_PARAMETER"
  | "ERR_ROUTE_BAD_PARAMETER"
  | "ERR_CONTAINER_NOT_REGISTERED"
  | "ERR_CONTAINER_CYCLE"
  | "ERR_CONTAINER_OUTSIDE_SCOPE"
  | "ERR_CONTAINER_BAD_FACTORY"
  | "ERR_CONFIG_INVALID"
  | "ERR_CONFIG_UNKNOWN_SECTION"
  | "ERR_CONFIG_BAD_SECTION"
  | "ERR_EVENTS_BAD_HANDLER"
  | "ERR_EVENTS_BAD_NAME"
  | "ERR_PLUGIN_BAD_SHAPE"
  | "ERR_PLUGIN_DUPLICATE"
  | "ERR_PLUGIN_DEPENDENCY"
  | "ERR_PLUGIN_HOOK_FAILED"
  | "ERR_PLUGIN_TOO_LATE"
  | "ERR_QUEUE_BAD_OPTION"
  | "ERR_QUEUE_HANDLER_EXISTS"
  | "ERR_QUEUE_JOB_CUT_OFF"
  | "ERR_QUEUE_JOB_TIMEOUT"
  | "ERR_QUEUE_PAYLOAD_NOT_JSON"
  | "ERR_QUEUE_PAYLOAD_TOO_LARGE"
  | "ERR_QUEUE_RETRY_ASKED"
  | "ERR_QUEUE_UNKNOWN_JOB"
  | "ERR_QUEUE_UNSUPPORTED"
  | "ERR_SCHEDULE_BAD_CRON"
  | "ERR_SCHEDULE_BAD_HANDLER"
  | "ERR_SCHEDULE_NO_CRONER";

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
