export type { AllowedOrigins, OriginFunction } from "./middleware/allowed-origins.ts";
export { type ApiKeyOptions, createApiKeyMiddleware } from "./middleware/api-key-authentication.ts";
export {
  createAuthMiddleware,
  createOptionalAuthMiddleware,
  type DocumentedMiddleware,
  type GuardMiddleware,
} from "./middleware/authentication.ts";
export { createAuthorizationMiddleware } from "./middleware/authorization.ts";
export {
  type BasicAuthOptions,
  createBasicAuthMiddleware,
} from "./middleware/basic-authentication.ts";
export { markPrivate } from "./middleware/cache-control.ts";
export { CompressionMiddleware, type CompressionOptions } from "./middleware/compression.ts";
export { CorsMiddleware } from "./middleware/cors.ts";
export type { CorsOptions } from "./middleware/cors-options.ts";
export { CsrfMiddleware, type CsrfOptions } from "./middleware/csrf.ts";
export { ETagMiddleware, type ETagOptions } from "./middleware/etag.ts";
export { IdempotencyMiddleware, type IdempotencyOptions } from "./middleware/idempotency.ts";
export { RateLimitMiddleware } from "./middleware/rate-limit.ts";
export type { Ipv6NetworkOptions, RateLimitOptions } from "./middleware/rate-limit-options.ts";
export { RequestObservabilityMiddleware } from "./middleware/request-observability.ts";
export type { RequestObservabilityOptions } from "./middleware/request-observability-options.ts";
export {
  type ContentSecurityPolicy,
  cspNonce,
  SecureHeadersMiddleware,
  type SecureHeadersOptions,
} from "./middleware/secure-headers.ts";
export {
  type Session,
  SessionMiddleware,
  type SessionOptions,
  type SessionSecret,
  type SessionStore,
  session,
} from "./middleware/session.ts";
export { TimeoutMiddleware, type TimeoutOptions, timeoutSignal } from "./middleware/timeout.ts";
