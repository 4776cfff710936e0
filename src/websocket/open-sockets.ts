import type { EventEmitter } from "../events/event-emitter.ts";
import type { RequestContext } from "../http/context.ts";
import type { FrameworkApplication } from "../register.ts";
import { withDeadline } from "../util/with-deadline.ts";
import { WebSocketConnection } from "./connection.ts";

/** Timeout for clients to reply to the close frame at shutdown, in milliseconds. */
const shutdownCloseMs = 1000;

const shutdownClose = [1001, "The server is shutting down."] as const;

/** The open connections of one application, closed at shutdown. */
export class OpenSockets {
  readonly #connections = new Set<WebSocketConnection>();
  readonly #lateTimers = new WeakMap<WebSocketConnection, ReturnType<typeof setTimeout>>();
  #isStopping = false;
  #allGone: (() => void) | undefined;

  static readonly #ofApplication = new WeakMap<FrameworkApplication, OpenSockets>();

  /** Returns those of the request's application; the first call subscribes to its shutdown events. */
  static of(ctx: RequestContext<object>): OpenSockets {
    const { app } = ctx;
    let sockets = OpenSockets.#ofApplication.get(app);
    if (sockets === undefined) {
      sockets = new OpenSockets();
      OpenSockets.#ofApplication.set(app, sockets);
      sockets.#follow(ctx.internalInput.services.events);
    }
    return sockets;
  }

  /** `true` during shutdown, when reconnecting clients must be rejected. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  add(connection: WebSocketConnection): void {
    this.#connections.add(connection);
    if (this.#isStopping) this.#closeLate(connection);
  }

  /** Closes a connection whose handshake was accepted before the shutdown and completed afterwards. */
  #closeLate(connection: WebSocketConnection): void {
    connection.close(...shutdownClose);
    const timer = setTimeout(() => WebSocketConnection.terminate(connection), shutdownCloseMs);
    this.#lateTimers.set(connection, timer);
  }

  delete(connection: WebSocketConnection): void {
    this.#connections.delete(connection);
    clearTimeout(this.#lateTimers.get(connection));
    if (this.#connections.size === 0) this.#allGone?.();
  }

  #follow(events: EventEmitter): void {
    // A server does not finish stopping while connections are open.
    events.on("app.stopping", () => this.#closeAll());
    events.on("app.stopped", () => {
      this.#isStopping = false;
    });
  }

  async #closeAll(): Promise<void> {
    this.#isStopping = true;
    if (this.#connections.size === 0) return;
    const allGone = new Promise<void>((resolve) => {
      this.#allGone = resolve;
    });
    for (const connection of this.#connections) connection.close(...shutdownClose);
    await withDeadline(allGone, shutdownCloseMs, () => {});
    for (const connection of this.#connections) WebSocketConnection.terminate(connection);
  }
}
