import { reportUsage } from "../../scripts/runner/usage.ts";
import { installPeers } from "../support/install-peers.ts";
import { parseOptions } from "./options.ts";

// Must install the peers before loading the modules that import them.
const options = await reportUsage(() => parseOptions(process.argv.slice(2)));
installPeers(options.quick);
const { benchmarkRouting } = await import("./benchmark-routing.ts");
await benchmarkRouting(options);
