import { EspalierError } from "../errors.ts";
import type { MiddlewareNameReference } from "../register.ts";
import { nearestNames } from "../util/nearest-names.ts";
import { badMiddlewareName } from "./bad-middleware.ts";
import type { BoundMiddleware } from "./compose.ts";
import type { Middleware, MiddlewareFunction, MiddlewareMetadata } from "./middleware.ts";
import { parseMiddlewareReference } from "./middleware-reference.ts";
import { normaliseMiddleware } from "./normalise-middleware.ts";

/** A middleware in a route's options: a registered name, or the middleware itself. */
export type MiddlewareReference = MiddlewareNameReference | Middleware;

/** A middleware registered under a name. */
export interface NamedMiddleware {
  readonly run: MiddlewareFunction;
  readonly metadata: MiddlewareMetadata;
}

/** The global middleware of an application, and the named ones that routes refer to. */
export class MiddlewareRegistry {
  readonly #global: BoundMiddleware[] = [];
  #outermost: BoundMiddleware | undefined;
  /** The named middleware, changed by {@link register} alone. */
  readonly named: Map<string, NamedMiddleware> = new Map();
  readonly #onChange: (() => void) | undefined;
  /** Incremented by every registration. */
  revision = 0;

  /** @param onChange called after every registration */
  constructor(onChange?: () => void) {
    this.#onChange = onChange;
  }

  /** Adds a middleware that runs for every request, after those added before. */
  use(middleware: Middleware, label?: string): void {
    this.#global.push(bindGlobal(middleware, label));
    this.#changed();
  }

  /**
   * Makes a middleware the outermost one, regardless of registration order, so that it also sees the
   * responses of middleware that short-circuits. A later call replaces an earlier one.
   */
  useOutermost(middleware: Middleware, label?: string): void {
    this.#outermost = bindGlobal(middleware, label);
    this.#changed();
  }

  /** Registers a middleware under a name; a later one of the same name replaces it. */
  register(name: string, middleware: Middleware): void {
    if (name === "" || name.includes(":")) throw badMiddlewareName(name);
    const run = normaliseMiddleware(middleware, `middleware("${name}")`);
    this.named.set(name, { run, metadata: middleware });
    this.#changed();
  }

  #changed(): void {
    this.revision += 1;
    this.#onChange?.();
  }

  /** The global middleware in registration order. */
  get global(): readonly BoundMiddleware[] {
    return this.#outermost === undefined ? this.#global : [this.#outermost, ...this.#global];
  }

  /**
   * Resolves a route's reference to a middleware with its arguments.
   *
   * @param usedBy the route as messages name it: `GET /books/:id`
   * @throws EspalierError `ERR_PIPELINE_UNKNOWN_MIDDLEWARE`, with the nearest names
   */
  resolve(reference: string | Middleware, usedBy: string): BoundMiddleware {
    if (typeof reference !== "string") {
      const run = normaliseMiddleware(reference, `The middleware list of ${usedBy}`);
      return { run, args: [], label: nameOf(reference, "(inline)"), metadata: reference };
    }
    const { name, args } = parseMiddlewareReference(reference);
    const named = this.named.get(name);
    if (named !== undefined) return { ...named, args, label: `"${reference}"` };
    throw new EspalierError(
      "ERR_PIPELINE_UNKNOWN_MIDDLEWARE",
      `${usedBy} names the middleware "${name}", which is not registered.` +
        `${nearestNames(name, [...this.named.keys()])} Register it with app.middleware("${name}", …).`,
    );
  }
}

/** @param label its name for tools and messages; default: that of its class or function */
function bindGlobal(middleware: Middleware, label: string | undefined): BoundMiddleware {
  const run = normaliseMiddleware(middleware, "use()");
  return { run, args: [], label: label ?? nameOf(middleware, "use()"), metadata: middleware };
}

function nameOf(middleware: Middleware, otherwise: string): string {
  const name = typeof middleware === "function" ? middleware.name : middleware.constructor?.name;
  return name === undefined || name === "" || name === "Object" ? otherwise : name;
}
