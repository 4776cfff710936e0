import { startServerProcess } from "../../../test/support/server-process.ts";
import { startWorkerd } from "../../../test/support/workerd.ts";
import { findWorkerd, processorMs } from "../../soak/find-workerd.ts";
import { connectHttp, connectWebSocket } from "./connection.ts";

/** The application in a process of its own, whose processor time includes that of HTTP. */
export interface SearchTarget {
  /** Sends a request. */
  request(bytes: Uint8Array): Promise<void>;
  /** Sends frames over a WebSocket. */
  frames(bytes: Uint8Array): Promise<void>;
  /** Returns the processor time of all threads of the process so far, in milliseconds. */
  processorMs(): number;
  stop(): Promise<unknown>;
}

export async function startSearchTarget(runtime: "node" | "workerd"): Promise<SearchTarget> {
  if (runtime === "node") {
    const server = await startServerProcess("proof/hostile/cost-search/listen.ts", "node");
    return createTarget(Number(new URL(server.url).port), server.child.pid ?? 0, () =>
      server.stop(),
    );
  }
  const mf = await startWorkerd("proof/hostile/cost-search/worker.ts", { hasOwnSocket: true });
  const port = Number((await mf.unsafeGetDirectURL()).port);
  return createTarget(port, findWorkerd(), () => mf.dispose());
}

function createTarget(port: number, id: number, stop: () => Promise<unknown>): SearchTarget {
  const http = connectHttp(port);
  const webSocket = connectWebSocket(port);
  return {
    request: (bytes) => http.send(bytes),
    frames: (bytes) => webSocket.send(bytes),
    processorMs: () => processorMs(id),
    stop() {
      http.close();
      webSocket.close();
      return stop();
    },
  };
}
