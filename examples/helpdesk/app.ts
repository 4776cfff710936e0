import { Application, type ApplicationOptions, Encrypter, SecureHeadersMiddleware } from "espalier";
import { AccessProvider } from "./access/access-provider.ts";
import { configure } from "./config.ts";
import { registerDigest } from "./jobs/digest.ts";
import { registerMail } from "./jobs/mail.ts";
import { registerNotifications } from "./jobs/notifications.ts";
import { registerWebhooks } from "./jobs/webhooks.ts";
import { registerLimits } from "./limits.ts";
import type { Platform } from "./platform.ts";
import { Accounts } from "./repositories/accounts.ts";
import { Attachments } from "./repositories/attachments.ts";
import { Comments } from "./repositories/comments.ts";
import { Organisations } from "./repositories/organisations.ts";
import { Tickets } from "./repositories/tickets.ts";
import { Webhooks } from "./repositories/webhooks.ts";
import { registerRoutes } from "./routes.ts";
import { Desk } from "./services/desk.ts";

export interface HelpdeskOptions extends ApplicationOptions {
  /** Cron expression of the digest; default: every working day. */
  readonly digestCron?: string | undefined;
}

/** Creates the helpdesk; the platform is all that differs between `server.ts` and `worker.ts`. */
export function createHelpdesk(
  platform: Platform,
  { digestCron, ...options }: HelpdeskOptions = {},
): Application {
  // Any origin: front ends are hosted elsewhere, and authenticate with tokens instead of cookies.
  const app = new Application({ cors: true, ...options });
  configure(app);
  platform.connect?.(app);
  registerServices(app, platform);
  app.registerProvider(new AccessProvider(() => platform.tokens(app)));
  app.use(new SecureHeadersMiddleware());
  registerLimits(app, platform.rateLimits);
  registerRoutes(app.getRouter());
  registerNotifications(app);
  registerMail(app);
  registerWebhooks(app);
  registerDigest(app, digestCron);
  describe(app);
  return app;
}

/** Registers the services; scoped ones belong to one request or job. */
function registerServices(app: Application, platform: Platform): void {
  app.instance("now", () => new Date());
  app.singleton(
    "encrypter",
    () => new Encrypter({ keys: [app.getConfig("access").encryptionKey] }),
  );
  app.scoped("database", ({ resolve }) => platform.database(app, resolve("env")));
  app.scoped("files", ({ resolve }) => platform.files(resolve("env")));
  app.scoped(
    "organisations",
    ({ resolve }) => new Organisations(resolve("database"), resolve("encrypter")),
  );
  app.scoped("accounts", ({ resolve }) => new Accounts(resolve("database")));
  app.scoped("comments", ({ resolve }) => new Comments(resolve("database")));
  app.scoped("attachments", ({ resolve }) => new Attachments(resolve("database")));
  app.scoped("webhooks", ({ resolve }) => new Webhooks(resolve("database"), resolve("encrypter")));
  // Those of the user's organisation; for routes behind the middleware `auth`.
  app.scoped("tickets", ({ resolve }) => {
    const { organisationId } = resolve("context").requireUser();
    return new Tickets(resolve("database"), organisationId);
  });
  app.scoped("desk", ({ resolve }) => {
    const { organisationId } = resolve("context").requireUser();
    return new Desk({ app, database: resolve("database"), organisationId, now: resolve("now") });
  });
}

/** Registers the health check and the documentation of the API. */
function describe(app: Application): void {
  app.addHealthCheck("database", async ({ resolve }) => {
    const { query } = resolve("database");
    await query.selectFrom("organisations").select("id").limit(1).execute();
    return true;
  });
  app.enableHealthEndpoints();
  app.exposeOpenApi("/openapi.json", {
    info: {
      title: "Helpdesk",
      version: "1.0.0",
      description: "Tickets of several organisations.",
      contact: { name: "Helpdesk", url: "https://helpdesk.example" },
      license: { name: "MIT", identifier: "MIT" },
    },
    tags: [
      { name: "organisations", description: "Tenants." },
      { name: "access", description: "Accounts of customers, and signing in." },
      { name: "users", description: "Users of an organisation, and their roles." },
      { name: "tickets", description: "Tickets with comments and attachments." },
      { name: "webhooks", description: "Webhooks that are sent and received." },
    ],
    exact: true,
    ui: "/docs",
  });
}
