import { describe, expect, test } from "vitest";
import {
  Application,
  Auth,
  CompressionMiddleware,
  CorsMiddleware,
  CsrfMiddleware,
  createApiKeyMiddleware,
  createBasicAuthMiddleware,
  ETagMiddleware,
  MemoryRateLimitStore,
  RateLimitMiddleware,
  RequestObservabilityMiddleware,
  SecureHeadersMiddleware,
  SessionMiddleware,
  TimeoutMiddleware,
} from "../../src/index.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const secret = "0123456789abcdef0123456789abcdef";
const createApp = () => new Application({ logger: createRecordingLogger() });

/** Class or function with options, its required options, a misspelt name and its correction. */
const takers: readonly (readonly [
  name: string,
  take: (options: never) => unknown,
  needed: object,
  misspelt: string,
  meant: string,
])[] = [
  ["CorsMiddleware", (o) => new CorsMiddleware(o), {}, "credential", "credentials"],
  ["RateLimitMiddleware", (o) => new RateLimitMiddleware(o), {}, "windowMS_", "windowMs"],
  ["MemoryRateLimitStore", (o) => new MemoryRateLimitStore(o), {}, "maxKey", "maxKeys"],
  [
    "SecureHeadersMiddleware",
    (o) => new SecureHeadersMiddleware(o),
    {},
    "xFrameOption",
    "xFrameOptions",
  ],
  ["CsrfMiddleware", (o) => new CsrfMiddleware(o), {}, "origin", "origins"],
  ["TimeoutMiddleware", (o) => new TimeoutMiddleware(o), { ms: 5 }, "statuss", "status"],
  ["ETagMiddleware", (o) => new ETagMiddleware(o), {}, "weack", "weak"],
  [
    "CompressionMiddleware",
    (o) => new CompressionMiddleware(o),
    {},
    "threshholdBytes",
    "thresholdBytes",
  ],
  ["SessionMiddleware", (o) => new SessionMiddleware(o), { secret }, "cookies", "cookie"],
  [
    "useRequestObservability",
    (o) => new RequestObservabilityMiddleware(o),
    {},
    "includeHeader",
    "includeHeaders",
  ],
  ["Auth", (o) => new Auth(o), { secret }, "issuers", "issuer"],
  [
    "createApiKeyMiddleware",
    (o) => createApiKeyMiddleware(o),
    { findUser: () => null },
    "headers",
    "header",
  ],
  [
    "createBasicAuthMiddleware",
    (o) => createBasicAuthMiddleware(o),
    { findUser: () => null },
    "realms",
    "realm",
  ],
  [
    "addHealthCheck",
    (o) => createApp().addHealthCheck("db", () => true, o),
    {},
    "timeout",
    "timeoutMs",
  ],
  [
    "enableHealthEndpoints",
    (o) => createApp().enableHealthEndpoints(o),
    {},
    "bypassMiddlewares",
    "bypassMiddleware",
  ],
  [
    "process",
    (o) =>
      createApp()
        .getQueue()
        .process("mail", () => {}, o),
    {},
    "concurency",
    "concurrency",
  ],
];

describe.each(takers)("%s", (name, take, needed, misspelt, meant) => {
  test("takes its options, and refuses a misspelt one with the nearest name", () => {
    expect(() => take(needed as never)).not.toThrow();
    const options = { ...needed, [misspelt]: 1 } as never;
    const message = `unknown option "${misspelt}". Did you mean "${meant}"`;
    expect(() => take(options)).toThrow(name);
    expect(() => take(options)).toThrow(message);
  });

  test.each([null, 5, "x"])("refuses %j in the place of its options", (options) => {
    expect(() => take(options as never)).toThrow("options must be an object");
  });
});

test("enqueue and generateToken refuse a misspelt option", async () => {
  const queue = createApp().getQueue();
  queue.process("mail", () => {});
  const delay = { delay: 5000 } as object;
  await expect(queue.enqueue("mail", {}, delay)).rejects.toThrow(
    'enqueue("mail"): unknown option "delay". Did you mean "delayMs"?',
  );
  const backoff = { backoff: { kind: "fixed" } } as object;
  await expect(queue.enqueue("mail", {}, backoff)).rejects.toThrow('unknown option "kind"');
  const expires = { expires: "5m" } as object;
  await expect(new Auth({ secret }).generateToken({ id: 1 }, expires)).rejects.toThrow(
    'generateToken(): unknown option "expires".',
  );
});
