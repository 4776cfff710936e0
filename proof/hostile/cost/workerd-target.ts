import { Agent, request } from "node:http";
import { startWorkerd } from "../../../test/support/workerd.ts";
import { findWorkerd, processorMs } from "../../soak/find-workerd.ts";
import type { CostTarget } from "./target.ts";

/** The application in workerd, whose processor time includes that of HTTP. */
export async function startWorkerdTarget(): Promise<CostTarget & { stop(): Promise<void> }> {
  const mf = await startWorkerd("proof/hostile/cost/worker.ts", { hasOwnSocket: true });
  const port = Number((await mf.unsafeGetDirectURL()).port);
  const id = findWorkerd();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    post: (contentType, body) =>
      new Promise((resolve, reject) => {
        const headers = { "content-type": contentType, "content-length": body.length };
        const sent = request({ host: "127.0.0.1", port, agent, method: "POST", headers });
        sent.on("error", reject);
        sent.on("response", (response) => {
          response.resume();
          response.on("end", () => resolve(response.statusCode ?? 0));
        });
        sent.end(body);
      }),
    processorMs: () => processorMs(id),
    async stop() {
      agent.destroy();
      await mf.dispose();
    },
  };
}
