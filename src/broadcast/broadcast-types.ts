import type { Broadcasts, SentBroadcasts } from "../register.ts";
import type { FromJson } from "../util/json-types.ts";

/** Details of a broadcast, passed to every handler. */
export interface BroadcastDetails {
  /** Name of the broadcast. */
  readonly name: string;
  /** A UUID of this broadcast, the same on all instances. */
  readonly id: string;
  /** Time at which it was sent, in milliseconds since the epoch, by the clock of its sender. */
  readonly timestamp: number;
  /** True if this application has sent it. */
  readonly isLocal: boolean;
}

/** Handler of a broadcast. It is not awaited; its errors are logged. */
export type BroadcastHandler<Payload = unknown> = (
  payload: Payload,
  details: BroadcastDetails,
) => unknown;

/** The subscription of a handler. */
export interface BroadcastSubscription {
  /**
   * Resolves when broadcasts sent from now on arrive: at boot, or at once if the application has booted. Rejects
   * with a StoreError if the adapter fails; it is then tried again in the background. A rejection that is not
   * awaited has no effect.
   */
  readonly ready: Promise<void>;
  /** False if broadcasts stay in this process, because no adapter has been set. */
  readonly isShared: boolean;
  /** Ends the subscription. */
  unsubscribe(): void;
}

/** The names that `broadcast` and `onBroadcast` accept: the declared ones, or any string. */
export type BroadcastName = keyof SentBroadcasts & string;

/** The payload that `broadcast` takes. */
export type SentBroadcast<Name extends string> = Name extends keyof SentBroadcasts
  ? SentBroadcasts[Name]
  : unknown;

/** The payload that a handler receives: what was sent, after JSON. `Otherwise` if the name is not declared. */
export type ReceivedBroadcast<
  Name extends string,
  Otherwise = unknown,
> = Name extends keyof Broadcasts ? FromJson<Broadcasts[Name]> : Otherwise;

/** The payload argument of `broadcast`; optional if the payload may be undefined. */
export type BroadcastArgument<Name extends string> =
  undefined extends SentBroadcast<Name>
    ? [payload?: SentBroadcast<Name>]
    : [payload: SentBroadcast<Name>];
