import {
  type Application,
  Auth,
  createAuthMiddleware,
  createOptionalAuthMiddleware,
  type Provider,
  type RequestContext,
} from "espalier";
import { NotFound } from "./errors.ts";

/** What a token says: the account, and nothing that may change. */
export interface SignedInUser {
  readonly id: number;
}

/** Section `access` of the configuration. */
export interface AccessConfig {
  readonly environment: "development" | "production";
  /** Signs the tokens. */
  readonly secret: string;
}

/** Everybody can read this here, so it is refused in production. */
const developmentSecret = "anybody-can-read-this-development-secret";

/** Who somebody is, and what one may do. */
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
    // The secret is known when the application has started: on Workers the first request brings it.
    const authenticate: Auth["authenticate"] = ({ headers }) =>
      app.resolve("auth").authenticate({ headers: withBearer(headers) });
    app.middleware("auth", createAuthMiddleware({ authenticate }));
    app.middleware("auth.optional", createOptionalAuthMiddleware({ authenticate }));
    app.definePolicies({
      "own-article": async (ctx) => {
        const authorId = await ctx.resolve("articles").authorOf(ctx.params["slug"] ?? "");
        if (authorId === undefined) throw new NotFound("article");
        return authorId === ctx.user?.id;
      },
      "own-comment": async (ctx) => {
        const { slug = "", id } = ctx.params;
        const authorId = await ctx.resolve("comments").authorOf(slug, Number(id));
        if (authorId === undefined) throw new NotFound("comment");
        return authorId === ctx.user?.id;
      },
    });
  }

  boot(app: Application): void {
    const { environment, secret } = app.getConfig("access");
    if (environment === "production" && secret === developmentSecret) {
      throw new Error("CONDUIT_SECRET is the one for development. Set one of your own.");
    }
  }
}

/**
 * RealWorld's clients send `Authorization: Token <jwt>`; Espalier knows the registered scheme, `Bearer`. Only
 * the word differs, so everything else about a token is left to the framework.
 */
function withBearer(headers: Headers): Headers {
  const authorization = headers.get("authorization") ?? "";
  if (!/^token /i.test(authorization)) return headers;
  return new Headers({ authorization: `Bearer ${authorization.slice("token ".length)}` });
}

/** The id of the user of a request that has passed the middleware `auth`. */
export function userIdOf({ user }: RequestContext): number {
  if (user === undefined || user === null) throw new Error("This route needs the middleware auth.");
  return user.id;
}

/** The id of whoever looks, behind `auth.optional`; null for somebody who is not signed in. */
export function viewerIdOf({ user }: RequestContext): number | null {
  return user?.id ?? null;
}
