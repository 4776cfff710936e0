import type { ExecutionContext } from "../http/context.ts";
import type { Env } from "../register.ts";
import type { Application } from "./application.ts";

/** The module worker that Cloudflare runs: `export default app.worker()`. */
export interface ModuleWorker {
  fetch(request: Request, env?: Env, executionContext?: ExecutionContext): Promise<Response>;
}

/** See {@link Application.worker}. */
export function createWorker(app: Application): ModuleWorker {
  return { fetch: app.fetch };
}
