import { reportUsage } from "../../scripts/runner/usage.ts";
import { installPeers } from "../support/install-peers.ts";
import { parseOptions } from "./options.ts";

// The peers are installed before anything that imports them is loaded.
const options = await reportUsage(() => parseOptions(process.argv.slice(2)));
installPeers(options.quick);
const { benchmarkRouting } = await import("./benchmark-routing.ts");
await benchmarkRouting(options);
