import type { AuthenticationResult } from "../auth/authentication-result.ts";
import { EspalierError } from "../errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { Logger } from "../observability/logger.ts";
import type { MiddlewareUsage } from "../pipeline/middleware.ts";
import { kindOf } from "../util/describe.ts";
import { hasMethods } from "../util/has-methods.ts";
import { isThenable } from "../util/is-thenable.ts";

/** The part of `Auth` that the middleware uses. */
export interface Authenticator {
  authenticate(request: { readonly headers: Headers }): Promise<AuthenticationResult>;
  /** Sets the logger for warnings; called at boot. */
  useLogger?(logger: Logger): void;
  /** Called at boot if tokens will be verified. */
  prepare?(): void;
}

/** An {@link Authenticator}, or a function that returns it on demand, which may be async. */
export type AuthenticatorSource = Authenticator | (() => Authenticator | Promise<Authenticator>);

/** Resolves and calls the authenticator of a middleware. */
export class LazyAuthenticator {
  readonly #source: AuthenticatorSource;
  readonly #factory: string;

  /**
   * @param factory name of the function that created the middleware, for messages
   * @throws EspalierError `ERR_PIPELINE_BAD_MIDDLEWARE` for neither an authenticator nor a function
   */
  constructor(source: AuthenticatorSource, factory: string) {
    this.#factory = factory;
    this.#source = typeof source === "function" ? source : this.#checked(source);
  }

  authenticate(ctx: RequestContext): Promise<AuthenticationResult> {
    const source = this.#source;
    return typeof source === "function"
      ? this.#authenticateWith(source, ctx)
      : source.authenticate(ctx);
  }

  async #authenticateWith(
    source: () => Authenticator | Promise<Authenticator>,
    ctx: RequestContext,
  ): Promise<AuthenticationResult> {
    const auth = this.#checked(await source());
    auth.useLogger?.(ctx.app.logger);
    return await auth.authenticate(ctx);
  }

  /**
   * At boot: finds out whether there will be an authenticator, with keys, unless a promise is in between.
   *
   * @throws EspalierError that names the route
   */
  prepare({ application, usedBy }: MiddlewareUsage): void {
    try {
      const auth = typeof this.#source === "function" ? this.#source() : this.#source;
      // The first request finds out; a promise of boot must not be kept for it on Workers.
      if (isThenable(auth)) auth.then(undefined, () => {});
      else this.#prepare(this.#checked(auth), application.logger);
    } catch (error) {
      // Boot has already reported configuration errors.
      if (error instanceof EspalierError && error.code === "ERR_CONFIG_INVALID") return;
      const code = error instanceof EspalierError ? error.code : "ERR_PIPELINE_BAD_MIDDLEWARE";
      const said = error instanceof Error ? error.message : String(error);
      throw new EspalierError(code, `${usedBy}: ${said}`, { cause: error });
    }
  }

  #prepare(auth: Authenticator, logger: Logger): void {
    auth.useLogger?.(logger);
    auth.prepare?.();
  }

  #checked(auth: unknown): Authenticator {
    if (isAuthenticator(auth)) return auth;
    const given = kindOf(auth);
    const from = typeof this.#source === "function" ? " from its function" : "";
    throw new EspalierError(
      "ERR_PIPELINE_BAD_MIDDLEWARE",
      `${this.#factory} got ${given}${from}. ` +
        "Pass an Auth: new Auth({ secret }), or a function that returns one.",
    );
  }
}

function isAuthenticator(auth: unknown): auth is Authenticator {
  return hasMethods(auth, "authenticate");
}
