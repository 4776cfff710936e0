import { LocalEventEmitter } from "../events/event-emitter.ts";
import type { RequestParts } from "../http/request-parts.ts";
import { missingPart, missingValidator } from "../util/missing-part.ts";
import { BaseApplication } from "./base-application.ts";
import { completeParts, usersOfParts } from "./core-parts.ts";
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

const coreOptionNames: Readonly<Record<"validation" | keyof RequestParts, unknown>> = {
  ...usersOfParts,
  validation: true,
  bodies: true,
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
    const { bodies, validation = refuseRules } = options;
    const loadBodyReader: LoadBodyReader = (usedBy) => {
      if (bodies === undefined) throw missingPart("bodies", usedBy);
      return bodies;
    };
    const parts: ApplicationParts = {
      parts: completeParts(options),
      loadBodyReader,
      resolveBodyLimits: bodies?.resolveBodyLimits,
      loadValidator: () => validation,
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

/** Replaces the validator of an application that was created without one. */
function refuseRules(): never {
  throw missingValidator();
}
