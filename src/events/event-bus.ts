import { EspalierError } from "../errors.ts";
import { describeError, type Logger } from "../observability/logger.ts";
import { kindOf } from "../util/describe.ts";
import { isThenable } from "../util/is-thenable.ts";
import { logSafely } from "../util/log-safely.ts";
import { checkPattern } from "./event-pattern.ts";
import type { EventDetails, EventHandler, EventPayload, PayloadArgument } from "./event-types.ts";
import { Subscriptions } from "./subscriptions.ts";

/** What an event bus needs of its surroundings. */
export interface EventBusOptions {
  /** Told of handlers that fail. */
  readonly logger: Logger;
  /**
   * Given work that nobody may be waiting for, so that the platform finishes it after the response.
   * The promise never rejects.
   */
  readonly keepAlive?: (work: Promise<void>) => void;
}

/**
 * Events by name.
 *
 * Handlers run in the order of their registration, over exact names and wildcards (`*`, `user.*`).
 * Every handler runs, whatever the others throw. Registering and removing during an emission
 * applies to the next one. Any string is a name.
 *
 * ```ts
 * bus.on("user.created", async (user, { id }) => sendWelcome(user, id));
 * await bus.emit("user.created", user);
 * ```
 */
export class EventBus {
  readonly #subscriptions: Subscriptions = new Subscriptions();
  readonly #options: EventBusOptions;

  constructor(options: EventBusOptions) {
    this.#options = options;
  }

  /**
   * Calls `handler` for every event of that name.
   *
   * @param name a name, or `*`, or `user.*` for all below `user` at any depth
   * @returns a function that removes this registration, and no other of the same handler
   * @throws EspalierError `ERR_EVENTS_BAD_NAME` for a wildcard elsewhere, `ERR_EVENTS_BAD_HANDLER`
   *   for what is no function
   */
  on<const Name extends string, Payload = unknown>(
    name: Name,
    handler: EventHandler<EventPayload<Name, Payload>>,
  ): () => void {
    return this.#subscribe(name, handler, false);
  }

  /**
   * As {@link on}, for one emission: it takes the first, however many are under way.
   */
  once<const Name extends string, Payload = unknown>(
    name: Name,
    handler: EventHandler<EventPayload<Name, Payload>>,
  ): () => void {
    return this.#subscribe(name, handler, true);
  }

  /**
   * Removes one registration of `handler` under that name (the latest), or all handlers of the name
   * when none is given. What is not registered is ignored.
   */
  off<const Name extends string, Payload = unknown>(
    name: Name,
    handler?: EventHandler<EventPayload<Name, Payload>>,
  ): void {
    this.#subscriptions.removeHandler(name, handler as EventHandler | undefined);
  }

  /** Whether anybody would be called for that name. */
  has(name: string): boolean {
    return this.#subscriptions.covers(name);
  }

  /**
   * Calls the handlers one after the other, and resolves when the last is done.
   *
   * It rejects with what a handler threw; with an AggregateError when several did. Each failure is
   * also written to the log, and a rejection that nobody awaits stays without consequence.
   */
  emit<const Name extends string>(name: Name, ...payload: PayloadArgument<Name>): Promise<void> {
    const handlers = this.#handlers(name);
    if (handlers.length === 0) return Promise.resolve();
    const done = this.#callOneByOne(handlers, payload[0], createDetails(name));
    // Without a handler of its own, a rejection that the caller ignores would end the process.
    const settled = done.catch(() => undefined);
    this.#options.keepAlive?.(settled);
    return done;
  }

  /**
   * Calls the handlers in order without awaiting them. Promises that reject are written to the log.
   *
   * @throws what a handler threw, after all have been called; an AggregateError when several did
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
    if (typeof handler !== "function") {
      throw new EspalierError(
        "ERR_EVENTS_BAD_HANDLER",
        `The handler of the event "${name}" is ${kindOf(handler)}. Pass a function (payload, event).`,
      );
    }
    // A name's payload is checked where the handler is registered and where the event is emitted.
    const subscription = this.#subscriptions.add(name, handler as EventHandler, once);
    return () => this.#subscriptions.remove(subscription);
  }

  #handlers(name: string): readonly EventHandler[] {
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
