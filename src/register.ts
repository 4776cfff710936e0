/**
 * Types of higher layers, for lower layers that only pass them through: each layer adds its own by
 * declaration merging. Importing them from below would make all files depend on each other.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the layers add members by declaration merging.
export interface FrameworkTypes {}

/**
 * The type of `ctx.app`: the full application if the program imports `espalier`, else that of
 * `espalier/core`.
 */
export type FrameworkApplication = FrameworkTypes extends { readonly application: infer App }
  ? App
  : FrameworkTypes extends { readonly baseApplication: infer App }
    ? App
    : never;

/** Type of the request context in the scope of its services. */
export type FrameworkContext = FrameworkTypes extends { readonly context: infer Context }
  ? Context
  : never;

/**
 * Types that an application declares once, for the whole program.
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
 * `env` types `ctx.env`, `user` types `ctx.user`, `services` types `resolve`, `events` types `on` and `emit`,
 * `config` types `getConfig`, `jobs` types `enqueue` and `process`. Members that are not declared keep the
 * loose types of the specification.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add members by declaration merging.
export interface Register {}

/** One member of {@link Register}, or `Fallback` if the application does not declare it. */
export type Registered<Member extends string, Fallback> =
  Register extends Record<Member, infer Declared> ? Declared : Fallback;

/** The platform's bindings and variables: type of `ctx.env`. */
export type Env = Registered<"env", Record<string, unknown>>;

/** The authenticated user: type of `ctx.user`. */
export type User = Registered<"user", unknown>;

/** Services of every scope; in a job only `env` is available. */
export interface ScopeServices {
  readonly context: FrameworkContext;
  readonly env: Env;
}

/** Services by name: types `resolve`. */
export type Services = Registered<"services", Record<never, never>> & ScopeServices;

/** Payloads by event name: types `on` and `emit`. */
export type Events = Registered<"events", Record<never, never>>;

/** Configuration sections by name: types `getConfig`. */
export type Config = Registered<"config", Record<never, never>>;

/** Payloads by job name: types `enqueue` and `process`. */
export type Jobs = Registered<"jobs", Record<never, never>>;

/** Jobs that the queue accepts: the declared ones, or any name with any payload. */
export type QueuedJobs = Registered<"jobs", Record<string, unknown>> & object;
