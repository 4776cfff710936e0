import { setTimeout as sleep } from "node:timers/promises";
import { type ServerProcess, startServerProcess } from "../../../test/support/server-process.ts";
import { Finding } from "../../support/finding.ts";
import type { RunningProxy } from "../proxy.ts";
import { createAgent, send } from "../request.ts";
import type { Runtime } from "../runtime.ts";
import { waitUntilHealthy } from "../server-states.ts";

export interface RestartOptions {
  readonly runtime: Runtime;
  /** The servers behind the proxy; replaced by their successors. */
  readonly servers: ServerProcess[];
  readonly restarts: number;
  readonly clients: number;
}

/** Restarts one of the servers after the other with SIGTERM under load. No request may fail. */
export async function proveRollingRestart(
  proxy: RunningProxy,
  { runtime, servers, restarts, clients }: RestartOptions,
): Promise<Finding> {
  const { port } = proxy;
  const finding = new Finding("rolling restarts under load");
  const agent = createAgent(clients);
  let isOver = false;
  let phase = (): string => "before the first restart";
  const load = async (client: number): Promise<void> => {
    while (!isOver) {
      const method = finding.tried % 2 === 0 ? "GET" : "POST";
      finding.tried += 1;
      const body = method === "POST" ? { body: `{"client":${client}}` } : {};
      const path = `/${method.toLowerCase()}/${client}`;
      try {
        const response = await send(port, method, path, { agent, ...body });
        // The body shows which of the server and the proxy has sent the response.
        const input = `${method}, ${phase()}: ${response.body.slice(0, 100)}`;
        finding.check(response.status === 200, `status ${response.status}`, input);
      } catch (error) {
        finding.fault(String(error), `${method}, ${phase()}`);
      }
      // The processor must not be the bottleneck.
      await sleep(5);
    }
  };
  const loads = Array.from({ length: clients }, (_, client) => load(client));
  for (let restart = 0; restart < restarts; restart += 1) {
    await sleep(500);
    const startedAt = performance.now();
    phase = () => `${Math.round(performance.now() - startedAt)} ms after the signal of ${restart}`;
    await restartOne(servers, restart % servers.length, runtime, finding);
    // The proxy tries a server that has failed again after a second.
    await sleep(1_500);
    if (proxy.name === "haproxy") await waitUntilHealthy(proxy);
  }
  isOver = true;
  await Promise.all(loads);
  agent.destroy();
  finding.count("restarts", restarts);
  return finding;
}

async function restartOne(
  servers: ServerProcess[],
  at: number,
  runtime: Runtime,
  finding: Finding,
): Promise<void> {
  const old = servers[at];
  if (old === undefined) return;
  const code = await old.stop();
  finding.check(code === 0, "a server did not exit with code 0", String(code));
  servers[at] = await startServerProcess("proof/proxies/listen.ts", runtime, {
    PORT: new URL(old.url).port,
  });
}
