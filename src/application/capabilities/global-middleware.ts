import { EspalierError } from "../../errors.ts";
import type { RequestContext } from "../../http/context.ts";
import { type CorsOptions, checkCorsOptionNames } from "../../middleware/cors-options.ts";
import {
  checkRequestObservabilityOptions,
  type RequestObservabilityOptions,
} from "../../middleware/request-observability-options.ts";
import type { MiddlewareObject, Next } from "../../pipeline/middleware.ts";
import type { Capability } from "../capability.ts";
import type { ApplicationRuntime } from "../runtime.ts";

/**
 * The global middleware that an option or a method of the application adds, loaded at boot. What is wrong with
 * an option of CORS beside its name is found then, and reported together with all other problems.
 */
export class GlobalMiddlewareCapability implements Capability {
  readonly #runtime: ApplicationRuntime;
  readonly #used: LazyMiddleware[] = [];

  constructor(runtime: ApplicationRuntime) {
    this.#runtime = runtime;
  }

  /** Adds CORS at the current position. */
  useCors(options: CorsOptions): void {
    checkCorsOptionNames(options);
    const cors = this.#add(async () => {
      const { CorsMiddleware } = await import("../../middleware/cors.ts");
      return new CorsMiddleware(options);
    });
    this.#runtime.middleware.use(cors, "CorsMiddleware");
  }

  /** Adds request observability, outside all other middleware. */
  useRequestObservability(options: RequestObservabilityOptions): void {
    checkRequestObservabilityOptions(options);
    const observability = this.#add(async () => {
      const module = await import("../../middleware/request-observability.ts");
      return new module.RequestObservabilityMiddleware(options);
    });
    this.#runtime.middleware.useOutermost(observability, "RequestObservabilityMiddleware");
  }

  #add(load: () => Promise<MiddlewareObject>): LazyMiddleware {
    const middleware = new LazyMiddleware(load);
    this.#used.push(middleware);
    return middleware;
  }

  async onCompile(problems: Error[]): Promise<void> {
    for (const middleware of this.#used) {
      await middleware.load().catch((error: unknown) => {
        if (!(error instanceof EspalierError)) throw error;
        problems.push(error);
      });
    }
  }
}

/** Stands for a middleware in the order of registration until it is loaded. */
class LazyMiddleware implements MiddlewareObject {
  /** Neither of the two sets `ctx.user`. */
  readonly userAccess = "ignores";
  readonly #load: () => Promise<MiddlewareObject>;
  #loaded: MiddlewareObject | undefined;

  constructor(load: () => Promise<MiddlewareObject>) {
    this.#load = load;
  }

  async load(): Promise<void> {
    this.#loaded ??= await this.#load();
  }

  handle(ctx: RequestContext, next: Next): Response | Promise<Response> {
    // Boot fails unless it is loaded.
    return this.#loaded?.handle(ctx, next) ?? next();
  }
}
