export { Application } from "./application/application.ts";
export { BootError } from "./application/boot/boot-error.ts";
export type { ApplicationQueue } from "./application/capabilities/application-queue.ts";
export type { ApplicationCache } from "./application/capabilities/cache.ts";
export type { ApplicationInspection } from "./application/inspect.ts";
export type { JobContext } from "./application/job-context.ts";
export type { ApplicationOptions } from "./application/options.ts";
export type { ErrorHandler } from "./application/request/error-handler.ts";
export type {
  ApplicationCacheOptions,
  ApplicationQueueOptions,
} from "./application/service-options.ts";
export type { ModuleWorker, ScheduledController } from "./application/worker.ts";
export { type ApiKey, createApiKey, hashApiKey } from "./auth/api-keys.ts";
export { Auth, type TokenOptions } from "./auth/auth.ts";
export type { AuthOptions } from "./auth/auth-options.ts";
export type {
  AuthenticationFailure,
  AuthenticationResult,
} from "./auth/authentication-result.ts";
export type { Claims } from "./auth/claims.ts";
export type { CryptoKeyLike, Jwk, JwkSet } from "./auth/keys/types.ts";
export { MemoryTokenStore, type MemoryTokenStoreOptions } from "./auth/memory-token-store.ts";
export { hashPassword, needsRehash, verifyPassword } from "./auth/password.ts";
export type { PasswordAlgorithm, PasswordDigest } from "./auth/passwords/cost.ts";
export type { PasswordHashOptions } from "./auth/passwords/options.ts";
export { PasswordHasher, type PasswordHasherOptions } from "./auth/passwords/password-hasher.ts";
export type { Policy } from "./auth/policies.ts";
export type { RefreshTokenOptions } from "./auth/refresh/refresh-options.ts";
export type { TokenPair } from "./auth/refresh/refresh-tokens.ts";
export type { TokenStore } from "./auth/token-store.ts";
export type {
  BroadcastAdapter,
  ReceiveBroadcast,
  UnsubscribeBroadcast,
} from "./broadcast/broadcast-adapter.ts";
export type {
  BroadcastDetails,
  BroadcastHandler,
  BroadcastSubscription,
} from "./broadcast/broadcast-types.ts";
export { MemoryBroadcastAdapter } from "./broadcast/memory-broadcast-adapter.ts";
export { Cache } from "./cache/cache.ts";
export type { CacheOptions, RememberOptions } from "./cache/cache-options.ts";
export type { CacheSource } from "./cache/cache-source.ts";
export type { CacheStore } from "./cache/cache-store.ts";
export { MemoryCacheStore, type MemoryCacheStoreOptions } from "./cache/memory-store.ts";
export { toCacheStore } from "./cache/store-from.ts";
export { ConfigurationError, type ConfigurationIssue } from "./config/configuration-error.ts";
export type {
  ConfigSectionDeclaration,
  ConfigSectionOptions,
  ConfigSectionRules,
  ConfigSectionSource,
  InferConfigSection,
} from "./config/section-types.ts";
export type { Factory, ServiceResolver } from "./container/factory.ts";
export type { ControllerContract } from "./controllers/contract.ts";
export {
  Controller,
  type TypedController,
  type TypedControllerClass,
} from "./controllers/controller.ts";
export type { ControllerSchemas } from "./controllers/schemas.ts";
export { Encrypter, type EncrypterOptions } from "./crypto/encrypter.ts";
export { type SignedContent, verifyHmac } from "./crypto/hmac.ts";
export type { Secrets } from "./crypto/secrets.ts";
export { signWebhook, type WebhookHeaders, type WebhookMessage } from "./crypto/sign-webhook.ts";
export { type SignUrlOptions, signUrl, verifySignedUrl } from "./crypto/signed-url.ts";
export {
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
} from "./crypto/verify-webhook.ts";
export type { WebhookSecret } from "./crypto/webhook-secret.ts";
export { type ErrorCode, EspalierError } from "./errors.ts";
export type { EventDetails, EventHandler } from "./events/event-types.ts";
export type { FrameworkEvents } from "./events/framework-events.ts";
export type {
  HealthCheck,
  HealthCheckContext,
  HealthCheckOptions,
  HealthCheckResult,
} from "./health/health-check.ts";
export type { HealthReport } from "./health/health-checks.ts";
export type { HealthEndpointOptions } from "./health/health-routes.ts";
export { accepts } from "./http/accepts.ts";
export type { BodyParserOptions } from "./http/body-options.ts";
export type { ByteRange } from "./http/byte-range.ts";
export { RequestContext } from "./http/context.ts";
export type { ExecutionContext, MatchedRoute } from "./http/context-input.ts";
export type { CookieOptions, Cookies } from "./http/cookies.ts";
export { escapeHtml } from "./http/escape-html.ts";
export {
  type FieldError,
  HttpError,
  type HttpErrorOptions,
  ValidationError,
} from "./http/http-error.ts";
export { createProblemDetailsResponse, type ProblemDetails } from "./http/problem-details.ts";
export { type ProxyOptions, proxy } from "./http/proxy.ts";
export type { ProxyHeaders } from "./http/proxy-headers.ts";
export type { ErrorBody, Reply, SuccessBody, TextBody } from "./http/reply.ts";
export {
  created,
  error,
  type FileOptions,
  file,
  html,
  json,
  noContent,
  redirect,
  success,
  text,
  validationError,
} from "./http/responses.ts";
export { type ServedFile, serveFile } from "./http/serve-file.ts";
export type { ServerSentEvent } from "./http/server-sent-event.ts";
export { type SseOptions, type StreamOptions, sse, stream } from "./http/stream-responses.ts";
export type { Lock } from "./lock/held-lock.ts";
export type { LockStore } from "./lock/lock-store.ts";
export type { LockOptions } from "./lock/locks.ts";
export { MemoryLockStore, type MemoryLockStoreOptions } from "./lock/memory-lock-store.ts";
export type { Counter, Gauge, Histogram } from "./metrics/instruments.ts";
export {
  type HistogramOptions,
  type MetricOptions,
  Metrics,
  type MetricsOptions,
} from "./metrics/metrics.ts";
export type { ExposeMetricsOptions } from "./metrics/metrics-options.ts";
export type { AllowedOrigins, OriginFunction } from "./middleware/allowed-origins.ts";
export { type ApiKeyOptions, createApiKeyMiddleware } from "./middleware/api-key-authentication.ts";
export {
  createAuthMiddleware,
  createOptionalAuthMiddleware,
  type DocumentedMiddleware,
  type GuardMiddleware,
} from "./middleware/authentication.ts";
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
export type { Logger, LogRecord } from "./observability/logger.ts";
export type { OpenTelemetryApi } from "./observability/open-telemetry.ts";
export type { ErrorDocumentation } from "./openapi/components.ts";
export type { OpenApiDocumentOptions } from "./openapi/create-document.ts";
export type { OpenApiDocument } from "./openapi/document.ts";
export type { OpenApiOptions } from "./openapi/openapi-endpoint.ts";
export {
  type CursorValue,
  type CursorValues,
  encodeCursor,
  readCursor,
} from "./pagination/cursor.ts";
export {
  type CursorPage,
  type CursorPageInput,
  type Page,
  type PageInput,
  paginate,
  paginateByCursor,
} from "./pagination/paginate.ts";
export {
  type CursorRules,
  type CursorRulesOptions,
  cursorPageOf,
  cursorRules,
  type PageDocumentation,
  type PageRules,
  type PageRulesOptions,
  pageOf,
  pageRules,
} from "./pagination/rules.ts";
export type { AddingMiddleware } from "./pipeline/added-members.ts";
export type {
  BeforeAfterMiddleware,
  Middleware,
  MiddlewareDocumentation,
  MiddlewareFunction,
  MiddlewareHeader,
  MiddlewareMetadata,
  MiddlewareObject,
  MiddlewareUsage,
  Next,
} from "./pipeline/middleware.ts";
export type { MiddlewareReference } from "./pipeline/registry.ts";
export type { ListenOptions, ServerAddress } from "./platform/server/contract.ts";
export type {
  Plugin,
  PluginFunction,
  Provider,
  ProviderClass,
} from "./plugins/plugin.ts";
export type { EnqueueOptions, JobOptions, NewJob } from "./queue/enqueue-options.ts";
export type { Job, JobHandler, ProcessOptions } from "./queue/job.ts";
export {
  MemoryQueueAdapter,
  type MemoryQueueAdapterOptions,
} from "./queue/memory-queue-adapter.ts";
export { Queue } from "./queue/queue.ts";
export type {
  FailedJob,
  JobCounts,
  JobRecord,
  JobSnapshot,
  JobState,
  LeasedJob,
  ListenRequest,
  NewJobRecord,
  PullRequest,
  PushOptions,
  QueueAdapter,
  QueueFeature,
} from "./queue/queue-adapter.ts";
export type { QueueOptions } from "./queue/queue-options.ts";
export { UnrecoverableJobError } from "./queue/unrecoverable-job-error.ts";
export {
  MemoryRateLimitStore,
  type MemoryRateLimitStoreOptions,
} from "./rate-limit/memory-rate-limit-store.ts";
export type {
  RateLimitAttempt,
  RateLimitDecision,
  RateLimitStore,
} from "./rate-limit/rate-limit-store.ts";
export type {
  Config,
  Env,
  Events,
  FrameworkState,
  Jobs,
  PluginBroadcasts,
  PluginConfig,
  PluginEvents,
  PluginJobs,
  PluginMiddleware,
  PluginPolicies,
  PluginRoutes,
  PluginServices,
  Policies,
  Register,
  ResolveService,
  Routes,
  Services,
  State,
  User,
} from "./register.ts";
export { StoreError, type StoreErrorCode } from "./resilience/store-error.ts";
export {
  type DefinedRoute,
  type DefinedRoutes,
  defineRoutes,
  type RouteDefiner,
} from "./routing/define-routes.ts";
export type { PathParams } from "./routing/path-types.ts";
export type { ResourceHandlers, ResourceOptions } from "./routing/resource.ts";
export type {
  ControllerClass,
  GroupOptions,
  ResponseDocumentation,
  ResponseSchema,
  RouteDescription,
  RouteDocumentation,
  RouteFunction,
  RouteHandler,
  RouteOptions,
  RouteRecord,
} from "./routing/route.ts";
export type { RouterOptions } from "./routing/router.ts";
export { StandaloneRouter as Router } from "./routing/standalone-router.ts";
export type { UrlParams, UrlQuery } from "./routing/url.ts";
export type { CronHandler, CronRun, ScheduleOptions } from "./schedule/scheduler.ts";
export type { FromJson, Jsonify } from "./util/json-types.ts";
export type { InferRules, InferSchema } from "./validation/infer.ts";
export type { LooseRuleMap, RouteValidation, RuleMap, ValidationRule } from "./validation/rules.ts";
export { rules } from "./validation/strict-rules.ts";
