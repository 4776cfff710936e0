import type { Services } from "../register.ts";
import type { Construction } from "./construction.ts";
import type { Registration, ServiceResolver } from "./factory.ts";

/** State of a single scope. */
export interface ScopeContents {
  /** The scoped services created so far. */
  readonly constructions: Map<Registration, Construction>;
  /** Values put into this scope, by name. */
  readonly values: Map<string, unknown>;
}

/**
 * Service resolver of one request: creates scoped services once per request and delegates all others to
 * the container.
 */
export class Scope implements ServiceResolver {
  readonly #contents: ScopeContents;
  readonly #lookUp: (name: string, contents: ScopeContents) => unknown;
  readonly #registered: (name: string) => boolean;

  constructor(
    lookUp: (name: string, contents: ScopeContents) => unknown,
    registered: (name: string) => boolean,
  ) {
    this.#contents = { constructions: new Map(), values: new Map() };
    this.#lookUp = lookUp;
    this.#registered = registered;
  }

  /**
   * Registers a value in this scope, overriding the container's registration of that name. Visible to
   * scoped and transient factories, but not to singletons, which outlive the scope.
   */
  instance(name: string, value: unknown): void {
    this.#contents.values.set(name, value);
  }

  /** Returns `true` when a service of that name can be resolved in this scope. */
  has(name: string): boolean {
    return this.#contents.values.has(name) || this.#registered(name);
  }

  /**
   * Resolves the service registered under `name`; a scoped one is created once for this scope.
   *
   * @throws EspalierError as the container's `resolve`
   */
  resolve<Name extends keyof Services>(name: Name): Services[Name];
  resolve<Service = unknown>(name: string): Service;
  resolve(name: string): unknown {
    return this.#lookUp(name, this.#contents);
  }
}
