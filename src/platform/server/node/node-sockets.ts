import { EspalierError } from "../../../errors.ts";
import type {
  AcceptedUpgrade,
  SocketData,
  SocketListener,
  SocketTransport,
} from "../../websocket/contract.ts";
import type { IncomingMessage } from "./node-messages.ts";
import { NodePongs, type PingedSocket } from "./node-pongs.ts";
import type { NodeSocket } from "./node-upgrade.ts";

/** A handshake, and everything needed to complete it. */
export interface NodeUpgrade extends AcceptedUpgrade {
  readonly req: IncomingMessage;
  readonly socket: NodeSocket;
  readonly head: Uint8Array;
  readonly request: Request;
  /** Headers of the response, sent with the handshake. */
  readonly headers: Headers;
}

/** The part of a peer of `crossws` that is used here. */
interface Peer {
  send(data: SocketData): unknown;
  close(code: number, reason: string): void;
  terminate(): void;
  readonly bufferedAmount: number;
  readonly websocket: PingedSocket;
}

/** Event hooks that `crossws` calls for a connection. */
interface Hooks {
  upgrade(): { headers: Headers };
  open(peer: Peer): void;
  message(peer: Peer, message: { readonly rawData: SocketData }): void;
  close(peer: Peer, details: { code?: number; reason?: string }): void;
  error(peer: Peer, error: Error): void;
}

/** The part of Node's adapter in `crossws` that is used here. */
interface Adapter {
  handleUpgrade(
    req: IncomingMessage,
    socket: NodeSocket,
    head: Uint8Array,
    request: Request,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Memory of a write that waits, beside its data, in bytes; each message is two. */
const writeBytes = 128;

type CreateAdapter = (options: {
  resolve(request: Request): Hooks | undefined;
  serverOptions: { maxPayload: number; autoPong: boolean };
}) => Adapter;

/** The WebSockets of a Node server, based on the package `crossws`, which is imported on first use. */
export class NodeSockets {
  #createAdapter: CreateAdapter | undefined;
  /** One adapter per message size limit, since the limit is fixed at creation. */
  readonly #adapters = new Map<number, Adapter>();
  readonly #expected = new WeakMap<Request, Hooks>();

  /** @throws EspalierError `ERR_WEBSOCKET_NO_CROSSWS` when the package is not installed */
  async load(): Promise<void> {
    if (this.#createAdapter !== undefined) return;
    // With an import in a try block, bundlers treat the package as optional.
    try {
      const module = await import("crossws/adapters/node");
      // The package's own types depend on those of Node.
      this.#createAdapter = module.default as never as CreateAdapter;
    } catch (cause) {
      throw new EspalierError(
        "ERR_WEBSOCKET_NO_CROSSWS",
        "WebSockets need the package crossws on Node. Install it: npm install crossws",
        { cause },
      );
    }
  }

  /** Completes a handshake. Requires a preceding {@link load}. */
  async accept(upgrade: NodeUpgrade): Promise<void> {
    const { req, socket, head, request, maxMessageBytes } = upgrade;
    this.#expected.set(request, hooksOf(upgrade));
    await this.#adapter(maxMessageBytes).handleUpgrade(req, socket, head, request);
  }

  /** Stops the detection of dead connections. */
  close(): void {
    for (const adapter of this.#adapters.values()) adapter.close().catch(() => {});
    this.#adapters.clear();
  }

  #adapter(maxPayload: number): Adapter {
    let adapter = this.#adapters.get(maxPayload);
    if (adapter !== undefined) return adapter;
    if (this.#createAdapter === undefined) throw new Error("crossws has not been loaded");
    adapter = this.#createAdapter({
      resolve: (request) => this.#expected.get(request),
      serverOptions: { maxPayload, autoPong: false },
    });
    this.#adapters.set(maxPayload, adapter);
    return adapter;
  }
}

function hooksOf({ listener, headers, socket }: NodeUpgrade): Hooks {
  return {
    upgrade: () => ({ headers }),
    open: (peer) => listener.opened(transportOf(peer, socket, listener)),
    message: (_peer, { rawData }) => listener.received(rawData),
    close: (_peer, { code = 1006, reason = "" }) => listener.closed(code, reason),
    error: (_peer, error) => listener.failed(error),
  };
}

function transportOf(peer: Peer, socket: NodeSocket, listener: SocketListener): SocketTransport {
  const pongs = new NodePongs(peer.websocket, () => listener.buffered());
  return {
    send: (data) => {
      pongs.flush();
      peer.send(data);
    },
    close: (code, reason) => peer.close(code, reason),
    terminate: () => peer.terminate(),
    holdsServer: true,
    bufferedBytes: () => peer.bufferedAmount,
    overheadBytes: () => (socket._writableState?.buffered?.length ?? 0) * writeBytes,
  };
}
