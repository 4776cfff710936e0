import { startServerProcess } from "../../test/support/server-process.ts";
import { startWorkerd } from "../../test/support/workerd.ts";
import type { Target } from "../hostile/target.ts";

/** Runs the application with small limits from the built package. */
export async function startBodyLimitTarget(runtime: "node" | "workerd"): Promise<Target> {
  const nothing = { takeLines: () => [], hasEnded: () => false };
  if (runtime === "node") {
    const server = await startServerProcess("proof/body-limit/listen.ts", "node");
    const port = Number(new URL(server.url).port);
    return { runtime, port, ...nothing, stop: async () => (await server.stop()) === 0 };
  }
  const mf = await startWorkerd("proof/body-limit/worker.ts", { hasOwnSocket: true });
  const { port } = await mf.unsafeGetDirectURL();
  const stop = async (): Promise<boolean> => {
    await mf.dispose();
    return true;
  };
  return { runtime, port: Number(port), ...nothing, stop };
}
