/**
 * Types of higher layers, for lower layers that only pass them through: each layer adds its own by
 * declaration merging. Importing them from below would tie every file to every other.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the layers add members by declaration merging.
export interface FrameworkTypes {}

/**
 * The application as `ctx.app` has it: the one with all services where the program imports `espalier`,
 * the one without where it imports `espalier/core` alone.
 */
export type FrameworkApplication = FrameworkTypes extends { readonly application: infer App }
  ? App
  : FrameworkTypes extends { readonly baseApplication: infer App }
    ? App
    : never;

/** The context of a request, as the scope of its services has it. */
export type FrameworkContext = FrameworkTypes extends { readonly context: infer Context }
  ? Context
  : never;

/**
 * The types an application declares once, for the whole program.
 *
 * ```ts
 * declare module "espalier" {
 *   interface Register {
 *     env: { KV: KVNamespace };
 *     user: { id: string; roles: string[] };
 *   }
 * }
 * ```
 *
 * `env` types `ctx.env`, `user` types `ctx.user`, `services` types `resolve`, `events` types `on` and
 * `emit`, `config` types `getConfig`, `jobs` types `enqueue` and `process`. Without a member the loose
 * types of the specification apply.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add members by declaration merging.
export interface Register {}

/** One member of {@link Register}, or `Fallback` while the application declares none. */
export type Registered<Member extends string, Fallback> =
  Register extends Record<Member, infer Declared> ? Declared : Fallback;

/** The platform's bindings and variables: what `ctx.env` is. */
export type Env = Registered<"env", Record<string, unknown>>;

/** Who is signed in: what `ctx.user` is. */
export type User = Registered<"user", unknown>;

/** What a scope brings: a request's both, a job's `env` alone. */
export interface ScopeServices {
  readonly context: FrameworkContext;
  readonly env: Env;
}

/** Services by name: what `resolve` returns. */
export type Services = Registered<"services", Record<never, never>> & ScopeServices;

/** Payloads by event name: what `on` and `emit` check. */
export type Events = Registered<"events", Record<never, never>>;

/** Configuration sections by name: what `getConfig` returns. */
export type Config = Registered<"config", Record<never, never>>;

/** Payloads by job name: what `enqueue` and `process` check. */
export type Jobs = Registered<"jobs", Record<never, never>>;

/** What the queue knows of its jobs: the declared ones, or any name with any payload. */
export type QueuedJobs = Registered<"jobs", Record<string, unknown>> & object;
