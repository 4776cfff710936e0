// Runs servers behind nginx and HAProxy: kept-alive connections, health checks, rolling restarts, large
// bodies, streams, spellings of forbidden paths, and bodies with a smuggled request.
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { type ServerProcess, startServerProcess } from "../../test/support/server-process.ts";
import type { Finding } from "../support/finding.ts";
import { runProof } from "../support/run-proof.ts";
import { proveHealthChecks } from "./cases/health-checks.ts";
import { proveKeepAlive } from "./cases/keep-alive.ts";
import { provePaths } from "./cases/paths.ts";
import { proveRollingRestart } from "./cases/rolling-restart.ts";
import { proveSmuggling } from "./cases/smuggling.ts";
import { proveStreams } from "./cases/streams.ts";
import { proveTransfers } from "./cases/transfers.ts";
import { findProxy, type ProxyName, type RunningProxy, startProxy } from "./proxy.ts";

const types = {
  proxy: "string",
  runtime: "string",
  only: "string",
  seed: "string",
  restarts: "string",
} as const;
const cases = ["health", "paths", "smuggling", "transfers", "streams", "keep-alive", "restart"];

await runProof("proxies", types, async (proof, options) => {
  const seed = readCount("--seed", options.seed, 20_261_128);
  const only = readChoices("--only", options.only, cases);
  const runtimes = readChoices("--runtime", options.runtime, ["node", "deno", "bun"]);
  const chosen = readChoices<ProxyName>("--proxy", options.proxy, ["nginx", "haproxy"]);
  const installed = chosen.filter((name) => findProxy(name) !== undefined);
  const missing = chosen.filter((name) => !installed.includes(name));
  if (installed.length === 0) proof.skip(`needs ${missing.join(" or ")}`);
  if (missing.length > 0) proof.addDetails({ leftOut: `${missing.join()}: not installed` });
  for (const name of installed) proof.addVersion(name, findProxy(name) ?? "");

  const { isQuick } = proof;
  for (const runtime of runtimes) {
    const servers: ServerProcess[] = [];
    const portOf = (at: number): number => Number(new URL(servers[at]?.url ?? "").port);
    const start = async (): Promise<void> => {
      servers.push(await startServerProcess("proof/proxies/listen.ts", runtime));
    };
    await start();
    for (const name of installed) {
      const add = (finding: Finding): void => proof.addFinding(finding, `${runtime}, ${name}`);
      const serverPort = portOf(0);
      const prove: Readonly<Record<string, (proxy: RunningProxy) => Promise<Finding>>> = {
        ...(name === "haproxy" ? { health: (proxy) => proveHealthChecks(proxy, 1) } : {}),
        paths: (proxy) => provePaths(proxy, { serverPort }),
        smuggling: (proxy) =>
          proveSmuggling(proxy, { serverPort, seed, cases: isQuick ? 200 : 2_000 }),
        transfers: (proxy) => proveTransfers(proxy, { serverPort, mebibytes: isQuick ? 8 : 64 }),
        streams: (proxy) => proveStreams(proxy, { serverPort, clients: isQuick ? 5 : 50 }),
        "keep-alive": (proxy) =>
          proveKeepAlive(proxy, {
            clients: isQuick ? 50 : 450,
            pausesMs: isQuick ? [5_000] : [5_000, 5_000, 60_000, 65_000],
          }),
      };
      const proxy = await startProxy(name, [serverPort]);
      try {
        for (const one of only) {
          const run = prove[one];
          if (run !== undefined) add(await run(proxy));
        }
      } finally {
        await proxy.stop();
      }
    }
    await start();
    for (const name of only.includes("restart") ? installed : []) {
      const proxy = await startProxy(name, [portOf(0), portOf(1)]);
      const restarts = readCount("--restarts", options.restarts, isQuick ? 2 : 20);
      try {
        const finding = await proveRollingRestart(proxy, {
          runtime,
          servers,
          restarts,
          clients: 32,
        });
        proof.addFinding(finding, `${runtime}, ${name}`);
      } finally {
        await proxy.stop();
      }
    }
    for (const server of servers) await server.stop();
  }
});
