import {
  type Application,
  Auth,
  createAuthMiddleware,
  hashPassword,
  RateLimitMiddleware,
  // @if cloudflare
  type RateLimitStore,
  // @end
} from "espalier";

declare module "espalier" {
  interface Register {
    user: { id: string; roles: string[] };
    services: AppServices;
    config: AppConfig;
  }
  // Merged with the declarations of other files: each declares what it registers.
  interface AppServices {
    auth: Auth;
    adminPasswordHash: Promise<string>;
  }
  interface AppConfig {
    auth: { secret: string; adminPassword: string };
  }
}

/** Authentication (`auth`) and authorization (`can:<policy>`). */
export function registerAuth(app: Application): void {
  // The variables AUTH_SECRET and AUTH_ADMIN_PASSWORD; the application fails at boot without them.
  app.configure("auth", {
    secret: { required: true, type: "string", min: 32 },
    adminPassword: { required: true, type: "string", min: 12 },
  });
  app.singleton("auth", () => {
    const { secret } = app.getConfig("auth");
    return new Auth({
      secret,
      issuer: "{{name}}",
      audience: "{{name}}",
    });
  });
  app.singleton("adminPasswordHash", () => hashPassword(app.getConfig("auth").adminPassword));

  // A function, because the secret is known only after boot.
  app.middleware(
    "auth",
    createAuthMiddleware(() => app.resolve("auth")),
  );
  // @if cloudflare
  limitSignIns(app);
  // @else
  app.middleware(
    "sign-in-limit",
    new RateLimitMiddleware({ name: "sign-in", limit: 10, windowMs: 900_000 }),
  );
  // @end
  app.definePolicy("admin", (ctx) => ctx.user.roles.includes("admin"));
}
// @if cloudflare

/** Limits the attempts to sign in: ten in 15 minutes from one address. */
export function limitSignIns(app: Application, store?: RateLimitStore): void {
  const counts = store === undefined ? {} : { store };
  app.middleware(
    "sign-in-limit",
    new RateLimitMiddleware({ name: "sign-in", limit: 10, windowMs: 900_000, ...counts }),
  );
}
// @end
