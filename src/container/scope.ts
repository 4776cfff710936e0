import type { Services } from "../register.ts";
import type { Construction } from "./construction.ts";
import type { Registration, ServiceResolver } from "./factory.ts";

/** What belongs to one scope alone. */
export interface ScopeContents {
  /** The scoped services made so far. */
  readonly constructions: Map<Registration, Construction>;
  /** Values put into this scope, by name. */
  readonly values: Map<string, unknown>;
}

/**
 * The services of one request: scoped ones are made once in it, all others come from the container.
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
   * Puts a value into this scope, in front of what the container has under that name. Scoped and
   * transient factories see it; singletons, which outlive the scope, do not.
   */
  instance(name: string, value: unknown): void {
    this.#contents.values.set(name, value);
  }

  /** Whether a service of that name can be resolved here. */
  has(name: string): boolean {
    return this.#contents.values.has(name) || this.#registered(name);
  }

  /**
   * The service registered under `name`; a scoped one is made once for this scope.
   *
   * @throws EspalierError as the container's `resolve`
   */
  resolve<Name extends keyof Services>(name: Name): Services[Name];
  resolve<Service = unknown>(name: string): Service;
  resolve(name: string): unknown {
    return this.#lookUp(name, this.#contents);
  }
}
