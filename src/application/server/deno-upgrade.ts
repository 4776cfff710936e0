import {
  forwardEvents,
  type ServerWebSocket,
} from "../../platform/websocket/web-socket-transport.ts";
import type { Upgrade } from "./answer-handshake.ts";

interface DenoUpgrades {
  upgradeWebSocket(
    request: Request,
    options: { protocol?: string },
  ): { readonly socket: ServerWebSocket; readonly response: Response };
}

/**
 * Upgrades a request of Deno. It is done last of all: Deno ends the process when it is given another
 * response afterwards.
 */
export function upgradeOnDeno(request: Request): Upgrade {
  return ({ listener, protocol }, headers) => {
    const { Deno } = globalThis as unknown as { Deno: DenoUpgrades };
    const options = protocol === undefined ? {} : { protocol };
    const { socket, response } = Deno.upgradeWebSocket(request, options);
    const transport = forwardEvents(socket, listener, true);
    socket.addEventListener("open", () => listener.opened(transport));
    for (const [name, value] of headers) {
      if (name !== "sec-websocket-protocol") response.headers.append(name, value);
    }
    return response;
  };
}
