import { setTimeout as sleep } from "node:timers/promises";
import { Finding } from "../../support/finding.ts";
import type { RunningProxy } from "../proxy.ts";
import { createAgent, send } from "../request.ts";

export interface KeepAliveOptions {
  readonly clients: number;
  /** Pauses between two requests of a client, in milliseconds, one after the other. */
  readonly pausesMs: readonly number[];
}

/**
 * Sends POSTs over kept-alive connections, with pauses around the idle timeouts of servers and proxies. A
 * server that closes a connection on which its proxy is just sending a POST causes a 502: the proxy must not
 * repeat it.
 */
export async function proveKeepAlive(
  { port }: RunningProxy,
  { clients, pausesMs }: KeepAliveOptions,
): Promise<Finding> {
  const finding = new Finding("POSTs with pauses around idle timeouts");
  const agent = createAgent(clients);
  const run = async (client: number): Promise<void> => {
    // Spread over 200 ms, to meet the moment at which a connection is closed.
    const offsetMs = (client / clients - 0.5) * 200;
    for (const pauseMs of [0, ...pausesMs.map((pause) => pause + offsetMs)]) {
      await sleep(pauseMs);
      finding.tried += 1;
      try {
        const { status } = await send(port, "POST", `/post/${client}`, { agent, body: "{}" });
        finding.check(status === 200, `status ${status}`, `after ${pauseMs} ms`);
      } catch (error) {
        finding.fault(String(error), `after ${pauseMs} ms`);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  agent.destroy();
  return finding;
}
