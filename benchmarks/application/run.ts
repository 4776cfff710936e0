import { reportUsage } from "../../scripts/runner/usage.ts";
import { installPeers } from "../support/install-peers.ts";
import { parseOptions } from "./options.ts";

// Must install the peers before bundling the modules that import them.
const options = await reportUsage(() => parseOptions(process.argv.slice(2)));
if (!options.own) installPeers(true);
const { benchmarkApplication } = await import("./benchmark-application.ts");
await benchmarkApplication(options);
