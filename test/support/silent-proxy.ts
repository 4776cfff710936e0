import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy of TCP connections that can drop them without telling either side, as a firewall does. */
export interface SilentProxy {
  readonly port: number;
  /** Forwards nothing any more over the connections that are open now. */
  silence(): void;
  close(): void;
}

/** Starts a proxy in front of a local port. */
export async function startSilentProxy(target: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let opened: { isSilent: boolean }[] = [];
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    const connection = { isSilent: false };
    opened.push(connection);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => void (connection.isSilent || to.write(chunk)));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        if (!connection.isSilent) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    silence() {
      for (const connection of opened) connection.isSilent = true;
      opened = [];
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
