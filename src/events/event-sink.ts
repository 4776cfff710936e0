import type { PayloadArgument } from "./event-types.ts";

/** Where the framework's own events go; an application has its event bus there. */
export interface EventSink {
  /** Whether anybody would be called for that name. */
  has(name: string): boolean;
  emit<const Name extends string>(name: Name, ...payload: PayloadArgument<Name>): Promise<void>;
}

/** Nobody listens. */
export const silentEvents: EventSink = {
  has: () => false,
  emit: async () => {},
};
