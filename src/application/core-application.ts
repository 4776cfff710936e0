import { LocalEventEmitter } from "../events/event-emitter.ts";
import { type RequestParts, requirePart } from "../http/request-parts.ts";
import type { OptionNames } from "../util/options.ts";
import { BaseApplication } from "./base-application.ts";
import type { FetchWorker } from "./fetch-worker.ts";
import {
  type ApplicationParts,
  type CoreApplicationOptions,
  type LoadBodyReader,
  type LoadDebugResponse,
  resolveOptions,
} from "./options.ts";
import { createDebugProblem } from "./request/debug-problem.ts";
import { ApplicationRuntime } from "./runtime.ts";

const loadDebugResponse: LoadDebugResponse = () => createDebugProblem;

const coreOptionNames: OptionNames<
  Pick<CoreApplicationOptions, "validation" | keyof RequestParts>
> = {
  validation: true,
  bodies: true,
  cookies: true,
  trace: true,
  clientAddress: true,
  multipart: true,
  container: true,
  hostCheck: true,
  urls: true,
};

/**
 * The application of `espalier/core`: routes, middleware and controllers, for bundles that must be
 * small. Everything else is passed in.
 *
 * ```ts
 * import { Application, bodies, json, ruleValidator } from "espalier/core";
 *
 * const app = new Application({ bodies, validation: ruleValidator });
 * app.getRouter().post("/notes", (ctx) => json(ctx.validated), { body: { text: { type: "string" } } });
 * export default app.worker();
 * ```
 */
export class CoreApplication extends BaseApplication {
  constructor(options: CoreApplicationOptions = {}) {
    const { validation } = options;
    const loadValidator = validation && (() => validation);
    const loadBodyReader: LoadBodyReader = (usedBy) => requirePart(options, "bodies", usedBy);
    const parts: ApplicationParts = {
      parts: options,
      loadBodyReader,
      resolveBodyLimits: options.bodies?.resolveBodyLimits,
      loadValidator,
      loadDebugResponse,
    };
    const resolved = resolveOptions(options, coreOptionNames, parts);
    super(new ApplicationRuntime(resolved, { createEvents: () => new LocalEventEmitter() }));
  }

  /** Returns the module worker for Cloudflare: `export default app.worker()`. */
  worker(): FetchWorker {
    return { fetch: this.fetch };
  }
}
