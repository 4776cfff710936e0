import {
  type Application,
  Auth,
  createAuthMiddleware,
  type Provider,
  type TokenStore,
} from "espalier";
import { roles } from "../database/tables.ts";
import { NotFound } from "../errors.ts";
import { loadTicket } from "./load-ticket.ts";
import { hasRole } from "./signed-in-user.ts";

/** Authentication with refresh tokens, guards and policies. */
export class AccessProvider implements Provider<Application> {
  readonly #tokens: () => TokenStore;

  /** @param tokens returns the store of refresh tokens and revoked tokens, which all instances share */
  constructor(tokens: () => TokenStore) {
    this.#tokens = tokens;
  }

  register(app: Application): void {
    app.singleton("auth", () => this.#createAuth(app));
    // A function, because the secret is known only after boot: on Workers it arrives with a request.
    app.middleware(
      "auth",
      createAuthMiddleware(() => app.resolve("auth")),
    );
    app.middleware("ticket", loadTicket);
    app.definePolicies({
      // A token of one organisation is not valid for another. The 404 does not reveal whether it exists.
      member(ctx) {
        if (ctx.user.organisation === ctx.params["organisation"]) return true;
        throw new NotFound("organisation");
      },
      role({ user }, name) {
        const role = roles.find((one) => one === name);
        return role !== undefined && hasRole(user, role);
      },
    });
  }

  #createAuth(app: Application): Auth {
    const store = this.#tokens;
    return new Auth({
      secret: app.getConfig("access").secret,
      issuer: "helpdesk",
      audience: "helpdesk",
      expiresIn: "15m",
      // A client that lost a response, or refreshes in two tabs, may repeat a refresh for ten seconds.
      refreshTokens: { store, expiresIn: "30d", idleExpiresIn: "14d", reuseGraceMs: 10_000 },
      // A sign-out takes effect at once, in every instance.
      revocations: store,
      // A changed role takes effect with the next request, and a deleted account has no access.
      resolveUser: async ({ sub }, ctx) =>
        (await ctx?.resolve("accounts").findUser(sub ?? "")) ?? null,
    });
  }
}
