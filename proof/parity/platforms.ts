import { startServerProcess } from "../../test/support/server-process.ts";
import { startWorkerd } from "../../test/support/workerd.ts";
import type { Call } from "./case.ts";
import { startChromium } from "./chromium.ts";
import type { RawAnswer } from "./comparable.ts";
import { sendOverSocket } from "./send.ts";

/** The application on one platform. */
export interface Platform {
  readonly base: string;
  send(call: Call): Promise<RawAnswer>;
  stop(): Promise<unknown>;
}

export type PlatformName = "node" | "workerd" | "deno" | "bun" | "chromium";

export const platformNames: readonly PlatformName[] = [
  "node",
  "workerd",
  "deno",
  "bun",
  "chromium",
];

/** Starts the application, from the built package, on a platform. */
export async function startPlatform(name: PlatformName): Promise<Platform> {
  if (name === "chromium") return startChromium();
  if (name === "workerd") {
    const mf = await startWorkerd("proof/parity/worker.ts", { hasOwnSocket: true });
    const base = (await mf.unsafeGetDirectURL()).href;
    return { base, send: (call) => sendOverSocket(base, call), stop: () => mf.dispose() };
  }
  const server = await startServerProcess("proof/parity/listen.ts", name);
  return {
    base: server.url,
    send: (call) => sendOverSocket(server.url, call),
    stop: () => server.stop(),
  };
}
