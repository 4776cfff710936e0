import {
  type Application,
  Auth,
  createAuthMiddleware,
  type Provider,
  type RequestContext,
} from "espalier";
import type { Role } from "./repositories/accounts.ts";

/** Who is logged in: what a token says. */
export interface LibraryUser {
  /** The id of the member. */
  readonly id: string;
  readonly role: Role;
}

/** Section `accounts` of the configuration. */
export interface AccountsConfig {
  readonly environment: "development" | "production";
  /** Signs the tokens. */
  readonly secret: string;
  /** The first librarian's, when the library is opened. */
  readonly librarianPassword: string;
}

/** Everybody can read these here, so they are refused in production. */
const development = {
  secret: "anybody-can-read-this-development-secret",
  librarianPassword: "open-sesame-for-development",
};

/** Who somebody is, and what one may do. */
export class AccessProvider implements Provider<Application> {
  register(app: Application): void {
    app.configure("accounts", {
      schema: {
        environment: { enum: ["development", "production"] },
        secret: { type: "string", min: 32 },
        librarianPassword: { type: "string", min: 12, max: 200 },
      },
      defaults: { environment: "development", ...development },
      // BOOKSHELF_ENVIRONMENT, BOOKSHELF_SECRET and BOOKSHELF_LIBRARIAN_PASSWORD.
      envPrefix: "BOOKSHELF_",
    });
    app.singleton("auth", () => {
      const { secret } = app.getConfig("accounts");
      return new Auth({ secret, issuer: "bookshelf", audience: "bookshelf", expiresIn: "1h" });
    });
    app.definePolicies({
      librarian: ({ user }) => user?.role === "librarian",
      "own-account": (ctx) => mayActFor(ctx, ctx.params["id"]),
      "own-loan": async (ctx) => {
        const loan = await ctx.resolve("loans").find(ctx.params["id"] ?? "");
        return mayActFor(ctx, loan?.memberId);
      },
    });
    // A function, for the secret is known when the application has started: Workers bring it with a request.
    app.middleware(
      "auth",
      createAuthMiddleware(() => app.resolve("auth")),
    );
  }

  boot(app: Application): void {
    const config = app.getConfig("accounts");
    if (config.environment === "development") return;
    for (const name of ["secret", "librarianPassword"] as const) {
      if (config[name] !== development[name]) continue;
      throw new Error(`accounts.${name} is the one for development. Set one of your own.`);
    }
  }
}

/** Whether the user of a request may do what concerns a member. */
export function mayActFor({ user }: RequestContext, memberId: string | undefined): boolean {
  return user?.role === "librarian" || (memberId !== undefined && user?.id === memberId);
}

/** The user of a request that has passed the middleware `auth`. */
export function userOf({ user }: RequestContext): LibraryUser {
  if (user === undefined || user === null) throw new Error("This route needs the middleware auth.");
  return user;
}
