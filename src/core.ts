export type { BaseApplication } from "./application/base-application.ts";
export { BootError } from "./application/boot/boot-error.ts";
export { CoreApplication as Application } from "./application/core-application.ts";
export type { FetchWorker } from "./application/fetch-worker.ts";
export type {
  CoreApplicationOptions as ApplicationOptions,
  ValidationCompiler,
} from "./application/options.ts";
export type { ErrorHandler } from "./application/request/error-handler.ts";
export { createContainer as container } from "./container/container.ts";
export {
  Controller,
  type TypedController,
  type TypedControllerClass,
} from "./controllers/controller.ts";
export { type ErrorCode, EspalierError } from "./errors.ts";
export { createHostRefusal as hostCheck } from "./http/allowed-hosts.ts";
export { bodies } from "./http/bodies.ts";
export type { BodyParserOptions } from "./http/body-options.ts";
export { clientAddress } from "./http/client-address-finder.ts";
export { RequestContext } from "./http/context.ts";
export type { BodyReader } from "./http/context-input.ts";
export type { CookieOptions, Cookies } from "./http/cookies.ts";
export { createCookies as cookies } from "./http/create-cookies.ts";
export { type FieldError, HttpError, ValidationError } from "./http/http-error.ts";
export { multipart } from "./http/multipart/multipart.ts";
export { createProblemDetailsResponse, type ProblemDetails } from "./http/problem-details.ts";
export { type ProxyOptions, proxy } from "./http/proxy.ts";
export type { ProxyHeaders } from "./http/proxy-headers.ts";
export type { ClientAddressFinder, MultipartParser } from "./http/request-parts.ts";
export {
  created,
  error,
  file,
  html,
  json,
  noContent,
  redirect,
  success,
  text,
  validationError,
} from "./http/responses.ts";
export { sse, stream } from "./http/stream-responses.ts";
export { createTraceContext as trace } from "./http/trace-context.ts";
export type { Logger, LogRecord } from "./observability/logger.ts";
export type {
  BeforeAfterMiddleware,
  Middleware,
  MiddlewareFunction,
  MiddlewareObject,
  Next,
} from "./pipeline/middleware.ts";
export type { ListenOptions, ServerAddress } from "./platform/server/contract.ts";
export type { Env, Register, Services, User } from "./register.ts";
export { defineRoutes } from "./routing/define-routes.ts";
export type { GroupOptions, RouteFunction, RouteHandler, RouteOptions } from "./routing/route.ts";
export type { Router } from "./routing/router.ts";
export { createUrlBuilder as urls, type UrlBuilder } from "./routing/url.ts";
export { ruleValidator } from "./validation/compile.ts";
export type { RuleMap, ValidationRule } from "./validation/rules.ts";
export { rules } from "./validation/strict-rules.ts";
