import { AssertionError } from "./assertion-error.ts";
import { findDifference, show } from "./contains.ts";

/** An event as it was emitted. */
export interface RecordedEvent {
  readonly name: string;
  /** What its handlers were given. */
  readonly payload: unknown;
}

/** The part of an application that emits events. */
export interface EventSource {
  /** Calls the handler for every event; the function it returns ends that. */
  on(name: "*", handler: (payload: unknown, event: { readonly name: string }) => void): () => void;
}

/** Remembers events; the application's own handlers run as ever. */
export class EventRecording {
  readonly #events: RecordedEvent[] = [];
  readonly #stop: () => void;

  /** @internal */
  constructor(app: EventSource) {
    this.#stop = app.on("*", (payload, { name }) => this.#events.push({ name, payload }));
  }

  /** The events so far, in their order; those of one name where it is given. */
  events(name?: string): readonly RecordedEvent[] {
    return this.#events.filter((event) => name === undefined || event.name === name);
  }

  /** An event of this name was emitted; one with these members of its payload where they are given. */
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

  /** Throws when an event of that name was emitted. */
  assertNotEmitted(name: string): void {
    const [event] = this.events(name);
    if (event === undefined) return;
    throw new AssertionError(`The event "${name}" was emitted, with ${show(event.payload)}.`);
  }

  /** Forgets the events so far. */
  clear(): void {
    this.#events.length = 0;
  }

  /** Remembers no more events. */
  stop(): void {
    this.#stop();
  }
}

/**
 * Remembers the events of an application from now on.
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
