import type { PayloadArgument } from "./event-types.ts";

/** Receives the framework's own events; the event bus of an application implements it. */
export interface EventEmitter {
  /** False until the first handler is registered, so that a request can skip the lookup of its events. */
  readonly isObserved: boolean;
  /** Returns whether the name has handlers. */
  has(name: string): boolean;
  emit<const Name extends string>(name: Name, ...payload: PayloadArgument<Name>): Promise<void>;
  /** Lets parts of the framework subscribe to lifecycle events. */
  on(name: "app.stopping" | "app.stopped", handler: () => void | Promise<void>): unknown;
}

/**
 * Event emitter of an application without a bus: only parts of the framework subscribe, such as the
 * WebSockets that have to be closed before a server can stop.
 */
export class LocalEventEmitter implements EventEmitter {
  isObserved: boolean = false;
  readonly #handlers: (readonly [string, () => void | Promise<void>])[] = [];

  has(name: string): boolean {
    return this.#handlers.some(([followed]) => followed === name);
  }

  async emit(name: string, ..._payload: readonly unknown[]): Promise<void> {
    for (const [followed, handler] of this.#handlers) if (followed === name) await handler();
  }

  on(name: string, handler: () => void | Promise<void>): void {
    this.isObserved = true;
    this.#handlers.push([name, handler]);
  }
}
