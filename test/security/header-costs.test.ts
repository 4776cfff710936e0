import {
  Application,
  Auth,
  accepts,
  CompressionMiddleware,
  CorsMiddleware,
  CsrfMiddleware,
  createBasicAuthMiddleware,
  createOptionalAuthMiddleware,
  ETagMiddleware,
  IdempotencyMiddleware,
  json,
  RateLimitMiddleware,
  SessionMiddleware,
  serveFile,
  session,
  verifyWebhook,
} from "espalier";
import { describe, expect, test } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

const secret = "x".repeat(32);
/** As long as a header can be on Node, whose limit for all of them is 16 KiB. */
const length = 14_000;
/** Usual requests take less than one millisecond, and a quadratic header of this length more than a hundred. */
const mostMs = 50;

/** An application that reads every header that the framework can read. */
function createApp(): Application {
  const app = new Application({
    logger: createRecordingLogger(),
    trustProxy: ["10.0.0.0/8"],
    allowedHosts: ["localhost"],
  });
  app.useRequestObservability();
  app.use(new CorsMiddleware({ origins: ["https://a.example"] }));
  app.use(new RateLimitMiddleware({ limit: 1_000_000 }));
  app.use(new SessionMiddleware({ secret }));
  app.use(new CsrfMiddleware());
  app.use(new CompressionMiddleware());
  app.use(new ETagMiddleware());
  app.middleware("auth", createOptionalAuthMiddleware(new Auth({ secret })));
  app.middleware("basic", createBasicAuthMiddleware({ findUser: () => null }));
  app.middleware("idempotent", new IdempotencyMiddleware());
  const router = app.getRouter();
  router.post(
    "/all",
    (ctx) => {
      session(ctx).get("name");
      accepts(ctx, "text/html", "application/json");
      return json({ ip: ctx.ip, url: ctx.url.href, cookies: ctx.cookies.all() });
    },
    { middleware: ["auth", "idempotent"] },
  );
  router.get("/basic", () => json({}), { middleware: ["basic"] });
  router.get("/tagged", () => json({}));
  const read = () => new Blob(["0123456789"]).stream();
  router.get("/file", (ctx) =>
    serveFile(ctx, { size: 10, etag: '"v1"', lastModified: new Date(0), read }),
  );
  router.post("/webhook", async (ctx) => json(await verifyWebhook(ctx, `whsec_${btoa(secret)}`)));
  return app;
}

const signed = { "webhook-id": "a", "webhook-timestamp": "1", "webhook-signature": "v1,AA==" };

/** Header, beginnings of its value, and the path that reads it. */
const headers: readonly (readonly [string, readonly string[], string])[] = [
  ["accept", ["", "a/b;"], "/all"],
  ["accept-encoding", [""], "/all"],
  ["access-control-request-headers", [""], "/all"],
  ["authorization", ["", "Bearer ", "Bearer eyJhbGciOiJIUzI1NiJ9."], "/all"],
  ["authorization", ["", "Basic "], "/basic"],
  ["content-encoding", [""], "/all"],
  ["content-type", ["", "application/json;", 'multipart/form-data; boundary="'], "/all"],
  ["cookie", ["", "__Host-session=", 'a="'], "/all"],
  ["forwarded", ["", 'for="', "for=10.0.0.1;"], "/all"],
  ["idempotency-key", ["", '"'], "/all"],
  ["if-match", ["", '"'], "/file"],
  ["if-modified-since", [""], "/file"],
  ["if-none-match", ["", '"'], "/file"],
  ["if-none-match", ["", '"'], "/tagged"],
  ["if-range", ["", '"'], "/file"],
  ["origin", ["", "https://"], "/all"],
  ["range", ["", "bytes=", "bytes=1", "bytes=-"], "/file"],
  ["referer", ["", "https://a/?"], "/all"],
  ["traceparent", [""], "/all"],
  ["user-agent", [""], "/all"],
  ["webhook-id", [""], "/webhook"],
  ["webhook-signature", ["", "v1,"], "/webhook"],
  ["webhook-timestamp", [""], "/webhook"],
  ["x-forwarded-for", ["", "10.0.0.1,"], "/all"],
  ["x-forwarded-host", [""], "/all"],
  ["x-forwarded-proto", [""], "/all"],
  ["x-request-id", [""], "/all"],
];

const pieces: readonly string[] = [
  ...[
    "a",
    "0",
    " ",
    "\t",
    ",",
    ";",
    "=",
    '"',
    "\\",
    "'",
    "%",
    ".",
    "-",
    "/",
    ":",
    "@",
    "[",
    "{",
    "$",
    "ä",
  ],
  ...[
    "a,",
    "a;",
    "a=",
    "a=b;",
    'a="',
    '\\"',
    '"a',
    '"",',
    "W/",
    "; ",
    " ;",
    " ,",
    "a.",
    "a-",
    "a\t",
  ],
  ...[
    "eyJ",
    "eyJ.",
    "a/b,",
    ";q=",
    "q=0.",
    "[::1],",
    "::1, ",
    "10.0.0.1,",
    "for=",
    'for="',
    "a@",
    "//@",
  ],
  ...["%4", "%ff", "token=", "Bearer a ", "1-", "bytes="],
];

describe.each(headers)("the header %s", (name, beginnings, path) => {
  const app = createApp();
  const isRead = path === "/all" || path === "/webhook";

  async function timeOf(value: string): Promise<number> {
    const init = {
      method: isRead ? "POST" : "GET",
      headers: { ...(path === "/webhook" ? signed : {}), [name]: value },
      ...(isRead ? { body: "{}" } : {}),
    };
    const request = Object.assign(new Request(`http://localhost${path}`, init), { ip: "10.0.0.1" });
    const start = performance.now();
    await (await app.fetch(request)).arrayBuffer();
    return performance.now() - start;
  }

  /** Measures again what took long: another process may have had the processor. */
  async function leastTimeOf(value: string): Promise<number> {
    let least = await timeOf(value);
    for (let again = 0; again < 5 && least > mostMs; again += 1) {
      least = Math.min(least, await timeOf(value));
    }
    return least;
  }

  test("takes no longer than usual, whatever it contains", async () => {
    const slow: string[] = [];
    for (const beginning of beginnings) {
      for (const piece of pieces) {
        const filling = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
        for (const end of ["", "!"]) {
          const ms = await leastTimeOf(beginning + filling + end);
          if (ms > mostMs) slow.push(`${JSON.stringify(`${beginning}${piece}… ${end}`)}: ${ms} ms`);
        }
      }
    }
    expect(slow).toEqual([]);
  });
});
