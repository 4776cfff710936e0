import type { ExecutionContext } from "../http/context-input.ts";
import type { Env, FrameworkApplication, ResolveService } from "../register.ts";

/** Context passed to handlers of jobs and schedules. */
export interface JobContext {
  /** The application that the queue or schedule belongs to. */
  readonly app: FrameworkApplication;
  /** The bindings and variables of the current invocation. */
  readonly env: Env;
  /** Resolves a service; a scoped one is created once per attempt. */
  readonly resolve: ResolveService;
  /** Lets the platform finish work that continues after the handler; a rejection is logged. */
  waitUntil(work: Promise<unknown>): void;
}

/** Platform arguments of one invocation. */
export interface JobPlatformArguments {
  readonly env: Env;
  readonly executionContext: ExecutionContext | undefined;
}
