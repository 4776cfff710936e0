import type { ExecutionContext } from "../http/context.ts";
import type { Env, FrameworkApplication, Services } from "../register.ts";

/** Looks a service up; a scoped one is made once for the job. */
export interface ResolveService {
  <Name extends keyof Services>(name: Name): Services[Name];
  <Service = unknown>(name: string): Service;
}

/** What the handler of a job, and of a schedule, gets beside it. */
export interface JobContext {
  /** The application whose queue or schedule it is. */
  readonly app: FrameworkApplication;
  /** The bindings and variables of the invocation that runs the job. */
  readonly env: Env;
  /** Looks a service up; a scoped one is made once for this attempt. */
  readonly resolve: ResolveService;
  /** Lets the platform finish work that outlives the handler; a rejection goes to the logger. */
  waitUntil(work: Promise<unknown>): void;
}

/** What one invocation by the platform brings. */
export interface JobPlatformArguments {
  readonly env: Env;
  readonly executionContext: ExecutionContext | undefined;
}
