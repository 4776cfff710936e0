import type { AcceptedUpgrade } from "../../websocket/contract.ts";
import { forwardEvents, type ServerWebSocket } from "../../websocket/web-socket-transport.ts";
import { ServerPlatformArguments } from "../server-platform-arguments.ts";

/** What Deno tells about a request beside it. */
export interface DenoRequestInfo {
  readonly remoteAddr: { readonly hostname?: string };
}

interface DenoUpgrades {
  upgradeWebSocket(
    request: Request,
    options: { protocol?: string },
  ): { readonly socket: ServerWebSocket; readonly response: Response };
}

/** What Deno gives beside a request. */
export class DenoPlatformArguments extends ServerPlatformArguments {
  readonly #info: DenoRequestInfo;

  constructor(request: Request, info: DenoRequestInfo) {
    super(request);
    this.#info = info;
  }

  get socketAddress(): string | undefined {
    return this.#info.remoteAddr.hostname;
  }

  /** It is done last of all: Deno ends the process when it is given another response afterwards. */
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
