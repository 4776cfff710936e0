import { EspalierError } from "../errors.ts";
import type { Services } from "../register.ts";
import { kindOf } from "../util/describe.ts";
import { isClass } from "../util/is-class.ts";

/** What a factory is given to reach other services: the container, or the scope of a request. */
export interface ServiceResolver {
  /**
   * The service registered under `name`; its promise when the factory is async.
   *
   * @throws EspalierError `ERR_CONTAINER_NOT_REGISTERED`, `ERR_CONTAINER_CYCLE` or
   *   `ERR_CONTAINER_OUTSIDE_SCOPE`; whatever the factory throws
   */
  resolve<Name extends keyof Services>(name: Name): Services[Name];
  resolve<Service = unknown>(name: string): Service;
  /** Whether a service of that name can be resolved. */
  has(name: string): boolean;
}

/**
 * Makes a service.
 *
 * Reach other services through the argument: what is asked for through it is known to be a
 * dependency of this service, also after an `await`, so that a cycle is an error and not a
 * deadlock.
 */
export type Factory<Service = unknown> = (container: ServiceResolver) => Service;

/** The type that {@link Services} declares for a name; unknown for other names. */
export type ServiceOf<Name extends string> = Name extends keyof Services ? Services[Name] : unknown;

/** How long what a factory makes is kept: for good, not at all, or for one request. */
export type Lifetime = "singleton" | "transient" | "scoped";

/**
 * One registered service. Registering again makes a new one, so that instances of the old are not
 * found.
 */
export interface Registration {
  readonly name: string;
  readonly lifetime: Lifetime;
  readonly factory: Factory;
}

/** A resolver over one function; its methods work detached (`({ resolve }) => …`). */
export function createResolver(
  lookUp: (name: string) => unknown,
  has: (name: string) => boolean,
): ServiceResolver {
  function resolve<Name extends keyof Services>(name: Name): Services[Name];
  function resolve<Service = unknown>(name: string): Service;
  function resolve(name: string): unknown {
    return lookUp(name);
  }
  return { resolve, has };
}

/**
 * Refuses what cannot be called, where it is registered instead of where it is first needed.
 *
 * @throws EspalierError `ERR_CONTAINER_BAD_FACTORY`
 */
export function checkFactory(method: string, name: string, factory: unknown): void {
  const call = `${method}(${JSON.stringify(name)})`;
  if (typeof factory !== "function") {
    throw new EspalierError(
      "ERR_CONTAINER_BAD_FACTORY",
      `${call} got ${kindOf(factory)}. ` +
        "Pass a function that makes the service, or register a ready value with instance().",
    );
  }
  if (isClass(factory)) {
    throw new EspalierError(
      "ERR_CONTAINER_BAD_FACTORY",
      `${call} got the class ${factory.name}. Pass a function: () => new ${factory.name}(…).`,
    );
  }
}
