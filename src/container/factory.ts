import { EspalierError } from "../errors.ts";
import type { ResolvableName, Resolved, ResolveService, UnnamedService } from "../register.ts";
import { describe, kindOf } from "../util/describe.ts";
import { isClass } from "../util/is-class.ts";

/** Resolves the dependencies of a factory: the container, or the scope of a request. */
export interface ServiceResolver {
  /**
   * Resolves the service registered under `name`; returns a promise when the factory is async.
   *
   * @throws EspalierError `ERR_CONTAINER_NOT_REGISTERED`, `ERR_CONTAINER_CYCLE` or
   *   `ERR_CONTAINER_OUTSIDE_SCOPE`; whatever the factory throws
   */
  resolve<Service = UnnamedService, Name extends ResolvableName = ResolvableName>(
    name: Name,
  ): Resolved<Service, Name>;
  /** Returns `true` when a service of that name can be resolved. */
  has(name: string): boolean;
}

/**
 * Creates a service.
 *
 * Resolve dependencies through the argument: this records them as dependencies of the service, even
 * after an `await`, so that a circular dependency throws instead of deadlocking.
 */
export type Factory<Service = unknown> = (container: ServiceResolver) => Service;

/** Lifetime of an instance: shared by the application, created per resolution, or one per request. */
export type Lifetime = "singleton" | "transient" | "scoped";

/**
 * A registered service. Registering the name again creates a new object, so that instances of the
 * previous registration cannot be found.
 */
export interface Registration {
  readonly name: string;
  readonly lifetime: Lifetime;
  readonly factory: Factory;
}

/** Creates a resolver from a lookup function; its methods work detached (`({ resolve }) => …`). */
export function createResolver(
  lookUp: (name: string) => unknown,
  has: (name: string) => boolean,
): ServiceResolver {
  // Unchecked cast: what is registered under a name is the responsibility of the application.
  return { resolve: ((name: string) => lookUp(name)) as ResolveService, has };
}

/**
 * Validates a factory at registration, so that a mistake fails at boot and not on first use.
 *
 * @throws EspalierError `ERR_CONTAINER_BAD_FACTORY`
 */
export function checkFactory(method: string, name: string, factory: unknown): void {
  const call = `${method}(${JSON.stringify(name)})`;
  if (typeof factory !== "function") {
    throw new EspalierError(
      "ERR_CONTAINER_BAD_FACTORY",
      `${call} got ${kindOf(factory)}. ` +
        "Pass a function that creates the service, or register an existing value with instance().",
    );
  }
  if (isClass(factory)) {
    throw new EspalierError(
      "ERR_CONTAINER_BAD_FACTORY",
      `${call} got ${describe(factory)}. Pass a function: () => new ${factory.name || "Class"}(…).`,
    );
  }
}
