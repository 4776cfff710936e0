import { reportUsage } from "../../scripts/runner/usage.ts";
import { installPeers } from "../support/install-peers.ts";
import { parseOptions } from "./options.ts";

// The peers are installed before anything that imports them is bundled.
const options = await reportUsage(() => parseOptions(process.argv.slice(2)));
if (!options.own) installPeers(true);
const { benchmarkApplication } = await import("./benchmark-application.ts");
await benchmarkApplication(options);
