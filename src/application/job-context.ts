import type { ExecutionContext } from "../http/context-input.ts";
import type { Env, FrameworkApplication, ResolveService } from "../register.ts";
import type { ApplicationRuntime } from "./runtime.ts";

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

/** Creates the context of a job or schedule, with the bindings of the event that triggered it. */
export function createJobContext(
  runtime: ApplicationRuntime,
  platform?: JobPlatformArguments,
): JobContext {
  const scope = runtime.container.createScope();
  const env = platform?.env ?? runtime.environment();
  scope.instance("env", env);
  return {
    app: runtime.application,
    env,
    // UNSAFE: restores the overloads of the scope's method, which the wrapper loses; detached, it would
    // lose its `this`.
    resolve: ((name: string) => scope.resolve<unknown>(name)) as ResolveService,
    waitUntil: (work) => runtime.background.add(work, platform?.executionContext),
  };
}
