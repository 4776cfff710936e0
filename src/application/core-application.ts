import { BaseApplication } from "./base-application.ts";
import { type CoreApplicationOptions, resolveOptions } from "./options.ts";
import { ApplicationRuntime } from "./runtime.ts";
import type { FetchWorker } from "./worker.ts";

/**
 * The application of `espalier/core`: routes, middleware, controllers and the container, and nothing
 * that a bundle would carry in vain. What else it needs it is given.
 *
 * ```ts
 * import { Application, ruleValidator } from "espalier/core";
 *
 * const app = new Application({ validation: ruleValidator });
 * app.getRouter().get("/hello/:name", (ctx) => json({ hello: ctx.params.name }));
 * export default app.worker();
 * ```
 */
export class CoreApplication extends BaseApplication {
  constructor(options: CoreApplicationOptions = {}) {
    super(
      new ApplicationRuntime(resolveOptions(options, { validation: true }, options.validation)),
    );
  }

  /** The module worker for Cloudflare: `export default app.worker()`. */
  worker(): FetchWorker {
    return { fetch: this.fetch };
  }
}
