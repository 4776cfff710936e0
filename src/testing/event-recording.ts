import { AssertionError } from "./assertion-error.ts";
import { findDifference, show } from "./contains.ts";

/** A recorded event. */
export interface RecordedEvent {
  readonly name: string;
  /** Payload passed to the handlers. */
  readonly payload: unknown;
}

/** The part of an application that emits events. */
export interface EventSource {
  /** Calls the handler for every event; returns a function that unsubscribes. */
  on(name: "*", handler: (payload: unknown, event: { readonly name: string }) => void): () => void;
}

/** Records events; the application's handlers still run. */
export class EventRecording {
  readonly #events: RecordedEvent[] = [];
  readonly #stop: () => void;

  /** @internal */
  constructor(app: EventSource) {
    this.#stop = app.on("*", (payload, { name }) => this.#events.push({ name, payload }));
  }

  /** Returns the recorded events in order, optionally only those with this name. */
  events(name?: string): readonly RecordedEvent[] {
    return this.#events.filter((event) => name === undefined || event.name === name);
  }

  /** Throws unless an event with this name was emitted, optionally with these members in its payload. */
  assertEmitted(name: string, payload?: unknown): RecordedEvent {
    const ofName = this.events(name);
    const found = ofName.find(
      (event) => payload === undefined || findDifference(event.payload, payload) === undefined,
    );
    if (found !== undefined) return found;
    const names = [...new Set(this.#events.map((event) => event.name))].join(", ") || "none";
    throw new AssertionError(
      ofName.length === 0
        ? `The event "${name}" was not emitted. There were: ${names}.`
        : `No event "${name}" had ${show(payload)}, only ` +
            `${ofName.map((event) => show(event.payload)).join(", ")}.`,
    );
  }

  /** Throws if an event with this name was emitted. */
  assertNotEmitted(name: string): void {
    const [event] = this.events(name);
    if (event === undefined) return;
    throw new AssertionError(`The event "${name}" was emitted, with ${show(event.payload)}.`);
  }

  /** Clears the recorded events. */
  clear(): void {
    this.#events.length = 0;
  }

  /** Stops recording. */
  stop(): void {
    this.#stop();
  }
}

/**
 * Starts recording the events of an application.
 *
 * ```ts
 * const recording = recordEvents(app);
 * await client.post("/users", { json: { name: "Ada" } });
 * recording.assertEmitted("user.created", { name: "Ada" });
 * ```
 */
export function recordEvents(app: EventSource): EventRecording {
  return new EventRecording(app);
}
