import { reportUsage } from "../../../scripts/runner/usage.ts";
import { installPeers } from "../../support/install-peers.ts";
import { parseOptions } from "../options.ts";

const options = await reportUsage(() =>
  parseOptions(process.argv.slice(2), { runtimes: ["node", "deno", "bun"] }),
);
if (!options.own) installPeers(true);
const { benchmarkSockets } = await import("./benchmark-sockets.ts");
await benchmarkSockets(options);
