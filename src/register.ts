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

/** Values that the framework's middleware keeps in `ctx.state`. */
export interface FrameworkState {
  /** The claims of the token, set by `createAuthMiddleware`. */
  claims?: unknown;
  /** The nonce of the Content-Security-Policy, set by `SecureHeadersMiddleware`. */
  cspNonce?: unknown;
  /** Set by `SessionMiddleware`; read it with `session(ctx)`. */
  session?: unknown;
  /** Set by `TimeoutMiddleware`; read it with `timeoutSignal(ctx)`. */
  timeoutSignal?: unknown;
}

/**
 * Types that an application declares once, for the whole program.
 *
 * ```ts
 * declare module "espalier" {
 *   interface Register {
 *     user: { id: string; roles: string[] };
 *     services: { books: Books };
 *     middleware: { auth: { user: User } };
 *   }
 * }
 * ```
 *
 * `env` types `ctx.env`, `user` types `ctx.user`, `state` types `ctx.state`, `services` types `resolve` and
 * `inject`, `middleware` what named middleware adds to the context, `events` types `on` and `emit`, `config`
 * types `getConfig`, `jobs` types `enqueue` and `process`. Members that are not declared keep the loose types
 * of the specification.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add members by declaration merging.
export interface Register {}

/** One member of {@link Register}, or `Fallback` if the application does not declare it. */
export type Registered<Member extends string, Fallback> = Member extends keyof Register
  ? Register[Member]
  : Fallback;

/** The names under a member of {@link Register}; any string if the application does not declare it. */
export type RegisteredName<Member extends string> = Member extends keyof Register
  ? keyof Register[Member] & string
  : string;

/** The platform's bindings and variables: type of `ctx.env`. */
export type Env = Registered<"env", Record<string, unknown>>;

/** The authenticated user: type of `ctx.user`. */
export type User = Registered<"user", unknown>;

/** Values shared by the middleware and the handler of a request: type of `ctx.state`. */
export type State = StateOf<"state">;

type StateOf<Member extends string> = Member extends keyof Register
  ? Partial<Register[Member]> & FrameworkState
  : Record<string, unknown>;

/** Services of every scope; in a job only `env` is available. */
export interface ScopeServices {
  readonly context: FrameworkContext;
  readonly env: Env;
}

/** Services by name: types `resolve`. */
export type Services = Registered<"services", Record<never, never>> & ScopeServices;

/** The names that `inject` accepts: the declared services, or any string. */
export type ServiceName = RegisteredName<"services">;

/** The declared type of a service; `unknown` for a name that is not declared. */
export type ServiceOf<Name extends string> = Name extends keyof Services ? Services[Name] : unknown;

/** Members that named middleware adds to the context, by the name of the middleware. */
export type RegisteredMiddleware = Registered<"middleware", Record<never, never>>;

/** Payloads by event name: types `on` and `emit`. */
export type Events = Registered<"events", Record<never, never>>;

/** Configuration sections by name: types `getConfig`. */
export type Config = Registered<"config", Record<never, never>>;

/** Payloads by job name: types `enqueue` and `process`. */
export type Jobs = Registered<"jobs", Record<never, never>>;

/** Jobs that the queue accepts: the declared ones, or any name with any payload. */
export type QueuedJobs = Registered<"jobs", Record<string, unknown>> & object;
