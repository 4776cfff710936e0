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
  /** Set by `TimeoutMiddleware` after a timeout. */
  lateResponse?: unknown;
}

/**
 * Types that an application declares once, for the whole program.
 *
 * ```ts
 * declare module "espalier" {
 *   interface Register {
 *     user: { id: string; roles: string[] };
 *     services: { books: Books };
 *     middleware: { auth: { user: User }; limit: object };
 *   }
 * }
 * ```
 *
 * `env` types `ctx.env`, `user` types `ctx.user`, `state` types `ctx.state`. The other members also declare all
 * names of their kind, so that another name does not compile: `services` for `resolve` and `inject`,
 * `middleware` (what each adds to the context) and `policies` (the arguments of each, as a tuple) for routes,
 * `routes` (the parameters of each) for `router.url`, `events` for `on` and `emit`, `broadcasts` for `broadcast`
 * and `onBroadcast`, `config` for `getConfig`, `jobs` for `enqueue` and `process`. Members that are not declared keep the loose types of the specification,
 * where names are any strings.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add members by declaration merging.
export interface Register {}

// Packages add to these interfaces instead: several can, and none of them makes the names of an application
// strict.

/** Services of plugins by name, in addition to `Register.services`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add members by declaration merging.
export interface PluginServices {}

/** Middleware of plugins by name, with what it adds to the context, in addition to `Register.middleware`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add members by declaration merging.
export interface PluginMiddleware {}

/** Policies of plugins by name, with a tuple of their arguments, in addition to `Register.policies`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add members by declaration merging.
export interface PluginPolicies {}

/** Routes of plugins by name, with their parameters, in addition to `Register.routes`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add members by declaration merging.
export interface PluginRoutes {}

/** Events of plugins by name, with their payloads, in addition to `Register.events`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add members by declaration merging.
export interface PluginEvents {}

/** Broadcasts of plugins by name, with their payloads, in addition to `Register.broadcasts`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add members by declaration merging.
export interface PluginBroadcasts {}

/** Configuration sections of plugins by name, in addition to `Register.config`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add members by declaration merging.
export interface PluginConfig {}

/** Jobs of plugins by name, with their payloads, in addition to `Register.jobs`. */
// biome-ignore lint/suspicious/noEmptyInterface: plugins add members by declaration merging.
export interface PluginJobs {}

/** One member of {@link Register}, or `Fallback` if the application does not declare it. */
export type Registered<Member extends string, Fallback> = Member extends keyof Register
  ? Register[Member]
  : Fallback;

type NoNames = Record<never, never>;

/** The names under a member of {@link Register} and in `Plugin`; any string if it is not declared. */
type NamesOf<Member extends string, Plugin> = Member extends keyof Register
  ? (keyof Register[Member] | keyof Plugin) & string
  : string;

/** `Declared` if the application declares a member, else `Otherwise`. */
type IfDeclared<Member extends string, Declared, Otherwise> = Member extends keyof Register
  ? Declared
  : Otherwise;

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
export type Services = Registered<"services", NoNames> & PluginServices & ScopeServices;

/** The names of services, which `inject` and registrations accept; any string if none are declared. */
export type ServiceName = NamesOf<"services", PluginServices>;

/** The declared type of a service; `unknown` for a name that is not declared. */
export type ServiceOf<Name extends string> = Name extends keyof Services ? Services[Name] : unknown;

/** Stands for the declared type where a caller names none. */
interface DeclaredType {
  readonly "~declared": never;
}

/** The type that a caller names: without declared types, it is inferred from where the result is used. */
type Named<Member extends string> = IfDeclared<Member, DeclaredType, unknown>;

/** The type that a caller names, else `Declared`. A conditional type is not a source of inference. */
type NamedOr<Given, Declared> = [Given] extends [infer Type]
  ? [Type] extends [DeclaredType]
    ? Declared
    : Type
  : never;

/** The type that `resolve` returns for a name, unless the caller names another. */
export type Resolved<Service, Name extends string> = IfDeclared<
  "services",
  NamedOr<Service, ServiceOf<Name>>,
  Name extends keyof Services ? Services[Name] : Service
>;

