import {
  Application,
  type ApplicationOptions,
  CsrfMiddleware,
  cspNonce,
  HttpError,
  html,
  RateLimitMiddleware,
  type RateLimitStore,
  SecureHeadersMiddleware,
  ValidationError,
} from "espalier";
import { CreateLink, FollowLink, ShowLink } from "./controllers.ts";
import type { LinkNamespace } from "./link-namespace.ts";
import type { Clock, Links } from "./links.ts";
import { type Entered, errorPage, homePage } from "./pages.ts";
import { wantsHtml } from "./wants-html.ts";

declare module "espalier" {
  interface Register {
    env: { readonly KV: LinkNamespace };
    services: { links: Links; clock: Clock };
    config: { shortener: { readonly hosts: string[] } };
    jobs: { "link.clicked": { readonly slug: string } };
  }
}

/** Creates the link shortener. `worker.ts` and `server.ts` provide its storage and its rate limit store. */
export function createLinkShortener(
  options: ApplicationOptions = {},
  creations?: RateLimitStore,
): Application {
  const app = new Application(options);
  // Further hosts of this site: SHORTENER_HOSTS=short.example,www.short.example
  app.configure("shortener", { schema: { hosts: Array }, defaults: { hosts: [] } });
  app.instance("clock", Date.now);
  registerMiddleware(app, creations);
  registerRoutes(app);
  registerWork(app);
  return app;
}

function registerMiddleware(app: Application, creations?: RateLimitStore): void {
  app.use(
    new SecureHeadersMiddleware({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        imgSrc: ["data:"],
        styleSrc: ["'nonce'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    }),
  );
  app.use(new CsrfMiddleware());
  const store = creations === undefined ? {} : { store: creations };
  const limit = new RateLimitMiddleware({ name: "create", limit: 20, windowMs: 60_000, ...store });
  app.middleware("creation-limit", limit);
  // Pages and JSON have the same URLs: a cache must not mix them up.
  app.use({
    after(_ctx, response) {
      response.headers.append("vary", "Accept");
    },
  });
  // Browsers get an HTML error page, other clients Problem Details.
  app.onError((error, ctx) => {
    if (!(error instanceof HttpError) || !wantsHtml(ctx)) return undefined;
    // Redisplays the fields of a form. Other bodies may not have been parsed before the error.
    const entered = (error instanceof ValidationError ? (ctx.body ?? {}) : {}) as Entered;
    const response = html(errorPage(cspNonce(ctx), error, entered), error.status);
    error.headers?.forEach((value, name) => {
      response.headers.set(name, value);
    });
    return response;
  });
}

function registerRoutes(app: Application): void {
  const router = app.getRouter();
  router.get("/", (ctx) => html(homePage(cspNonce(ctx))));
  router.post("/links", CreateLink, { middleware: ["creation-limit"] });
  router.get("/links/:slug", ShowLink, { name: "links.show" });
  router.get("/:slug([A-Za-z0-9-]+)", FollowLink, { name: "follow" });
  app.enableHealthEndpoints();
}

function registerWork(app: Application): void {
  // At-least-once delivery: the job's id, used as the click's id, makes a second run a no-op.
  app.getQueue().process("link.clicked", async ({ id, payload }, { resolve }) => {
    await resolve("links").recordClick(payload.slug, id);
  });
  // Every night. On Cloudflare, wrangler.toml needs a cron trigger with the same expression.
  app.schedule("0 4 * * *", async ({ scheduledTime, resolve }) => {
    const count = await resolve("links").removeExpired(scheduledTime);
    app.logger.info(`Removed ${count} expired links.`);
  });
}
