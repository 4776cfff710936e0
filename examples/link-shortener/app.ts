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
import { CreateLink, FollowLink, HomePage, ShowLink } from "./controllers.ts";
import type { LinkNamespace } from "./link-namespace.ts";
import type { Clock, Links } from "./links.ts";
import { type Entered, errorPage } from "./pages.ts";
import { wantsHtml } from "./wants-html.ts";

declare module "espalier" {
  interface Register {
    env: { readonly KV: LinkNamespace };
    services: { links: Links; clock: Clock };
    config: { shortener: { readonly hosts: string[] } };
    jobs: { "link.clicked": { readonly slug: string } };
  }
}

/** Short links. `worker.ts` and `server.ts` say where they are kept, and where creations are counted. */
export function createLinkShortener(
  options: ApplicationOptions = {},
  creations?: RateLimitStore,
): Application {
  const app = new Application(options);
  // SHORTENER_HOSTS=short.example,www.short.example: where else this site is reached.
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
  // Browsers get a page for every error; programs the Problem Details.
  app.onError((error, ctx) => {
    if (!(error instanceof HttpError) || !wantsHtml(ctx)) return undefined;
    // Fields of a form; of any other body nothing is shown again. Nobody has parsed it before validation.
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
  router.get("/", HomePage);
  router.post("/links", CreateLink, { middleware: ["creation-limit"] });
  router.get("/links/:slug", ShowLink, { name: "links.show" });
  router.get("/:slug([A-Za-z0-9-]+)", FollowLink, { name: "follow" });
  app.enableHealthEndpoints();
}

function registerWork(app: Application): void {
  // A job may run twice, and its id stays the same: so does the click's.
  app.getQueue().process("link.clicked", async ({ id, payload }, { resolve }) => {
    await resolve("links").recordClick(payload.slug, id);
  });
  // Every night. On Cloudflare it is the trigger of the same text in wrangler.toml.
  app.schedule("0 4 * * *", async ({ scheduledTime, resolve }) => {
    const count = await resolve("links").removeExpired(scheduledTime);
    app.logger.info(`${count} expired links were removed.`);
  });
}
