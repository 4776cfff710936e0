import type { Events, IfEventsAreDeclared, RegisteredEventName } from "../register.ts";
import type { FrameworkEvents } from "./framework-events.ts";

/** Details of one emission, passed to every handler. */
export interface EventDetails {
  /** The name that was emitted, also for a handler of `*` or `user.*`. */
  readonly name: string;
  /** A UUID of this emission. */
  readonly id: string;
  /** Time of the emission, in milliseconds since the epoch. */
  readonly timestamp: number;
}

/** The names that `emit` accepts: declared ones and those of the framework; any string if none are declared. */
export type EventName = RegisteredEventName | keyof FrameworkEvents;

/** The names that `on` accepts: those of `emit`, and patterns such as `user.*`. */
export type EventPattern = EventName | IfEventsAreDeclared<"*" | `${string}.*`>;

/** Handler of an event; `emit` awaits the promise that it returns. */
export type EventHandler<Payload = unknown> = (payload: Payload, event: EventDetails) => unknown;

/** Payload type of an event: declared in `Register.events` or {@link FrameworkEvents}, else `Otherwise`. */
export type EventPayload<Name extends string, Otherwise = unknown> = Name extends keyof Events
  ? Events[Name]
  : Name extends keyof FrameworkEvents
    ? FrameworkEvents[Name]
    : Otherwise;

/** The payload argument of an emission; optional if the payload may be undefined. */
export type PayloadArgument<Name extends string> =
  undefined extends EventPayload<Name>
    ? [payload?: EventPayload<Name>]
    : [payload: EventPayload<Name>];
