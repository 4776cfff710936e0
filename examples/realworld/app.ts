import {
  Application,
  type ApplicationOptions,
  type Auth,
  RateLimitMiddleware,
  SecureHeadersMiddleware,
} from "espalier";
import { type AccessConfig, AccessProvider, type SignedInUser } from "./access.ts";
import type { SqlDatabase } from "./database/sql-database.ts";
import { errorSchema, renderError } from "./errors.ts";
import { Articles } from "./repositories/articles.ts";
import { Comments } from "./repositories/comments.ts";
import { Profiles } from "./repositories/profiles.ts";
import { Tags } from "./repositories/tags.ts";
import { Users } from "./repositories/users.ts";
import { registerRoutes } from "./routes.ts";

declare module "espalier" {
  interface Register {
    user: SignedInUser;
    services: {
      auth: Auth;
      database: SqlDatabase;
      now: () => Date;
      users: Users;
      profiles: Profiles;
      articles: Articles;
      comments: Comments;
      tags: Tags;
    };
    config: { access: AccessConfig };
  }
}

/** Creates the RealWorld API. `worker.ts` and `server.ts` register its service `database`. */
export function createConduit(options: ApplicationOptions = {}): Application {
  // Any origin: front ends are hosted elsewhere, and authenticate with tokens instead of cookies.
  const app = new Application({ cors: true, ...options });
  app.instance("now", () => new Date());
  app.scoped("users", ({ resolve }) => new Users(resolve("database")));
  app.scoped("profiles", ({ resolve }) => new Profiles(resolve("database")));
  app.scoped("articles", ({ resolve }) => new Articles(resolve("database"), resolve("now")));
  app.scoped("comments", ({ resolve }) => new Comments(resolve("database"), resolve("now")));
  app.scoped("tags", ({ resolve }) => new Tags(resolve("database")));
  app.registerProvider(AccessProvider);

  app.useRequestObservability();
  app.use(new SecureHeadersMiddleware());
  // Slows down password guessing more than hashing does.
  const logIns = new RateLimitMiddleware({ name: "log-in", limit: 20, windowMs: 60_000 });
  app.middleware("log-in-limit", logIns);
  // Each registration costs the CPU time of a password hash.
  const registrations = new RateLimitMiddleware({ name: "join", limit: 60, windowMs: 60_000 });
  app.middleware("registration-limit", registrations);
  app.onError(renderError);

  registerRoutes(app.getRouter());
  app.enableHealthEndpoints();
  app.exposeOpenApi("/openapi.json", {
    info: {
      title: "Conduit",
      version: "1.0.0",
      description: "The RealWorld API.",
      contact: { name: "Conduit", url: "https://conduit.example" },
      license: { name: "MIT", identifier: "MIT" },
    },
    tags: [
      { name: "users", description: "Registration and sign-in." },
      { name: "user", description: "The signed-in user's account." },
      { name: "profiles", description: "Authors, and following them." },
      { name: "articles", description: "Articles, favorites and comments." },
      { name: "api", description: "Tags of the articles." },
    ],
    errors: { schema: errorSchema },
    exact: true,
    ui: "/docs",
  });
  return app;
}
