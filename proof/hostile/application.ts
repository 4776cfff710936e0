import {
  Application,
  Auth,
  CompressionMiddleware,
  CsrfMiddleware,
  createAuthMiddleware,
  ETagMiddleware,
  type Logger,
  RateLimitMiddleware,
  SecureHeadersMiddleware,
  SessionMiddleware,
  TimeoutMiddleware,
} from "espalier";
import { addAbortRoutes } from "./abort-routes.ts";
import { canaries } from "./canaries.ts";
import { addRoutes } from "./routes.ts";

/**
 * Creates an application with every feature enabled, the target of hostile requests.
 *
 * The response header `x-route` has the pattern of the matched route: only those under `/fails` may
 * respond with 500.
 *
 * @param logger default: JSON lines on the console
 */
export function createHostileApplication(logger?: Logger): Application {
  const app = new Application({
    host: "127.0.0.1",
    bodyParser: { limit: 20_000, multipartLimit: 40_000 },
    cors: {
      origins: ["https://app.example"],
      credentials: true,
      exposedHeaders: ["x-route"],
      maxAge: 600,
    },
    trustProxy: 1,
    ...(logger === undefined ? {} : { logger }),
  });
  app.useRequestObservability({
    includeBody: true,
    includeHeaders: true,
    serverTiming: true,
    openTelemetry: false,
  });
  app.use(async (ctx, next) => {
    const response = await next();
    // Encoded, because patterns may contain characters that headers cannot.
    response.headers.set("x-route", encodeURI(ctx.route?.pattern ?? "none"));
    return response;
  });
  app.use(
    new SecureHeadersMiddleware({
      contentSecurityPolicy: { defaultSrc: ["'self'"], scriptSrc: ["'nonce'"] },
    }),
  );
  app.use(new CompressionMiddleware());
  app.use(new ETagMiddleware());
  app.use(new TimeoutMiddleware({ ms: 30_000 }));
  app.use(new RateLimitMiddleware({ limit: 1_000_000_000 }));
  app.use(new SessionMiddleware({ secret: canaries.session }));
  app.use(new CsrfMiddleware());

  const auth = new Auth({ secret: canaries.token });
  app.middleware("auth", createAuthMiddleware(auth));
  app.definePolicy("never", () => false);
  app.instance("password", canaries.service);
  app.configure("proof", { pepper: { type: "string" } }, { source: { pepper: canaries.config } });
  app.addHealthCheck("broken", () => {
    throw new Error(canaries.thrown);
  });
  app.enableHealthEndpoints();
  app.exposeOpenApi("/openapi.json", {
    info: { title: "Hostile", version: "1.0.0" },
    ui: "/docs",
  });
  addRoutes(app);
  addAbortRoutes(app);
  return app;
}
