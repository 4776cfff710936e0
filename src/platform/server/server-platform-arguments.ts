import type { PlatformArguments } from "../../http/context.ts";
import type { AcceptedUpgrade } from "../websocket/contract.ts";
import type { UpgradeSlot } from "../websocket/upgrade-slot.ts";

/**
 * What the server of Deno or Bun gives beside a request. It costs nothing until somebody asks for the address
 * or for a WebSocket, and adds nothing to the request, which would cost more than all else.
 */
export abstract class ServerPlatformArguments implements PlatformArguments, UpgradeSlot {
  readonly env = undefined;
  readonly executionContext = undefined;
  accepted: AcceptedUpgrade | undefined = undefined;
  protected readonly request: Request;

  constructor(request: Request) {
    this.request = request;
  }

  /** The address at the other end of the connection. */
  abstract readonly socketAddress: string | undefined;

  get upgradeSlot(): UpgradeSlot {
    return this;
  }

  /** Nothing has to be loaded: both platforms upgrade by themselves. */
  prepare(): Promise<void> {
    return Promise.resolve();
  }

  /** The answer as the server takes it: a WebSocket, where nothing further out gave another answer. */
  finish(answer: Response | Promise<Response>): Response | Promise<Response> {
    // Nobody accepts an upgrade at once, so that an answer that is there already is none.
    return answer instanceof Promise ? answer.then((response) => this.#settle(response)) : answer;
  }

  /** Makes the connection a WebSocket, with the headers of the answer; gives what the server is to get. */
  protected abstract upgrade(accepted: AcceptedUpgrade, headers: Headers): Response;

  #settle(response: Response): Response {
    if (this.accepted === undefined || response.status !== 101) return response;
    return this.upgrade(this.accepted, response.headers);
  }
}
