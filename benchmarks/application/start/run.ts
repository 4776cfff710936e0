import { reportUsage } from "../../../scripts/runner/usage.ts";
import { installPeers } from "../../support/install-peers.ts";
import { parseOptions } from "../options.ts";

const options = await reportUsage(() =>
  parseOptions(process.argv.slice(2), { runtimes: ["node", "workerd"] }),
);
if (!options.own) installPeers(true);
const { benchmarkStart } = await import("./benchmark-start.ts");
await benchmarkStart(options);
