import type { PlatformArguments } from "../../http/context.ts";
import type { AcceptedUpgrade } from "../websocket/contract.ts";
import type { UpgradeSlot } from "../websocket/upgrade-slot.ts";

/**
 * The platform arguments of a request on Deno or Bun: client address and WebSocket upgrade.
 *
 * Nothing is computed before it is asked for, and nothing is added to the request itself: own members on a
 * native request would cost more than the rest of a small request.
 */
export abstract class ServerPlatformArguments implements PlatformArguments, UpgradeSlot {
  readonly env = undefined;
  readonly executionContext = undefined;
  readonly hasRawTarget = true;
  accepted: AcceptedUpgrade | undefined = undefined;
  protected readonly request: Request;

  constructor(request: Request) {
    this.request = request;
  }

  /** The client's address. */
  abstract readonly socketAddress: string | undefined;

  get upgradeSlot(): UpgradeSlot {
    return this;
  }

  /** Nothing to load: Deno and Bun upgrade by themselves. */
  prepare(): Promise<void> {
    return Promise.resolve();
  }

  /** Returns the response to give to the server: the upgrade, if it was accepted and is still the response. */
  settle(response: Response): Response {
    if (this.accepted === undefined || response.status !== 101) return response;
    return this.upgrade(this.accepted, response.headers);
  }

  /** Makes the connection a WebSocket, with these response headers. Returns what the server expects then. */
  protected abstract upgrade(accepted: AcceptedUpgrade, headers: Headers): Response;
}
