import type { PayloadArgument } from "./event-types.ts";

/** Where the framework's own events go; an application has its event bus there. */
export interface EventEmitter {
  /** Whether anybody would be called for that name. */
  has(name: string): boolean;
  emit<const Name extends string>(name: Name, ...payload: PayloadArgument<Name>): Promise<void>;
  /** Lets a part of the framework follow the turns of the application's life. */
  on(name: "app.stopping" | "app.stopped", handler: () => void | Promise<void>): unknown;
}

/**
 * The events of an application without a bus: nobody listens but parts of the framework, such as the
 * WebSockets that have to be closed before a server can stop.
 */
export class LocalEventEmitter implements EventEmitter {
  readonly #handlers: (readonly [string, () => void | Promise<void>])[] = [];

  has(name: string): boolean {
    return this.#handlers.some(([followed]) => followed === name);
  }

  async emit(name: string, ..._payload: readonly unknown[]): Promise<void> {
    for (const [followed, handler] of this.#handlers) if (followed === name) await handler();
  }

  on(name: string, handler: () => void | Promise<void>): void {
    this.#handlers.push([name, handler]);
  }
}
