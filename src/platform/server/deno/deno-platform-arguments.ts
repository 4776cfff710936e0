import { setImmediate } from "node:timers";
import { ignore } from "../../../util/ignore.ts";
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
  protected override async upgrade(
    { listener, protocol }: AcceptedUpgrade,
    headers: Headers,
  ): Promise<Response> {
    // Deno never closes a connection that is upgraded after its client has gone, and shutdown() waits for it. Only once the signal
    // is read does Deno notice a client that has gone.
    const { signal } = this.request;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (signal.aborted) return new Response(null, { status: 400 });
    const options = protocol === undefined ? {} : { protocol };
    const { socket, response } = upgradeQuietly(this.request, options);
    const transport = forwardEvents(socket, listener, true);
    socket.addEventListener("open", () => listener.opened(transport));
    for (const [name, value] of headers) {
      if (name !== "sec-websocket-protocol") response.headers.append(name, value);
    }
    return response;
  }
}

/** Suppresses a warning that Deno prints once, about requests whose signal was read: the signal is not used afterwards. */
function upgradeQuietly(
  ...args: Parameters<DenoUpgrades["upgradeWebSocket"]>
): ReturnType<DenoUpgrades["upgradeWebSocket"]> {
  const { Deno, console } = globalThis as unknown as { Deno: DenoUpgrades; console: Console };
  const { warn } = console;
  console.warn = ignore;
  try {
    return Deno.upgradeWebSocket(...args);
  } finally {
    console.warn = warn;
  }
}
