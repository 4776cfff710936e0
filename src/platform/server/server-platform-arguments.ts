import type { PlatformArguments } from "../../http/context-input.ts";
import type { AcceptedUpgrade } from "../websocket/contract.ts";
import type { UpgradeSlot } from "../websocket/upgrade-slot.ts";

/**
 * Platform arguments of a request on Deno or Bun: client address and WebSocket upgrade.
 *
 * Computes nothing in advance, and adds no members to the native request, which would cost more than the rest
 * of a small request.
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

  /** The client's IP address. */
  abstract readonly socketAddress: string | undefined;

  get upgradeSlot(): UpgradeSlot {
    return this;
  }

  /** Resolves immediately: Deno and Bun have built-in WebSocket support. */
  prepare(): Promise<void> {
    return Promise.resolve();
  }

  /** Returns the final response for the server: upgrades unless a middleware has replaced the 101. */
  settle(response: Response): Response | Promise<Response> {
    if (this.accepted === undefined || response.status !== 101) return response;
    return this.upgrade(this.accepted, response.headers);
  }

  /** Upgrades the connection to a WebSocket with these headers. Returns the value the server expects. */
  protected abstract upgrade(
    accepted: AcceptedUpgrade,
    headers: Headers,
  ): Response | Promise<Response>;
}
