import type { AcceptedUpgrade } from "../../websocket/contract.ts";
import { forwardEvents, type ServerWebSocket } from "../../websocket/web-socket-transport.ts";
import { ServerPlatformArguments } from "../server-platform-arguments.ts";

/** The members of Deno's `ServeHandlerInfo` that are used here. */
export interface DenoRequestInfo {
  readonly remoteAddr: { readonly hostname?: string };
  /** Settles when the response is complete; rejects if the client has disconnected before. */
  readonly completed: Promise<void>;
}

interface DenoUpgrades {
  upgradeWebSocket(
    request: Request,
    options: { protocol?: string },
  ): { readonly socket: ServerWebSocket; readonly response: Response };
}

/** Platform arguments of a request on Deno. */
export class DenoPlatformArguments extends ServerPlatformArguments {
  readonly #info: DenoRequestInfo;

  constructor(request: Request, info: DenoRequestInfo) {
    super(request);
    this.#info = info;
  }

  get socketAddress(): string | undefined {
    return this.#info.remoteAddr.hostname;
  }

  /** Must be called last: after the upgrade, any other response to the server makes Deno end the process. */
  protected override upgrade({ listener, protocol }: AcceptedUpgrade, headers: Headers): Response {
    const { Deno } = globalThis as unknown as { Deno: DenoUpgrades };
    const options = protocol === undefined ? {} : { protocol };
    const { socket, response } = Deno.upgradeWebSocket(this.request, options);
    const transport = forwardEvents(socket, listener, true);
    socket.addEventListener("open", () => listener.opened(transport));
    for (const [name, value] of headers) {
      if (name !== "sec-websocket-protocol") response.headers.append(name, value);
    }
    return response;
  }
}
