import type { Events } from "../register.ts";
import type { FrameworkEvents } from "./framework-events.ts";

/** One emission, as every handler of it sees it. */
export interface EventDetails {
  /** The name that was emitted, also for a handler of `*` or `user.*`. */
  readonly name: string;
  /** A UUID of this emission. */
  readonly id: string;
  /** When it was emitted, in milliseconds since the epoch. */
  readonly timestamp: number;
}

/** Called for an event; a promise it returns is awaited by `emit`. */
export type EventHandler<Payload = unknown> = (payload: Payload, event: EventDetails) => unknown;

/**
 * What an event carries: as `Register.events` declares it, as {@link FrameworkEvents} does, else
 * `Otherwise`.
 */
export type EventPayload<Name extends string, Otherwise = unknown> = Name extends keyof Events
  ? Events[Name]
  : Name extends keyof FrameworkEvents
    ? FrameworkEvents[Name]
    : Otherwise;

/** The payload argument of an emission, which may be left out where it may be undefined. */
export type PayloadArgument<Name extends string> =
  undefined extends EventPayload<Name>
    ? [payload?: EventPayload<Name>]
    : [payload: EventPayload<Name>];