/** Default of a caller's type for {@link Resolved}. */
export type UnnamedService = Named<"services">;

/** The names that `resolve` accepts. */
export type ResolvableName = ServiceName | keyof ScopeServices;

/** Resolves a service by name. The type is the declared one, or the one that the caller names. */
export type ResolveService = <
  Service = UnnamedService,
  Name extends ResolvableName = ResolvableName,
>(
  name: Name,
) => Resolved<Service, Name>;

/** Members that named middleware adds to the context, by the name of the middleware. */
export type RegisteredMiddleware = Registered<"middleware", NoNames> & PluginMiddleware;

/** The names of middleware; any string if none are declared. */
export type MiddlewareName = NamesOf<"middleware", PluginMiddleware> | "can";

/** Arguments of policies by name, as tuples. */
export type Policies = Registered<"policies", NoNames> & PluginPolicies;

/** The names of policies; any string if none are declared. */
export type PolicyName = NamesOf<"policies", PluginPolicies>;

/** The arguments of a policy; any number of strings for one that is not declared. */
export type PolicyArguments<Name extends string> = Name extends keyof Policies
  ? Policies[Name] extends readonly string[]
    ? Policies[Name]
    : []
  : string[];

/** Arguments of a policy as a route lists them: `,draft` for one. */
type WrittenArguments<Arguments extends readonly string[]> = Arguments extends readonly []
  ? ""
  : Arguments extends readonly [infer First extends string, ...infer Rest extends readonly string[]]
    ? `,${First}${WrittenArguments<Rest>}`
    : "" | `,${string}`;

type PolicyReference<Name extends string> = Name extends string
  ? `can:${Name}${WrittenArguments<PolicyArguments<Name>>}`
  : never;

type OtherMiddlewareName = Exclude<MiddlewareName, "can">;

/**
 * How a route names middleware: `"auth"`, with arguments `"limit:5"`, or a policy `"can:edit"`. Any string unless
 * the application declares its middleware.
 */
export type MiddlewareNameReference = IfDeclared<
  "middleware",
  OtherMiddlewareName | `${OtherMiddlewareName}:${string}` | PolicyReference<PolicyName>,
  string
>;

/** Parameters of named routes. */
export type Routes = Registered<"routes", NoNames> & PluginRoutes;

/** The names that `router.url` accepts; any string if none are declared. */
export type RouteName = NamesOf<"routes", PluginRoutes>;

/** Payloads by event name: types `on` and `emit`. */
export type Events = Registered<"events", NoNames> & PluginEvents;

/** The declared names of events; any string if none are declared. */
export type RegisteredEventName = NamesOf<"events", PluginEvents>;

/** `Strict` if the application declares its events, else any string. */
export type IfEventsAreDeclared<Strict> = IfDeclared<"events", Strict, string>;

/** Payloads by broadcast name. */
export type Broadcasts = Registered<"broadcasts", NoNames> & PluginBroadcasts;

/** Broadcasts that an application sends: the declared ones, or any name with any payload. */
export type SentBroadcasts = Registered<"broadcasts", Record<string, unknown>> &
  PluginBroadcasts &
  object;

/** Configuration sections by name: types `getConfig`. */
export type Config = Registered<"config", NoNames> & PluginConfig;

/** The names of configuration sections; any string if none are declared. */
export type ConfigName = NamesOf<"config", PluginConfig>;

/** Default of a caller's type for {@link ResolvedConfig}. */
export type UnnamedConfig = IfDeclared<"config", DeclaredType, Readonly<Record<string, unknown>>>;

/** The type that `getConfig` returns for a name, unless the caller names another. */
export type ResolvedConfig<Section, Name extends string> = IfDeclared<
  "config",
  NamedOr<Section, Name extends keyof Config ? Readonly<Config[Name]> : never>,
  Name extends keyof Config ? Readonly<Config[Name]> : Section
>;

/** Payloads by job name: types `enqueue` and `process`. */
export type Jobs = Registered<"jobs", NoNames> & PluginJobs;

/** Jobs that the queue accepts: the declared ones, or any name with any payload. */
export type QueuedJobs = Registered<"jobs", Record<string, unknown>> & PluginJobs & object;
