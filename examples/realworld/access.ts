import {
  type Application,
  Auth,
  createAuthMiddleware,
  createOptionalAuthMiddleware,
  type Provider,
  type RequestContext,
} from "espalier";
import { NotFound } from "./errors.ts";

/** Claims of a token: the account's id, and nothing that may change. */
export interface SignedInUser {
  readonly id: number;
}

/** Section `access` of the configuration. */
export interface AccessConfig {
  readonly environment: "development" | "production";
  /** Signs the tokens. */
  readonly secret: string;
}

/** Public, since it is in this file: production refuses it. */
const developmentSecret = "this-development-secret-is-public";

/** Authentication and authorization policies. */
export class AccessProvider implements Provider<Application> {
  register(app: Application): void {
    app.configure("access", {
      schema: {
        environment: { enum: ["development", "production"] },
        secret: { type: "string", min: 32 },
      },
      defaults: { environment: "development", secret: developmentSecret },
      // CONDUIT_ENVIRONMENT and CONDUIT_SECRET.
      envPrefix: "CONDUIT_",
    });
    app.singleton("auth", () => {
      const { secret } = app.getConfig("access");
      return new Auth({ secret, issuer: "conduit", audience: "conduit", expiresIn: "7 days" });
    });
    // A function, because the secret is known only after boot: on Workers it arrives with a request.
    const authenticate: Auth["authenticate"] = ({ headers }) =>
      app.resolve("auth").authenticate({ headers: withBearer(headers) });
    app.middleware("auth", createAuthMiddleware({ authenticate }));
    app.middleware("auth.optional", createOptionalAuthMiddleware({ authenticate }));
    app.definePolicies({
      "own-article": async (ctx) => {
        const authorId = await ctx.resolve("articles").authorOf(ctx.params["slug"] ?? "");
        if (authorId === undefined) throw new NotFound("article");
        return authorId === ctx.user.id;
      },
      "own-comment": async (ctx) => {
        const { slug = "", id } = ctx.params;
        const authorId = await ctx.resolve("comments").authorOf(slug, Number(id));
        if (authorId === undefined) throw new NotFound("comment");
        return authorId === ctx.user.id;
      },
    });
  }

  boot(app: Application): void {
    const { environment, secret } = app.getConfig("access");
    if (environment === "production" && secret === developmentSecret) {
      throw new Error(
        "CONDUIT_SECRET has the value for development. Set a secret value in production.",
      );
    }
  }
}

/**
 * Accepts `Authorization: Token <jwt>`, which RealWorld's clients send instead of the registered scheme
 * `Bearer`. Only the scheme's name differs; the framework verifies the token.
 */
function withBearer(headers: Headers): Headers {
  const authorization = headers.get("authorization") ?? "";
  if (!/^token /i.test(authorization)) return headers;
  return new Headers({ authorization: `Bearer ${authorization.slice("token ".length)}` });
}

/** Returns the id of the user, or null if unauthenticated; for routes behind `auth.optional`. */
export function viewerIdOf({ user }: RequestContext): number | null {
  return user?.id ?? null;
}
