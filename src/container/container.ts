import { EspalierError } from "../errors.ts";
import { createConsoleLogger } from "../observability/console-logger.ts";
import type { Logger } from "../observability/logger.ts";
import type { ServiceOf, Services } from "../register.ts";
import { nearestNames } from "../util/nearest-names.ts";
import { Construction, refuseCycle } from "./construction.ts";
import {
  checkFactory,
  createResolver,
  type Factory,
  type Lifetime,
  type Registration,
  type ServiceResolver,
} from "./factory.ts";
import { Scope, type ScopeContents } from "./scope.ts";
import { warnWhenStalled } from "./stall-warning.ts";

/**
 * Services by name.
 *
 * Registering a name again replaces the earlier registration and drops its instance. Any string is a
 * valid name.
 *
 * ```ts
 * container.singleton("database", async () => connect());
 * container.singleton("users", async ({ resolve }) => new Users(await resolve("database")));
 * ```
 */
export class Container implements ServiceResolver {
  readonly #registrations: Map<string, Registration> = new Map();
  readonly #singletons: Map<Registration, Construction> = new Map();
  readonly #logger: Logger;
  /** The construction whose factory is on the call stack: the assumed caller of `app.resolve()`. */
  #running: Construction | undefined = undefined;

  constructor(logger: Logger = createConsoleLogger()) {
    this.#logger = logger;
  }

  /**
   * Registers a factory that is called once, on first use. When it is async, all callers share one promise;
   * when it fails, the next `resolve` calls it again.
   */
  singleton<const Name extends string>(name: Name, factory: Factory<ServiceOf<Name>>): void {
    this.#register("singleton", name, factory);
  }

  /** Registers a factory that is called on every `resolve`. */
  bind<const Name extends string>(name: Name, factory: Factory<ServiceOf<Name>>): void {
    this.#register("transient", name, factory);
  }

  /** Registers a factory that is called once per scope, that is, per request. */
  scoped<const Name extends string>(name: Name, factory: Factory<ServiceOf<Name>>): void {
    this.#register("scoped", name, factory);
  }

  /** Registers an existing value. */
  instance<const Name extends string>(name: Name, value: ServiceOf<Name>): void {
    const registration = this.#register("singleton", name, () => value);
    this.#singletons.set(registration, Construction.finished(registration, value));
  }

  /** Returns `true` when a service of that name is registered. */
  has(name: string): boolean {
    return this.#registrations.has(name);
  }

  /** Returns the registered names, in the order of their first registration. */
  names(): readonly string[] {
    return [...this.#registrations.keys()];
  }

  /**
   * Resolves the service registered under `name`; returns a promise when the factory is async.
   *
   * @throws EspalierError `ERR_CONTAINER_NOT_REGISTERED` with the nearest names,
   *   `ERR_CONTAINER_CYCLE` with the chain, `ERR_CONTAINER_OUTSIDE_SCOPE` for a scoped service;
   *   whatever the factory throws
   */
  resolve<Name extends keyof Services>(name: Name): Services[Name];
  resolve<Service = unknown>(name: string): Service;
  resolve(name: string): unknown {
    return this.#resolve(name, undefined, undefined);
  }

  /** Creates a scope for the scoped services of one request. */
  createScope(): Scope {
    return new Scope(
      (name, scope) => this.#resolve(name, scope, undefined),
      (name) => this.has(name),
    );
  }

  #register(lifetime: Lifetime, name: string, factory: Factory): Registration {
    checkFactory(lifetime === "transient" ? "bind" : lifetime, name, factory);
    const replaced = this.#registrations.get(name);
    if (replaced !== undefined) this.#singletons.delete(replaced);
    const registration: Registration = { name, lifetime, factory };
    this.#registrations.set(name, registration);
    return registration;
  }

