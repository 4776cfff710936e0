import {
  type Application,
  Auth,
  createAuthMiddleware,
  type Provider,
  type RequestContext,
} from "espalier";
import type { Role } from "./repositories/accounts.ts";

/** The logged-in user, as the claims of a token describe it. */
export interface LibraryUser {
  /** Id of the member. */
  readonly id: string;
  readonly role: Role;
}

/** Section `accounts` of the configuration. */
export interface AccountsConfig {
  readonly environment: "development" | "production";
  /** Signs the tokens. */
  readonly secret: string;
  /** Password of the first librarian account, created with the seed data. */
  readonly librarianPassword: string;
}

/** Public, since they are in this file: production refuses them. */
const development = {
  secret: "this-development-secret-is-public",
  librarianPassword: "open-sesame-for-development",
};

/** Authentication and authorization policies. */
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
      librarian: ({ user }) => user.role === "librarian",
      "own-account": (ctx) => mayActFor(ctx, ctx.params["id"]),
      "own-loan": async (ctx) => {
        const loan = await ctx.resolve("loans").find(ctx.params["id"] ?? "");
        return mayActFor(ctx, loan?.memberId);
      },
    });
    // A function, because the secret is known only after boot: on Workers it arrives with a request.
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
      throw new Error(
        `accounts.${name} has the value for development. Set a secret value in production.`,
      );
    }
  }
}

/** Returns true if the user of the request may access the data of the member. */
export function mayActFor({ user }: RequestContext, memberId: string | undefined): boolean {
  return user?.role === "librarian" || (memberId !== undefined && user?.id === memberId);
}
