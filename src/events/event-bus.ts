import { EspalierError } from "../errors.ts";
import { describeError, type Logger } from "../observability/logger.ts";
import { kindOf } from "../util/describe.ts";
import { isCallable } from "../util/is-callable.ts";
import { isThenable } from "../util/is-thenable.ts";
import { logSafely } from "../util/log-safely.ts";
import { checkEventName, checkPattern } from "./event-pattern.ts";
import type { EventDetails, EventHandler, EventPayload, PayloadArgument } from "./event-types.ts";
import { Subscriptions } from "./subscriptions.ts";

/** Dependencies of an event bus. */
export interface EventBusOptions {
  /** Receives the errors of handlers that fail. */
  readonly logger: Logger;
  /**
   * Receives work that the caller may not await, so that the platform finishes it after the response. The
   * promise never rejects.
   */
  readonly keepAlive?: (work: Promise<void>) => void;
}

/**
 * Events by name.
 *
 * Handlers run in registration order, across exact names and wildcards (`*`, `user.*`). Every handler runs
 * even if others throw. Handlers added or removed during an emission take effect from the next one. Any
 * string is a valid name.
 *
 * ```ts
 * bus.on("user.created", async (user, { id }) => sendWelcome(user, id));
 * await bus.emit("user.created", user);
 * ```
 */
export class EventBus {
  /** False until the first handler is registered. @internal */
  isObserved: boolean = false;
  readonly #subscriptions: Subscriptions = new Subscriptions();
  readonly #options: EventBusOptions;

  constructor(options: EventBusOptions) {
    this.#options = options;
  }

  /**
   * Calls `handler` for every event of this name.
   *
   * @param name a name, or `*`, or `user.*` for all below `user` at any depth
   * @returns a function that removes this registration and no other one of the same handler
   * @throws EspalierError `ERR_EVENTS_BAD_NAME` for a wildcard elsewhere, `ERR_EVENTS_BAD_HANDLER` for a
   *   handler that is not a function
   */
  on<const Name extends string, Payload = unknown>(
    name: Name,
    handler: EventHandler<EventPayload<Name, Payload>>,
  ): () => void {
    return this.#subscribe(name, handler, false);
  }

  /** Like {@link on}, but for the first emission only, even if several are in progress. */
  once<const Name extends string, Payload = unknown>(
    name: Name,
    handler: EventHandler<EventPayload<Name, Payload>>,
  ): () => void {
    return this.#subscribe(name, handler, true);
  }

  /**
   * Removes the latest registration of `handler` under this name, or all handlers of the name when no handler
   * is given. Does nothing if the handler is not registered.
   */
  off<const Name extends string, Payload = unknown>(
    name: Name,
    handler?: EventHandler<EventPayload<Name, Payload>>,
  ): void {
    this.#subscriptions.removeHandler(name, handler as EventHandler | undefined);
  }

  /** Returns whether the name has handlers. */
  has(name: string): boolean {
    return this.#subscriptions.covers(name);
  }

  /**
   * Calls the handlers one after the other, and resolves when the last has finished.
   *
   * Rejects with the error of a handler, or with an AggregateError if several failed. Each failure is also
   * logged; an unawaited rejection has no effect.
   *
   * @throws EspalierError `ERR_EVENTS_BAD_NAME` for a name that is not a string
   */
  emit<const Name extends string>(name: Name, ...payload: PayloadArgument<Name>): Promise<void> {
    const handlers = this.#handlers(name);
    if (handlers.length === 0) return Promise.resolve();
    const done = this.#callOneByOne(handlers, payload[0], createDetails(name));
    // Marks the rejection as handled: one that the caller ignores would end the process.
    const settled = done.catch(() => undefined);
    this.#options.keepAlive?.(settled);
    return done;
  }

  /**
   * Calls the handlers in order without awaiting them. Promises that reject are logged.
   *
   * @throws the error of a handler, after all have been called; an AggregateError if several failed
   */
  emitSync<const Name extends string>(name: Name, ...payload: PayloadArgument<Name>): void {
    const handlers = this.#handlers(name);
    if (handlers.length === 0) return;
    const details = createDetails(name);
    const errors: unknown[] = [];
    for (const handler of handlers) {
      try {
        const result = handler(payload[0], details);
        if (isThenable(result)) this.#watch(result, name);
      } catch (error) {
        errors.push(error);
      }
    }
    throwAll(errors, name);
  }

  #subscribe<Payload>(name: string, handler: EventHandler<Payload>, once: boolean): () => void {
    checkPattern(name);
    if (!isCallable(handler)) {
      throw new EspalierError(
        "ERR_EVENTS_BAD_HANDLER",
        `The handler of the event "${name}" must be a function (payload, event), got ${kindOf(handler)}.`,
      );
    }
    this.isObserved = true;
    // Unchecked: the payload's type is checked where the handler is registered and the event emitted.
    const subscription = this.#subscriptions.add(name, handler as EventHandler, once);
    return () => this.#subscriptions.remove(subscription);
  }

  #handlers(name: string): readonly EventHandler[] {
    checkEventName(name);
    return this.#subscriptions.take(name).map(({ handler }) => handler);
  }

  async #callOneByOne(
    handlers: readonly EventHandler[],
    payload: unknown,
    details: EventDetails,
  ): Promise<void> {
    const errors: unknown[] = [];
    for (const handler of handlers) {
      try {
        await handler(payload, details);
      } catch (error) {
        this.#report(error, details.name);
        errors.push(error);
      }
    }
    throwAll(errors, details.name);
  }

  #watch(result: PromiseLike<unknown>, name: string): void {
    const settled = Promise.resolve(result).then(
      () => undefined,
      (error: unknown) => this.#report(error, name),
    );
    this.#options.keepAlive?.(settled);
  }

  #report(error: unknown, event: string): void {
    const fields = { event, error: describeError(error) };
    logSafely(this.#options.logger, "error", "An event handler failed.", fields);
  }
}

function createDetails(name: string): EventDetails {
  return Object.freeze({ name, id: crypto.randomUUID(), timestamp: Date.now() });
}

function throwAll(errors: readonly unknown[], name: string): void {
  if (errors.length === 0) return;
  if (errors.length === 1) throw errors[0];
  throw new AggregateError(errors, `${errors.length} handlers of the event "${name}" failed.`);
}