  #resolve(
    name: string,
    scope: ScopeContents | undefined,
    asker: Construction | undefined,
  ): unknown {
    if (scope?.values.has(name) === true) return scope.values.get(name);
    const registration = this.#registrations.get(name);
    if (registration === undefined) {
      throw ofRequest.includes(name) ? outsideScope(name) : notRegistered(name, this.names());
    }
    const kept = this.#keptIn(registration, scope);
    const existing = kept?.get(registration);
    if (existing !== undefined && !existing.inFlight) return existing.value;

    const waiters = this.#waiters(asker);
    refuseCycle(registration, waiters);
    if (existing === undefined) return this.#make(registration, kept, scope, waiters);
    existing.addWaiters(waiters);
    if (existing.onFinish === undefined) {
      warnWhenStalled(existing, this.#logger, () => this.#namesInFlight());
    }
    return existing.value;
  }

  /** Returns the map that stores instances of a service; undefined for transient services. */
  #keptIn(
    registration: Registration,
    scope: ScopeContents | undefined,
  ): Map<Registration, Construction> | undefined {
    if (registration.lifetime === "singleton") return this.#singletons;
    if (registration.lifetime === "transient") return undefined;
    if (scope !== undefined) return scope.constructions;
    throw outsideScope(registration.name);
  }

  /**
   * The constructions that depend on this one: the caller of resolve() and the one on the call stack,
   * which may have resolved through the application instead of its argument.
   */
  #waiters(asker: Construction | undefined): readonly Construction[] {
    const asking = [asker, this.#running].filter((construction) => construction !== undefined);
    return asking.filter((construction) => construction.inFlight);
  }

  #make(
    registration: Registration,
    kept: Map<Registration, Construction> | undefined,
    scope: ScopeContents | undefined,
    waiters: readonly Construction[],
  ): unknown {
    const construction = new Construction(registration);
    construction.addWaiters(waiters);
    kept?.set(registration, construction);
    const abandon = (): void => {
      kept?.delete(registration);
      construction.finish();
    };
    const outer = this.#running;
    this.#running = construction;
    try {
      const value = registration.factory(this.#resolverOf(construction, scope));
      construction.value = value;
      // Only native promises are awaited: a service may be thenable itself, as query builders are.
      if (value instanceof Promise) value.then(() => construction.finish(), abandon);
      else construction.finish();
      return value;
    } catch (error) {
      abandon();
      throw error;
    } finally {
      this.#running = outer;
    }
  }

  /**
   * Creates the resolver passed to a factory. Singletons do not see the scope, so they cannot capture
   * request state.
   */
  #resolverOf(construction: Construction, scope: ScopeContents | undefined): ServiceResolver {
    const visible = construction.registration.lifetime === "singleton" ? undefined : scope;
    return createResolver(
      (name) => this.#resolve(name, visible, construction),
      (name) => visible?.values.has(name) === true || this.has(name),
    );
  }

  #namesInFlight(): readonly string[] {
    const inFlight = [...this.#singletons.values()].filter((construction) => construction.inFlight);
    return inFlight.map(({ registration }) => registration.name);
  }
}

/**
 * Provides services by name: `app.singleton`, `ctx.resolve` and `inject`.
 *
 * @example new Application({ container }); // both from `espalier/core`
 */
export function createContainer(logger: Logger): Container {
  return new Container(logger);
}

/** Names reserved in every request scope. */
const ofRequest: readonly string[] = ["context", "env"];

function outsideScope(name: string): EspalierError {
  return new EspalierError(
    "ERR_CONTAINER_OUTSIDE_SCOPE",
    `Service "${name}" is created once per request, and was resolved outside of a request. ` +
      `Use ctx.resolve("${name}"); a singleton, which outlives requests, cannot depend on it.`,
  );
}

function notRegistered(name: string, known: readonly string[]): EspalierError {
  return new EspalierError(
    "ERR_CONTAINER_NOT_REGISTERED",
    `Service "${name}" is not registered.${nearestNames(name, known)} ` +
      `Register it with app.singleton("${name}", …).`,
  );
}
