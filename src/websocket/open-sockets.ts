import type { EventEmitter } from "../events/event-emitter.ts";
import { RequestContext } from "../http/context.ts";
import type { FrameworkApplication } from "../register.ts";
import { WebSocketConnection } from "./connection.ts";

/** How long clients have to answer the goodbye of an application that stops, in milliseconds. */
const goodbyeMs = 1000;

/** The connections of one application, which are closed when it stops. */
export class OpenSockets {
  readonly #connections = new Set<WebSocketConnection>();
  #isStopping = false;
  #allGone: (() => void) | undefined;

  static readonly #ofApplication = new WeakMap<FrameworkApplication, OpenSockets>();

  /** Those of a request's application, which is asked from now on to tell when it stops. */
  static of(ctx: RequestContext<object>): OpenSockets {
    const { app } = ctx;
    let sockets = OpenSockets.#ofApplication.get(app);
    if (sockets === undefined) {
      sockets = new OpenSockets();
      OpenSockets.#ofApplication.set(app, sockets);
      sockets.#follow(RequestContext.events(ctx));
    }
    return sockets;
  }

  /** Whether clients that come back at once are to be sent away. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  add(connection: WebSocketConnection): void {
    this.#connections.add(connection);
  }

  delete(connection: WebSocketConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#allGone?.();
  }

  #follow(events: EventEmitter): void {
    // A server waits for every connection before it has stopped.
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
    for (const connection of this.#connections) connection.close(1001, "The server stops.");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, goodbyeMs);
    });
    await Promise.race([allGone, patience]);
    clearTimeout(timer);
    for (const connection of this.#connections) WebSocketConnection.terminate(connection);
  }
}
