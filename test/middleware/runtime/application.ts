import {
  Application,
  Controller,
  HttpError,
  json,
  type Middleware,
  redirect,
  stream,
  text,
} from "../../../src/index.ts";
import { CompressionMiddleware } from "../../../src/middleware/compression.ts";
import { CorsMiddleware } from "../../../src/middleware/cors.ts";
import { CsrfMiddleware } from "../../../src/middleware/csrf.ts";
import { ETagMiddleware } from "../../../src/middleware/etag.ts";
import { RateLimitMiddleware } from "../../../src/middleware/rate-limit.ts";
import { cspNonce, SecureHeadersMiddleware } from "../../../src/middleware/secure-headers.ts";
import { SessionMiddleware, session } from "../../../src/middleware/session.ts";
import { TimeoutMiddleware } from "../../../src/middleware/timeout.ts";

const silent = (): void => {};

/** Long enough to be compressed. */
export const long: string = "a tree trained flat against a wall ".repeat(200);

/** An application with every middleware, at module scope as on Workers. */
export const app: Application = new Application({
  host: "127.0.0.1",
  logger: { debug: silent, info: silent, warn: silent, error: silent },
});

const everything: readonly Middleware[] = [
  new CorsMiddleware({ origins: ["https://app.example"], credentials: true }),
  new SecureHeadersMiddleware({ contentSecurityPolicy: { scriptSrc: ["'nonce'"] } }),
  new CompressionMiddleware(),
  new ETagMiddleware(),
  new TimeoutMiddleware({ ms: 2_000 }),
  new CsrfMiddleware({ origins: ["https://app.example"] }),
  new SessionMiddleware({ secret: "0123456789abcdef0123456789abcdef" }),
];
for (const middleware of everything) app.use(middleware);
app.middleware("limit", new RateLimitMiddleware({ limit: 3, key: (ctx) => ctx.query["key"] }));

/** Adds cookies at the end of the lifecycle, after two of the handler's. */
class Cookies extends Controller {
  override async handle(): Promise<Response> {
    const response = this.text("cookies");
    response.headers.append("set-cookie", "first=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT");
    response.headers.append("set-cookie", "second=2");
    return response;
  }

  protected override async afterHandle(response: Response): Promise<Response> {
    response.headers.append("set-cookie", "third=3");
    session(this.context).set("seen", true);
    return response;
  }
}

const router = app.getRouter();
router.get("/long", () => text(long));
router.get("/short", () => text("short"));
router.get("/streamed", () => {
  const bytes = new TextEncoder().encode(long);
  let chunk = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (chunk === 100) return controller.close();
      chunk += 1;
      controller.enqueue(bytes);
    },
  });
  return stream(body, { type: "text/plain" });
});
router.get("/nonce", (ctx) => text(cspNonce(ctx)));
router.get("/cookies", Cookies);
router.get("/redirect", () => redirect("/long"));
router.get("/native", () => Response.redirect("http://localhost/long"));
router.get("/proxied", (ctx) => {
  // This workerd can only reach itself, through a binding.
  const binding = ctx.env["SELF"] as { fetch: typeof fetch } | undefined;
  const url = new URL("/short", ctx.url);
  return binding === undefined ? fetch(url) : binding.fetch(url);
});
router.get("/failing", () => {
  throw new Error("a secret");
});
router.get("/unauthorised", () => {
  throw new HttpError(401);
});
router.get("/invalid", () => text(""), { validation: { query: { q: { required: true } } } });
router.get("/slow", () => new Promise<Response>(silent));
router.get("/limited", () => text("admitted"), { middleware: ["limit"] });
router.post("/posted", (ctx) => json(ctx.body));
router.get("/visit", (ctx) => {
  const visits = (session(ctx).get<number>("visits") ?? 0) + 1;
  session(ctx).set("visits", visits);
  return json(visits);
});
