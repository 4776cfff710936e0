import * as bodyReader from "../http/context-body.ts";
import type { RequestParts } from "../http/request-parts.ts";
import type { OptionNames } from "../util/options.ts";
import { BaseApplication } from "./base-application.ts";
import type { FetchWorker } from "./fetch-worker.ts";
import { type CoreApplicationOptions, resolveOptions } from "./options.ts";
import { ApplicationRuntime } from "./runtime.ts";

const coreOptionNames: OptionNames<
  Pick<CoreApplicationOptions, "validation" | keyof RequestParts>
> = { validation: true, cookies: true, trace: true, clientAddress: true, multipart: true };

/**
 * The application of `espalier/core`: routes, middleware, controllers and the container, for bundles that
 * must be small. Everything else is passed in.
 *
 * ```ts
 * import { Application, cookies, json, ruleValidator } from "espalier/core";
 *
 * const app = new Application({ cookies, validation: ruleValidator });
 * app.getRouter().get("/hello/:name", (ctx) => json({ hello: ctx.params.name }));
 * export default app.worker();
 * ```
 */
export class CoreApplication extends BaseApplication {
  constructor(options: CoreApplicationOptions = {}) {
    const { validation } = options;
    const loadValidator = validation && (() => validation);
    const parts = { parts: options, loadBodyReader: () => bodyReader, loadValidator };
    super(new ApplicationRuntime(resolveOptions(options, coreOptionNames, parts)));
  }

  /** Returns the module worker for Cloudflare: `export default app.worker()`. */
  worker(): FetchWorker {
    return { fetch: this.fetch };
  }
}
